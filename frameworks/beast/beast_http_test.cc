// The HTTP server against raw bytes: what it accepts, how it refuses, and when it closes.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "frameworks/beast/http.h"
#include "frameworks/beast/raw_client.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::Test;

const std::string kBody = R"({"flag":false,"number":"7","real":1.5,"text":"hi"})";

std::string Post(const std::string& fields, const std::string& body,
                 const std::string& target = "/rpcbench.Echo/Echo",
                 const std::string& version = "HTTP/1.1") {
  return "POST " + target + " " + version + "\r\nHost: test\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

const std::string kJson = "Content-Type: application/json\r\n";

class BeastHttp : public Test {
 protected:
  BeastHttp() { Start(0ms); }

  void Start(std::chrono::nanoseconds delay, const HttpLimits& limits = {}) {
    server_.reset();
    ServerOptions options;
    options.delay = delay;
    server_ = StartHttpServer("test", options, meter_, limits);
  }

  std::uint16_t port() const { return server_->address().port; }

  // Expects this answer, and an ordinary request to be served behind it.
  void ExpectRefusedAndOpen(const std::string& request, const std::string& status,
                            const std::string& code, const std::string& field = "") {
    RawClient client(port());
    client.Send(request);
    const std::string answer = client.ReadUntil("\"}");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + status)) << answer;
    EXPECT_NE(answer.find("\"code\":\"" + code + "\""), std::string::npos) << answer;
    EXPECT_NE(answer.find(field), std::string::npos) << answer;
    client.Forget();
    client.Send(Post(kJson, kBody));
    EXPECT_TRUE(client.ReadUntil(kBody).ends_with(kBody));
  }

  void ExpectRefusedAndClosed(const std::string& request, const std::string& status) {
    RawClient client(port());
    client.Send(request);
    const std::string answer = client.ReadUntil("\"}");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + status)) << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
    client.ReadAll();
  }

  HoldMeter meter_;
  std::unique_ptr<EchoServer> server_;
};

TEST_F(BeastHttp, EchoesAndStaysOpen) {
  RawClient client(port());
  for (int i = 0; i < 3; ++i) {
    client.Forget();
    client.Send(Post(kJson + "Connect-Protocol-Version: 1\r\n", kBody));
    const std::string answer = client.ReadUntil(kBody);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n" + kBody)) << answer;
  }
}

TEST_F(BeastHttp, ServesProtobufAndMediaTypeParameters) {
  RawClient client(port());
  const std::string message = "\x10\x07\x22\x02hi";
  client.Send(Post("Content-Type: application/proto\r\n", message));
  EXPECT_TRUE(client.ReadUntil(message).ends_with("Content-Length: 6\r\n\r\n" + message));
  client.Send(Post("Content-Type: Application/JSON; charset=utf-8\r\n", kBody));
  EXPECT_TRUE(client.ReadUntil(kBody).ends_with(kBody));
}

TEST_F(BeastHttp, RefusesWhatReachedTheService) {
  ExpectRefusedAndOpen(Post(kJson, kBody, "/rpcbench.Echo/Other"), "404", "unimplemented");
  ExpectRefusedAndOpen("GET / HTTP/1.1\r\nHost: test\r\n\r\n", "404", "unimplemented");
  ExpectRefusedAndOpen("GET /rpcbench.Echo/Echo HTTP/1.1\r\nHost: test\r\n\r\n", "405",
                       "unimplemented", "Allow: POST\r\n");
  ExpectRefusedAndOpen(Post("Content-Type: text/plain\r\n", kBody), "415", "unimplemented",
                       "Accept-Post: application/proto, application/json\r\n");
  ExpectRefusedAndOpen(Post("", kBody), "415", "unimplemented");
  ExpectRefusedAndOpen(Post(kJson + "Content-Encoding: gzip\r\n", kBody), "415", "unimplemented",
                       "Accept-Encoding: identity\r\n");
  ExpectRefusedAndOpen(Post(kJson, "{\"number\":"), "400", "invalid_argument");
  ExpectRefusedAndOpen(Post("Content-Type: application/proto\r\n", "\xff\xff"), "400",
                       "invalid_argument");
  ExpectRefusedAndOpen(Post(kJson + "Connect-Protocol-Version: 2\r\n", kBody), "400",
                       "invalid_argument");
  ExpectRefusedAndOpen(Post(kJson + "Expect: a miracle\r\n", kBody), "417", "invalid_argument");
  ExpectRefusedAndOpen("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400", "invalid_argument");
}

