#include "fanout/load/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TableTest, SaysRatesAndWhatIsWrong) {
  StreamLoadReport report;
  report.elapsed = std::chrono::seconds(2);
  report.events = 8000;
  report.bytes = 800'000;
  report.open = 200;
  report.decoded_streams = 20;
  report.compared_streams = 180;
  report.mismatches = 3;
  report.state = {{"9", 1, 199}, {"", 0, 1}};
  const std::string table = TableOf(report);
  EXPECT_THAT(table, HasSubstr("4000 a second"));
  EXPECT_THAT(table, HasSubstr("100 an event"));
  EXPECT_THAT(table, HasSubstr("3 mismatches"));
  EXPECT_THAT(table, HasSubstr("event \"9\" on 199 streams"));
  EXPECT_THAT(table, HasSubstr("event (none) on 1 streams"));
  EXPECT_THAT(table, Not(HasSubstr("latency")));
}

TEST(TableTest, AnEmptyReportHasNoNonsense) {
  EXPECT_THAT(TableOf({}), Not(HasSubstr("nan")));
  EXPECT_THAT(TableOf({}), Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace rpcbench
