// How many encoders live for many streams that come and go as people do. No real encoder: what is
// counted does not depend on the bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fanout/encode/topic.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;

// Half as many ticks as a board has, and logs of half as many events: the same time to join.
constexpr auto kTick = std::chrono::milliseconds(100);
constexpr std::size_t kLogEvents = 4;
constexpr auto kSimulated = std::chrono::minutes(8);
constexpr double kMeanLifeSeconds = 600;

class CopyingEncoder final : public Encoder {
 public:
  void Encode(std::string_view text, std::string& out) override { out += text; }
  std::size_t heap() const override { return 1; }
};

struct CohortFigures {
  double mean = 0;
  std::size_t most = 0;
};

// Streams live for an exponential time, and each that leaves is replaced by a new one: `streams` of
// them watch at any time. All have been there for long when it begins, and joined in the first
// tick.
CohortFigures Simulate(std::size_t streams, std::chrono::nanoseconds epoch) {
  Clock::time_point now{};
  TopicOptions options;
  options.epoch = epoch;
  options.log_events = kLogEvents;
  options.canary = false;
  options.now = [&now] { return now; };
  options.make_encoder = [](const EncoderOptions&, const TextRing*) {
    return std::make_unique<CopyingEncoder>();
  };
  Topic topic(options);
  std::mt19937_64 random(17);
  std::exponential_distribution<double> life(1 / kMeanLifeSeconds);

  struct Stream {
    std::unique_ptr<Source> source;
    Clock::time_point leaves;
  };
  std::vector<Stream> watching(streams);
  CohortFigures figures;
  std::size_t ticks = 0;
  while (now.time_since_epoch() < kSimulated) {
    for (Stream& stream : watching) {
      if (now >= stream.leaves) {
        const std::chrono::duration<double> seconds(life(random));
        stream.source = topic.Join(Codec::kZstd, true);
        stream.leaves = now + std::chrono::duration_cast<Clock::duration>(seconds);
      }
      while (stream.source->Next() != nullptr) {
        stream.source->Sent();
      }
    }
    now += kTick;
    topic.Publish("id: 1\ndata: x\n\n");
    if (now.time_since_epoch() > std::chrono::minutes(2)) {
      const std::size_t cohorts = topic.counts().cohorts;
      figures.mean += static_cast<double>(cohorts);
      figures.most = std::max(figures.most, cohorts);
      ++ticks;
    }
  }
  figures.mean /= static_cast<double>(ticks);
  return figures;
}

TEST(CohortCountTest, MergingKeepsTheEncodersOfTwoHundredStreamsFew) {
  const CohortFigures figures = Simulate(200, std::chrono::seconds(30));
  fmt::print("200 streams, merged each 30 s: {:.1f} encoders, at most {}\n", figures.mean,
             figures.most);
  EXPECT_LE(figures.mean, 12);
  EXPECT_LE(figures.most, 40u);
}

TEST(CohortCountTest, WithoutMergingTheyWouldBeMany) {
  const CohortFigures figures = Simulate(200, std::chrono::hours(24));
  fmt::print("200 streams, never merged: {:.1f} encoders, at most {}\n", figures.mean,
             figures.most);
  EXPECT_GE(figures.mean, 40);
}

}  // namespace
}  // namespace rpcbench
