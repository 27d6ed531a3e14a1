// What is fuzzed of the request path: by libFuzzer, and over the corpus in each test run.
#pragma once

#include <string_view>

namespace rpcbench {

// Any bytes are read without a fault and within the limits, with the same verdict and the same
// requests whole as in pieces; the queries' parameters are looked up. Aborts with a message if not.
void FuzzRequest(std::string_view bytes);

}  // namespace rpcbench
