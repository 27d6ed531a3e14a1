#include "fanout/load/plain_references.h"

#include "fanout/load/hash.h"

namespace rpcbench {
namespace {

constexpr std::size_t kKeptBytes = 16 << 20;

}  // namespace

void PlainReferences::Take(BodyPlace& place, std::string_view bytes,
                           std::vector<PieceRef>& pieces) {
  PieceRef piece = Find(place, bytes);
  pieces.push_back(piece ? std::move(piece) : Add(place, bytes));
}

PieceRef PlainReferences::Add(BodyPlace& place, std::string_view bytes) {
  Seen seen = EventReader(Codec::kIdentity).Read(bytes);
  canon_.Check(seen);
  auto piece = std::make_shared<const BodyPiece>(BodyPiece{std::string(bytes), std::move(seen)});
  by_hash_.emplace(HashOf(bytes), first_ + pieces_.size());
  pieces_.push_back(piece);
  bytes_ += bytes.size();
  place.next = first_ + pieces_.size();
  Trim();
  return piece;
}

// Streams receive the same pieces in the same order but for what was sent to one of them alone:
// mostly the piece behind the last one is the one.
PieceRef PlainReferences::Find(BodyPlace& place, std::string_view bytes) const {
  if (place.next >= first_ && place.next < first_ + pieces_.size()) {
    const PieceRef& expected = pieces_[place.next - first_];
    if (expected->bytes == bytes) {
      ++place.next;
      return expected;
    }
  }
  const auto [begin, end] = by_hash_.equal_range(HashOf(bytes));
  for (auto it = begin; it != end; ++it) {
    const PieceRef& candidate = pieces_[it->second - first_];
    if (candidate->bytes != bytes) continue;
    place.next = it->second + 1;
    return candidate;
  }
  return nullptr;
}

void PlainReferences::Trim() {
  while (bytes_ > kKeptBytes && pieces_.size() > 1) {
    const auto [begin, end] = by_hash_.equal_range(HashOf(pieces_.front()->bytes));
    for (auto it = begin; it != end; ++it) {
      if (it->second != first_) continue;
      by_hash_.erase(it);
      break;
    }
    bytes_ -= pieces_.front()->bytes.size();
    pieces_.pop_front();
    ++first_;
  }
}

}  // namespace rpcbench
