// The fuzz targets over their corpus and seeded mutations of it. Nothing is asserted here: a broken
// promise ends the program.
#include <gtest/gtest.h>

#include "fanout/sse/fuzz_cases.h"
#include "fanout/sse/mutate.h"

namespace rpcbench {
namespace {

using namespace std::string_literals;

TEST(SseFuzzTest, Parser) {
  RunMutations({.corpus = ReadCorpus(RPCBENCH_SSE_CORPUS "/parser"),
                .words = {"\n", "\r", "\r\n", "\n\n", "data:", "data", "id:", "event:", "retry:",
                          ":", "\0"s, "\xEF\xBB\xBF", "\xE2\x82", "\xF0"}},
               FuzzParser);
}

TEST(SseFuzzTest, Negotiate) {
  RunMutations({.corpus = ReadCorpus(RPCBENCH_SSE_CORPUS "/negotiate"),
                .words = {"zstd", "br", "identity", "*", ";q=0", ";q=", "1", "0.5", ",", " "}},
               FuzzNegotiate);
}

}  // namespace
}  // namespace rpcbench
