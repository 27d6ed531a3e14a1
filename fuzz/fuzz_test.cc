// Every target over its corpus and seeded changes of it.
#include <gtest/gtest.h>

#include "fuzz/mutations.h"
#include "fuzz/targets.h"

namespace rpcbench {
namespace {

class FuzzTest : public testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzTest, TakesAnyBytes) {
  const auto corpus = ReadCorpus(std::string(RPCBENCH_CORPUS) + "/" + GetParam().name);
  RunMutations(corpus, 3000, 1, GetParam().run);
}

INSTANTIATE_TEST_SUITE_P(, FuzzTest, testing::ValuesIn(FuzzTargets()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rpcbench
