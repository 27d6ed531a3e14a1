// V4 and V5: what is written arrives, seen through the parser.
#include "fanout/sse/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/sse/event_recorder.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

std::string Bytes(const Event& event) {
  std::string bytes;
  AppendEvent(event, bytes);
  return bytes;
}

std::vector<RecordedEvent> Arrived(const std::string& bytes) {
  EventRecorder recorder;
  EventParser(recorder).Feed(bytes);
  return recorder.events();
}

std::string ArrivedData(std::string_view data) {
  const auto events = Arrived(Bytes({.data = data}));
  return events.size() == 1 ? events[0].data : "not one event";
}

TEST(EventTest, BytesArePinned) {
  EXPECT_EQ(Bytes({.id = "likes7-1", .name = "likes", .data = "7 12"}),
            "id: likes7-1\nevent: likes\ndata: 7 12\n\n");
}

TEST(EventTest, EventsAreAppended) {
  std::string bytes = "data: a\n\n";
  AppendEvent({.data = "b"}, bytes);
  EXPECT_EQ(bytes, "data: a\n\ndata: b\n\n");
}

TEST(EventTest, AllPartsArrive) {
  EXPECT_THAT(Arrived(Bytes({.id = "3", .name = "likes", .data = "x"})),
              ElementsAre(RecordedEvent{.id = "3", .name = "likes", .data = "x"}));
}

TEST(EventTest, DataArrivesAsItWas) {
  for (const std::string& data :
       {""s, "x"s, " x"s, "  "s, "\tx"s, ":"s, "a\nb"s, "a\n"s, "a\n\n"s, "\n"s, "\na"s, "\n\n\n"s,
        "a\0b"s, "data: x"s, "id: 7\nevent: no"s, "\xEF\xBB\xBFx"s, "\xC3\xA9"s,
        std::string(100'000, 'x')}) {
    EXPECT_EQ(ArrivedData(data), data);
  }
}

// The format cannot say which newline it was; that there was one, and one only, it can.
TEST(EventTest, EveryKindOfNewlineArrivesAsANewline) {
  EXPECT_EQ(ArrivedData("a\rb"), "a\nb");
  EXPECT_EQ(ArrivedData("a\r\nb"), "a\nb");
  EXPECT_EQ(ArrivedData("a\n\rb"), "a\n\nb");
  EXPECT_EQ(ArrivedData("a\r\rb"), "a\n\nb");
  EXPECT_EQ(ArrivedData("a\r\n"), "a\n");
  EXPECT_EQ(ArrivedData("a\r"), "a\n");
  EXPECT_EQ(ArrivedData("\r"), "\n");
  EXPECT_EQ(ArrivedData("\r\ndata: x\r\r\n"), "\ndata: x\n\n");
}

TEST(EventTest, ExactDataKeepsEachOfThem) {
  for (const std::string& data :
       {"a\rb"s, "a\r\nb\n\r"s, "\r"s, ""s, "\"\\"s, "a\0b"s, "\xC3\xA9"s, "\x01\x1f\x7f"s}) {
    EXPECT_EQ(FromExactData(ArrivedData(ExactData(data))), data);
  }
  EXPECT_EQ(FromExactData(ExactData("a\xFF")), "a\xEF\xBF\xBD");
}

TEST(EventTest, WhatIsNotExactDataIsRefused) {
  for (const char* data : {"", "x", "7", "[\"x\"]", "\"x"}) {
    EXPECT_THAT([&] { FromExactData(data); }, ThrowsMessage<Error>(HasSubstr("no JSON string")));
  }
}

TEST(EventTest, NoDataIsNoEventButMovesTheId) {
  EXPECT_THAT(Arrived(Bytes({.id = "3", .name = "quiet"})), IsEmpty());
  EXPECT_THAT(Arrived(Bytes({.id = "3"}) + Bytes({.data = "x"})),
              ElementsAre(RecordedEvent{.id = "3", .data = "x"}));
}

TEST(EventTest, AnEmptyIdResets) {
  EXPECT_THAT(Arrived(Bytes({.id = "3", .data = "x"}) + Bytes({.id = "", .data = "y"})),
              ElementsAre(RecordedEvent{.id = "3", .data = "x"}, RecordedEvent{.data = "y"}));
}

TEST(EventTest, IdsAndNamesAreOneLine) {
  for (const std::string& bad : {"a\rb"s, "a\nb"s, "a\0b"s, "\n"s, "\r"s, "\0"s, "a\r\n"s}) {
    std::string bytes = "before";
    EXPECT_THAT([&] { AppendEvent({.id = bad, .data = "x"}, bytes); },
                ThrowsMessage<Error>(HasSubstr("the id of an event has ")));
    EXPECT_THAT([&] { AppendEvent({.name = bad, .data = "x"}, bytes); },
                ThrowsMessage<Error>(HasSubstr("the name of an event has ")));
    EXPECT_EQ(bytes, "before");
  }
}

TEST(EventTest, CommentsAreUnseen) {
  std::string bytes;
  for (const std::string& text : {""s, "x"s, "a\ndata: no\n\r\rid: 7"s, "a\0b"s}) {
    AppendComment(text, bytes);
  }
  AppendEvent({.data = "x"}, bytes);
  EXPECT_THAT(Arrived(bytes), ElementsAre(RecordedEvent{.data = "x"}));
}

TEST(EventTest, RetryArrives) {
  std::string bytes;
  AppendRetry(1500ms, bytes);
  AppendRetry(0ms, bytes);
  EventRecorder recorder;
  EventParser(recorder).Feed(bytes);
  EXPECT_THAT(recorder.retries(), ElementsAre(1500, 0));
  EXPECT_THROW(AppendRetry(-1ms, bytes), Error);
}

}  // namespace
}  // namespace rpcbench
