#include "fanout/sse/stream.h"

#include <array>
#include <utility>

#include "fanout/sse/response.h"
#include "fanout/sse/stream_set.h"

namespace rpcbench {
namespace {

using ErrorCode = boost::system::error_code;

constexpr int kReadsATurn = 16;  // a peer that talks without end gets no more of a loop turn

Ending EndingFor(std::string_view reason) {
  if (reason == "slow") return Ending::kSlow;
  return reason == "drained" ? Ending::kDrained : Ending::kRotated;
}

}  // namespace

Stream::Stream(StreamStart start, StreamSet& set)
    : set_(set),
      group_(start.offer.group),
      source_(std::move(start.offer.source)),
      stamp_(Clock::now()),
      socket_(std::move(start.socket)),
      own_(std::move(start.head)),
      codec_(start.offer.codec),
      chunked_(start.chunked),
      one_frame_(start.offer.one_frame && start.offer.codec != Codec::kIdentity) {
  Take(Piece::kOwn, own_);
}

bool Stream::Pull() {
  if (over_) return false;
  if (blocked_) {  // the source may have given up on it meanwhile
    if (source_->closing() == "slow") over_ = Ending::kSlow;
    return false;
  }
  if (piece_ != Piece::kNone) return true;
  if (ending_) {
    TakeEnd();
    return true;
  }
  chunk_ = source_->Next();
  if (chunk_) {
    Take(Piece::kEvent, BytesOf(*chunk_));
    return true;
  }
  const std::string_view reason = source_->closing();
  if (reason.empty()) return false;
  End(EndingFor(reason), {});
  return piece_ != Piece::kNone;
}

std::size_t Stream::Write(Clock::time_point now) {
  std::size_t taken = 0;
  while (!left_.empty()) {
    const std::ptrdiff_t sent = socket_.Send(left_);
    if (sent == PeerSocket::kOver) {
      over_ = socket_.timed_out() ? Ending::kSlow : Ending::kPeer;
      return taken;
    }
    if (sent == PeerSocket::kBlocked) {
      if (taken > 0 || !resumed_) stamp_ = now;
      WaitForRoom();
      return taken;
    }
    taken += static_cast<std::size_t>(sent);
    left_.remove_prefix(static_cast<std::size_t>(sent));
  }
  stamp_ = now;
  resumed_ = false;
  PieceSent();
  return taken;
}

void Stream::PieceSent() {
  switch (std::exchange(piece_, Piece::kNone)) {
    case Piece::kEvent:
      source_->Sent();
      [[fallthrough]];
    case Piece::kHeartbeat:
      chunk_.reset();
      break;
    case Piece::kEnd:
      over_ = ending_;
      [[fallthrough]];
    default:
      own_ = std::string();  // an idle stream keeps no bytes
  }
}

void Stream::End(Ending why, std::string_view text) {
  if (over_) return;
  if (why == Ending::kSlow) {
    over_ = why;
    return;
  }
  if (ending_) return;
  ending_ = why;
  if (!one_frame_) last_text_ = text;
  if (piece_ == Piece::kNone) TakeEnd();
}

void Stream::TakeEnd() {
  const ChunkRef heartbeat = codec_ == Codec::kIdentity ? nullptr : source_->Heartbeat();
  const std::string bytes = EndBytes(codec_, heartbeat.get(), last_text_);
  own_.clear();
  if (!bytes.empty()) own_ = chunked_ ? std::string(Chunk(bytes, 0).framed()) : bytes;
  if (chunked_) own_ += kLastChunk;
  Take(Piece::kEnd, own_);
}

bool Stream::Beat(Clock::time_point before) {
  if (piece_ != Piece::kNone || stamp_ >= before || ending_ || over_) return false;
  stamp_ = Clock::now();
  chunk_ = source_->Heartbeat();
  if (!chunk_) return false;
  Take(Piece::kHeartbeat, BytesOf(*chunk_));
  return true;
}

void Stream::WaitForRoom() {
  blocked_ = true;
  socket_.WhenReady(socket_.wanted(), [self = shared_from_this()](const ErrorCode& error) {
    if (self->closed_) return;
    self->blocked_ = false;
    self->resumed_ = true;
    if (error) return self->set_.Close(*self, Ending::kPeer);
    self->set_.PumpOne(*self);
  });
}

void Stream::WatchPeer() {
  socket_.WhenReady(PeerSocket::Wait::wait_read,
                    [self = shared_from_this()](const ErrorCode& error) {
                      if (self->closed_) return;
                      if (error) return self->set_.Close(*self, Ending::kPeer);
                      self->DiscardInput();
                    });
}

void Stream::DiscardInput() {
  std::array<char, 2048> input;
  for (int i = 0; i < kReadsATurn; ++i) {
    const std::ptrdiff_t got = socket_.Receive(input.data(), input.size());
    if (got == PeerSocket::kOver) {
      return set_.Close(*this, socket_.timed_out() ? Ending::kSlow : Ending::kPeer);
    }
    if (got == PeerSocket::kBlocked) break;
  }
  WatchPeer();
}

void Stream::Close(Ending why) {
  if (std::exchange(closed_, true)) return;
  chunk_.reset();
  source_.reset();
  if (why == Ending::kSlow) return socket_.Abort();
  if (why == Ending::kRotated || why == Ending::kDrained) socket_.Finish();
  socket_.Close();
}

}  // namespace rpcbench
