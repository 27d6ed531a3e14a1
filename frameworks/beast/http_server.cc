// The server of the HTTP rows. Requests are parsed eagerly from a large receive buffer, each is
// held from the moment it is whole, and replies leave in the order of their requests, those that
// are ready together in one write. Answers are written by hand: Beast's serializer walks a field
// container that a constant header does not need.
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/error.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "frameworks/asio/tcp_server.h"
#include "frameworks/beast/buffered_socket.h"
#include "frameworks/beast/http.h"
#include "frameworks/beast/request_parser.h"
#include "frameworks/codec/json_codec.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {
namespace {

constexpr std::size_t kReceiveBuffer = 64 * 1024;
constexpr std::size_t kSendBatch = 256 * 1024;  // replies are encoded as the socket takes them
constexpr std::size_t kSpareExchanges = 1024;
constexpr int kTicksOfSilence = 4;

// A request and its reply, queued in order. The record stays decoded until the reply is written.
struct Exchange {
  bool ready = false;
  MediaType type = MediaType::kOther;  // kOther: `text` is the whole answer
  Persistence persistence = Persistence::kDefault;
  std::size_t bytes = 0;
  proto::Record message;
  Record record;
  std::string text;
};

class HttpSession final : public std::enable_shared_from_this<HttpSession> {
 public:
  struct Held {
    Exchange* exchange;
  };

  HttpSession(boost::asio::ip::tcp::socket socket, ServerLoop<HttpSession>& loop,
              const HttpLimits& limits)
      : loop_(loop),
        limits_(limits),
        socket_(std::move(socket), kReceiveBuffer),
        ticks_(socket_.socket().get_executor()) {}

  void Start() {
    Tick();
    Read();
  }

