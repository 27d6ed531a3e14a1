// nginx with nchan runs as a child, passes on what is published, and leaves nobody behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "echo/error.h"
#include "fanout/load/load_loop.h"
#include "fanout/peer/http_caller.h"
#include "fanout/peer/publisher.h"
#include "fanout/peer/push_server.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

bool InCi() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0';
}

class NchanTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = NchanMissing(options_);
    if (missing.empty()) return;
    if (InCi()) FAIL() << missing;
    GTEST_SKIP() << missing;
  }

  std::unique_ptr<LoadLoop> Open(const PushServer& server, std::size_t streams) {
    StreamLoadOptions load;
    load.connect = server.address();
    load.path = server.events_path();
    load.streams = streams;
    load.accept_encoding = "identity";
    load.open_with_event = false;
    auto loop = std::make_unique<LoadLoop>(load);
    Await(*loop, [&] { return loop->open() == streams; });
    return loop;
  }

  void Await(LoadLoop& loop, const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << loop.last_problem();
      loop.Poll(5ms);
    }
  }

  PushServerOptions options_;
};

TEST_F(NchanTest, ThreeEventsReachFiveStreams) {
  const auto nchan = StartNchan(options_);
  const auto loop = Open(*nchan, 5);
  HttpCaller publisher(nchan->address(), 10s);
  for (std::uint64_t number = 1; number <= 3; ++number) {
    const HttpAnswer answer = publisher.Post(nchan->publish_path(), EventData(1ns, number, 1400));
    EXPECT_EQ(answer.status / 100, 2) << answer.body;
  }
  Await(*loop, [&] { return loop->Report().events >= 15; });
  const StreamLoadReport report = loop->Report();
  EXPECT_EQ(report.events, 15u);
  EXPECT_EQ(report.events_least, 3u);
  EXPECT_EQ(report.gaps + report.disorder + report.mismatches, 0u);
  EXPECT_GT(nchan->Use().rss_kb, 0);
}

TEST_F(NchanTest, ItRunsWhereItIsPinnedAndIsGoneAfterwards) {
  options_.cpus = {AllowedCpus().back()};
  auto nchan = StartNchan(options_);
  const Address address = nchan->address();
  nchan.reset();
  EXPECT_THROW(HttpCaller(address, 1s), Error);
}

TEST(NchanMissingTest, WhatIsMissingIsNamedWithItsPackage) {
  PushServerOptions options;
  options.nginx = "/nonexistent/nginx";
  EXPECT_THAT(NchanMissing(options), HasSubstr("nginx-light"));
  EXPECT_THAT([&] { StartNchan(options); }, ThrowsMessage<Error>(HasSubstr("nginx-light")));
  options.nginx = "/bin/sh";
  options.nchan_module = "/nonexistent.so";
  EXPECT_THAT(NchanMissing(options), HasSubstr("libnginx-mod-nchan"));
}

TEST(NchanMissingTest, AnNginxThatDoesNotStartSaysWhy) {
  PushServerOptions options;
  if (!NchanMissing(options).empty()) GTEST_SKIP() << NchanMissing(options);
  options.nchan_module = "/bin/sh";
  EXPECT_THAT([&] { StartNchan(options); }, ThrowsMessage<Error>(HasSubstr("/bin/sh")));
}

}  // namespace
}  // namespace rpcbench
