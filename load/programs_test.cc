// qps as a person runs it: usage errors, a server that dies, Ctrl-C, no process left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "results/files.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProgramsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("programs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs a shell script with $QPS and $OUT set; its exit status, and what it printed in out() and
  // err().
  int Shell(const std::string& script) {
    const std::string command = "QPS='" RPCBENCH_QPS "' OUT='" + folder_.string() + "'; { " +
                                script + "\n} >'" + (folder_ / "stdout").string() + "' 2>'" +
                                (folder_ / "stderr").string() + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() { return ReadFile(folder_ / "stdout"); }
  std::string err() { return ReadFile(folder_ / "stderr"); }
  static std::ptrdiff_t Lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
  nlohmann::json Rows() {
    return nlohmann::json::parse(ReadFile(folder_ / "out.json")).at("benchmarks");
  }

  std::filesystem::path folder_;
};

TEST_F(ProgramsTest, NonsenseIsOneLineThatSaysWhatIsAllowed) {
  const std::pair<const char*, const char*> cases[] = {
      {"--frameworks nothing", "asio_tcp_raw"},
      {"--frameworks '('", "not a regular expression"},
      {"--clients -1", "not in range"},
      {"--clients 0", "not in range"},
      {"--in-flight two", "two"},
      {"--delay 30", "30ms"},
      {"--delay -1ms", "30ms"},
      {"--timeout 0", "60s"},
      {"--target nowhere", "HOST:PORT"},
      {"--client-cpus x", "0,2-3"},
      {"--no-such-flag", "no-such-flag"},
      {"--rate 5 --arrival odd", "even or poisson"},
      {"--rate 0", "not in range"},
      {"--p99 50ms", "needs --find-rate"},
      {"--find-rate --p99 50ms --p50 1ms", "give one target"},
      {"--benchmark_no_such_flag=1", "benchmark_no_such_flag"},
      {"--benchmark_repetitions=-1", "at least"},
      {"--benchmark_filter='('", "not a regular expression"},
      {"--benchmark_format=xml", "console, json or csv"},
      {"--benchmark_out_format=csv", "json or console"},
      {"--target 1.2.3.4:5 --server-cpus 0", "--server-cpus"},
  };
  for (const auto& [flags, said] : cases) {
    EXPECT_EQ(Shell(std::string("$QPS ") + flags), 2) << flags;
    EXPECT_THAT(err(), HasSubstr(said)) << flags;
    EXPECT_EQ(Lines(err()), 1) << err();
  }
}

TEST_F(ProgramsTest, ListsAndFiltersRowsByTheirPlainNames) {
  EXPECT_EQ(
      Shell("$QPS --benchmark_list_tests --benchmark_filter='asio_tcp_raw/.*/in_flight:2000$'"), 0);
  EXPECT_THAT(out(), HasSubstr("BenchmarkQPS/asio_tcp_raw/clients:16/in_flight:2000\n"));
  EXPECT_EQ(Lines(out()), 5);
  EXPECT_EQ(Shell("$QPS --benchmark_list_tests --benchmark_filter=-Burst --frameworks direct"), 0);
  EXPECT_THAT(out(), Not(HasSubstr("Burst")));
  EXPECT_EQ(Shell("$QPS --benchmark_filter=nothing"), 2);
  EXPECT_THAT(err(), HasSubstr("no row matches"));
}

TEST_F(ProgramsTest, AnUnwritableFileIsSaidBeforeAnythingRuns) {
  EXPECT_EQ(Shell("$QPS --frameworks direct --benchmark_out=/proc/nowhere/out.json"), 1);
  EXPECT_THAT(err(), HasSubstr("/proc/nowhere"));
  EXPECT_EQ(out(), "");
}

TEST_F(ProgramsTest, AServerThatDiesFailsItsRowAndTheOthersGoOn) {
  const int status = Shell(R"(
    $QPS --frameworks '^asio_tcp_(raw|protobuf)$' --clients 1 --in-flight 10 --burst 0 \
      --benchmark_min_time=1 --benchmark_repetitions=3 --timeout 20s --benchmark_out=$OUT/out.json & pid=$!
    for i in $(seq 200); do server=$(pgrep -P $pid) && break; sleep 0.05; done
    sleep 0.5; kill -9 $server
    wait $pid)");
  EXPECT_EQ(status, 1) << err();
  int failed = 0;
  int good = 0;
  for (const auto& row : Rows()) {
    if (row.at("run_type") != "iteration") continue;
    if (!row.value("error_occurred", false)) {
      ++good;
      continue;
    }
    ++failed;
    EXPECT_THAT(row.at("name"), HasSubstr("asio_tcp_raw"));
    EXPECT_THAT(row.at("error_message"), HasSubstr("failed: "));
  }
  EXPECT_EQ(failed, 1) << "the repeat whose server was killed";
  EXPECT_EQ(good, 5) << "its other repeats and those of the next row";
  EXPECT_THAT(err(), HasSubstr("failed"));
}

