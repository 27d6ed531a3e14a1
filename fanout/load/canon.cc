#include "fanout/load/canon.h"

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::size_t kRemembered = 4096;

}  // namespace

void Canon::Check(const Seen& seen) {
  for (const SeenEvent& event : seen.events) {
    if (event.reset || event.id.empty()) continue;
    std::string key = event.id.text() + '\n' + std::to_string(event.name_hash);
    const auto [known, is_new] = hashes_.emplace(key, event.hash);
    if (!is_new && known->second != event.hash) {
      throw Error("event " + event.id.text() + " has other data than another stream's");
    }
    if (!is_new) continue;
    order_.push_back(std::move(key));
    if (order_.size() <= kRemembered) continue;
    hashes_.erase(order_.front());
    order_.pop_front();
  }
}

}  // namespace rpcbench