  void Reply(Held&& held) {
    held.exchange->ready = true;
    --held_;
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
    if (paused_ && queued_ < limits_.queued / 2) Resume();
    const bool all_sent = socket_.out().empty() && !socket_.sending();
    if (all_sent && (last_encoded_ || (end_of_input_ && queue_.empty()))) FinishOutput();
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
      self->Received(error);
    });
  }

  void Received(const boost::system::error_code& error) {
    if (closed_) return;
    if (!error) return Proceed();
    if (error != boost::asio::error::eof) return Close();
    end_of_input_ = true;  // what was asked for before is still answered
    Flush();
  }

  // Takes the requests that are there, sends the replies that are due, and reads on.
  void Proceed() {
    if (closed_) return;
    if (ignore_input_)
      socket_.Consume(socket_.received().size());
    else
      Parse();
    loop_.Advance();
    Flush();
    if (!closed_ && !paused_) Read();
  }

  void Parse() {
    while (!ignore_input_ && !socket_.received().empty()) {
      if (queued_ >= limits_.queued) {
        paused_ = true;
        return;
      }
      if (!parser_) parser_.emplace(limits_.header, limits_.body, scratch_);
      boost::system::error_code error;
      const std::size_t taken = parser_->Feed(socket_.received(), error);
      if (error) return RefuseBroken(error);
      if (parser_->is_done()) {
        Take(*parser_);
        parser_.reset();
        continued_ = false;
      } else if (parser_->is_header_done() && parser_->expects_continue() && !continued_) {
        continued_ = true;
        Answer("HTTP/1.1 100 Continue\r\n\r\n", Persistence::kDefault);
      }
      socket_.Consume(taken);
      if (parser_) return;
    }
  }

  void Take(const RequestParser& request) {
    quiet_ticks_ = 0;
    const Persistence persistence = request.persistence();
    ignore_input_ = !request.reusable();
    const Refusal* refusal = request.Refuse();
    if (!refusal) {
      Exchange& exchange = Queue(request.body().size(), persistence);
      exchange.type = request.media_type();
      if (Decode(request.body(), exchange)) {
        ++held_;
        return loop_.Hold(*this, exchange.record.flag || exchange.message.flag(), {&exchange});
      }
      Drop(std::move(queue_.back()));
      queue_.pop_back();
      refusal = &kBadMessage;
    }
    std::string text;
    AppendRefusal(text, *refusal, persistence, request.head());
    Answer(std::move(text), persistence);
  }

  static bool Decode(std::string_view body, Exchange& exchange) {
    if (exchange.type == MediaType::kJson) {
      exchange.message.set_flag(false);
      return ParseJson(body, exchange.record);
    }
    exchange.record.flag = false;
    return exchange.message.ParseFromArray(body.data(), static_cast<int>(body.size()));
  }

  // The rest of the input cannot be told apart, so the answer is the connection's last.
  void RefuseBroken(const boost::system::error_code& error) {
    namespace http = boost::beast::http;
    const Refusal& refusal = error == http::error::header_limit ? kHeaderTooLarge
                             : error == http::error::body_limit ? kBodyTooLarge
                                                                : kMalformed;
    ignore_input_ = true;
    socket_.Consume(socket_.received().size());
    std::string text;
    AppendRefusal(text, refusal, Persistence::kClose, false);
    Answer(std::move(text), Persistence::kClose);
  }

  void Answer(std::string text, Persistence persistence) {
    Exchange& exchange = Queue(text.size(), persistence);
    exchange.type = MediaType::kOther;
    exchange.text = std::move(text);
    exchange.ready = true;
  }

  Exchange& Queue(std::size_t body, Persistence persistence) {
    if (spare_.empty()) {
      queue_.push_back(std::make_unique<Exchange>());
    } else {
      queue_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    Exchange& exchange = *queue_.back();
    exchange.ready = false;
    exchange.persistence = persistence;
    exchange.bytes = sizeof(Exchange) + body;
    queued_ += exchange.bytes;
    return exchange;
  }

  void Drop(std::unique_ptr<Exchange> exchange) {
    queued_ -= exchange->bytes;
    const bool ordinary = exchange->bytes < sizeof(Exchange) + 2 * kMaxText;
    if (ordinary && spare_.size() < kSpareExchanges) spare_.push_back(std::move(exchange));
  }

  // Writes the replies whose turn it is to the output.
  void Encode() {
    while (!queue_.empty() && queue_.front()->ready && !last_encoded_ &&
           socket_.out().size() < kSendBatch) {
      EncodeOne(*queue_.front());
      last_encoded_ = queue_.front()->persistence == Persistence::kClose;
      Drop(std::move(queue_.front()));
      queue_.pop_front();
    }
  }

  void EncodeOne(const Exchange& exchange) {
    std::string& out = socket_.out();
    if (exchange.type == MediaType::kProto) {
      const std::size_t size = exchange.message.ByteSizeLong();
      out += "HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\nContent-Length: ";
      AppendHeaderEnd(out, size, exchange.persistence);
      out.resize(out.size() + size);
      exchange.message.SerializeWithCachedSizesToArray(
          reinterpret_cast<std::uint8_t*>(out.data() + out.size() - size));
    } else if (exchange.type == MediaType::kJson) {
      json_.clear();
      AppendJson(exchange.record, json_);
      out += "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
      AppendHeaderEnd(out, json_.size(), exchange.persistence);
      out += json_;
    } else {
      out += exchange.text;
    }
  }

  // A close with unread input would reset the connection and may destroy the last answer on its
  // way: so end our side only, and read on until the peer ends its own or the next tick.
  void FinishOutput() {
    if (end_of_input_) return Close();
    if (std::exchange(output_over_, true)) return;
    socket_.ShutdownSend();
  }

  void Resume() {
    paused_ = false;
    boost::asio::post(socket_.socket().get_executor(),
                      [self = shared_from_this()] { self->Proceed(); });
  }

  // One coarse timer a session, so that a request costs no timer of its own.
  void Tick() {
    ticks_.expires_after(limits_.silence / kTicksOfSilence);
    ticks_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error || self->closed_) return;
      if (self->held_ == 0 && ++self->quiet_ticks_ > kTicksOfSilence) return self->Close();
      if (self->output_over_ && self->quiet_ticks_ > 1) return self->Close();
      self->Tick();
    });
  }

  ServerLoop<HttpSession>& loop_;
  const HttpLimits limits_;
  BufferedSocket socket_;
  boost::asio::steady_timer ticks_;
  std::optional<RequestParser> parser_;
  std::string scratch_;  // a body in several pieces
  std::string json_;
  std::deque<std::unique_ptr<Exchange>> queue_;
  std::vector<std::unique_ptr<Exchange>> spare_;
  std::size_t queued_ = 0;  // bytes, as HttpLimits::queued counts them
  std::size_t held_ = 0;
  int quiet_ticks_ = 0;
  bool reading_ = false;
  bool continued_ = false;     // 100 (Continue) was sent for the request that is being read
  bool ignore_input_ = false;  // after the last request
  bool end_of_input_ = false;
  bool paused_ = false;        // not reading, for too much is queued
  bool last_encoded_ = false;  // the answer with "Connection: close" is in the output
  bool output_over_ = false;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<EchoServer> StartHttpServer(const std::string& name, const ServerOptions& options,
                                            HoldMeter& meter, const HttpLimits& limits) {
  return std::make_unique<TcpServer<HttpSession>>(
      name, options, meter,
      [limits](boost::asio::ip::tcp::socket socket, ServerLoop<HttpSession>& loop) {
        return std::make_shared<HttpSession>(std::move(socket), loop, limits);
      });
}

}  // namespace rpcbench
