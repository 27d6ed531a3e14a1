// The client's cases: what opens, what ends for good, what is tried again and when.
#include <chrono>

#include "echo/error.h"
#include "fanout/client/client_fixture.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class ClientTest : public ClientFixture {};

TEST_F(ClientTest, AsksForAStream) {
  server_.SayAndHold({Head()});
  Connect(server_.Url("/board?cohort=0"));
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("open"));
  EXPECT_EQ(source_->state(), SourceState::kOpen);
  EXPECT_THAT(
      server_.requests()[0],
      AllOf(HasSubstr("GET /board?cohort=0 HTTP/1.1\r\n"), HasSubstr("Host: 127.0.0.1:"),
            HasSubstr("Accept: text/event-stream\r\n"), HasSubstr("Cache-Control: no-store\r\n"),
            HasSubstr("Accept-Encoding: gzip, br, zstd\r\n"), Not(HasSubstr("Last-Event-ID"))));
}

TEST_F(ClientTest, TheHeaderAloneOpens) {
  server_.SayAndHold({"HTTP/1.1 200 OK\r\nContent-", "Type: text/event-stream\r\n", "\r\n"});
  Connect(server_.Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("open"));
}

TEST_F(ClientTest, TypesWithParametersOpen) {
  for (const char* type : {"text/event-stream;charset=utf-8", "Text/Event-Stream ; x=y"}) {
    server_.SayAndHold({Head("", type)});
    log_.clear();
    Connect(server_.Url());
    RunTo(1);
    EXPECT_THAT(log_, ElementsAre("open")) << type;
  }
}

TEST_F(ClientTest, EventsComeAsTheirBytesDo) {
  server_.SayAndHold({Head() + "event: li", "kes\nda", "ta: 1\n", "\n", "data: 2\r\r"});
  Connect(server_.Url());
  RunTo(3);
  EXPECT_THAT(log_, ElementsAre("open", "likes:1", "message:2"));
}

TEST_F(ClientTest, ChunksAreUndone) {
  server_.SayAndHold({Head("Transfer-Encoding: chunked\r\n"), "6\r\ndata: \r\n3;x=y\r\nab\n\r\n",
                      "1", "\r", "\n\n", "\r\n9\r", "\ndata: c\n\n"});
  Connect(server_.Url());
  RunTo(3);
  EXPECT_THAT(log_, ElementsAre("open", "message:ab", "message:c"));
}

TEST_F(ClientTest, APieceLargerThanAnyBuffer) {
  server_.SayAndHold({Head() + "data: " + std::string(1 << 20, 'x') + "\n\n"});
  Connect(server_.Url());
  RunTo(2);
  EXPECT_EQ(log_[1].size(), std::string("message:").size() + (1 << 20));
}

class FinalTest : public ClientFixture {
 protected:
  void ExpectFailed(const std::string& why) {
    Connect(server_.Url());
    RunTo(1);
    EXPECT_THAT(log_, ElementsAre("failed"));
    EXPECT_THAT(why_, AllOf(HasSubstr(why), HasSubstr(server_.Url())));
    EXPECT_EQ(source_->state(), SourceState::kClosed);
    RunOut();
    EXPECT_THAT(server_.requests(), SizeIs(1));
    EXPECT_THAT(delays_, IsEmpty());
  }
};

class FinalStatusTest : public FinalTest, public testing::WithParamInterface<int> {};

TEST_P(FinalStatusTest, EndsForGood) {
  server_.SayAndHold({"HTTP/1.1 " + std::to_string(GetParam()) +
                      " X\r\nContent-Type: text/event-stream\r\nRetry-After: 1\r\n\r\n"});
  ExpectFailed("status " + std::to_string(GetParam()));
}

// 301 and 304 here have no Location to follow.
INSTANTIATE_TEST_SUITE_P(Statuses, FinalStatusTest,
                         testing::Values(201, 204, 206, 301, 304, 400, 401, 403, 404, 406, 410, 429,
                                         500, 502, 503));

class FinalTypeTest : public FinalTest, public testing::WithParamInterface<const char*> {};

TEST_P(FinalTypeTest, EndsForGood) {
  server_.SayAndHold({Head("", GetParam()) + "data: x\n\n"});
  ExpectFailed("the type is");
}

