#include "fanout/load/chunk_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "echo/error.h"
#include "fanout/load/answer_head.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;

class ChunkReaderTest : public testing::Test {
 protected:
  bool Feed(std::string_view bytes) {
    return reader_.Feed(bytes, [this](std::string_view chunk) { chunks_.emplace_back(chunk); });
  }

  ChunkReader reader_;
  std::vector<std::string> chunks_;
};

TEST_F(ChunkReaderTest, ReadsAStreamCutAtEveryPoint) {
  const std::string body = "5\r\nhello\r\nA;name=value\r\n0123456789\r\n1 \r\nx\r\n";
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    reader_ = {};
    chunks_.clear();
    EXPECT_TRUE(Feed(body.substr(0, cut)));
    EXPECT_TRUE(Feed(body.substr(cut)));
    EXPECT_THAT(chunks_, ElementsAre("hello", "0123456789", "x")) << cut;
  }
  EXPECT_FALSE(reader_.ended());
}

TEST_F(ChunkReaderTest, ReadsAByteAtATime) {
  const std::string body = "3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n";
  for (const char byte : body) EXPECT_TRUE(Feed(std::string(1, byte)));
  EXPECT_THAT(chunks_, ElementsAre("abc", "0123456789abcdef"));
  EXPECT_TRUE(reader_.ended());
  EXPECT_FALSE(Feed("1\r\n")) << "nothing follows the last chunk";
}

TEST_F(ChunkReaderTest, AChunkIsPassedOnBeforeItsLineEnd) {
  EXPECT_TRUE(Feed("3\r\nabc"));
  EXPECT_THAT(chunks_, ElementsAre("abc"));
}

TEST_F(ChunkReaderTest, EndsAtTheLastChunk) {
  EXPECT_TRUE(Feed("0\r\n\r\n"));
  EXPECT_TRUE(reader_.ended());
}

TEST_F(ChunkReaderTest, RefusesWhatIsNoChunk) {
  for (const char* bad : {"x\r\n", "\r\n", ";x\r\n", "3\r\nabcd", "3\nabc", "3\r\nabc\n",
                          "ffffffffffffffffffff\r\n", "1;x\n"}) {
    reader_ = {};
    EXPECT_FALSE(Feed(bad)) << bad;
  }
}

class AnswerHeadTest : public testing::Test {
 protected:
  // Feeds a byte at a time; what is behind the head is left in rest_.
  AnswerHead Read(const std::string& text) {
    AnswerHeadReader reader;
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string_view bytes = std::string_view(text).substr(i, 1);
      if (const auto head = reader.Feed(bytes)) {
        rest_ = std::string(bytes) + text.substr(i + 1);
        return *head;
      }
    }
    ADD_FAILURE() << "no head in " << text;
    return {};
  }

  std::string rest_;
};

TEST_F(AnswerHeadTest, ReadsWhatAStreamNeeds) {
  const AnswerHead head = Read(
      "HTTP/1.1 200 OK\r\nCONTENT-TYPE: text/event-stream; charset=utf-8\r\n"
      "content-encoding:\tZSTD\r\nTransfer-Encoding: chunked\r\n\r\nbody");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.content_type, "text/event-stream; charset=utf-8");
  EXPECT_EQ(head.content_encoding, "zstd");
  EXPECT_TRUE(head.chunked);
  EXPECT_FALSE(head.content_length);
  EXPECT_EQ(rest_, "body");
}

TEST_F(AnswerHeadTest, NoEncodingIsIdentity) {
  const AnswerHead head = Read("HTTP/1.1 503 Busy\r\nContent-Length: 12\r\n\r\n");
  EXPECT_EQ(head.status, 503);
  EXPECT_EQ(head.content_encoding, "identity");
  EXPECT_EQ(head.content_length, 12u);
  EXPECT_FALSE(head.chunked);
}

TEST_F(AnswerHeadTest, RefusesWhatIsNoHead) {
  AnswerHeadReader nonsense;
  std::string_view bytes = "SSH-2.0-x\r\n\r\n";
  EXPECT_THROW(nonsense.Feed(bytes), Error);
  AnswerHeadReader endless;
  const std::string header(20'000, 'x');
  bytes = header;
  EXPECT_THROW(endless.Feed(bytes), Error);
}

}  // namespace
}  // namespace rpcbench
