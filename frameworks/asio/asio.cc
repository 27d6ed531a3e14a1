// asio_tcp_*: length-prefixed frames with a call id over TCP. The ceiling for a multiplexed
// protocol in C++, and the same work as the others do: a request is decoded to a record, held, and
// encoded again.
//
// Boost.Asio 1.74, one io_context a thread. Many frames are read in a receive; replies that are due
// in a loop turn leave in one write. The _unbatched row writes each message by itself, so that the
// gap to frameworks without batching does not pass for protocol cost.
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/version.hpp>
#include <memory>
#include <string>
#include <vector>

#include "echo/framework.h"
#include "frameworks/asio/codecs.h"
#include "frameworks/asio/out_queue.h"
#include "frameworks/asio/tcp_client.h"
#include "frameworks/asio/tcp_server.h"

namespace rpcbench {
namespace {

using boost::asio::ip::tcp;

constexpr std::size_t kReceive = 256 * 1024;  // bytes asked for in a receive
constexpr std::size_t kEager =
    64 * 1024;  // a client with this much to send does not wait for its batch to end

// Reads frames until the peer or the owner closes. `on_frame(frame)` returns false to close.
template <class Owner>
class FrameReader final {
 public:
  explicit FrameReader(tcp::socket& socket) : socket_(socket) {}

  void Read(std::shared_ptr<Owner> owner) {
    socket_.async_read_some(buffer_.prepare(kReceive),
                            [this, owner = std::move(owner)](const boost::system::error_code& error,
                                                             std::size_t size) mutable {
                              if (error) return owner->OnClosed();
                              buffer_.commit(size);
                              Owner& self = *owner;
                              if (!TakeFrames(self) || !self.OnBatchEnd()) return self.OnClosed();
                              Read(std::move(owner));
                            });
  }

 private:
  bool TakeFrames(Owner& owner) {
    std::string_view bytes(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    Frame frame;
    FrameStatus status;
    while ((status = ReadFrame(bytes, frame)) == FrameStatus::kWhole) {
      if (!owner.OnFrame(frame)) return false;
      bytes.remove_prefix(frame.size);
    }
    buffer_.consume(buffer_.size() - bytes.size());
    return status == FrameStatus::kPartial;
  }

  tcp::socket& socket_;
  boost::beast::flat_buffer buffer_;
};

template <class Codec, Writes kWrites>
class Session final : public std::enable_shared_from_this<Session<Codec, kWrites>> {
 public:
  using Value = typename Codec::Value;
  struct Held {
    CallId id;
    std::unique_ptr<Value> value;
  };

  Session(tcp::socket socket, ServerLoop<Session>& loop)
      : socket_(std::move(socket)), loop_(loop), reader_(socket_), out_(kWrites) {}

  void Start() { reader_.Read(this->shared_from_this()); }

  bool OnFrame(const Frame& frame) {
    auto value = TakeValue();
    if (!codec_.Read(frame.body, *value)) return false;
    const bool flag = Flag(*value);
    loop_.Hold(*this, flag, {frame.id, std::move(value)});
    return true;
  }

  bool OnBatchEnd() {
    loop_.Advance();
    return socket_.is_open();
  }

  void OnClosed() {
    Close();
    loop_.Forget(*this);
  }

  void Reply(Held&& held) {
    AppendFrame(held.id, out_.bytes(), [&](std::string& out) { codec_.Write(*held.value, out); });
    spare_.push_back(std::move(held.value));
  }

  void Flush() {
    out_.Send(socket_, this->shared_from_this(), [this] { OnClosed(); });
  }

  void Close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  static bool Flag(const Record& record) { return record.flag; }
  static bool Flag(const proto::Record& record) { return record.flag(); }

  std::unique_ptr<Value> TakeValue() {
    if (spare_.empty()) return std::make_unique<Value>();
    auto value = std::move(spare_.back());
    spare_.pop_back();
    return value;
  }

