// Whole runs over loopback, with sse_load as the other side.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "echo/error.h"
#include "fanout/board/board_run.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class WireTest : public testing::TestWithParam<std::tuple<Codec, bool>> {
 protected:
  WireTest() {
    signal(SIGPIPE, SIG_IGN);
    options_.warm_up = 200ms;
    options_.cards = 20;  // sanitizers make the decoding of a whole board slower than its ticks
    options_.sse_load = RPCBENCH_SSE_LOAD;
  }

  const BoardCase case_{.codec = std::get<0>(GetParam()),
                        .synchronous = Synchronous::kNormal,
                        .cohort = std::get<1>(GetParam()),
                        .wire = true,
                        .streams = 40};
  BoardOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Codecs, WireTest,
                         testing::Values(std::tuple(Codec::kZstd, true),
                                         std::tuple(Codec::kZstd, false),
                                         std::tuple(Codec::kBrotli, true),
                                         std::tuple(Codec::kIdentity, true)),
                         [](const auto& row) {
                           return fmt::format("{}_{}", ToString(std::get<0>(row.param)),
                                              std::get<1>(row.param) ? "cohort" : "per_stream");
                         });

TEST_P(WireTest, PassesItsOwnChecks) {
  BoardRun run(case_, options_);
  const BoardFigures figures = run.Measure(400ms);
  BoardOptions judged = options_;
  judged.tick = 1h;  // how long a tick takes is the machine's affair, and not this test's
  EXPECT_THAT(Violations(case_, judged, figures), IsEmpty());
  Counters counters = CountersOf(case_, figures);
  EXPECT_EQ(counters["decoded_streams"] + counters["compared_streams"], 40);
  EXPECT_GT(counters["client_cores"], 0);
  EXPECT_GT(counters["cpu_write"], 0);
}

TEST_P(WireTest, AMissingLoadProgramIsAnError) {
  options_.sse_load = "/nonexistent/sse_load";
  BoardRun run(case_, options_);
  EXPECT_THAT([&] { run.Measure(100ms); }, ThrowsMessage<Error>(HasSubstr("/nonexistent/")));
}

}  // namespace
}  // namespace rpcbench
