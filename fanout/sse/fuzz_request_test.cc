// The request path's fuzz target over its corpus and seeded changes of it. Nothing is asserted
// here: a broken promise ends the program.
#include <gtest/gtest.h>

#include "fanout/sse/fuzz_request_case.h"
#include "fuzz/mutations.h"

namespace rpcbench {
namespace {

TEST(SseFuzzTest, Request) {
  RunMutations(ReadCorpus(RPCBENCH_SSE_CORPUS "/request"), 4000, 1, FuzzRequest);
}

}  // namespace
}  // namespace rpcbench
