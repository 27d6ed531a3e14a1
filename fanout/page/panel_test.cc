#include "fanout/page/panel.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rpcbench {
namespace {

class PanelTest : public testing::Test {
 protected:
  nlohmann::json After(std::chrono::milliseconds time) {
    now_ += time;
    panel_.Sample(now_, totals_);
    return nlohmann::json::parse(panel_.json());
  }

  PanelTotals totals_;
  Panel panel_;
  Panel::Clock::time_point now_ = Panel::Clock::now();
};

TEST_F(PanelTest, RatesAreOfTheTimeSinceTheLastSample) {
  After(std::chrono::seconds(1));
  totals_.ticks += 40;
  totals_.commands += 1000;
  totals_.cpu += std::chrono::milliseconds(500);
  totals_.topic.encode_cpu += std::chrono::milliseconds(200);
  const auto panel = After(std::chrono::seconds(2));
  EXPECT_EQ(panel["ticks_s"], 20);
  EXPECT_EQ(panel["commands_s"], 500);
  EXPECT_EQ(panel["cpu_percent"], 25);
  EXPECT_EQ(panel["encode_percent"], 10);
}

TEST_F(PanelTest, BytesOfAFrameAreAsEncoded) {
  totals_.topic.encodes = 10;
  totals_.topic.encoded_bytes = 14'000;
  totals_.topic.ledger.delivered = 1000;
  totals_.server.bytes_sent = 9'999'999;
  EXPECT_EQ(After(std::chrono::seconds(1))["bytes_frame"], 1400);
}

TEST_F(PanelTest, WithoutEncodersTheBytesAreThoseWritten) {
  totals_.topic.ledger.delivered = 10;
  totals_.server.bytes_sent = 1'400'000;
  EXPECT_EQ(After(std::chrono::seconds(1))["bytes_frame"], 140'000);
}

TEST_F(PanelTest, ASecondWithoutAFrameIsAGapInTheHistory) {
  EXPECT_EQ(After(std::chrono::seconds(1))["bytes_frame"], nullptr);
  totals_.topic.encodes = 1;
  totals_.topic.encoded_bytes = 100;
  const auto panel = After(std::chrono::seconds(1));
  EXPECT_EQ(panel["history"]["bytes_frame"], (nlohmann::json{nullptr, 100}));
}

TEST_F(PanelTest, TheHistoryIsAMinuteLong) {
  nlohmann::json panel;
  for (int second = 0; second < 100; ++second) {
    totals_.ticks += static_cast<std::uint64_t>(second);
    panel = After(std::chrono::seconds(1));
  }
  ASSERT_EQ(panel["history"]["ticks_s"].size(), 61u);
  EXPECT_EQ(panel["history"]["ticks_s"].back(), 99);
  EXPECT_EQ(panel["history"]["ticks_s"].front(), 39);
}

TEST_F(PanelTest, IsOneLine) {
  After(std::chrono::seconds(1));
  EXPECT_EQ(panel_.json().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace rpcbench
