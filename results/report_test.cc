#include "results/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::Not;

Report Sample() {
  Report report;
  report.head = {"run: x"};
  report.warnings = {"commit differs"};
  Block block{"qps", "QPS", "mind the load", {}, {}};
  block.columns = {{"framework", "framework", -1, false},
                   {"label", "framework"},
                   {"qps", "calls\na s", 0},
                   {"p50_ms", "p50", 2}};
  block.rows = {{std::string("a"), std::string("A|b"), 1234567.4, 0.5},
                {std::string("b"), std::string("\xc3\xbc"), 999.0, Cell()}};
  report.blocks = {block};
  report.left_out = {{"", "Q/c/clients:1", "skipped", "slow", "Q/c"},
                     {"", "Q/c/clients:2", "skipped", "slow", "Q/c"},
                     {"", "Q/d/clients:1", "invalid", "a | b", "Q/d"}};
  report.good = false;
  report.verdict = "not good";
  return report;
}

TEST(ReportTest, TextIsAligned) {
  EXPECT_EQ(ToText(Sample()),
            "run: x\n"
            "warning: commit differs\n"
            "\n"
            "QPS\n"
            "(mind the load)\n"
            "               calls\n"
            "framework        a s   p50\n"
            "A|b        1,234,567  0.50\n"
            "\xc3\xbc                999     -\n"
            "\n"
            "Left out\n"
            "Q/c (2 rows): skipped: slow\n"
            "Q/d/clients:1: invalid: a | b\n"
            "\n"
            "not good\n");
}

TEST(ReportTest, ProseIsWrappedBetweenWords) {
  Report report;
  report.head = {"one two three four"};
  report.verdict = "end";
  EXPECT_EQ(ToText(report, 10), "one two\n  three\n  four\n\nend\n");
}

TEST(ReportTest, MarkdownTablesHaveOneCellAColumn) {
  const std::string text = ToMarkdown(Sample());
  EXPECT_THAT(text, HasSubstr("| framework | calls a s | p50 |\n| :--- | ---: | ---: |\n"
                              "| A\\|b | 1,234,567 | 0.50 |\n"));
  EXPECT_THAT(text, HasSubstr("| Q/d/clients:1 | invalid | a \\| b |\n"));
  EXPECT_THAT(text, HasSubstr("**Warning:** commit differs\n"));
}

TEST(ReportTest, JsonKeepsEveryFigureAndEveryRow) {
  Report report = Sample();
  report.head.push_back("bad byte \xff");
  const auto json = nlohmann::json::parse(ToJson(report));
  const auto& rows = json["blocks"][0]["rows"];
  EXPECT_EQ(rows[0]["qps"], 1234567.4);
  EXPECT_EQ(rows[0]["framework"], "a");
  EXPECT_TRUE(rows[1]["p50_ms"].is_null());
  EXPECT_EQ(json["left_out"].size(), 3u) << "not gathered";
  EXPECT_EQ(json["good"], false);
}

}  // namespace
}  // namespace rpcbench
