// The client of the HTTP rows: one request at a time on a connection, or pipelined. Calls wait in
// the connection's own queue and are encoded as the socket takes them.
#include <boost/asio/error.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "frameworks/asio/tcp_client.h"
#include "frameworks/beast/buffered_socket.h"
#include "frameworks/beast/http.h"
#include "frameworks/beast/http_answers.h"
#include "frameworks/beast/http_parsers.h"
#include "frameworks/codec/json_codec.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {
namespace {

constexpr std::size_t kReceiveBuffer = 64 * 1024;
constexpr std::size_t kSendBatch = 256 * 1024;
constexpr std::size_t kHeaderLimit = 8 * 1024;
constexpr std::size_t kBodyLimit = 64 * 1024;

class ResponseParser final : public MessageParser<false> {
 public:
  using MessageParser::MessageParser;
  int status() const { return status_; }

 private:
  void on_response_impl(int status, Text, int, ErrorCode&) override { status_ = status; }

  int status_ = 0;
};

class HttpConnection final : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, const HttpCalls& calls,
                 const Address& address, ReplySink& sink)
      : calls_(calls), sink_(sink), socket_(std::move(socket), kReceiveBuffer) {
    header_ = "POST /rpcbench.Echo/Echo HTTP/1.1\r\nHost: " + ToString(address);
    header_ +=
        json() ? "\r\nContent-Type: application/json" : "\r\nContent-Type: application/proto";
    header_ += "\r\nConnect-Protocol-Version: 1\r\nContent-Length: ";
  }

  void Start() { Read(); }

  void Call(CallId id, const Record& record) {
    if (closed_) return sink_.OnReply(id, Outcome::kFailed, {});
    waiting_.push_back({id, &record});
  }

  // Calls made from inside OnReply leave together when the received replies are done.
  void Flush() {
    while (!closed_ && !settling_ && !socket_.sending()) {
      Encode();
      if (socket_.out().empty()) return;
      socket_.Send([self = shared_from_this()](const boost::system::error_code& error) {
        if (error) return self->Close(Outcome::kFailed);
        self->Flush();
      });
    }
  }

  void Close(Outcome outcome) {
    if (std::exchange(closed_, true)) return;
    socket_.Close();
    for (const CallId id : std::exchange(in_flight_, {})) sink_.OnReply(id, outcome, {});
    for (const Waiting& call : std::exchange(waiting_, {})) sink_.OnReply(call.id, outcome, {});
  }

 private:
  struct Waiting {
    CallId id;
    const Record* record;
  };

  bool json() const { return calls_.codec == HttpCodec::kJson; }

  void Read() {
    socket_.Receive([self = shared_from_this()](const boost::system::error_code& error) {
      if (error || !self->Parse()) return self->Close(Outcome::kFailed);
      self->Flush();
      if (!self->closed_) self->Read();
    });
  }

  // Settles the calls whose replies are there. False if the connection cannot be used any longer.
  bool Parse() {
    settling_ = true;
    bool usable = true;
    while (usable && !closed_ && !socket_.received().empty()) {
      if (!parser_) parser_.emplace(kHeaderLimit, kBodyLimit, scratch_);
      boost::system::error_code error;
      const std::size_t taken = parser_->Feed(socket_.received(), error);
      usable = !error && (!parser_->is_done() || Settle(*parser_));
      socket_.Consume(taken);
      if (error || !parser_->is_done()) break;
      parser_.reset();
    }
    settling_ = false;
    return usable;
  }

  bool Settle(const ResponseParser& response) {
    if (response.status() < 200) return true;  // interim
    if (in_flight_.empty()) return false;      // nobody asked
    const CallId id = in_flight_.front();
    in_flight_.pop_front();
    const auto type = json() ? MediaType::kJson : MediaType::kProto;
    RecordView view;
    const bool ok =
        response.status() == 200 && response.media_type() == type && Decode(response.body(), view);
    sink_.OnReply(id, ok ? Outcome::kOk : Outcome::kFailed, view);
    return response.keep_alive();
  }

  bool Decode(std::string_view body, RecordView& view) {
    if (json()) {
      if (!ParseJson(body, record_)) return false;
      view = record_;
      return true;
    }
    if (!message_.ParseFromArray(body.data(), static_cast<int>(body.size()))) return false;
    view = FromProto(message_);
    return true;
  }

  void Encode() {
    while (!waiting_.empty() && (calls_.pipelined || in_flight_.empty()) &&
           socket_.out().size() < kSendBatch) {
      const Waiting call = waiting_.front();
      waiting_.pop_front();
      in_flight_.push_back(call.id);
      EncodeOne(*call.record);
    }
  }

  void EncodeOne(const Record& record) {
    std::string& out = socket_.out();
    out += header_;
    if (json()) {
      json_.clear();
      AppendJson(record, json_);
      AppendHeaderEnd(out, json_.size(), Persistence::kDefault);
      out += json_;
      return;
    }
    ToProto(record, message_);
    const std::size_t size = message_.ByteSizeLong();
    AppendHeaderEnd(out, size, Persistence::kDefault);
    out.resize(out.size() + size);
    message_.SerializeWithCachedSizesToArray(
        reinterpret_cast<std::uint8_t*>(out.data() + out.size() - size));
  }

  const HttpCalls calls_;
  ReplySink& sink_;
  BufferedSocket socket_;
  std::string header_;  // of every request, up to the value of Content-Length
  std::optional<ResponseParser> parser_;
  std::string scratch_;
  std::string json_;
  proto::Record message_;
  Record record_;
  std::deque<Waiting> waiting_;
  std::deque<CallId> in_flight_;
  bool settling_ = false;
  bool closed_ = false;
};

}  // namespace

EchoClients ConnectHttp(const std::string& name, const HttpCalls& calls, const Address& address,
                        const ClientOptions& options, ReplySink& sink) {
  return ConnectTcpWith<HttpConnection>(
      name, address, options, [&](boost::asio::ip::tcp::socket socket) {
        return std::make_shared<HttpConnection>(std::move(socket), calls, address, sink);
      });
}

}  // namespace rpcbench
