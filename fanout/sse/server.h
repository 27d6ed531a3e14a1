// An HTTP/1.1 server for event streams and for the few requests around them.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "echo/client.h"
#include "fanout/encode/codec.h"
#include "fanout/encode/source.h"
#include "fanout/sse/http.h"
#include "fanout/sse/stream_group.h"

namespace rpcbench {

struct StreamOffer {
  Codec codec = Codec::kIdentity;  // as negotiated; the Content-Encoding that is sent
  std::unique_ptr<Source> source = {};
  StreamGroup* group = nullptr;  // null: never kicked, it is sent what its source has now
  // The client takes one zstd frame a body and no more, so that `retry`, which the server would
  // send in a frame of its own, is left out.
  bool one_frame = false;
};

// What a server serves. Called on the loop's thread; must not block.
class Site {
 public:
  virtual ~Site() = default;

  // A stream for a GET of this path, or nothing if the path is none of a stream's. HEAD and POST
  // ask too, as if they were GET, and the offer is then dropped: a POST is answered with 405.
  // Throws Error: the connection is closed without an answer, as if there were too many streams.
  virtual std::optional<StreamOffer> Open(const HttpRequest& request) = 0;

  // Anything else: a GET (also for HEAD, whose body is then left out) or a POST. `respond` may be
  // called now or later, once, from any thread while the loop exists; a call after the client left
  // does nothing.
  virtual void Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) = 0;
};

struct SseServerOptions {
  Address listen{"127.0.0.1", 0};
  std::optional<Address> listen_tls = {};  // HTTPS with a certificate made at start
  std::chrono::nanoseconds heartbeat = std::chrono::seconds(10);       // after so long a silence
  std::chrono::nanoseconds write_deadline = std::chrono::seconds(10);  // a peer that takes nothing
  std::chrono::nanoseconds request_deadline = std::chrono::seconds(10);
  std::chrono::milliseconds retry{1000};  // sent at the start of each stream
  std::size_t max_body = 64 << 10;
  std::size_t max_streams = 0;  // 0: what the descriptors allow, less 64
  // SO_SNDBUF of every connection in bytes; 0: the kernel's choice, which grows to megabytes for a
  // slow reader. It bounds what the kernel holds for readers that stopped.
  std::size_t send_buffer = 0;
};

// opened = streams + closed_by_peer + closed_slow + closed_rotated + closed_drained + closed_cut
struct SseServerCounts {
  std::size_t connections = 0;  // streams and others
  std::size_t streams = 0;
  std::uint64_t opened = 0;
  std::uint64_t refused = 0;         // too many, or no source: closed before a response
  std::uint64_t closed_by_peer = 0;  // FIN or RST
  std::uint64_t closed_slow = 0;     // write deadline, or the source's
  std::uint64_t closed_rotated = 0;  // the source ended for another reason
  std::uint64_t closed_drained = 0;
  std::uint64_t closed_cut = 0;  // by CutAll or the server's end
  std::uint64_t bad_requests = 0;
  std::uint64_t heartbeats = 0;
  std::uint64_t bytes_sent = 0;  // of streams, headers and chunk frames included, before TLS
  std::chrono::nanoseconds write_cpu{0};  // this thread's CPU in writing to streams, sources apart
};

// Listens from construction on; everything runs on the thread of `loop`, which outlives it.
class SseServer final {
 public:
  // Throws Error that names the address.
  SseServer(boost::asio::io_context& loop, const SseServerOptions& options, Site& site);
  ~SseServer();  // closes everything; the loop must not run meanwhile, or this is on its thread

  Address address() const;
  std::optional<Address> tls_address() const;

  // May be destroyed before or after the server.
  std::unique_ptr<StreamGroup> MakeGroup();
  // Every stream of the group pulls from its source, and writes what it can. Loop thread.
  void Kick(StreamGroup& group);

  // Accepts no more; tells each stream a `retry` of its own in 0 to `spread`, so that they come
  // back spread (brotli streams keep the one they have), and closes it after what was taken is
  // sent, those that do not take it in `write_deadline` all the same. Then calls `done`, on the
  // loop and not from within. Once; loop thread.
  void Drain(std::chrono::milliseconds spread, std::function<void()> done);
  // Cuts every stream at once, as a crash would, and goes on. Loop thread.
  void CutAll();

  SseServerCounts counts() const;  // loop thread

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rpcbench
