// The server of the WebSocket row: the handshake at /rpcbench.Echo/Echo, then a reply a message as
// soon as it is due. What is due in a loop turn leaves in one write.
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "frameworks/asio/tcp_server.h"
#include "frameworks/beast/http_answers.h"
#include "frameworks/beast/ws.h"
#include "frameworks/beast/ws_read.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {
namespace {

namespace websocket = boost::beast::websocket;
namespace http = boost::beast::http;

constexpr std::size_t kHeaderLimit = 8 * 1024;
constexpr std::size_t kSendBatch = 256 * 1024;
constexpr std::size_t kSpareEnvelopes = 1024;
constexpr int kTicksOfSilence = 4;
constexpr Refusal kNoUpgrade{"426 Upgrade Required", "Upgrade: websocket\r\n", "unimplemented",
                             "the only protocol here is WebSocket"};

class WsSession final : public std::enable_shared_from_this<WsSession> {
 public:
  using Held = std::unique_ptr<proto::Envelope>;

  WsSession(boost::asio::ip::tcp::socket socket, ServerLoop<WsSession>& loop,
            const WsLimits& limits)
      : loop_(loop),
        limits_(limits),
        socket_(std::move(socket), kWsReceiveBuffer),
        ws_(socket_),
        ticks_(socket_.socket().get_executor()) {
    ws_.auto_fragment(false);
    ws_.binary(true);
    ws_.read_message_max(limits.message);
  }

  void Start() {
    Tick();
    Read();
  }

  void Reply(Held&& held) {
    --held_;
    ready_.push_back(std::move(held));
  }

  void Flush() {
    while (!closed_ && !socket_.sending()) {
      Encode();
      if (socket_.out().empty()) break;
      quiet_ticks_ = 0;
      socket_.Send([self = shared_from_this()](const boost::system::error_code& error) {
        if (error) return self->Close();
        self->Flush();
      });
    }
    if (closed_) return;
    if (paused_ && queued_ < limits_.queued / 2) {
      paused_ = false;
      boost::asio::post(socket_.socket().get_executor(),
                        [self = shared_from_this()] { self->Proceed(); });
    }
    if (over_ && socket_.out().empty() && !socket_.sending()) socket_.ShutdownSend();
  }

  void Close() {
    if (std::exchange(closed_, true)) return;
    ticks_.cancel();
    socket_.Close();
    loop_.Forget(*this);
  }

 private:
  void Read() {
    if (std::exchange(reading_, true)) return;
    socket_.Receive([self = shared_from_this()](const boost::system::error_code& error) {
      self->reading_ = false;
      if (error) return self->Close();
      self->Proceed();
    });
  }

  void Proceed() {
    if (closed_) return;
    if (!over_ && !upgraded_) Upgrade();
    while (!over_ && upgraded_ && !paused_ && ReadOne()) {
    }
    if (over_) socket_.Consume(socket_.received().size());
    loop_.Advance();
    Flush();
    if (!closed_ && !paused_) Read();
  }

  // Answers the handshake once its header is whole.
  void Upgrade() {
    const auto end = socket_.received().find("\r\n\r\n");
    if (end == std::string_view::npos || end > kHeaderLimit) {
      if (socket_.received().size() > kHeaderLimit) Refuse(kHeaderTooLarge);
      return;
    }
    quiet_ticks_ = 0;
    http::request_parser<http::empty_body> parser;
    parser.header_limit(kHeaderLimit + 4);
    boost::system::error_code error;
    parser.put(boost::asio::buffer(socket_.received().data(), end + 4), error);
    socket_.Consume(end + 4);
    if (error || !parser.is_header_done()) return Refuse(kMalformed);
    const auto target = parser.get().target();
    if (target.substr(0, target.find('?')) != "/rpcbench.Echo/Echo") return Refuse(kNoSuchMethod);
    if (!websocket::is_upgrade(parser.get())) return Refuse(kNoUpgrade);
    ws_.accept(parser.get(), error);
    upgraded_ = !error;
    over_ = !upgraded_;  // Beast has written why
  }

  void Refuse(const Refusal& refusal) {
    AppendRefusal(socket_.out(), refusal, Persistence::kClose, false);
    over_ = true;
  }

  bool ReadOne() {
    if (queued_ >= limits_.queued) {
      paused_ = true;
      return false;
    }
    boost::system::error_code error;
    const bool whole = ReadWsUnit(ws_, socket_, message_, limits_.message, error,
                                  [this](std::string_view payload) { return Take(payload); });
    if (whole) quiet_ticks_ = 0;
    if (error) over_ = true;
    return whole;
  }

  bool Take(std::string_view payload) {
    Held envelope;
    if (spare_.empty()) {
      envelope = std::make_unique<proto::Envelope>();
    } else {
      envelope = std::move(spare_.back());
      spare_.pop_back();
    }
    if (!ParseEnvelope(payload, *envelope)) return false;
    queued_ += Weight(*envelope);
    ++held_;
    const bool flag = envelope->record().flag();
    loop_.Hold(*this, flag, std::move(envelope));
    return true;
  }

  static std::size_t Weight(const proto::Envelope& envelope) {
    return sizeof(proto::Envelope) + sizeof(proto::Record) + envelope.record().text().size();
  }

  void Encode() {
    while (!ready_.empty() && !over_ && socket_.out().size() < kSendBatch) {
      Held envelope = std::move(ready_.front());
      ready_.pop_front();
      queued_ -= Weight(*envelope);
      encoded_.resize(envelope->ByteSizeLong());
      envelope->SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(encoded_.data()));
      boost::system::error_code error;
      ws_.write(boost::asio::buffer(encoded_), error);
      if (error) over_ = true;
      const bool ordinary = envelope->record().text().size() <= kMaxText;
      if (ordinary && spare_.size() < kSpareEnvelopes) spare_.push_back(std::move(envelope));
    }
  }

  // One coarse timer a session, so that a request costs no timer of its own.
  void Tick() {
    ticks_.expires_after(limits_.silence / kTicksOfSilence);
    ticks_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error || self->closed_) return;
      if (self->held_ == 0 && ++self->quiet_ticks_ > kTicksOfSilence) return self->Close();
      if (self->over_ && self->quiet_ticks_ > 1) return self->Close();
      self->Tick();
    });
  }

  ServerLoop<WsSession>& loop_;
  const WsLimits limits_;
  BufferedSocket socket_;
  WsStream ws_;
  boost::asio::steady_timer ticks_;
  boost::beast::flat_buffer message_;
  std::string encoded_;
  std::deque<Held> ready_;
  std::vector<Held> spare_;
  std::size_t queued_ = 0;  // bytes, as WsLimits::queued counts them
  std::size_t held_ = 0;
  int quiet_ticks_ = 0;
  bool upgraded_ = false;
  bool reading_ = false;
  bool paused_ = false;
  bool over_ = false;  // the last bytes are in the output; input is read and ignored
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<EchoServer> StartWsServer(const std::string& name, const ServerOptions& options,
                                          HoldMeter& meter, const WsLimits& limits) {
  return std::make_unique<TcpServer<WsSession>>(
      name, options, meter,
      [limits](boost::asio::ip::tcp::socket socket, ServerLoop<WsSession>& loop) {
        return std::make_shared<WsSession>(std::move(socket), loop, limits);
      });
}

}  // namespace rpcbench