TEST_F(ProgramsTest, CtrlCKeepsTheFinishedRowsAndLeavesNobodyBehind) {
  const int status = Shell(R"(
    $QPS --frameworks '^asio_tcp_raw$' --clients 1,2,4 --in-flight 10 --burst 0 \
      --benchmark_min_time=1 --benchmark_out=$OUT/out.json & pid=$!
    for i in $(seq 400); do grep -q clients:1 $OUT/out.json 2>/dev/null && break; sleep 0.05; done
    server=$(pgrep -P $pid); kill -INT $pid
    wait $pid; status=$?
    for i in $(seq 100); do [ -n "$server" ] && kill -0 $server 2>/dev/null || exit $status; sleep 0.05; done
    exit 99)");
  EXPECT_EQ(status, 1) << err();
  EXPECT_THAT(err(), HasSubstr("interrupted"));
  const auto rows = Rows();
  ASSERT_GE(rows.size(), 1u);
  EXPECT_LT(rows.size(), 3u);
  for (const auto& row : rows) EXPECT_FALSE(row.value("error_occurred", false)) << row;
}

TEST_F(ProgramsTest, DrivesAServerThatRunsAlready) {
  const int status = Shell(R"(
    mkfifo $OUT/in; $(dirname $QPS)/echo_server --framework asio_tcp_raw <$OUT/in >$OUT/hello & server=$!
    exec 3>$OUT/in
    for i in $(seq 200); do [ -s $OUT/hello ] && break; sleep 0.05; done
    port=$(sed 's/.*"port":\([0-9]*\).*/\1/' $OUT/hello)
    $QPS --target 127.0.0.1:$port --frameworks '^asio_tcp_raw$' --clients 2 --in-flight 10 --burst 0 \
      --benchmark_min_time=0.1 --benchmark_out=$OUT/out.json; status=$?
    exec 3>&-; wait $server || status=98
    exit $status)");
  EXPECT_EQ(status, 0) << err();
  EXPECT_FALSE(Rows()[0].contains("server_cpu_us")) << "what another machine uses is not known";
  EXPECT_TRUE(Rows()[0].contains("client_cpu_us"));
}

TEST_F(ProgramsTest, CallsComeAtTheRateThatIsAsked) {
  for (const std::string arrival : {"even", "poisson"}) {
    EXPECT_EQ(
        Shell("$QPS --frameworks '^asio_tcp_raw$' --clients 2 --rate 200 --delay 1ms --arrival " +
              arrival + " --benchmark_min_time=1 --benchmark_out=$OUT/out.json"),
        0)
        << out() << err();
    const auto rows = Rows();
    ASSERT_GE(rows.size(), 1u);
    const auto& row = rows[0];
    EXPECT_EQ(row.at("name"),
              arrival == "even"
                  ? "BenchmarkQPSRate/asio_tcp_raw/clients:2/rate:200"
                  : "BenchmarkQPSRate/asio_tcp_raw/clients:2/rate:200/arrival:poisson");
    EXPECT_EQ(row.at("rate"), 200);
    EXPECT_NEAR(row.at("qps").get<double>(), 200, 60);
    EXPECT_GE(row.at("sent_p50_s").get<double>(), 0.001);
    EXPECT_GE(row.at("p50_s").get<double>(), row.at("sent_p50_s").get<double>());
    EXPECT_GE(row.at("late_max_s").get<double>(), row.at("late_p99_s").get<double>());
  }
}

TEST_F(ProgramsTest, ARateThatCannotBeKeptIsInvalid) {
  EXPECT_EQ(Shell("$QPS --frameworks '^beast_http1_protobuf$' --clients 1 --rate 500 "
                  "--benchmark_min_time=1"),
            1);
  EXPECT_THAT(out(), HasSubstr("it cannot keep 500 calls/s"));
}

TEST_F(ProgramsTest, TheHighestRateThatHoldsIsSearched) {
  // One connection that carries one call at a time, held for 20 ms: 50 a second and no more.
  EXPECT_EQ(Shell("$QPS --frameworks '^beast_http1_protobuf$' --clients 1 --delay 20ms --find-rate "
                  "--rate 10 --p50 60ms --benchmark_min_time=1 --benchmark_out=$OUT/out.json"),
            0)
      << out() << err();
  const auto row = Rows()[0];
  EXPECT_EQ(row.at("name"), "BenchmarkQPSFindRate/beast_http1_protobuf/clients:1/p50:60ms");
  EXPECT_LE(row.at("rate").get<double>(), 55);
  EXPECT_GE(row.at("rate").get<double>(), 10);
  EXPECT_GE(row.at("steps").get<double>(), 3);
  EXPECT_THAT(err(), HasSubstr("does not hold"));
}

TEST_F(ProgramsTest, NothingToConnectToFailsTheRow) {
  EXPECT_EQ(Shell("$QPS --target 127.0.0.1:1 --frameworks '^asio_tcp_raw$' --clients 1 --in-flight "
                  "1 --burst 0"),
            1);
  EXPECT_THAT(out(), HasSubstr("cannot connect to 127.0.0.1:1"));
}

}  // namespace
}  // namespace rpcbench
