#include "fanout/encode/work_pool.h"

#include <gtest/gtest.h>

#include <set>

namespace rpcbench {
namespace {

class WorkPoolTest : public testing::TestWithParam<int> {};

TEST_P(WorkPoolTest, EachPieceIsDoneOnceInEveryRound) {
  WorkPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u, 3u, 0u, 500u}) {
    std::vector<int> done(count, 0);  // not atomic: each piece is one thread's
    pool.Run(count, [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(count, 1));
  }
}

TEST_P(WorkPoolTest, ManyShortRounds) {
  WorkPool pool(GetParam());
  std::vector<std::size_t> sums(5, 0);
  for (int round = 0; round < 2000; ++round) {
    pool.Run(sums.size(), [&](std::size_t i) { sums[i] += i; });
  }
  EXPECT_EQ(sums, (std::vector<std::size_t>{0, 2000, 4000, 6000, 8000}));
}

TEST_P(WorkPoolTest, TheCpuOfAllThreadsIsSummed) {
  WorkPool pool(GetParam());
  constexpr auto kEach = std::chrono::milliseconds(5);
  const auto cpu = pool.Run(8, [&](std::size_t) {
    const auto until = std::chrono::steady_clock::now() + kEach;
    while (std::chrono::steady_clock::now() < until) {
    }
  });
  EXPECT_GT(cpu, std::chrono::nanoseconds(0));
  // A thread that waits for a processor uses less than the time that passed, and never more than
  // that and what its own steps between two pieces take.
  EXPECT_LT(cpu, 8 * kEach + std::chrono::seconds(1));
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkPoolTest, testing::Values(1, 2, 5),
                         testing::PrintToStringParamName());

TEST(WorkPoolHelpersTest, OtherThreadsTakePart) {
  WorkPool pool(2);
  std::mutex mutex;
  std::set<std::thread::id> who;
  // The first to come waits for the second, which can only be another thread.
  std::condition_variable both;
  pool.Run(2, [&](std::size_t) {
    std::unique_lock lock(mutex);
    who.insert(std::this_thread::get_id());
    both.notify_all();
    both.wait_for(lock, std::chrono::seconds(30), [&] { return who.size() == 2; });
  });
  EXPECT_EQ(who.size(), 2u);
}

}  // namespace
}  // namespace rpcbench
