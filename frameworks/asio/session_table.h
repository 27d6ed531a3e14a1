// The sessions of a server's loop, and which of them have replies to send.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rpcbench {

// See ServerLoop for what a Session is. One is kept until it is forgotten and its last held request
// is released. Used by one loop's thread.
template <class Session>
class SessionTable final {
 public:
  using Held = typename Session::Held;

  // Stays where it is while it holds a request: unordered_map's nodes do not move.
  struct Entry {
    std::shared_ptr<Session> session;
    std::size_t held = 0;  // requests; whoever holds one adds it, Release takes it away
    bool open = true;
    bool replied = false;  // since the last FlushReplied
  };

  void Add(std::shared_ptr<Session> session) {
    Session* const raw = session.get();
    sessions_.emplace(raw, Entry{std::move(session)});
    raw->Start();
  }

  // Null if it is not kept any more.
  Entry* Find(Session* session) {
    const auto found = sessions_.find(session);
    return found == sessions_.end() ? nullptr : &found->second;
  }

  // A request that was held gets its reply, which is sent with the next FlushReplied.
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
      Entry* const entry = Find(session.get());
      if (!entry) continue;
      entry->replied = false;
      if (entry->open) session->Flush();
    }
    flushing_.clear();
  }

  void Forget(Session& session) {
    const auto found = sessions_.find(&session);
    if (found == sessions_.end()) return;
    found->second.open = false;
    if (found->second.held == 0) sessions_.erase(found);
  }

  // What is held is dropped by then.
  void CloseAll() {
    auto sessions = std::exchange(sessions_, {});
    for (auto& [raw, entry] : sessions) raw->Close();
  }

 private:
  std::unordered_map<Session*, Entry> sessions_;
  std::vector<std::shared_ptr<Session>> replied_;
  std::vector<std::shared_ptr<Session>> flushing_;
};

}  // namespace rpcbench
