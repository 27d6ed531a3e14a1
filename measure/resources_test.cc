#include "measure/resources.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "echo/error.h"
#include "measure/allocations.h"
#include "measure/environment.h"

namespace rpcbench {
namespace {

TEST(ResourcesTest, BusyThreadsShowInUserTime) {
  const ProcessUsage before = UsageNow();
  std::thread other([] {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
    while (std::clock() < end) {
    }
  });
  other.join();
  const ProcessUsage after = UsageNow();
  EXPECT_GE((after.user + after.system) - (before.user + before.system),
            std::chrono::milliseconds(90));
  EXPECT_GT(after.rss_kb, 0);
  EXPECT_GE(after.peak_rss_kb, after.rss_kb);
  EXPECT_GE(after.threads, 1);
}

TEST(ResourcesTest, PinningReadsBack) {
  const auto allowed = AllowedCpus();
  ASSERT_FALSE(allowed.empty());
  std::thread([&] {
    PinTo({allowed.back()});
    EXPECT_EQ(AllowedCpus(), std::vector{allowed.back()});
  }).join();
  PinTo({});
  EXPECT_EQ(AllowedCpus(), allowed);
}

TEST(ResourcesTest, EachSideGetsItsOwnCores) {
  EXPECT_TRUE(SplitCpus({{3}}).client.empty());
  EXPECT_TRUE(SplitCpus({{0, 1}}).client.empty()) << "two threads of one core";
  EXPECT_EQ(SplitCpus({{0}, {1}}).client, std::vector{0});
  EXPECT_EQ(SplitCpus({{0}, {1}}).server, std::vector{1});
  EXPECT_EQ(SplitCpus({{0, 4}, {1, 5}, {2, 6}}).server, (std::vector{1, 2, 5, 6}));
  std::size_t cpus = 0;
  for (const auto& core : CoresOf(AllowedCpus())) cpus += core.size();
  EXPECT_EQ(cpus, AllowedCpus().size());
}

TEST(ResourcesTest, CpuLists) {
  EXPECT_EQ(ParseCpus("0,2-4"), (std::vector{0, 2, 3, 4}));
  EXPECT_EQ(ParseCpus("3,1,1"), (std::vector{1, 3}));
  EXPECT_EQ(ToString(std::vector{0, 2}), "0,2");
  for (const char* bad : {"", "a", "1-", "-1", "1,,2", "99999999999"}) {
    EXPECT_THROW(ParseCpus(bad), Error) << bad;
  }
}

TEST(AllocationsTest, CountsBothLanguagesWhileOn) {
  if (!CanCountAllocations()) {
    StartCountingAllocations();
    EXPECT_EQ(StopCountingAllocations().allocations, 0u)
        << "a sanitizer's allocator is not ours to count";
    return;
  }
  StartCountingAllocations();
  std::free(std::malloc(100));
  std::make_unique<char[]>(1000)[0] = 1;
  std::thread([] { std::free(std::calloc(10, 10)); }).join();
  const AllocationCount seen = StopCountingAllocations();
  EXPECT_GE(seen.allocations, 3u);
  EXPECT_GE(seen.bytes, 1200u);
  std::free(std::malloc(100));
  EXPECT_EQ(StopCountingAllocations().allocations, seen.allocations);
}

TEST(EnvironmentTest, NamesTheMachineAndTheBuild) {
  const auto facts = Environment();
  for (const char* key : {"date", "host", "kernel", "os", "compiler", "flags", "commit"}) {
    EXPECT_FALSE(facts.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_GT(facts.at("machine").at("memory_mb").get<int>(), 0);
}

}  // namespace
}  // namespace rpcbench
