#include "fanout/load/stream_check.h"

#include "echo/error.h"

namespace rpcbench {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view kEndOfFrame = "\x01\x00\x00"sv;  // an empty last block

bool BeginsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// An empty block is no event and no text, and stands in one stream's bytes alone.
bool IsEmptyBlock(Codec codec, std::string_view bytes) {
  return (codec == Codec::kZstd && bytes == "\x00\x00\x00"sv) ||
         (codec == Codec::kBrotli && bytes == "\x06"sv);
}

}  // namespace

StreamCheck::~StreamCheck() {
  if (alone_) context_.budget.Leave();
}

void StreamCheck::Take(std::string_view chunk, std::chrono::nanoseconds now) {
  if (context_.codec != Codec::kIdentity) return TakePiece(chunk, now);
  // Where a server cuts its chunks elsewhere, events are put together first.
  if (!unfinished_.empty()) {
    unfinished_.append(chunk);
    chunk = unfinished_;
  }
  if (!EndsWith(chunk, "\n\n") && !EndsWith(chunk, "\r\n\r\n") && !EndsWith(chunk, "\r\r")) {
    if (unfinished_.empty()) unfinished_ = chunk;
    return;
  }
  const std::string whole = std::move(unfinished_);
  unfinished_.clear();
  TakePiece(whole.empty() ? chunk : std::string_view(whole), now);
}

void StreamCheck::TakePiece(std::string_view bytes, std::chrono::nanoseconds now) {
  const bool begins = BeginsHere(bytes);
  if (lost_ && !begins) return;
  // After bytes that were bad only a new reader can go on.
  if (lost_ && alone_) alone_ = std::make_unique<EventReader>(context_.codec);
  lost_ = true;  // unless all goes well
  if (begins && context_.codec != Codec::kIdentity) place_ = {};
  const Seen alone = DecodeAlone(bytes, begins);
  started_ = true;
  const bool heartbeat = IsEmptyBlock(context_.codec, bytes);
  if (heartbeat) ++context_.tally.heartbeats;
  context_.pieces.clear();
  if (!heartbeat) bytes = TakeFrameEnd(bytes);
  if (!heartbeat && !bytes.empty()) context_.references->Take(place_, bytes, context_.pieces);
  if (alone_) CompareWith(alone);
  for (const PieceRef& piece : context_.pieces) {
    if (piece->seen.retry) retry_ = piece->seen.retry;
    for (const SeenEvent& event : piece->seen.events) TakeEvent(event, piece, now);
  }
  lost_ = false;
}

// Whether these bytes can be decoded without those before them. A zstd frame's magic is never a
// block's header: its size would be over the largest block's.
bool StreamCheck::BeginsHere(std::string_view bytes) const {
  switch (context_.codec) {
    case Codec::kIdentity:
      return true;
    case Codec::kZstd:
      return BeginsWith(bytes, kZstdMagic);
    case Codec::kBrotli:
      return !started_;
  }
  return false;
}

// A splice: the frame ends, and what follows in the chunk, or the next chunk, begins another.
std::string_view StreamCheck::TakeFrameEnd(std::string_view bytes) {
  if (context_.codec != Codec::kZstd || !place_.sequence || !BeginsWith(bytes, kEndOfFrame)) {
    return bytes;
  }
  place_ = {};
  bytes.remove_prefix(kEndOfFrame.size());
  if (!bytes.empty() && !BeginsWith(bytes, kZstdMagic)) {
    throw Error("bytes follow a zstd frame's end that begin no frame");
  }
  return bytes;
}

Seen StreamCheck::DecodeAlone(std::string_view bytes, bool begins) {
  if (!alone_ && begins && context_.budget.HasRoom()) {
    alone_ = std::make_unique<EventReader>(context_.codec);
    context_.budget.Enter();
  }
  if (!alone_) return {};
  const auto began = std::chrono::steady_clock::now();
  Seen seen = alone_->Read(bytes);
  context_.budget.Spend(std::chrono::steady_clock::now() - began, seen.events.size());
  return seen;
}

void StreamCheck::CompareWith(const Seen& alone) const {
  auto own = alone.events.begin();
  for (const PieceRef& piece : context_.pieces) {
    for (const SeenEvent& event : piece->seen.events) {
      if (own == alone.events.end() || !SameEvent(*own++, event)) {
        throw Error("event " + event.id.text() + " is not what its own decoder says");
      }
    }
  }
  if (own != alone.events.end()) {
    throw Error("its own decoder found event " + own->id.text() + ", which others do not have");
  }
}

void StreamCheck::TakeEvent(const SeenEvent& event, const PieceRef& piece,
                            std::chrono::nanoseconds now) {
  ++events_;
  ++context_.tally.events;
  order_.Take(event, piece, context_.tally);
  if (!event.sent_ns) return;
  const auto latency = now - std::chrono::nanoseconds(*event.sent_ns);
  context_.tally.latency.Add(latency);
  if (latency > context_.late) ++context_.tally.late_events;
}

}  // namespace rpcbench
