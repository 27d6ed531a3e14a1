// P20: long lines, many lines, and where the parser stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "echo/error.h"
#include "fanout/sse/event_recorder.h"
#include "fanout/sse/parser.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

// Each of these takes minutes, and so meets the test's time limit, if a line is searched or copied
// again with each piece.
class LongStreamTest : public testing::Test {
 protected:
  void FeedInPieces(const std::string& stream, std::size_t size) {
    for (std::size_t at = 0; at < stream.size(); at += size) {
      parser_.Feed(std::string_view(stream).substr(at, size));
    }
  }

  EventRecorder recorder_;
  EventParser parser_{recorder_};
};

constexpr std::size_t kTenMegabytes = 10'000'000;

TEST_F(LongStreamTest, ALineOfTenMegabytesInSmallPieces) {
  FeedInPieces("data: " + std::string(kTenMegabytes, 'x') + "\n\n", 16);
  ASSERT_THAT(recorder_.events(), SizeIs(1));
  EXPECT_EQ(recorder_.events()[0].data, std::string(kTenMegabytes, 'x'));
}

TEST_F(LongStreamTest, AHundredThousandLinesInOneEvent) {
  std::string stream;
  for (int i = 0; i < 100'000; ++i) stream += "data: line\n";
  FeedInPieces(stream + "\n", stream.size() + 1);
  ASSERT_THAT(recorder_.events(), SizeIs(1));
  EXPECT_EQ(recorder_.events()[0].data.size(), 100'000u * 5 - 1);
}

// The only LF is far away: a search for it with each line would be quadratic.
TEST_F(LongStreamTest, AHundredThousandLinesThatEndWithCr) {
  std::string stream;
  for (int i = 0; i < 100'000; ++i) stream += "data\r";
  stream += "data: " + std::string(kTenMegabytes, 'x') + "\n\n";
  FeedInPieces(stream, stream.size());
  ASSERT_THAT(recorder_.events(), SizeIs(1));
  EXPECT_EQ(recorder_.events()[0].data.size(), 100'000u + kTenMegabytes);
}

TEST_F(LongStreamTest, NothingButBadUtf8) {
  FeedInPieces("data: " + std::string(1'000'000, '\xF0') + "\n\n", 1000);
  ASSERT_THAT(recorder_.events(), SizeIs(1));
  EXPECT_EQ(recorder_.events()[0].data.size(), 3'000'000u);
}

class ParserBoundsTest : public testing::Test {
 protected:
  EventRecorder recorder_;
  EventParser parser_{recorder_, {.max_line = 10, .max_event = 12}};
};

TEST_F(ParserBoundsTest, UpToTheBoundsAllIsWell) {
  parser_.Feed("data: 4567\ndata: 4567\n\n" + std::string(10, ':') + "\n");
  EXPECT_THAT(recorder_.events(), ElementsAre(RecordedEvent{.data = "4567\n4567"}));
}

TEST_F(ParserBoundsTest, ALineBeyondIsAnErrorAfterTheEventsBefore) {
  EXPECT_THAT([this] { parser_.Feed("data: a\n\ndata: 45678\n\ndata: b\n\n"); },
              ThrowsMessage<Error>(HasSubstr("longer than 10 bytes")));
  EXPECT_THAT(recorder_.events(), ElementsAre(RecordedEvent{.data = "a"}));
}

TEST_F(ParserBoundsTest, ALineIsMeasuredBeforeItEnds) {
  parser_.Feed("data: 4567");
  EXPECT_THROW(parser_.Feed("8"), Error);
}

TEST_F(ParserBoundsTest, AnEventBeyondIsAnError) {
  parser_.Feed("data: 0123\ndata: 5678\n");
  EXPECT_THAT([this] { parser_.Feed("data: 01\n"); },
              ThrowsMessage<Error>(HasSubstr("longer than 12 bytes")));
}

TEST_F(ParserBoundsTest, EachEventIsMeasuredAlone) {
  for (int i = 0; i < 100; ++i) parser_.Feed("data: 0123\n\n");
  EXPECT_THAT(recorder_.events(), SizeIs(100));
}

}  // namespace
}  // namespace rpcbench
