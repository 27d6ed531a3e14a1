// The layer below websocket::stream: reads come from a BufferedSocket's received bytes and writes
// are appended to its output, so that a loop turn's messages cost one receive and one send. It
// never waits: its owner lets Beast read only what is there.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/system/system_error.hpp>
#include <cstddef>
#include <functional>
#include <utility>

#include "frameworks/beast/buffered_socket.h"

namespace rpcbench {

// Beast's SyncStream. With blocking calls over memory a message needs no handler, no allocation and
// no way through the loop; Beast's own timers serve asynchronous calls only, so the sessions have
// theirs.
class CorkedStream final {
 public:
  using executor_type = boost::asio::ip::tcp::socket::executor_type;
  using ErrorCode = boost::system::error_code;

  explicit CorkedStream(BufferedSocket& socket) : socket_(socket) {}

  executor_type get_executor() { return socket_.socket().get_executor(); }

  // The next `bytes` of what was received may be read.
  void Allow(std::size_t bytes) { allowed_ = bytes; }

  // Asked when nothing is allowed any longer, instead of failing; it may call Allow.
  void OnEmpty(std::function<ErrorCode()> refill) { refill_ = std::move(refill); }

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, ErrorCode& error) {
    error = {};
    if (allowed_ == 0 && refill_) error = refill_();
    if (!error && allowed_ == 0) error = boost::asio::error::would_block;
    if (error) return 0;
    const std::size_t bytes =
        boost::asio::buffer_copy(buffers, boost::asio::buffer(socket_.received().data(), allowed_));
    socket_.Consume(bytes);
    allowed_ -= bytes;
    return bytes;
  }

  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, ErrorCode& error) {
    error = {};
    const std::size_t before = socket_.out().size();
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto it = boost::asio::buffer_sequence_begin(buffers); it != end; ++it) {
      const boost::asio::const_buffer piece(*it);
      socket_.out().append(static_cast<const char*>(piece.data()), piece.size());
    }
    return socket_.out().size() - before;
  }

  // The throwing pair that the concept asks for.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    ErrorCode error;
    const std::size_t bytes = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return bytes;
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    ErrorCode error;
    return write_some(buffers, error);
  }

 private:
  BufferedSocket& socket_;
  std::size_t allowed_ = 0;
  std::function<ErrorCode()> refill_;
};

// Beast's hooks at the end of a connection: the owner closes the socket once its output is sent.
inline void teardown(boost::beast::role_type, CorkedStream&, boost::system::error_code& error) {
  error = {};
}
inline void beast_close_socket(CorkedStream&) {}

using WsStream = boost::beast::websocket::stream<CorkedStream, false>;

}  // namespace rpcbench
