#include "load/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// 1,000 calls of 30 ms in a second; the client's figures cover 2 s and the server's half a second.
Measurement Good() {
  Measurement seen;
  seen.calls = 1000;
  seen.length = 1s;
  seen.outcomes.ok = 1000;
  LatencyLog log;
  log.Reset(1000);
  for (int i = 0; i < 1000; ++i) log.Add(30ms);
  seen.latencies.Merge(log);
  seen.latencies.Sort();
  seen.resources.elapsed = 2s;
  seen.resources.client.user = 10ms;
  seen.resources.client.system = 30ms;
  seen.resources.client.rss_kb = 2048;
  ServerReport server;
  server.elapsed = 500ms;
  server.usage = ProcessUsage{.user = 5ms, .system = 5ms};
  server.held = {
      .calls = 500, .least = 30ms, .p50 = 30ms, .p99 = 30100us, .most = 31ms, .peak_in_flight = 30};
  seen.resources.server = server;
  seen.facts.delay = 30ms;
  seen.facts.in_flight = 30;
  seen.facts.mean_in_flight = 30;
  seen.facts.light_load = true;
  return seen;
}

TEST(MeasurementTest, CpuIsACallWhateverTheIntervalOfEachSide) {
  const Counters counters = CountersOf(Good());
  EXPECT_DOUBLE_EQ(counters.at("qps"), 1000);
  EXPECT_DOUBLE_EQ(counters.at("client_cpu_us"), 20);  // 40 ms over the 2,000 calls of 2 s
  EXPECT_DOUBLE_EQ(counters.at("client_user_us"), 5);
  EXPECT_DOUBLE_EQ(counters.at("server_cpu_us"), 20);  // 10 ms over 500
  EXPECT_DOUBLE_EQ(counters.at("client_rss_mb"), 2);
  EXPECT_DOUBLE_EQ(counters.at("client_busy"), 0.02);
  EXPECT_DOUBLE_EQ(counters.at("p99_s"), 0.030);
  EXPECT_DOUBLE_EQ(counters.at("p999_s"), 0.030);
  EXPECT_DOUBLE_EQ(counters.at("held_min_ms"), 30);
  EXPECT_FALSE(counters.contains("client_allocs"));
}

TEST(MeasurementTest, WhatWasNotMeasuredIsAbsent) {
  Measurement seen = Good();
  seen.resources.server.reset();
  const Counters counters = CountersOf(seen);
  EXPECT_FALSE(counters.contains("server_cpu_us"));
  EXPECT_FALSE(counters.contains("held_min_ms"));
}

TEST(MeasurementTest, AllocationsAreACall) {
  Measurement seen = Good();
  seen.resources.client_allocations = AllocationCount{4000, 200'000};
  seen.resources.server->allocations = AllocationCount{500, 50'000};
  const Counters counters = AllocationCountersOf(seen);
  EXPECT_DOUBLE_EQ(counters.at("client_allocs"), 2);
  EXPECT_DOUBLE_EQ(counters.at("client_b"), 100);
  EXPECT_DOUBLE_EQ(counters.at("server_allocs"), 1);
  EXPECT_EQ(AllocatedIn(seen).allocations, 4500u);
}

TEST(MeasurementTest, TheGatesSeeTheFigures) {
  EXPECT_THAT(ViolationsOf(Good()), IsEmpty());
  Measurement late = Good();
  late.resources.server->held.p99 = 33ms;
  EXPECT_THAT(ViolationsOf(late), ElementsAre(HasSubstr("held 33.00 ms")));
  Measurement noisy = late;
  noisy.resources.machine.stolen = 200ms;  // of 2 s
  EXPECT_THAT(ViolationsOf(noisy), IsEmpty());
  EXPECT_DOUBLE_EQ(CountersOf(noisy).at("foreign_cores"), 0.1);
  late.resources.server->usage->user = 400ms;  // a busy server's timer is not held to account
  EXPECT_THAT(ViolationsOf(late), IsEmpty());
  Measurement idle = Good();
  idle.facts.mean_in_flight = 15;
  EXPECT_THAT(ViolationsOf(idle), ElementsAre(HasSubstr("15 calls were in flight, not 30")));
  Measurement nagle = Good();
  nagle.resources.server->sockets.without_nodelay = 1;
  EXPECT_THAT(ViolationsOf(nagle), ElementsAre(HasSubstr("TCP_NODELAY")));
}

}  // namespace
}  // namespace rpcbench
