// Ties listeners, connections and streams together; one timer for all their deadlines.
#include "fanout/sse/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "fanout/sse/connection_set.h"
#include "fanout/sse/listener.h"
#include "fanout/sse/stream_set.h"
#include "fanout/sse/tls.h"

namespace rpcbench {
namespace {

using std::chrono::nanoseconds;

constexpr std::size_t kDescriptorsKept = 64;     // of the limit: for what is no stream
constexpr std::size_t kDescriptorsAtLeast = 32;  // of these: for what is no connection

std::size_t DescriptorLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

std::size_t Less(std::size_t limit, std::size_t kept) {
  return limit > kept ? limit - kept : 1;
}

// Deadlines are met within a tenth, and nobody looks at ten thousand streams more often than once a
// second.
nanoseconds SweepInterval(const SseServerOptions& options) {
  const nanoseconds shortest =
      std::min({options.heartbeat, options.write_deadline, options.request_deadline});
  return std::clamp<nanoseconds>(shortest / 10, std::chrono::milliseconds(1),
                                 std::chrono::seconds(1));
}

}  // namespace

class SseServer::Impl final : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& loop, const SseServerOptions& options, Site& site)
      : loop_(loop),
        options_(options),
        max_connections_(Less(DescriptorLimit(), kDescriptorsAtLeast)),
        streams_(options_, counts_),
        connections_(Serving{.loop = loop,
                             .options = options_,
                             .max_streams = options.max_streams > 0
                                                ? options.max_streams
                                                : Less(DescriptorLimit(), kDescriptorsKept),
                             .site = site,
                             .streams = streams_,
                             .counts = counts_}),
        sweep_(loop) {
    const SocketSettings settings{
        .user_timeout = std::chrono::ceil<std::chrono::milliseconds>(options.write_deadline),
        .send_buffer = options.send_buffer};
    plain_ = std::make_shared<Listener>(loop, options.listen, settings);
    if (options.listen_tls) {
      tls_context_.emplace(options.listen_tls->host);
      tls_ = std::make_shared<Listener>(loop, *options.listen_tls, settings);
    }
  }

  void Start() {
    streams_.OnEmpty([this] { FinishDrain(); });
    connections_.OnEmpty([this] { FinishDrain(); });
    Listen(*plain_, nullptr);
    if (tls_) Listen(*tls_, &*tls_context_);
    ArmSweep();
  }

  void Stop() {
    stopped_ = true;
    drained_ = nullptr;
    CloseListeners();
    sweep_.cancel();
    connections_.CloseAll();
    streams_.CloseAll(Ending::kCut);
  }

  Address address() const { return plain_->address(); }
  std::optional<Address> tls_address() const {
    return tls_ ? std::optional(tls_->address()) : std::nullopt;
  }

  void Kick(StreamGroup& group) { streams_.Kick(group); }
  void CutAll() { streams_.CloseAll(Ending::kCut); }

  void Drain(std::chrono::milliseconds spread, std::function<void()> done) {
    CloseListeners();
    drained_ = std::move(done);
    drain_deadline_ = Stream::Clock::now() + options_.write_deadline;
    connections_.Drain();
    streams_.Drain(spread);
    FinishDrain();
  }

  SseServerCounts counts() const {
    SseServerCounts counts = counts_;
    counts.streams = streams_.size();
    counts.connections = streams_.size() + connections_.size();
    return counts;
  }

 private:
  void Listen(Listener& listener, const TlsContext* tls) {
    listener.Start([this, tls](PeerSocket::Socket socket) { Take(std::move(socket), tls); },
                   [this] { ++counts_.refused; });
  }

  void Take(PeerSocket::Socket socket, const TlsContext* tls) {
    TlsSession session = tls ? tls->Accept(socket.native_handle()) : nullptr;
    const bool no_session = tls && !session;
    PeerSocket peer(std::move(socket), std::move(session));
    if (no_session || streams_.size() + connections_.size() >= max_connections_) {
      ++counts_.refused;
      return peer.Abort();
    }
    connections_.Open(std::move(peer));
  }

  void CloseListeners() {
    plain_->Close();
    if (tls_) tls_->Close();
  }

  void ArmSweep() {
    sweep_.expires_after(SweepInterval(options_));
    sweep_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (error || !self || self->stopped_) return;
      self->Sweep();
      self->ArmSweep();
    });
  }

  void Sweep() {
    const auto now = Stream::Clock::now();
    streams_.Sweep(now);
    connections_.Sweep(now);
    if (drained_ && now > drain_deadline_) {
      connections_.CloseAll();
      streams_.CloseAll(Ending::kSlow);
    }
  }

  void FinishDrain() {
    if (!drained_ || streams_.size() > 0 || connections_.size() > 0) return;
    boost::asio::post(loop_, std::exchange(drained_, nullptr));
  }

  boost::asio::io_context& loop_;
  const SseServerOptions options_;
  const std::size_t max_connections_;
  SseServerCounts counts_;
  std::optional<TlsContext> tls_context_;  // before the sessions that use it
  StreamSet streams_;
  ConnectionSet connections_;
  std::shared_ptr<Listener> plain_;
  std::shared_ptr<Listener> tls_;
  boost::asio::steady_timer sweep_;
  bool stopped_ = false;
  std::function<void()> drained_;
  Stream::Clock::time_point drain_deadline_;
};

SseServer::SseServer(boost::asio::io_context& loop, const SseServerOptions& options, Site& site)
    : impl_(std::make_shared<Impl>(loop, options, site)) {
  impl_->Start();
}

SseServer::~SseServer() {
  impl_->Stop();
}

Address SseServer::address() const {
  return impl_->address();
}
std::optional<Address> SseServer::tls_address() const {
  return impl_->tls_address();
}
std::unique_ptr<StreamGroup> SseServer::MakeGroup() {
  return std::make_unique<StreamGroup>();
}
void SseServer::Kick(StreamGroup& group) {
  impl_->Kick(group);
}
void SseServer::Drain(std::chrono::milliseconds spread, std::function<void()> done) {
  impl_->Drain(spread, std::move(done));
}
void SseServer::CutAll() {
  impl_->CutAll();
}
SseServerCounts SseServer::counts() const {
  return impl_->counts();
}

}  // namespace rpcbench
