// How a fuzz target says that a promise was broken.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace rpcbench {

// Ends the program, so that libFuzzer keeps the input, unless `holds`.
inline void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace rpcbench
