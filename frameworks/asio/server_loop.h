// A server's event loop over Asio: its sessions, and the delay that holds their requests.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "echo/delay_line.h"
#include "frameworks/asio/io_loop.h"

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

  void Add(std::shared_ptr<Session> session) {
    Session* const raw = session.get();
    sessions_.emplace(raw, Entry{std::move(session)});
    raw->Start();
  }

  void Hold(Session& session, bool flag, Held held) {
    const auto found = sessions_.find(&session);
    if (found == sessions_.end()) return;  // read its last bytes while the server closed it
    Entry& entry = found->second;
    ++entry.held;
    if (options_.delay_source == DelaySource::kNative) {
      HoldByTimer(entry, flag, std::move(held));
    } else {
      line_.Push(Item{&entry, std::move(held)}, flag);
    }
  }

  // Sends the replies that are due and arms the timer for the rest.
  void Advance() {
    line_.ReleaseDue([this](Item item) { Release(*item.entry, std::move(item.held)); });
    FlushReplied();
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

  void Forget(Session& session) {
    const auto found = sessions_.find(&session);
    if (found == sessions_.end()) return;
    found->second.open = false;
    if (found->second.held == 0) sessions_.erase(found);
  }

  // Drops what is held and closes every session.
  void CloseAll() {
    line_.Clear();
    auto sessions = std::exchange(sessions_, {});
    for (auto& [raw, entry] : sessions) raw->Close();
  }

 private:
  struct Entry {
    std::shared_ptr<Session> session;
    std::size_t held = 0;
    bool open = true;
    bool replied = false;  // since the last FlushReplied
  };
  struct Item {
    Entry* entry;  // stays where it is: unordered_map's nodes do not move
    Held held;
  };

  void Release(Entry& entry, Held held) {
    --entry.held;
    if (entry.open) {
      entry.session->Reply(std::move(held));
      if (!std::exchange(entry.replied, true)) replied_.push_back(entry.session);
    } else if (entry.held == 0) {
      sessions_.erase(entry.session.get());
    }
  }

  void FlushReplied() {
    flushing_.swap(replied_);
    for (const auto& session : flushing_) {
      const auto found = sessions_.find(session.get());
      if (found == sessions_.end()) continue;
      found->second.replied = false;
      if (found->second.open) session->Flush();
    }
    flushing_.clear();
  }

  // DelaySource::kNative: one Asio timer a call.
  void HoldByTimer(Entry& entry, bool flag, Held held) {
    const auto taken = Clock::now();
    meter_.Enter();
    auto timer =
        std::make_unique<boost::asio::steady_timer>(io_.context(), taken + options_.DelayFor(flag));
    auto& waiting = *timer;
    waiting.async_wait([this, taken, timer = std::move(timer), raw = entry.session.get(),
                        held = std::move(held)](const boost::system::error_code&) mutable {
      const auto found = sessions_.find(raw);
      if (found == sessions_.end()) return meter_.Drop();
      meter_.Leave(Clock::now() - taken);
      Release(found->second, std::move(held));
      FlushReplied();
    });
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  IoLoop io_;  // before what its handlers use is no matter: the server joins it first
  boost::asio::steady_timer timer_;
  DelayLine<Item> line_;
  bool armed_ = false;
  Clock::time_point armed_for_;
  std::unordered_map<Session*, Entry> sessions_;
  std::vector<std::shared_ptr<Session>> replied_;
  std::vector<std::shared_ptr<Session>> flushing_;
};

}  // namespace rpcbench
