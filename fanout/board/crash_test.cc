// kill -9 under FULL in mid-run: what was acknowledged is in the database, every time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <random>
#include <string>
#include <vector>

#include "echo/error.h"
#include "fanout/board/store.h"
#include "fanout/board/temporary_folder.h"
#include "process/child.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int kKills = 50;

class CrashTest : public testing::Test {
 protected:
  // Starts a writer, kills it once it has acknowledged so many commands, and counts those that it
  // acknowledged all the same.
  void KillAfter(int acknowledged, std::uint64_t seed) {
    Child writer(RPCBENCH_CRASH_WRITER, {options_.file.string(), std::to_string(seed)});
    for (int i = 0; i < acknowledged; ++i) Count(writer.ReadLine(60s));
    ASSERT_EQ(kill(writer.pid(), SIGKILL), 0);
    try {
      for (;;) Count(writer.ReadLine(60s));
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("killed by signal 9"));
    }
  }

  void ExpectNothingLost() {
    Store store(options_);
    store.CheckIntegrity();
    const auto stored = store.Counts();
    ASSERT_EQ(stored.size(), acknowledged_.size());
    std::int64_t sum = 0;
    for (std::size_t card = 0; card < stored.size(); ++card) {
      EXPECT_GE(stored[card], acknowledged_[card]) << "card " << card;
      sum += stored[card];
    }
    EXPECT_EQ(store.Totals().commands, sum) << "half of a transaction is there";
  }

  // What was committed and could not be acknowledged any more is there too: the next round counts
  // from it.
  void TakeStoredAsAcknowledged() { acknowledged_ = Store(options_).Counts(); }

  TemporaryFolder folder_;
  StoreOptions options_{.file = folder_.path() / "board.sqlite", .synchronous = Synchronous::kFull};
  std::vector<std::int64_t> acknowledged_ = std::vector<std::int64_t>(kCards);

 private:
  void Count(const std::string& line) { ++acknowledged_.at(std::stoul(line)); }
};

TEST_F(CrashTest, NothingThatWasAcknowledgedIsLost) {
  std::mt19937_64 draw(2024);
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    KillAfter(static_cast<int>(draw() % 200), draw());
    ASSERT_FALSE(HasFatalFailure());
    ExpectNothingLost();
    TakeStoredAsAcknowledged();
  }
}

}  // namespace
}  // namespace rpcbench