TEST_F(BeastHttp, RefusesBrokenHttpAndCloses) {
  ExpectRefusedAndClosed("hello\r\n\r\n", "400");
  ExpectRefusedAndClosed("POST /rpcbench.Echo/Echo HTTP/1.1\r\nno colon\r\n\r\n", "400");
  ExpectRefusedAndClosed("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 4294967296\r\n\r\n", "413");
  ExpectRefusedAndClosed(Post(kJson, std::string(64 * 1024 + 1, ' ')), "413");
  ExpectRefusedAndClosed("POST / HTTP/1.1\r\nHost: t\r\nX: " + std::string(9000, 'x'), "431");
  ExpectRefusedAndClosed(
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      "400");
  ExpectRefusedAndClosed("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\nabc", "501");
}

TEST_F(BeastHttp, BoundsAHeaderThatComesFieldByField) {
  RawClient client(port());
  client.Send("POST / HTTP/1.1\r\nHost: test\r\n");
  for (int i = 0; i < 100; ++i) client.Send("X-Padding: " + std::string(80, 'x') + "\r\n");
  EXPECT_TRUE(client.ReadUntil("\"}").starts_with("HTTP/1.1 431"));
}

TEST_F(BeastHttp, HeadHasNoBody) {
  RawClient client(port());
  client.Send("HEAD / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.ReadAll().ends_with("\r\n\r\n"));
}

TEST_F(BeastHttp, ClosesWhenAsked) {
  RawClient client(port());
  client.Send(Post(kJson + "Connection: close\r\n", kBody) + Post(kJson, kBody));
  const std::string answer = client.ReadUntil(kBody, 2);
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos);
  EXPECT_EQ(answer.find(kBody), answer.rfind(kBody)) << "served behind the last request";
}

TEST_F(BeastHttp, Http10ClosesUnlessItAsksOtherwise) {
  RawClient old(port());
  old.Send(Post(kJson, kBody, "/rpcbench.Echo/Echo", "HTTP/1.0"));
  EXPECT_NE(old.ReadAll().find("Connection: close\r\n"), std::string::npos);
  RawClient kept(port());
  for (int i = 0; i < 2; ++i) {
    kept.Forget();
    kept.Send(Post(kJson + "Connection: keep-alive\r\n", kBody, "/rpcbench.Echo/Echo", "HTTP/1.0"));
    EXPECT_NE(kept.ReadUntil(kBody).find("Connection: keep-alive\r\n"), std::string::npos);
  }
}

TEST_F(BeastHttp, ReadsChunksAndAsksForAHeldBackBody) {
  RawClient client(port());
  client.Send("POST /rpcbench.Echo/Echo HTTP/1.1\r\nHost: test\r\n" + kJson +
              "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("10\r\n" + kBody.substr(0, 16) + "\r\n");
  client.Send("22\r\n" + kBody.substr(16) + "\r\n0\r\n\r\n");
  EXPECT_TRUE(client.ReadUntil(kBody).ends_with(kBody));
}

TEST_F(BeastHttp, TwoRequestsInOneSegmentAndOneAByteAtATime) {
  RawClient client(port());
  client.Send(Post(kJson, kBody) + Post(kJson, R"({"text":"second"})"));
  const std::string both = client.ReadUntil("second\"}");
  EXPECT_LT(both.find(kBody), both.find("second"));
  client.Forget();
  for (const char byte : Post(kJson, kBody)) client.Send({&byte, 1});
  EXPECT_TRUE(client.ReadUntil(kBody).ends_with(kBody));
}

TEST_F(BeastHttp, AnswersBeforeItClosesBehindAHalfClose) {
  Start(20ms);
  RawClient client(port());
  client.Send(Post(kJson, kBody) + "POST /rpcbench.Echo/Echo HT");
  client.ShutdownSend();
  EXPECT_TRUE(client.ReadAll().ends_with(kBody));
}

TEST_F(BeastHttp, HalfARequestAndAClose) {
  RawClient client(port());
  client.Send("POST /rpcbench.Echo/Echo HTTP/1.1\r\nContent-Le");
  client.ShutdownSend();
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(BeastHttp, PausesWhereTooMuchIsQueuedAndGoesOn) {
  Start(1ms, {.queued = 4096});
  RawClient client(port());
  std::string requests;
  for (int i = 0; i < 200; ++i) requests += Post(kJson, kBody);
  client.Send(requests);
  const std::string answers = client.ReadUntil(kBody, 200);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = answers.find(kBody, at)) != std::string::npos; ++at) ++count;
  EXPECT_EQ(count, 200u);
}

TEST_F(BeastHttp, SilentConnectionIsClosedAndAHeldRequestIsNotSilence) {
  Start(400ms, {.silence = 100ms});
  RawClient silent(port());
  RawClient half(port());
  half.Send("POST /rpcbench.Echo/Echo HTTP/1.1\r\n");
  RawClient waiting(port());
  waiting.Send(Post(kJson, kBody));
  EXPECT_TRUE(waiting.ReadUntil(kBody).ends_with(kBody));
  EXPECT_EQ(silent.ReadAll(), "");
  EXPECT_EQ(half.ReadAll(), "");
  waiting.ReadAll();
}

}  // namespace
}  // namespace rpcbench
