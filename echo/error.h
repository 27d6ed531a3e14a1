// The one exception of the suite: set-up that cannot go on.
#pragma once

#include <stdexcept>
#include <string>

namespace rpcbench {

// Says what was tried, with which values, and what to do. Only `main` catches it.
// A call never throws: it ends in an Outcome.
class Error final : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace rpcbench
