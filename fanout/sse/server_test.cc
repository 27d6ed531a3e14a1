// What the server answers: V1 (F2), V2, V6, V7 of the fan-out's cases, and the requests around
// them.
#include "fanout/sse/server.h"

#include <gmock/gmock.h>

#include "echo/error.h"
#include "fanout/sse/live_server.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServerTest : public LiveServerTest {
 protected:
  // The stream is offered with this codec; its bytes are the feed's all the same.
  void OfferCodec(Codec codec) {
    site_.open = [this, codec](const HttpRequest&) {
      return StreamOffer{.codec = codec, .source = feed_.Join(), .group = group_.get()};
    };
  }
  // Answers "METHOD path query body" at once.
  void AnswerWithTheRequest() {
    site_.handle = [](const HttpRequest& request, const TestSite::Respond& respond) {
      respond({.body = request.method + " " + request.path + " " + request.query + " " +
                       request.body + "."});
    };
  }
};

TEST_F(ServerTest, V1HeadersLeaveBeforeTheFirstEvent) {
  Start();
  StreamPeer peer(address_);
  EXPECT_THAT(peer.head(), StartsWith("HTTP/1.1 200 OK\r\n"));  // F2
  EXPECT_EQ(peer.ReadRetry(), 1000);
  EXPECT_TRUE(peer.events().empty());
  Publish("first");
  EXPECT_EQ(peer.ReadEvents(1)[0].data, "first");
}

TEST_F(ServerTest, V2StreamsSayThatNothingMayStoreOrHoldThem) {
  Start();
  StreamPeer peer(address_);
  peer.head();
  EXPECT_EQ(peer.Field("Content-Type"), "text/event-stream");
  EXPECT_EQ(peer.Field("Cache-Control"), "no-store, no-transform");
  EXPECT_EQ(peer.Field("X-Accel-Buffering"), "no");
  EXPECT_EQ(peer.Field("Vary"), "Accept-Encoding");
  EXPECT_EQ(peer.Field("Transfer-Encoding"), "chunked");
  EXPECT_EQ(peer.Field("Content-Encoding"), "");
}

TEST_F(ServerTest, V2TheCodingIsTheOneThatWasOffered) {
  OfferCodec(Codec::kBrotli);
  Start();
  RawPeer brotli(address_);
  brotli.Send(ToText({}));
  EXPECT_THAT(brotli.ReadHead(), HasSubstr("\r\nContent-Encoding: br\r\n"));
}

TEST_F(ServerTest, RetryComesFirstInAZstdFrameOfItsOwn) {
  OfferCodec(Codec::kZstd);
  Start({.retry = std::chrono::milliseconds(70)});
  StreamPeer peer(address_, {.accept_encoding = "zstd"});
  EXPECT_EQ(peer.ReadRetry(), 70);
  EXPECT_EQ(peer.text(), "retry: 70\n\n");
}

TEST_F(ServerTest, V6Http10GetsNoChunksAndIsEndedByClose) {
  Start();
  RawPeer peer(address_);
  peer.Send("GET /events HTTP/1.0\r\n\r\n");
  const std::string head = peer.ReadHead();
  EXPECT_THAT(head, Not(HasSubstr("Transfer-Encoding")));
  EXPECT_THAT(head, HasSubstr("Connection: close"));
  Publish("one");
  Publish("two");
  EXPECT_EQ(peer.ReadThrough("two\n\n"), "retry: 1000\n\ndata: one\n\ndata: two\n\n");
  Drain(std::chrono::milliseconds(0));
  EXPECT_EQ(peer.ReadToEnd(), "retry: 0\n\n");
  EXPECT_EQ(peer.link(), RawPeer::Link::kFin);
}

TEST_F(ServerTest, V7HeadGetsTheHeadersOfAStreamAndNoBody) {
  Start();
  RawPeer peer(address_);
  peer.Send("HEAD /events HTTP/1.1\r\nHost: test\r\n\r\nGET /none HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_THAT(peer.ReadHead(), HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(peer.ReadHead(), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_EQ(OnLoop([this] { return feed_.streams(); }), 0u);
  EXPECT_EQ(Counts().opened, 0u);
}

TEST_F(ServerTest, V7HeadOfAnythingElseHasTheLengthAndNoBody) {
  AnswerWithTheRequest();
  Start();
  const std::string answer = Ask("HEAD /page HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Length: 12\r\n"));  // of "GET /page  ."
  EXPECT_THAT(answer, testing::EndsWith("\r\n\r\n"));
}

TEST_F(ServerTest, V7PostOfAStreamIsNotAllowed) {
  Start();
  const std::string answer =
      Ask("POST /events HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nAllow: GET, HEAD\r\n"));
}

