// sse_load as a process, against our server with a topic in cohorts: everything a board asks of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "echo/error.h"
#include "fanout/encode/topic.h"
#include "fanout/load/hash.h"
#include "fanout/load/load_process.h"
#include "fanout/load/scripted_cohort.h"
#include "fanout/sse/server.h"
#include "process/shell.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

class TopicSite final : public Site {
 public:
  TopicSite() : topic(TopicOptions{}) {}

  std::optional<StreamOffer> Open(const HttpRequest& request) override {
    if (request.path != "/events") return std::nullopt;
    const bool shared = request.Parameter("cohort") != "0";
    return StreamOffer{codec, topic.Join(codec, shared), group.get()};
  }
  void Handle(const HttpRequest&, std::function<void(HttpResponse)> respond) override {
    respond({.status = 404});
  }

  Topic topic;
  Codec codec = Codec::kZstd;
  std::unique_ptr<StreamGroup> group;
};

class SseLoadTest : public testing::TestWithParam<Codec> {
 protected:
  SseLoadTest() {
    site_.codec = GetParam();
    site_.group = server_.MakeGroup();
    Publish(1);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~SseLoadTest() override {
    boost::asio::post(io_, [this] { work_.reset(); });
    io_.stop();
    thread_.join();
  }

  std::unique_ptr<LoadProcess> Load(std::size_t streams, const std::string& path = "/events") {
    StreamLoadOptions options;
    options.connect = server_.address();
    options.path = path;
    options.streams = streams;
    options.accept_encoding = TokenOf(GetParam());
    options.deadline = 20s;
    return std::make_unique<LoadProcess>(options, RPCBENCH_SSE_LOAD);
  }

  // On the loop's thread, and waited for once it runs.
  void OnLoop(const std::function<void()>& task) {
    if (!thread_.joinable()) return task();
    std::promise<void> done;
    boost::asio::post(io_, [&] {
      task();
      done.set_value();
    });
    done.get_future().wait();
  }
  void Publish(int id) {
    OnLoop([&] {
      site_.topic.Publish(EventText(id, PageText(id)));
      server_.Kick(*site_.group);
    });
  }

  boost::asio::io_context io_{1};
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_{
      boost::asio::make_work_guard(io_)};
  TopicSite site_;
  SseServer server_{io_, {}, site_};
  std::thread thread_;
};

INSTANTIATE_TEST_SUITE_P(Codecs, SseLoadTest,
                         testing::Values(Codec::kZstd, Codec::kBrotli, Codec::kIdentity),
                         [](const auto& codec) { return std::string(ToString(codec.param)); });

TEST_P(SseLoadTest, EveryStreamSeesTheNewestState) {
  const auto load = Load(60);
  EXPECT_EQ(load->AwaitOpen().streams, 60u);
  load->Mark();
  for (int id = 2; id <= 40; ++id) {
    Publish(id);
    if (id % 10 == 0) load->Settle(std::to_string(id));
  }
  const StreamLoadReport report = load->Report();
  EXPECT_EQ(report.mismatches, 0u);
  EXPECT_EQ(report.disorder, 0u);
  EXPECT_EQ(report.closed, 0u);
  EXPECT_GE(report.events_least, 4u);
  EXPECT_GE(report.decoded_streams, 20u);
  ASSERT_EQ(report.state.size(), 1u);
  EXPECT_EQ(report.state[0].id, "40");
  EXPECT_EQ(report.state[0].hash, HashOf(PageText(40)));
}

TEST_P(SseLoadTest, JoinersAndPrivateStreamsAgree) {
  const auto shared = Load(25);
  shared->AwaitOpen();
  for (int id = 2; id <= 5; ++id) Publish(id);
  const auto own = Load(5, "/events?cohort=0");
  own->AwaitOpen();
  const auto late = Load(25);
  late->AwaitOpen();
  for (int id = 6; id <= 30; ++id) Publish(id);
  for (const auto* load : {&shared, &own, &late}) {
    (*load)->Settle("30");
    const StreamLoadReport report = (*load)->Report();
    EXPECT_EQ(report.mismatches, 0u);
    EXPECT_EQ(report.state[0].hash, HashOf(PageText(30)));
  }
}

TEST_P(SseLoadTest, AllComeBackAfterACutFromEitherSide) {
  const auto load = Load(40);
  load->AwaitOpen();
  EXPECT_EQ(load->Cut().streams, 40u);
  load->Mark();
  OnLoop([&] { server_.CutAll(); });
  Publish(2);
  EXPECT_EQ(load->AwaitReconnect().streams, 40u);
  load->Settle("2");
  const StreamLoadReport report = load->Report();
  EXPECT_EQ(report.reconnects, 40u);
  EXPECT_EQ(report.closed, 40u);
  EXPECT_EQ(report.mismatches, 0u);
}

TEST_P(SseLoadTest, WhatIsNotOpenInTimeIsSaid) {
  StreamLoadOptions options;
  options.connect = server_.address();
  options.path = "/nowhere";
  options.streams = 3;
  options.deadline = 100ms;
  LoadProcess load(options, RPCBENCH_SSE_LOAD);
  EXPECT_THAT([&] { load.AwaitOpen(); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("3 of 3 streams are not open"), HasSubstr("status 404"))));
}

// sse_load as a person calls it.
ShellResult RunSseLoad(const std::string& arguments) {
  return RunShell(RPCBENCH_SSE_LOAD " " + arguments + " 2>&1 </dev/null");
}

TEST(SseLoadFlagsTest, NonsenseIsSaidAndIsTwo) {
  for (const char* bad : {"", "--connect nowhere", "--connect 127.0.0.1:1 --streams 0",
                          "--connect 127.0.0.1:1 --path x", "--peer apache",
                          "--connect 127.0.0.1:1 --peer sse", "--no-such-flag"}) {
    const auto [status, output] = RunSseLoad(bad);
    EXPECT_EQ(status, 2) << bad << ": " << output;
    EXPECT_THAT(output, HasSubstr("sse_load: "));
  }
}

TEST(SseLoadFlagsTest, HelpHasTheDefaults) {
  const auto [status, output] = RunSseLoad("--help");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(output, HasSubstr("--streams"));
  EXPECT_THAT(output, HasSubstr("200"));
}

TEST(SseLoadFlagsTest, NobodyThereIsOne) {
  const auto [status, output] =
      RunSseLoad("--connect 127.0.0.1:1 --streams 2 --deadline 50ms --seconds 1");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, HasSubstr("cannot connect"));
}

}  // namespace
}  // namespace rpcbench