  tcp::socket socket_;
  ServerLoop<Session>& loop_;
  FrameReader<Session> reader_;
  OutQueue out_;
  Codec codec_;
  std::vector<std::unique_ptr<Value>> spare_;  // values whose reply has left, with their memory
};

template <class Codec, Writes kWrites>
class Connection final : public std::enable_shared_from_this<Connection<Codec, kWrites>> {
 public:
  Connection(tcp::socket socket, std::shared_ptr<CallTable> table, ReplySink& sink)
      : socket_(std::move(socket)),
        table_(std::move(table)),
        sink_(sink),
        reader_(socket_),
        out_(kWrites) {}

  void Start() { reader_.Read(this->shared_from_this()); }

  void Call(CallId id, const Record& record) {
    if (!socket_.is_open()) return sink_.OnReply(id, Outcome::kFailed, {});
    table_->Add(id, this);
    AppendFrame(id, out_.bytes(), [&](std::string& out) { codec_.Write(RecordView(record), out); });
    if (out_.bytes().size() >= kEager && !out_.writing()) Send();
  }

  void Flush() {
    if (!in_batch_ && socket_.is_open()) Send();
  }

  bool OnFrame(const Frame& frame) {
    in_batch_ = true;
    RecordView record;
    if (!codec_.View(frame.body, record) || !table_->Remove(frame.id, this)) return false;
    sink_.OnReply(frame.id, Outcome::kOk, record);
    return true;
  }

  bool OnBatchEnd() {
    in_batch_ = false;
    Flush();
    return socket_.is_open();
  }

  void OnClosed() { Close(Outcome::kFailed); }

  void Close(Outcome outcome) {
    boost::system::error_code ignored;
    socket_.close(ignored);
    table_->RemoveAll(this, [&](CallId id) { sink_.OnReply(id, outcome, {}); });
  }

 private:
  void Send() {
    out_.Send(socket_, this->shared_from_this(), [this] { OnClosed(); });
  }

  tcp::socket socket_;
  const std::shared_ptr<CallTable> table_;
  ReplySink& sink_;
  FrameReader<Connection> reader_;
  OutQueue out_;
  Codec codec_;
  bool in_batch_ = false;  // inside a receive: what its replies start is sent at its end
};

template <class Codec, Writes kWrites>
Framework Make(const std::string& name, const std::string& label, const std::string& codec,
               NanRule nan_rule) {
  Framework framework;
  framework.name = name;
  framework.label = label;
  framework.version = "Boost " BOOST_LIB_VERSION;
  framework.settings = kWrites == Writes::kMerged
                           ? "TCP_NODELAY, 256 KiB receives, one write a connection a loop turn"
                           : "TCP_NODELAY, 256 KiB receives, one write a message";
  framework.traits = {.transport = "tcp",
                      .codec = codec,
                      .carries = Carries::kMany,
                      .nan_rule = nan_rule,
                      .native_timer = true};
  framework.start_server = [name](const ServerOptions& options, HoldMeter& meter) {
    return std::make_unique<TcpServer<Session<Codec, kWrites>>>(name, options, meter);
  };
  framework.connect = [name](const Address& address, const ClientOptions& options,
                             ReplySink& sink) {
    return ConnectTcp<Connection<Codec, kWrites>>(name, address, options, sink);
  };
  return framework;
}

}  // namespace

std::vector<Framework> AsioFrameworks() {
  return {
      Make<RawCodec, Writes::kMerged>("asio_tcp_raw", "Asio raw", "raw", NanRule::kSameBits),
      Make<RawCodec, Writes::kOneEach>("asio_tcp_raw_unbatched", "Asio raw, a write a message",
                                       "raw", NanRule::kSameBits),
      Make<ProtobufCodec, Writes::kMerged>("asio_tcp_protobuf", "Asio protobuf", "protobuf",
                                           NanRule::kSameBits),
      Make<JsonCodec, Writes::kMerged>("asio_tcp_json", "Asio JSON", "json", NanRule::kAnyNan),
  };
}

}  // namespace rpcbench
