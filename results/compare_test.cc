// The program's exit statuses, through the program itself.
#include <gmock/gmock.h>
#include <stdio.h>
#include <sys/wait.h>

#include <string>
#include <utility>

#include "results/files.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// The exit status, and standard output and error together.
std::pair<int, std::string> RunCompare(const std::string& arguments) {
  FILE* pipe = popen((std::string(RPCBENCH_COMPARE) + " " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  std::string output;
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    output.append(buffer, got);
  }
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

TEST(CompareProgramTest, ExitStatusSaysHowItEnded) {
  const Scratch scratch;
  const std::string good = scratch / "good";
  const std::string bad = scratch / "bad";
  WriteSampleRun(good, {.repeats = 1});
  WriteSampleRun(bad, {.repeats = 1, .good = false});
  EXPECT_EQ(RunCompare(good).first, 0);
  EXPECT_EQ(RunCompare(good + " " + good + " --json").first, 0);
  const auto [status, output] = RunCompare(good + " " + bad + " --markdown");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output,
              EndsWith("not good (exit status 1): rows invalid 2, failed 1, skipped 116\n"));
  WriteFile(good + "/hol/benchmark.json", "{\n");
  const auto [damaged_status, damage] = RunCompare(good);
  EXPECT_EQ(damaged_status, 1);
  EXPECT_THAT(damage, HasSubstr("hol/benchmark.json:2: "));
  for (const std::string& usage :
       {std::string(), (scratch / "none").string(), bad + " --clients 3", bad + " --clients 0",
        bad + " --published none", bad + " --json --markdown", bad + " --bogus",
        bad + " " + bad + " " + bad}) {
    const auto [usage_status, line] = RunCompare(usage);
    EXPECT_EQ(usage_status, 2) << usage;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line: " << line;
  }
  EXPECT_EQ(RunCompare("--help").first, 0);
}

}  // namespace
}  // namespace rpcbench
