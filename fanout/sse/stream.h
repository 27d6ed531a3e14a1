// One open event stream: pulls chunks from its source and writes each straight to the kernel.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fanout/encode/source.h"
#include "fanout/sse/peer_socket.h"
#include "fanout/sse/server.h"

namespace rpcbench {

class StreamSet;

// Why a stream ended.
enum class Ending { kPeer, kSlow, kRotated, kDrained, kCut };

struct StreamStart {
  PeerSocket socket;
  StreamOffer offer;
  bool chunked;      // or, for HTTP/1.0, ended by the connection's end
  std::string head;  // sent first
};

// Loop thread. A write takes no allocation, no copy and no timer: StreamSet calls Pull and Write
// for many streams in turn, and looks at their deadlines now and then. What is being sent is one
// piece at a time, own bytes or a chunk of the source; the next is taken once the kernel has all of
// it.
class Stream final : public std::enable_shared_from_this<Stream> {
 public:
  using Clock = std::chrono::steady_clock;

  Stream(StreamStart start, StreamSet& set);

  // Waits for the peer to leave. Once.
  void WatchPeer();

  // Takes the next piece if there is one and none is on its way; true if Write is to be called.
  bool Pull();
  // Hands the kernel what it takes of the piece, and returns how much that was; waits for room if
  // that was not all.
  std::size_t Write(Clock::time_point now);

  // Set if it has to be closed now.
  std::optional<Ending> over() const { return over_; }
  // What is being sent is sent, then the end with `text` in front of it, then it is over.
  void End(Ending why, std::string_view text);
  // Takes a heartbeat if nothing was sent since `before`; true if Write is to be called.
  bool Beat(Clock::time_point before);
  // The peer took nothing of what is being sent since `before`.
  bool Stuck(Clock::time_point before) const { return piece_ != Piece::kNone && stamp_ < before; }

  // Frees the source, which counts what is pending, and the socket. May be repeated.
  void Close(Ending why);
  bool closed() const { return closed_; }

 private:
  friend class StreamSet;

  enum class Piece : unsigned char { kNone, kOwn, kEvent, kHeartbeat, kEnd };

  void Take(Piece piece, std::string_view bytes) {
    piece_ = piece;
    left_ = bytes;
  }
  std::string_view BytesOf(const Chunk& chunk) const {
    return chunked_ ? chunk.framed() : chunk.body();
  }
  void PieceSent();
  void TakeEnd();
  void WaitForRoom();
  void DiscardInput();

  StreamSet& set_;
  StreamGroup* group_;
  std::size_t index_ = 0;           // in the set
  std::size_t index_in_group_ = 0;  // in the group
  std::unique_ptr<Source> source_;
  ChunkRef chunk_;           // what left_ is part of, unless that is own_
  std::string_view left_;    // of the piece, not yet taken by the kernel
  Clock::time_point stamp_;  // the kernel took bytes last, or began to take none
  PeerSocket socket_;
  std::string own_;
  std::string last_text_;
  std::optional<Ending> over_;
  std::optional<Ending> ending_;  // once the piece is sent
  Codec codec_;
  Piece piece_ = Piece::kNone;
  bool chunked_;
  bool one_frame_;
  bool blocked_ = false;  // a wait for room is under way
  bool resumed_ = false;  // there was one since this piece began
  bool closed_ = false;
};

}  // namespace rpcbench
