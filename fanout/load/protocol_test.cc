#include "fanout/load/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/load/hash.h"

namespace rpcbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

TEST(ProtocolTest, AReportSurvivesItsLine) {
  StreamLoadReport sent;
  sent.elapsed = std::chrono::nanoseconds(10'000'000'123);
  sent.events = 4'000'000'000;
  sent.events_least = 3;
  sent.mismatches = 2;
  sent.latency_p99_ms = 1.25;
  sent.rss_kb = 77;
  sent.user = std::chrono::microseconds(5);
  sent.state = {{"812", 0xfedcba9876543210, 199}, {"", 0, 1}};
  const StreamLoadReport got = ParseStreamLoadReport(ToLine(sent));
  EXPECT_EQ(got.elapsed, sent.elapsed);
  EXPECT_EQ(got.events, sent.events);
  EXPECT_EQ(got.events_least, sent.events_least);
  EXPECT_EQ(got.mismatches, sent.mismatches);
  EXPECT_EQ(got.latency_p99_ms, sent.latency_p99_ms);
  EXPECT_EQ(got.rss_kb, sent.rss_kb);
  EXPECT_EQ(got.user, sent.user);
  ASSERT_EQ(got.state.size(), 2u);
  EXPECT_EQ(got.state[0].id, "812");
  EXPECT_EQ(got.state[0].hash, sent.state[0].hash);
  EXPECT_EQ(got.state[1].streams, 1u);
}

TEST(ProtocolTest, ALineIsOneLineWhateverTheIds) {
  StreamLoadReport report;
  report.state = {{"\xff\n", 1, 1}};
  EXPECT_THAT(ToLine(report), Not(HasSubstr("\n")));
}

TEST(ProtocolTest, AnIncompleteReportIsQuoted) {
  EXPECT_THAT([] { ParseStreamLoadReport(R"({"events":3})"); },
              ThrowsMessage<Error>(HasSubstr(R"({"events":3})")));
  EXPECT_THROW(ParseStreamLoadReport("nonsense"), Error);
}

TEST(ProtocolTest, ArgumentsNameWhatIsAsked) {
  StreamLoadOptions options;
  options.connect = {"127.0.0.1", 4711};
  options.cpus = {0, 2};
  EXPECT_THAT(ArgumentsOf(options), Contains("127.0.0.1:4711"));
  EXPECT_THAT(ArgumentsOf(options), Contains("0,2"));
  EXPECT_THAT(ArgumentsOf(options), Not(Contains("--open-with-headers")));
  options.open_with_event = false;
  EXPECT_THAT(ArgumentsOf(options), Contains("--open-with-headers"));
}

TEST(HashTest, EveryByteCounts) {
  const std::string text = "0123456789abcdefghi";
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] ^= 1;
    EXPECT_NE(HashOf(other), HashOf(text)) << i;
  }
  EXPECT_NE(HashOf(std::string(8, '\0')), HashOf(std::string(16, '\0')));
  EXPECT_NE(HashOf(""), HashOf(std::string(1, '\0')));
}

}  // namespace
}  // namespace rpcbench
