#include "measure/gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A row without fault: 2,000 in flight.
RowFacts Good() {
  RowFacts facts;
  facts.outcomes.ok = 66'000;
  facts.connections = 4;
  facts.connections_before = 4;
  facts.connections_after = 4;
  facts.client_without_nodelay = 0;
  facts.server_without_nodelay = 0;
  facts.in_flight = 2000;
  facts.in_flight_limit = 2000;
  facts.mean_in_flight = 1999.8;
  facts.delay = 30ms;
  facts.light_load = true;
  facts.held = HoldReport{.calls = 66'000,
                          .least = 30ms,
                          .p50 = 30050us,
                          .p99 = 30400us,
                          .most = 33ms,
                          .peak_in_flight = 2000};
  return facts;
}

TEST(GatesTest, AGoodRowPasses) {
  EXPECT_THAT(Violations(Good()), IsEmpty());
}

TEST(GatesTest, WhatIsNotKnownIsNotJudged) {
  RowFacts facts;
  facts.outcomes.ok = 1;
  EXPECT_THAT(Violations(facts), IsEmpty());
}

TEST(GatesTest, WrongRepliesAreCountedByKind) {
  RowFacts facts = Good();
  facts.outcomes.mismatched = 2;
  facts.outcomes.doubled = 1;
  EXPECT_THAT(Violations(facts),
              ElementsAre(HasSubstr("3 of 66003 calls went wrong: 0 failed, 0 timed out, 0 "
                                    "cancelled, 2 replies differed, 1 replies to no call")));
}

TEST(GatesTest, NoReplyAtAll) {
  RowFacts facts = Good();
  facts.outcomes.ok = 0;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("no call was answered")));
}

TEST(GatesTest, AFullLog) {
  RowFacts facts = Good();
  facts.log_overflowed = true;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("log was full")));
}

// gRPC's channels with equal arguments share one connection.
TEST(GatesTest, FewerConnectionsThanTheLabel) {
  RowFacts facts = Good();
  facts.connections_before = 1;
  facts.connections_after = 1;
  EXPECT_THAT(
      Violations(facts),
      ElementsAre(
          HasSubstr("1 connections are established on the server's port after warm-up, not 4"),
          HasSubstr("at the end")));
}

TEST(GatesTest, NagleOnEitherSide) {
  RowFacts facts = Good();
  facts.client_without_nodelay = 4;
  facts.server_without_nodelay = 1;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("4 sockets of the client"),
                                             HasSubstr("1 sockets of the server")));
}

TEST(GatesTest, LittlesLawWithinThreePercent) {
  RowFacts facts = Good();
  facts.mean_in_flight = 1950;
  EXPECT_THAT(Violations(facts), IsEmpty());
  facts.mean_in_flight = 1800;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("1800 calls were in flight, not 2000")));
}

TEST(GatesTest, TheServerCannotHoldMoreThanIsInFlight) {
  RowFacts facts = Good();
  facts.held->peak_in_flight = 2001;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("held 2001 requests at once")));
}

// kj's afterDelay counts from a cached clock: 13.5 ms were seen.
TEST(GatesTest, HeldTooShort) {
  RowFacts facts = Good();
  facts.held->least = 29999us;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("held 29.999 ms, less than 30.000 ms")));
}

TEST(GatesTest, HeldTooLongCountsOnlyAtLightLoad) {
  RowFacts facts = Good();
  facts.held->p99 = 33ms;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("held 33.00 ms (p99), more than 31.50 ms")));
  facts.light_load = false;
  EXPECT_THAT(Violations(facts), IsEmpty());
}

TEST(GatesTest, FewHeldRequestsAreJudgedByTheirMedian) {
  RowFacts facts = Good();
  facts.held->calls = kHeldForP99 - 1;
  facts.held->p99 = 33ms;
  EXPECT_THAT(Violations(facts), IsEmpty());
  facts.held->p50 = 32ms;
  EXPECT_THAT(Violations(facts), ElementsAre(HasSubstr("(median)")));
}

}  // namespace
}  // namespace rpcbench
