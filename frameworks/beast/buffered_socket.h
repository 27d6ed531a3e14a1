// A TCP socket with a receive buffer that is read in large pieces and an output that is sent once a
// loop turn. What the HTTP and WebSocket rows share; it knows neither protocol.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace rpcbench {

// Used by one loop's thread. Handlers that it is given keep its owner alive.
class BufferedSocket final {
 public:
  using tcp = boost::asio::ip::tcp;
  using ErrorCode = boost::system::error_code;

  // No unit of the protocol that has to lie in one piece is longer than `capacity` bytes.
  BufferedSocket(tcp::socket socket, std::size_t capacity)
      : socket_(std::move(socket)),
        capacity_(capacity),
        received_(std::make_unique_for_overwrite<char[]>(capacity)) {
    ErrorCode ignored;
    socket_.non_blocking(true, ignored);
  }

  tcp::socket& socket() { return socket_; }

  std::string_view received() const { return {received_.get() + begin_, end_ - begin_}; }
  void Consume(std::size_t bytes) { begin_ += bytes; }

  // Calls done(error) when there is more in received(). One at a time.
  template <class Done>
  void Receive(Done done) {
    if (begin_ == end_) {
      begin_ = end_ = 0;
    } else if (capacity_ - end_ < capacity_ / 2) {
      std::memmove(received_.get(), received_.get() + begin_, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
    }
    socket_.async_read_some(
        boost::asio::buffer(received_.get() + end_, capacity_ - end_),
        [this, done = std::move(done)](ErrorCode error, std::size_t bytes) mutable {
          end_ += bytes;
          done(error);
        });
  }

  // Takes what is there without waiting, appended to received(). For set-up.
  ErrorCode ReceiveNow() {
    ErrorCode error;
    end_ += socket_.read_some(boost::asio::buffer(received_.get() + end_, capacity_ - end_), error);
    return error;
  }

  // What is to be sent next; append to it, then Send.
  std::string& out() { return out_; }
  bool sending() const { return sending_; }

  // Sends out(). If the kernel takes all of it at once, nothing more happens, and a completion's
  // way through the loop is saved; else done(error) comes later, and what is appended until then is
  // one batch. No-op while that is under way.
  template <class Done>
  void Send(Done done) {
    if (sending_ || out_.empty()) return;
    ErrorCode error;
    const std::size_t sent = socket_.write_some(boost::asio::buffer(out_), error);
    if (!error && sent == out_.size()) {
      out_.clear();
      return;
    }
    sending_ = true;
    sent_.swap(out_);
    boost::asio::async_write(
        socket_, boost::asio::buffer(sent_) + sent,
        [this, done = std::move(done)](ErrorCode failure, std::size_t) mutable {
          sending_ = false;
          sent_.clear();
          done(failure);
        });
  }

  void ShutdownSend() {
    ErrorCode ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void Close() {
    ErrorCode ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
  const std::size_t capacity_;
  std::unique_ptr<char[]> received_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string out_;
  std::string sent_;
  bool sending_ = false;
};

}  // namespace rpcbench
