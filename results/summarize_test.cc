// What the program prints and its exit statuses, through the program itself.
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "process/shell.h"
#include "results/files.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

ShellResult RunSummarize(const std::string& arguments) {
  return RunShell(RPCBENCH_SUMMARIZE " " + arguments + " 2>&1");
}

TEST(SummarizeProgramTest, NamesTheFilesThatItWrote) {
  const Scratch run;
  WriteSampleRun(run.path(), {.repeats = 1});
  const auto [status, output] = RunSummarize("--in " + run.path().string());
  EXPECT_EQ(status, 0) << output;
  for (const char* file : {"qps/qps.csv", "qps/burst.csv", "fixed/sec.csv", "fanout/board.csv"}) {
    EXPECT_THAT(output, HasSubstr((run / file).string() + "\n"));
  }
  std::istringstream lines(output);
  for (std::string file; std::getline(lines, file);) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
}

TEST(SummarizeProgramTest, DamageIsOneLineAndIsOne) {
  const Scratch run;
  WriteSampleRun(run.path(), {.repeats = 1});
  WriteFile(run / "hol/benchmark.json", "{\n");
  const auto [status, output] = RunSummarize("--in " + run.path().string());
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, AllOf(StartsWith("summarize: "), HasSubstr("hol/benchmark.json:2: ")));
  EXPECT_EQ(output.find('\n'), output.size() - 1) << "one line: " << output;
}

TEST(SummarizeProgramTest, NonsenseIsOneLineAndIsTwo) {
  const Scratch run;
  const std::string folder = run.path().string();
  for (const std::string& usage :
       {std::string(), std::string("--in"), "--in " + (run / "none").string(), folder,
        "--in " + folder + " --bogus"}) {
    const auto [status, output] = RunSummarize(usage);
    EXPECT_EQ(status, 2) << usage;
    EXPECT_THAT(output, EndsWith("allowed: summarize --in RUN\n")) << usage;
    EXPECT_EQ(output.find('\n'), output.size() - 1) << "one line: " << output;
  }
  EXPECT_EQ(RunSummarize("--help").status, 0);
}

}  // namespace
}  // namespace rpcbench
