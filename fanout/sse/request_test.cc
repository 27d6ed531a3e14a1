// Requests as bytes: what is taken, and what is refused with which status.
#include "fanout/sse/request.h"

#include <gmock/gmock.h>

namespace rpcbench {
namespace {

using testing::Optional;

class RequestTest : public testing::Test {
 protected:
  // Feeds all and returns the status of the refusal, 0 if the request is whole, -1 if it is not.
  int Read(std::string_view bytes) {
    reader_ = RequestReader(RequestLimits{.header = 200, .body = 100});
    taken_ = reader_.Feed(bytes);
    if (reader_.refusal()) return reader_.refusal()->status;
    return reader_.done() ? 0 : -1;
  }
  const HttpRequest& request() const { return reader_.request(); }

  RequestReader reader_{RequestLimits{}};
  std::size_t taken_ = 0;
};

TEST_F(RequestTest, SplitsTheTarget) {
  ASSERT_EQ(Read("GET /a/b?c=d&e HTTP/1.1\r\nHost: t\r\n\r\n"), 0);
  EXPECT_EQ(request().path, "/a/b");
  EXPECT_EQ(request().query, "c=d&e");
  ASSERT_EQ(Read("GET http://host:1/a?b HTTP/1.1\r\nHost: t\r\n\r\n"), 0);
  EXPECT_EQ(request().path, "/a");
  EXPECT_EQ(request().query, "b");
  EXPECT_EQ(Read("GET http://host HTTP/1.1\r\nHost: t\r\n\r\n"), 400);
  EXPECT_EQ(Read("GET a HTTP/1.1\r\nHost: t\r\n\r\n"), 400);
}

TEST_F(RequestTest, KeepsTheFieldsThatStreamsAreOpenedBy) {
  ASSERT_EQ(Read("GET / HTTP/1.1\r\nHost: t\r\nlast-event-id:  a b \r\nAccept-Encoding: br\r\n"
                 "accept-encoding: zstd;q=0\r\n\r\n"),
            0);
  EXPECT_EQ(request().last_event_id, "a b");
  EXPECT_EQ(request().accept_encoding, "br, zstd;q=0");
  EXPECT_TRUE(request().has_accept_encoding);
  ASSERT_EQ(Read("GET / HTTP/1.1\r\nHost: t\r\nAccept-Encoding:\r\n\r\n"), 0);
  EXPECT_TRUE(request().has_accept_encoding);
  EXPECT_EQ(request().accept_encoding, "");
  ASSERT_EQ(Read("GET / HTTP/1.1\r\nHost: t\r\n\r\n"), 0);
  EXPECT_FALSE(request().has_accept_encoding);
}

TEST_F(RequestTest, DecodesParameters) {
  ASSERT_EQ(Read("GET /?a=1&b+c=%41%2b+%&empty=&bare&a=2 HTTP/1.1\r\nHost: t\r\n\r\n"), 0);
  EXPECT_THAT(request().Parameter("a"), Optional(std::string("1")));
  EXPECT_THAT(request().Parameter("b c"), Optional(std::string("A+ %")));
  EXPECT_THAT(request().Parameter("empty"), Optional(std::string()));
  EXPECT_THAT(request().Parameter("bare"), Optional(std::string()));
  EXPECT_EQ(request().Parameter("none"), std::nullopt);
}

TEST_F(RequestTest, BodiesComeWholeAndInChunks) {
  ASSERT_EQ(Read("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabcd"), 0);
  EXPECT_EQ(request().body, "abc");
  EXPECT_EQ(request().method, "POST");
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;x=\"y\"\r\nabc\r\n1\r\nd\r\n0\r\nLast-Event-ID: trailer\r\n\r\n";
  ASSERT_EQ(Read(chunked + "GET"), 0);
  EXPECT_EQ(request().body, "abcd");
  EXPECT_EQ(taken_, chunked.size()) << "what follows is the next request's";
  EXPECT_EQ(request().last_event_id, "") << "a trailer is no header field";
}

TEST_F(RequestTest, TheLastChunkMayComeInPieces) {
  RequestReader reader{RequestLimits{}};
  reader.Feed("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const char byte : std::string_view("0\r\n\r\n")) {
    ASSERT_FALSE(reader.done());
    reader.Feed({&byte, 1});
  }
  EXPECT_TRUE(reader.done());
}

TEST_F(RequestTest, RefusesWhatIsNoHttp) {
  EXPECT_EQ(Read("\x16\x03\x01"), 400) << "TLS on a plain port, told at once";
  EXPECT_EQ(Read("GET / HTTP/1.1\nHost: t\n\n"), 400);
  EXPECT_EQ(Read("GET / HTTP/2.0\r\n\r\n"), 400);
  EXPECT_EQ(Read("GET /\r\n\r\n"), 400);
  EXPECT_EQ(Read("GET / HTTP/1.1\r\nHost: t\r\nbad field\r\n\r\n"), 400);
  EXPECT_EQ(Read("GET / HTTP/1.1\r\n\r\n"), 400) << "no Host";
  EXPECT_EQ(Read("GET / HTTP/1.0\r\n\r\n"), 0) << "which 1.0 does not need";
  const std::string post = "POST / HTTP/1.1\r\nHost: t\r\n";
  EXPECT_EQ(Read(post + "Content-Length: x\r\n\r\n"), 400);
  EXPECT_EQ(Read(post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(Read(post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), 400);
}

TEST_F(RequestTest, RefusesWhatItDoesNotDo) {
  EXPECT_EQ(Read("PUT / HTTP/1.1\r\nHost: t\r\n\r\n"), 405);
  EXPECT_EQ(Read("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n"), 405);
  EXPECT_EQ(Read("BREW / HTTP/1.1\r\nHost: t\r\n\r\n"), 501);
  const std::string post = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n";
  EXPECT_EQ(Read(post + "Content-Encoding: gzip\r\n\r\n"), 415);
  EXPECT_EQ(Read(post + "Expect: wonders\r\n\r\n"), 417);
  EXPECT_EQ(Read("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\n"), 501);
}

TEST_F(RequestTest, HoldsItsLimitsToTheByte) {
  const std::string head = "GET / HTTP/1.1\r\nHost: t\r\nX: ";
  EXPECT_EQ(Read(head + std::string(200 - head.size() - 4, 'x') + "\r\n\r\n"), 0);
  EXPECT_EQ(Read(head + std::string(200 - head.size() - 3, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(Read(std::string(201, 'A')), 431) << "without waiting for the end";
  const std::string post = "POST / HTTP/1.1\r\nHost: t\r\n";
  EXPECT_EQ(Read(post + "Content-Length: 100\r\n\r\n"), -1);
  EXPECT_EQ(Read(post + "Content-Length: 101\r\n\r\n"), 413);
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Read(chunked + "65\r\n"), 413);
  EXPECT_EQ(Read(chunked + "1;" + std::string(500, 'x')), 413) << "an extension without end";
  EXPECT_EQ(Read(chunked + "0\r\nX: " + std::string(500, 'x')), 413) << "a trailer without end";
}

}  // namespace
}  // namespace rpcbench
