// The program's exit statuses, through the program itself.
#include <gmock/gmock.h>

#include <string>

#include "process/shell.h"
#include "results/files.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

ShellResult RunCompare(const std::string& arguments) {
  return RunShell(RPCBENCH_COMPARE " " + arguments + " 2>&1");
}

TEST(CompareProgramTest, ExitStatusSaysHowItEnded) {
  const Scratch scratch;
  const std::string good = scratch / "good";
  const std::string bad = scratch / "bad";
  WriteSampleRun(good, {.repeats = 1});
  WriteSampleRun(bad, {.repeats = 1, .good = false});
  EXPECT_EQ(RunCompare(good).status, 0);
  EXPECT_EQ(RunCompare(good + " " + good + " --json").status, 0);
  EXPECT_EQ(RunCompare(good + " " + good + " --gate 5%").status, 0);
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
        bad + " --published none", bad + " --gate 5%", bad + " " + bad + " --gate much",
        bad + " --json --markdown", bad + " --bogus", bad + " " + bad + " " + bad}) {
    const auto [usage_status, line] = RunCompare(usage);
    EXPECT_EQ(usage_status, 2) << usage;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line: " << line;
  }
  EXPECT_EQ(RunCompare("--help").status, 0);
}

}  // namespace
}  // namespace rpcbench
