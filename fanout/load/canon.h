// The data that each event had when it was first decoded.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "fanout/load/event_reader.h"

namespace rpcbench {

// Remembers the newest 4,096 ids. One thread.
class Canon final {
 public:
  // Throws Error that names the event if one of these names and ids had other data before. Events
  // without an id and those of the type "reset" are passed over.
  void Check(const Seen& seen);

 private:
  std::unordered_map<std::string, std::uint64_t> hashes_;
  std::deque<std::string> order_;
};

}  // namespace rpcbench
