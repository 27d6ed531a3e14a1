// The client of the WebSocket row: the handshake while it is made, then one binary message a call.
// Calls wait in the connection's queue and are encoded as the socket takes them.
#include <poll.h>

#include <boost/beast/websocket/error.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "frameworks/asio/tcp_client.h"
#include "frameworks/beast/ws.h"
#include "frameworks/beast/ws_read.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
using boost::system::error_code;

constexpr std::size_t kMessageLimit = 64 * 1024;
constexpr std::size_t kHeaderLimit = 8 * 1024;
constexpr std::size_t kSendBatch = 256 * 1024;

// Waits until `socket` is ready for `events`; a time-out at `deadline` is an error.
error_code Await(boost::asio::ip::tcp::socket& socket, short events, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd waiting{.fd = socket.native_handle(), .events = events, .revents = 0};
  if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) == 0) {
    return boost::asio::error::timed_out;
  }
  return {};  // an error of the socket shows when it is used; an interrupted wait is tried again
}

class WsConnection final : public std::enable_shared_from_this<WsConnection> {
 public:
  WsConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<CallTable> table,
               ReplySink& sink)
      : table_(std::move(table)),
        sink_(sink),
        socket_(std::move(socket), kWsReceiveBuffer),
        ws_(socket_) {
    ws_.auto_fragment(false);
    ws_.binary(true);
    ws_.read_message_max(kMessageLimit);
  }

  // Blocks until the server agreed. Before Start, so that the loop does not know the socket yet.
  error_code Handshake(const std::string& host, Clock::time_point deadline) {
    ws_.next_layer().OnEmpty([this, deadline] { return ReceiveHeader(deadline); });
    error_code error;
    ws_.handshake(host, "/rpcbench.Echo/Echo", error);
    ws_.next_layer().OnEmpty(nullptr);
    return error;
  }

  void Start() {
    while (ReadOne()) {
    }
    Read();
  }

  void Call(CallId id, const Record& record) {
    if (closed_) return sink_.OnReply(id, Outcome::kFailed, {});
    table_->Add(id, this);
    waiting_.push_back({id, &record});
  }

  // Calls made from inside OnReply leave together when the received replies are done.
  void Flush() {
    while (!closed_ && !settling_ && !socket_.sending()) {
      Encode();
      if (socket_.out().empty()) return;
      socket_.Send([self = shared_from_this()](const error_code& error) {
        if (error) return self->Close(Outcome::kFailed);
        self->Flush();
      });
    }
  }

  void Close(Outcome outcome) {
    if (std::exchange(closed_, true)) return;
    socket_.Close();
    waiting_.clear();
    table_->RemoveAll(this, [&](CallId id) { sink_.OnReply(id, outcome, {}); });
  }

 private:
  struct Waiting {
    CallId id;
    const Record* record;
  };

  // Sends the request and lets Beast read the response once its header is whole, and not a byte of
  // the frames behind it.
  error_code ReceiveHeader(Clock::time_point deadline) {
    auto& socket = socket_.socket();
    error_code error;
    std::string& out = socket_.out();
    while (!out.empty() && !error) {
      out.erase(0, socket.write_some(boost::asio::buffer(out), error));
      if (error == boost::asio::error::would_block) error = Await(socket, POLLOUT, deadline);
    }
    while (!error) {
      const auto end = socket_.received().find("\r\n\r\n");
      if (end != std::string_view::npos) {
        ws_.next_layer().Allow(end + 4);
        return {};
      }
      if (socket_.received().size() > kHeaderLimit) return boost::asio::error::message_size;
      error = Await(socket, POLLIN, deadline);
      if (!error) error = socket_.ReceiveNow();
      if (error == boost::asio::error::would_block) error = {};
    }
    return error;
  }

  void Read() {
    socket_.Receive([self = shared_from_this()](const error_code& error) {
      if (self->closed_) return;
      if (error) return self->Close(Outcome::kFailed);
      self->settling_ = true;
      while (!self->closed_ && self->ReadOne()) {
      }
      self->settling_ = false;
      self->Flush();
      if (!self->closed_) self->Read();
    });
  }

  bool ReadOne() {
    error_code error;
    const bool whole = ReadWsUnit(ws_, socket_, message_, kMessageLimit, error,
                                  [this](std::string_view payload) { return Settle(payload); });
    if (error) Close(Outcome::kFailed);
    return whole && !closed_;
  }

  bool Settle(std::string_view payload) {
    if (!ParseEnvelope(payload, reply_)) return false;
    if (!table_->Remove(reply_.id(), this)) return false;  // nobody asked
    sink_.OnReply(reply_.id(), Outcome::kOk, FromProto(reply_.record()));
    return true;
  }

  void Encode() {
    while (!waiting_.empty() && socket_.out().size() < kSendBatch) {
      const Waiting call = waiting_.front();
      waiting_.pop_front();
      request_.set_id(call.id);
      ToProto(*call.record, *request_.mutable_record());
      encoded_.resize(request_.ByteSizeLong());
      request_.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(encoded_.data()));
      error_code error;
      ws_.write(boost::asio::buffer(encoded_), error);
      if (error) return Close(Outcome::kFailed);
    }
  }

  const std::shared_ptr<CallTable> table_;
  ReplySink& sink_;
  BufferedSocket socket_;
  WsStream ws_;
  boost::beast::flat_buffer message_;
  proto::Envelope request_;
  proto::Envelope reply_;
  std::string encoded_;
  std::deque<Waiting> waiting_;
  bool settling_ = false;
  bool closed_ = false;
};

}  // namespace

EchoClients ConnectWs(const std::string& name, const Address& address, const ClientOptions& options,
                      ReplySink& sink) {
  const auto table = std::make_shared<CallTable>(options.call_limit);
  return ConnectTcpWith<WsConnection>(
      name, address, options, [&](boost::asio::ip::tcp::socket socket) {
        auto connection = std::make_shared<WsConnection>(std::move(socket), table, sink);
        const auto error =
            connection->Handshake(ToString(address), Clock::now() + options.connect_timeout);
        if (error) {
          throw Error(name + ": no WebSocket handshake with " + ToString(address) + ": " +
                      error.message());
        }
        return connection;
      });
}

}  // namespace rpcbench
