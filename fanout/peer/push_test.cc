// push as a person runs it, with a few streams and a short window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fanout/peer/push_server.h"
#include "results/files.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;

class PushTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("push_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int Push(const std::string& flags) {
    const std::string command = RPCBENCH_PUSH " --warm-up 0.2 --benchmark_min_time=0.5 " + flags +
                                " --benchmark_out=" + (folder_ / "out.json").string() + " >" +
                                (folder_ / "said").string() + " 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string said() { return ReadFile(folder_ / "said"); }
  nlohmann::json Row() {
    const auto rows = nlohmann::json::parse(ReadFile(folder_ / "out.json")).at("benchmarks");
    EXPECT_EQ(rows.size(), 1u);
    return rows.at(0);
  }

  std::filesystem::path folder_;
};

TEST_F(PushTest, OurServerDeliversEveryEvent) {
  ASSERT_EQ(Push("--streams 20 --benchmark_filter=BenchmarkPush/sse"), 0) << said();
  const auto row = Row();
  EXPECT_EQ(row.at("name"), "BenchmarkPush/sse/streams:20");
  EXPECT_FALSE(row.value("error_occurred", false)) << row;
  EXPECT_EQ(row.at("delivered_share"), 1.0);
  EXPECT_GT(row.at("server_us_event"), 0.0);
  EXPECT_GT(row.at("bytes_event"), 1400.0);
  EXPECT_EQ(row.at("gaps"), 0.0);
}

TEST_F(PushTest, NchanIsMeasuredAlike) {
  if (!NchanMissing({}).empty()) GTEST_SKIP() << NchanMissing({});
  ASSERT_EQ(Push("--streams 20 --benchmark_filter=BenchmarkPush/nchan"), 0) << said();
  const auto row = Row();
  EXPECT_FALSE(row.value("error_occurred", false)) << row;
  EXPECT_GT(row.at("events_s"), 100.0);
  EXPECT_GT(row.at("latency_p50_ms"), 0.0);
}

TEST_F(PushTest, StreamsComeAreCutAndComeBack) {
  ASSERT_EQ(Push("--connect-streams 50 --benchmark_filter=BenchmarkConnect"), 0) << said();
  const auto row = Row();
  EXPECT_EQ(row.at("name"), "BenchmarkConnect/sse/streams:50");
  EXPECT_FALSE(row.value("error_occurred", false)) << row;
  EXPECT_EQ(row.at("reconnects"), 50.0);
  EXPECT_GT(row.at("back_s"), 0.0);
}

TEST_F(PushTest, ListsItsRows) {
  EXPECT_EQ(Push("--streams 7 --benchmark_list_tests"), 0);
  EXPECT_EQ(said(),
            "BenchmarkPush/sse/streams:7\nBenchmarkPush/nchan/streams:7\n"
            "BenchmarkConnect/sse/streams:10000\n");
}

TEST_F(PushTest, NonsenseIsTwo) {
  EXPECT_EQ(Push("--streams 0"), 2);
  EXPECT_EQ(Push("--rate fast"), 2);
  EXPECT_THAT(said(), HasSubstr("push: "));
}

}  // namespace
}  // namespace rpcbench
