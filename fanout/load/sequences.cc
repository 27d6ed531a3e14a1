#include "fanout/load/sequences.h"

#include <algorithm>
#include <deque>
#include <string>

#include "echo/error.h"

namespace rpcbench {

class BodySequence final {
 public:
  struct Entry {
    std::uint64_t begin = 0;  // bytes of the sequence before this piece
    PieceRef piece;
  };

  std::uint64_t end() const {
    return entries.empty() ? 0 : entries.back().begin + entries.back().piece->bytes.size();
  }
  bool whole() const { return entries.empty() || entries.front().begin == 0; }

  // The index of the piece that begins there, or entries.size(). Streams are mostly at the end.
  std::size_t Find(std::uint64_t begin) const {
    for (std::size_t i = entries.size(); i-- > 0;) {
      if (entries[i].begin == begin) return i;
    }
    return entries.size();
  }

  // Pieces may be cut at other places, but as far as both go the bytes are the same.
  bool GoesOnWith(std::uint64_t at, std::string_view bytes) const {
    const std::size_t index = Find(at);
    if (index == entries.size()) return false;
    const std::string& known = entries[index].piece->bytes;
    const std::size_t both = std::min(known.size(), bytes.size());
    return bytes.substr(0, both) == std::string_view(known).substr(0, both);
  }

  std::string BytesUntil(std::uint64_t at) const {
    std::string bytes;
    for (const Entry& entry : entries) {
      if (entry.begin < at) bytes += entry.piece->bytes;
    }
    return bytes;
  }

  std::unique_ptr<EventReader> reader;  // has read all pieces; null: spoilt, and not to be mended
  std::deque<Entry> entries;
};

namespace {

// A follower so many pieces behind the first one is given up: at 20 a second it is 50 s late.
constexpr std::size_t kKept = 1024;
// With one follower only a joiner needs old pieces, and it begins with at most a log's.
constexpr std::size_t kKeptAlone = 64;

// A reader that has read the first `pieces`.
std::unique_ptr<EventReader> ReaderOf(Codec codec, const BodySequence& sequence,
                                      std::size_t pieces) {
  auto reader = std::make_unique<EventReader>(codec);
  for (std::size_t i = 0; i < pieces; ++i) reader->Read(sequence.entries[i].piece->bytes);
  return reader;
}

}  // namespace

void Sequences::Take(BodyPlace& place, std::string_view bytes, std::vector<PieceRef>& pieces) {
  if (!place.sequence) Begin(place, bytes);
  while (!bytes.empty()) {
    if (place.next == place.sequence->end())
      Extend(place, bytes, pieces);
    else if (!Follow(place, bytes, pieces))
      Branch(place, bytes);
  }
}

// A new stream, or one that goes on with another cohort's bytes.
void Sequences::Begin(BodyPlace& place, std::string_view bytes) {
  place = {Matching("", bytes), 0};
  if (place.sequence) return;
  place.sequence = std::make_shared<BodySequence>();
  place.sequence->reader = std::make_unique<EventReader>(codec_);
  all_.push_back(place.sequence);
}

// One that is so far `before`, and then begins as `bytes` does; or null.
std::shared_ptr<BodySequence> Sequences::Matching(std::string_view before, std::string_view bytes) {
  std::erase_if(all_, [](const auto& sequence) { return sequence.expired(); });
  for (const auto& weak : all_) {
    auto known = weak.lock();
    if (!known->whole() || !known->GoesOnWith(before.size(), bytes)) continue;
    if (before.empty() || known->BytesUntil(before.size()) == before) return known;
  }
  return nullptr;
}

// False if the stream's bytes differ.
bool Sequences::Follow(BodyPlace& place, std::string_view& bytes, std::vector<PieceRef>& pieces) {
  BodySequence& sequence = *place.sequence;
  const std::size_t index = sequence.Find(place.next);
  if (index == sequence.entries.size()) {
    throw Error("it is over " + std::to_string(kKept) +
                " pieces behind the others: what to compare it with is gone");
  }
  if (!sequence.GoesOnWith(place.next, bytes)) return false;
  // A joiner is sent a log in one, where those before it had each event apart.
  if (bytes.size() < sequence.entries[index].piece->bytes.size()) {
    Split(sequence, index, bytes.size());
  }
  const PieceRef& piece = sequence.entries[index].piece;
  bytes.remove_prefix(piece->bytes.size());
  place.next += piece->bytes.size();
  pieces.push_back(piece);
  return true;
}

// This stream received something else than those before it, which may be right: an encoder of its
// own left out what was replaced by something newer.
void Sequences::Branch(BodyPlace& place, std::string_view bytes) {
  const BodySequence& trunk = *place.sequence;
  ++branches_;
  if (!trunk.whole()) {
    throw Error("its bytes differ from those of all others, and their beginning is gone");
  }
  if (auto known = Matching(trunk.BytesUntil(place.next), bytes)) {
    place.sequence = std::move(known);
    return;
  }
  auto branch = std::make_shared<BodySequence>();
  const auto same = static_cast<std::ptrdiff_t>(trunk.Find(place.next));
  branch->entries.assign(trunk.entries.begin(), trunk.entries.begin() + same);
  branch->reader = ReaderOf(codec_, *branch, branch->entries.size());
  all_.push_back(branch);
  place.sequence = std::move(branch);
}

// This stream is the first to bring these bytes.
void Sequences::Extend(BodyPlace& place, std::string_view& bytes, std::vector<PieceRef>& pieces) {
  BodySequence& sequence = *place.sequence;
  if (!sequence.reader) throw Error("another stream's bad bytes came first");
  auto piece = std::make_shared<BodyPiece>();
  try {
    piece->seen = sequence.reader->Read(bytes);
    canon_.Check(piece->seen);
  } catch (const Error&) {
    // The others go on from where the bytes were good.
    sequence.reader =
        sequence.whole() ? ReaderOf(codec_, sequence, sequence.entries.size()) : nullptr;
    throw;
  }
  piece->bytes = bytes;
  bytes = {};
  sequence.entries.push_back({place.next, piece});
  place.next += piece->bytes.size();
  pieces.push_back(std::move(piece));
  const std::size_t kept = place.sequence.use_count() == 1 ? kKeptAlone : kKept;
  while (sequence.entries.size() > kept) sequence.entries.pop_front();
}

// Makes two pieces of one, the first of `size` bytes.
void Sequences::Split(BodySequence& sequence, std::size_t index, std::size_t size) const {
  if (!sequence.whole()) throw Error("its chunks end where no other stream's do");
  const BodySequence::Entry both = sequence.entries[index];
  const auto reader = ReaderOf(codec_, sequence, index);
  const auto read = [&](std::string bytes) {
    Seen seen = reader->Read(bytes);
    return std::make_shared<const BodyPiece>(BodyPiece{std::move(bytes), std::move(seen)});
  };
  sequence.entries[index].piece = read(both.piece->bytes.substr(0, size));
  sequence.entries.insert(
      sequence.entries.begin() + static_cast<std::ptrdiff_t>(index) + 1,
      BodySequence::Entry{both.begin + size, read(both.piece->bytes.substr(size))});
}

std::size_t Sequences::sequences() {
  std::erase_if(all_, [](const auto& sequence) { return sequence.expired(); });
  return all_.size();
}

}  // namespace rpcbench
