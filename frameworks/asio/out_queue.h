// What a connection has still to send.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "frameworks/asio/frame.h"

namespace rpcbench {

// Whether what is waiting leaves in one write a loop turn, or each message in a write of its own.
enum class Writes { kMerged, kOneEach };

// Frames are appended to bytes(), and Send writes them while later ones gather. Loop thread only.
class OutQueue final {
 public:
  explicit OutQueue(Writes writes) : writes_(writes) {}

  std::string& bytes() { return waiting_; }
  bool writing() const { return writing_; }

  // Starts a write unless one is under way. `owner` lives until it has ended; failed() runs if it
  // failed.
  template <class Owner, class Failed>
  void Send(boost::asio::ip::tcp::socket& socket, std::shared_ptr<Owner> owner, Failed failed) {
    if (writing_ || (Left() == 0 && waiting_.empty())) return;
    if (Left() == 0) {
      sending_.clear();
      sending_.swap(waiting_);
      sent_ = 0;
    }
    writing_ = true;
    const std::size_t size = NextWrite();
    boost::asio::async_write(socket, boost::asio::buffer(sending_.data() + sent_, size),
                             [this, &socket, owner = std::move(owner), failed](
                                 const boost::system::error_code& error, std::size_t) mutable {
                               writing_ = false;
                               if (error) return failed();
                               Send(socket, std::move(owner), std::move(failed));
                             });
    sent_ += size;
  }

 private:
  std::size_t Left() const { return sending_.size() - sent_; }

  std::size_t NextWrite() const {
    if (writes_ == Writes::kMerged) return Left();
    std::uint32_t length = 0;
    std::memcpy(&length, sending_.data() + sent_, sizeof length);
    return sizeof length + length;
  }

  const Writes writes_;
  bool writing_ = false;
  std::string waiting_;
  std::string sending_;
  std::size_t sent_ = 0;  // of sending_, handed to the kernel or about to be
};

}  // namespace rpcbench