TEST_F(ServerTest, V7PipelinedRequestsAreAnsweredInOrder) {
  AnswerWithTheRequest();
  Start();
  const std::string answers =
      Ask("POST /a?x=1 HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\none"
          "GET /b HTTP/1.1\r\nHost: t\r\n\r\n"
          "POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
          "GET /d HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"
          "GET /ignored HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_THAT(answers, testing::ContainsRegex("POST /a x=1 one\\."));
  const auto a = answers.find("POST /a x=1 one."), b = answers.find("GET /b  .");
  const auto c = answers.find("POST /c  two."), d = answers.find("GET /d  .");
  EXPECT_LT(a, b);
  EXPECT_LT(b, c);
  EXPECT_LT(c, d);
  EXPECT_NE(d, std::string::npos);
  EXPECT_THAT(answers, Not(HasSubstr("ignored")));
}

TEST_F(ServerTest, V7WhatIsPipelinedBehindAStreamIsIgnored) {
  Start();
  StreamPeer peer(address_, {.more = "\r\nGET /none HTTP/1.1\r\nHost: test\r\n"});
  WaitForStreams(1);
  Publish("one");
  EXPECT_EQ(peer.ReadEvents(1)[0].data, "one");
  peer.peer().Send("GET /none HTTP/1.1\r\nHost: test\r\n\r\n");
  Publish("two");
  EXPECT_EQ(peer.ReadEvents(2)[1].data, "two");
  EXPECT_EQ(peer.text(), "retry: 1000\n\ndata: one\n\ndata: two\n\n");
}

TEST_F(ServerTest, V7AClientThatWaitsForContinueIsToldToSend) {
  AnswerWithTheRequest();
  Start();
  RawPeer peer(address_);
  peer.Send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(peer.ReadHead(), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.Send("late");
  EXPECT_THAT(peer.ReadThrough("late."), HasSubstr("POST /a  late."));
}

TEST_F(ServerTest, V7ABodyOverTheLimitIsRefused) {
  AnswerWithTheRequest();
  Start({.max_body = 1000});
  const std::string head = "POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: ";
  EXPECT_THAT(Ask(head + "1000\r\n\r\n" + std::string(1000, 'x')), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Ask(head + "1001\r\n\r\n" + std::string(1001, 'x')), StartsWith("HTTP/1.1 413"));
  EXPECT_EQ(Counts().bad_requests, 1u);
}

TEST_F(ServerTest, ConnectionsAreKeptAsTheirVersionSays) {
  AnswerWithTheRequest();
  Start();
  RawPeer peer(address_);
  for (int i = 0; i < 3; ++i) {
    peer.Send("GET /a HTTP/1.1\r\nHost: t\r\n\r\n");
    peer.ReadThrough("GET /a  .");
  }
  EXPECT_EQ(Counts().connections, 1u);
  EXPECT_THAT(Ask("GET /a HTTP/1.0\r\n\r\n"), HasSubstr("\r\nConnection: close\r\n"));
  const std::string kept =
      Ask("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
          "GET /b HTTP/1.0\r\n\r\n");
  EXPECT_THAT(kept, HasSubstr("\r\nConnection: keep-alive\r\n"));
  EXPECT_THAT(kept, HasSubstr("GET /b  ."));
}

TEST_F(ServerTest, ASiteMayAnswerLaterFromAnotherThreadAndOnlyOnce) {
  std::promise<TestSite::Respond> asked;
  site_.handle = [&](const HttpRequest&, TestSite::Respond respond) {
    asked.set_value(std::move(respond));
  };
  Start();
  RawPeer peer(address_);
  peer.Send("GET /slow HTTP/1.1\r\nHost: t\r\n\r\n");
  const TestSite::Respond respond = asked.get_future().get();
  respond({.body = "first."});
  respond({.body = "second."});
  EXPECT_THAT(peer.ReadThrough("first."), HasSubstr("Content-Length: 6"));
  OnLoop([this] { AnswerWithTheRequest(); });
  peer.Send("GET /next HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_THAT(peer.ReadThrough("GET /next  ."), Not(HasSubstr("second")));
}

TEST_F(ServerTest, AnAnswerForAClientOrAServerThatLeftIsDropped) {
  std::promise<TestSite::Respond> asked;
  site_.handle = [&](const HttpRequest&, TestSite::Respond respond) {
    asked.set_value(std::move(respond));
  };
  Start();
  RawPeer peer(address_);
  peer.Send("GET /slow HTTP/1.1\r\nHost: t\r\n\r\n");
  const TestSite::Respond respond = asked.get_future().get();
  peer.Reset();
  OnLoop([this] { server_.reset(); });
  respond({.body = "late"});
  OnLoop([] {});  // and the loop gets by it
}

TEST_F(ServerTest, ErrorsOfSetUpNameTheAddress) {
  Start();
  const std::string taken = ToString(address_);
  try {
    SseServer second(loop_, {.listen = address_}, site_);
    FAIL() << "two servers on " << taken;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot listen on " + taken));
  }
  EXPECT_THROW(SseServer(loop_, {.listen = {"no address", 0}}, site_), Error);
}

}  // namespace
}  // namespace rpcbench
