// A server's event loop over Asio: its sessions, and the delay that holds their requests.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "echo/delay_line.h"
#include "frameworks/asio/io_loop.h"
#include "frameworks/asio/session_table.h"

namespace rpcbench {

// A Session is one connection of a protocol. It has
//   struct Held;              what of a request is kept until its reply is due; movable
//   void Start();             begins to read
//   void Reply(Held&& held);  appends the reply to what is to be sent; nothing is sent yet
//   void Flush();             sends what Reply appended since
//   void Close();             closes the socket; may be repeated
// and is used by its loop's thread only. It calls Hold for each request and Advance after each
// batch of them, and Forget once when it is closed. It is kept until its last handler and its last
// held request are gone.
template <class Session>
class ServerLoop final {
 public:
  using Clock = std::chrono::steady_clock;
  using Held = typename Session::Held;

  ServerLoop(const ServerOptions& options, HoldMeter& meter)
      : options_(options), meter_(meter), timer_(io_.context()), line_(options, meter) {}

  IoLoop& io() { return io_; }

  void Add(std::shared_ptr<Session> session) { sessions_.Add(std::move(session)); }
  void Forget(Session& session) { sessions_.Forget(session); }

  void Hold(Session& session, bool flag, Held held) {
    Entry* const entry = sessions_.Find(&session);
    if (!entry) return;  // read its last bytes while the server closed it
    ++entry->held;
    if (options_.delay_source == DelaySource::kNative) {
      HoldByTimer(session, flag, std::move(held));
    } else {
      line_.Push(Item{entry, std::move(held)}, flag);
    }
  }

  // Sends the replies that are due and arms the timer for the rest.
  void Advance() {
    line_.ReleaseDue([this](Item item) { sessions_.Release(*item.entry, std::move(item.held)); });
    sessions_.FlushReplied();
    const auto due = line_.NextDue();
    if (!due || (armed_ && armed_for_ <= *due)) return;
    armed_ = true;
    armed_for_ = *due;
    timer_.expires_at(*due);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;  // armed again for an earlier time
      armed_ = false;
      Advance();
    });
  }

  // Drops what is held and closes every session.
  void CloseAll() {
    line_.Clear();
    sessions_.CloseAll();
  }

 private:
  using Entry = typename SessionTable<Session>::Entry;
  struct Item {
    Entry* entry;
    Held held;
  };

  // DelaySource::kNative: one Asio timer a call.
  void HoldByTimer(Session& session, bool flag, Held held) {
    const auto taken = Clock::now();
    meter_.Enter();
    auto timer =
        std::make_unique<boost::asio::steady_timer>(io_.context(), taken + options_.DelayFor(flag));
    auto& waiting = *timer;
    waiting.async_wait([this, taken, timer = std::move(timer), raw = &session,
                        held = std::move(held)](const boost::system::error_code&) mutable {
      Entry* const entry = sessions_.Find(raw);
      if (!entry) return meter_.Drop();
      meter_.Leave(Clock::now() - taken);
      sessions_.Release(*entry, std::move(held));
      sessions_.FlushReplied();
    });
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  IoLoop io_;  // before what its handlers use is no matter: the server joins it first
  boost::asio::steady_timer timer_;
  DelayLine<Item> line_;
  bool armed_ = false;
  Clock::time_point armed_for_;
  SessionTable<Session> sessions_;
};

}  // namespace rpcbench