INSTANTIATE_TEST_SUITE_P(Types, FinalTypeTest,
                         testing::Values("text/html", "text/event-streams", "text/event",
                                         "application/json", ";text/event-stream", ""));

TEST_F(FinalTest, NoTypeAtAll) {
  server_.SayAndHold({"HTTP/1.1 200 OK\r\n\r\n"});
  ExpectFailed("the type is");
}

TEST_F(FinalTest, ALineBeyondTheBound) {
  options_.parser.max_line = 100;
  server_.SayAndHold({Head() + "data: " + std::string(200, 'x')});
  Connect(server_.Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open", "failed"));
  EXPECT_THAT(why_, HasSubstr("longer than 100 bytes"));
}

class ReconnectTest : public ClientFixture {};

TEST_F(ReconnectTest, TheEndReconnectsAfterRetryWithTheLastId) {
  server_.Say({Head() + "retry: 7\nid: likes7-3\ndata: a\n\nid: likes7-4\ndata: unfinished\n"});
  server_.SayAndHold({Head() + "data: b\n\n"});
  Connect(server_.Url());
  RunTo(5);
  EXPECT_THAT(log_, ElementsAre("open", "message:a", "lost", "open", "message:b"));
  EXPECT_THAT(delays_, ElementsAre(7));
  EXPECT_THAT(server_.requests()[1], HasSubstr("\r\nLast-Event-ID: likes7-3\r\n"));
  EXPECT_EQ(source_->last_event_id(), "likes7-3");
}

TEST_F(ReconnectTest, AWholeBodyEndsToo) {
  server_.Say({Head("Content-Length: 9\r\n") + "data: a\n\n"});
  server_.Say({Head("Transfer-Encoding: chunked\r\n") + "9\r\ndata: b\n\n\r\n0\r\n\r\n"});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(7);
  EXPECT_THAT(log_, ElementsAre("open", "message:a", "lost", "open", "message:b", "lost", "open"));
  EXPECT_THAT(delays_, ElementsAre(1000, 1000));
}

TEST_F(ReconnectTest, AnIdWithoutDataCounts) {
  server_.Say({Head() + "id: 3\ndata: a\n\nid: 9\n\n"});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(4);
  EXPECT_THAT(server_.requests()[1], HasSubstr("\r\nLast-Event-ID: 9\r\n"));
}

TEST_F(ReconnectTest, AnEmptyIdIsNotSent) {
  server_.Say({Head() + "id: 3\ndata: a\n\nid\ndata: b\n\n"});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(5);
  EXPECT_THAT(server_.requests()[1], Not(HasSubstr("Last-Event-ID")));
}

TEST_F(ReconnectTest, AnEarlierSourcesIdIsSentAtOnce) {
  options_.last_event_id = "likes7-3";
  server_.Say({Head()});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(3);
  for (const auto& request : server_.requests()) {
    EXPECT_THAT(request, HasSubstr("\r\nLast-Event-ID: likes7-3\r\n"));
  }
}

TEST_F(ReconnectTest, RefusedConnectionsBackOff) {
  server_.Refuse();
  options_.back_off_limit = 3s;
  Connect(server_.Url());
  RunTo(4);
  EXPECT_THAT(log_, ElementsAre("lost", "lost", "lost", "lost"));
  EXPECT_THAT(why_, HasSubstr("cannot connect"));
  EXPECT_THAT(delays_, ElementsAre(500, 1000, 1500, 1500));  // half of each: the jitter's least
  server_.Listen();
  server_.Say({Head()});
  RunTo(6);
  EXPECT_THAT(log_, ElementsAre("lost", "lost", "lost", "lost", "open", "lost"));
  EXPECT_EQ(delays_.back(), 1000);  // an end after a success
}

TEST_F(ReconnectTest, WhatIsNoResponseBacksOff) {
  server_.Say({});
  server_.Say({"HTTP/1.1 200"});
  server_.Say({"SSH-2.0-OpenSSH\r\n\r\n"});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(4);
  EXPECT_THAT(log_, ElementsAre("lost", "lost", "lost", "open"));
  EXPECT_THAT(delays_, ElementsAre(500, 1000, 2000));
}

TEST_F(ReconnectTest, ABrokenStreamIsAnEnd) {
  server_.Say({Head("Transfer-Encoding: chunked\r\n") + "9\r\ndata: a\n\n\r\nzz\r\n"});
  server_.Say({Head("Content-Length: 100\r\n") + "data: b\n\n"});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(7);
  EXPECT_THAT(log_, ElementsAre("open", "message:a", "lost", "open", "message:b", "lost", "open"));
}

TEST_F(ReconnectTest, ASilentStreamIsLost) {
  options_.silence = 1ms;
  forever_ = true;
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open", "lost"));
}

class RedirectTest : public ClientFixture {
 protected:
  static std::string Redirect(int status, const std::string& to) {
    return "HTTP/1.1 " + std::to_string(status) + " X\r\nLocation: " + to +
           "\r\nContent-Length: 2\r\n\r\nno";
  }
};

TEST_F(RedirectTest, AreFollowed) {
  const std::vector<int> statuses{301, 302, 303, 307, 308};
  for (const int status : statuses) {
    server_.Say({Redirect(status, "/to" + std::to_string(status))});
  }
  server_.SayAndHold({Head() + "data: x\n\n"});
  options_.last_event_id = "3";
  Connect(server_.Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open", "message:x"));
  ASSERT_THAT(server_.requests(), SizeIs(6));
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    EXPECT_THAT(server_.requests()[i + 1],
                AllOf(HasSubstr("GET /to" + std::to_string(statuses[i]) + " "),
                      HasSubstr("Accept: text/event-stream"), HasSubstr("Last-Event-ID: 3")));
  }
}

TEST_F(RedirectTest, ToAnotherServerAndBackToTheFirstAfterTheEnd) {
  ScriptedServer other(loop_);
  other.Say({Head()});
  server_.Say({Redirect(302, other.Url("/there"))});
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(3);
  EXPECT_THAT(log_, ElementsAre("open", "lost", "open"));
  EXPECT_THAT(other.requests(), ElementsAre(HasSubstr("GET /there ")));
  EXPECT_THAT(server_.requests()[1], HasSubstr("GET /stream "));
}

TEST_F(RedirectTest, ACircleEnds) {
  options_.max_redirects = 3;
  for (int i = 0; i < 10; ++i) server_.Say({Redirect(307, "/stream")});
  Connect(server_.Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("failed"));
  EXPECT_THAT(why_, HasSubstr("more than 3 redirects"));
  EXPECT_THAT(server_.requests(), SizeIs(4));
}

TEST_F(RedirectTest, ToNoAddressEnds) {
  server_.Say({Redirect(302, "ftp://a/")});
  Connect(server_.Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("failed"));
  EXPECT_THAT(why_, HasSubstr("ftp://a/"));
}

class CloseTest : public ClientFixture {};

TEST_F(CloseTest, FromInsideAnEvent) {
  server_.SayAndHold({Head() + "id: 1\ndata: a\n\nid: 2\ndata: b\n\n"});
  on_event_ = [this] { source_->Close(); };
  Connect(server_.Url());
  RunTo(2);
  RunOut();
  EXPECT_THAT(log_, ElementsAre("open", "message:a"));
  EXPECT_EQ(source_->last_event_id(), "1");  // nobody was shown "b"
  EXPECT_EQ(source_->state(), SourceState::kClosed);
}

TEST_F(CloseTest, DestroyedFromInsideAnEvent) {
  server_.SayAndHold({Head() + "data: a\n\ndata: b\n\n"});
  on_event_ = [this] { source_.reset(); };
  Connect(server_.Url());
  RunTo(2);
  RunOut();
  EXPECT_THAT(log_, ElementsAre("open", "message:a"));
}

TEST_F(CloseTest, BeforeAnythingHappened) {
  Connect(server_.Url());
  source_.reset();
  RunOut();
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(CloseTest, WhileItWaits) {
  server_.Say({Head()});
  Connect(server_.Url());
  RunTo(2);
  source_->Close();
  RunOut();
  EXPECT_THAT(log_, ElementsAre("open", "lost"));
  EXPECT_THAT(server_.requests(), SizeIs(1));
}

TEST_F(CloseTest, MistakesAreErrors) {
  EXPECT_THROW(Connect("127.0.0.1:80"), Error);
  options_.ca_file = "/nonexistent.pem";
  EXPECT_THROW(Connect("https://127.0.0.1:80/"), Error);
}

}  // namespace
}  // namespace rpcbench
