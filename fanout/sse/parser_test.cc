// The cases of the event stream format, P1 to P19, each read whole, a byte at a time, and cut at
// every point.
#include "fanout/sse/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fanout/sse/event_recorder.h"

namespace rpcbench {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
  const char* name;
  std::string stream;
  std::vector<RecordedEvent> events = {};
  std::vector<std::int64_t> retries = {};
  std::string last_id = {};
};

// What ctest and messages call it.
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

RecordedEvent Data(const std::string& data) {
  return {.data = data};
}

std::vector<Case> LineCases() {
  return {
      {"P1_Bom",
       "\xEF\xBB\xBF"
       "data: x\n\n",
       {Data("x")}},
      {"P1_SecondBomIsPartOfAName",
       "\xEF\xBB\xBF\xEF\xBB\xBF"
       "data: x\n\ndata: y\n\n",
       {Data("y")}},
      {"P1_BomLaterIsPartOfAName",
       "data: x\n\n\xEF\xBB\xBF"
       "data: y\n\n",
       {Data("x")}},
      {"P1_HalfABom",
       "\xEF\xBB"
       "data: x\n\ndata: y\n\n",
       {Data("y")}},
      {"P1_BomAlone", "\xEF\xBB\xBF\n\ndata: x\n\n", {Data("x")}},
      {"P2_Lf", "data: a\ndata: b\n\n", {Data("a\nb")}},
      {"P2_Cr", "data: a\rdata: b\r\r", {Data("a\nb")}},
      {"P2_CrLf", "data: a\r\ndata: b\r\n\r\n", {Data("a\nb")}},
      {"P2_Mixed",
       "data: a\rdata: b\ndata: c\r\n\ndata: d\n\r\ndata: e\r\n\r",
       {Data("a\nb\nc"), Data("d"), Data("e")}},
      {"P3_CrLfIsOneEnd", "data: a\r\ndata: b\n\n", {Data("a\nb")}},
      {"P4_CrCrDispatches", "data: x\r\r", {Data("x")}},
      {"P4_CrLfCrDispatches", "data: x\r\n\r", {Data("x")}},
      {"P4_LfAfterItBelongsToIt", "data: x\r\r\ndata: y\r\n\r\n", {Data("x"), Data("y")}},
  };
}

std::vector<Case> DataCases() {
  return {
      {"P5_TwoLines", "data: a\ndata: b\n\n", {Data("a\nb")}},
      {"P5_FieldsBetween", "data: a\nid: 1\ndata: b\n\n", {{.id = "1", .data = "a\nb"}}, {}, "1"},
      {"P6_EmptyData", "data:\n\n", {Data("")}},
      {"P6_EmptyDataWithoutColon", "data\n\n", {Data("")}},
      {"P6_TwoEmptyLines", "data\ndata\n\n", {Data("\n")}},
      {"P6_LastNewlineStays", "data: a\ndata\n\n", {Data("a\n")}},
      {"P7_NoData", "event: quiet\n\ndata: x\n\n", {Data("x")}},
      {"P7_OnlyBlankLines", "\n\n\r\r\n\n"},
      {"P8_OneSpaceGoes", "data:x\n\ndata: x\n\ndata:  x\n\n", {Data("x"), Data("x"), Data(" x")}},
      {"P8_ATabStays", "data:\tx\n\ndata: \tx\n\n", {Data("\tx"), Data("\tx")}},
      {"P8_OnlyASpace", "data: \n\n", {Data("")}},
      {"P8_ColonsInTheValue", "data:: x: y\n\n", {Data(": x: y")}},
      {"P9_Comments", ":\n: x\n:data: no\ndata: x\n:\n\n", {Data("x")}},
      {"P9_LongComment", ":" + std::string(2048, 'c') + "\ndata: x\n\n", {Data("x")}},
      {"P9_CommentWithNul", ":a\0b\ndata: x\n\n"s, {Data("x")}},
      {"P12_NulInData", "data: a\0b\n\n"s, {Data("a\0b"s)}},
  };
}

std::vector<Case> FieldCases() {
  return {
      {"P10_NameWithoutColon", "data\nunknown\n\n", {Data("")}},
      {"P10_EventWithoutColon", "event: a\nevent\ndata: x\n\n", {Data("x")}},
      {"P11_OtherCase", "Data: x\nDATA: y\ndata: z\n\n", {Data("z")}},
      {"P11_SpaceBefore", " data: x\ndata: z\n\n", {Data("z")}},
      {"P11_SpaceBehind", "data : x\ndata: z\n\n", {Data("z")}},
      {"P11_NulBehind", "data\0: x\ndata: z\n\n"s, {Data("z")}},
      {"P11_Longer", "datas: x\ndat: x\ndata: z\n\n", {Data("z")}},
      {"P13_IdWithNul",
       "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n"s,
       {{.id = "1", .data = "a"}, {.id = "1", .data = "b"}},
       {},
       "1"},
      {"P14_IdPersists",
       "id: 1\ndata: a\n\ndata: b\n\n",
       {{.id = "1", .data = "a"}, {.id = "1", .data = "b"}},
       {},
       "1"},
      {"P14_IdAloneResets",
       "id: 1\ndata: a\n\nid\ndata: b\n\n",
       {{.id = "1", .data = "a"}, {.data = "b"}}},
      {"P14_EmptyIdResets",
       "id: 1\ndata: a\n\nid:\ndata: b\n\n",
       {{.id = "1", .data = "a"}, {.data = "b"}}},
      {"P14_TheLastOfABlockCounts",
       "id: 1\nid: 2\ndata: a\n\n",
       {{.id = "2", .data = "a"}},
       {},
       "2"},
      {"P15_IdWithoutData", "id: 7\n\n", {}, {}, "7"},
      {"P15_AndItIsTheNextEvents", "id: 7\n\ndata: a\n\n", {{.id = "7", .data = "a"}}, {}, "7"},
      {"P17_Name", "event: likes\ndata: x\n\n", {{.name = "likes", .data = "x"}}},
      {"P17_EmptyName", "event:\ndata: x\n\n", {Data("x")}},
      {"P17_NamesDoNotLeak",
       "event: likes\ndata: x\n\ndata: y\n\n",
       {{.name = "likes", .data = "x"}, Data("y")}},
      {"P17_TheLastOfABlockCounts",
       "event: a\nevent: b\ndata: x\n\n",
       {{.name = "b", .data = "x"}}},
      {"P18_NoBlankLine", "data: a\n\ndata: b\n", {Data("a")}},
      {"P18_NoLineEnd", "data: a\n\ndata: b", {Data("a")}},
      {"P18_ItsIdIsNotTaken",
       "id: 1\ndata: a\n\nid: 2\ndata: b\n",
       {{.id = "1", .data = "a"}},
       {},
       "1"},
      {"P18_NothingAtAll", ""},
  };
}

std::vector<Case> RetryCases() {
  return {
      {"P16_Retry", "retry: 1000\n", {}, {1000}},
      {"P16_LeadingZero", "retry:03000\n\n", {}, {3000}},
      {"P16_Zero", "retry: 0\n\n", {}, {0}},
      {"P16_Junk", "retry: 1000x\nretry: -1\nretry: 1.5\nretry:\nretry\nretry: +1\nretry:  1\n"},
      {"P16_OtherDigits", "retry: \xD9\xA1\xD9\xA2\n\n"},
      {"P16_Huge", "retry: 99999999999999999999999999999999\n", {}, {2147483647}},
      {"P16_MostIsExact", "retry: 2147483647\n", {}, {2147483647}},
  };
}

// The examples of Unicode's "maximal subpart" and of the WHATWG decoder.
std::vector<Case> Utf8Cases() {
  const std::string bad = "\xEF\xBF\xBD";
  return {
      {"P19_Good",
       "data: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n\n",
       {Data("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")}},
      {"P19_LoneContinuation",
       "data: a\x80"
       "b\n\n",
       {Data("a" + bad + "b")}},
      {"P19_Never", "data: \xFE\xFF\xC0\xC1\xF5\n\n", {Data(bad + bad + bad + bad + bad)}},
      {"P19_CutAtTheLineEnd", "data: \xE2\x82\ndata: \xF0\x9F\x98\n\n", {Data(bad + "\n" + bad)}},
      {"P19_CutByAscii", "data: \xE2\x82x\xF0\x9Fy\n\n", {Data(bad + "x" + bad + "y")}},
      {"P19_CutByAnother", "data: \xE2\xC3\xA9\n\n", {Data(bad + "\xC3\xA9")}},
      {"P19_Overlong", "data: \xE0\x80\x80\n\n", {Data(bad + bad + bad)}},
      {"P19_Surrogate", "data: \xED\xA0\x80\n\n", {Data(bad + bad + bad)}},
      {"P19_AboveTheLast", "data: \xF4\x90\x80\x80\n\n", {Data(bad + bad + bad + bad)}},
      {"P19_TheLast",
       "data: \xF4\x8F\xBF\xBF\xED\x9F\xBF\n\n",
       {Data("\xF4\x8F\xBF\xBF\xED\x9F\xBF")}},
      {"P19_InIdAndName",
       "id: \xFF\nevent: \xFF\ndata: x\n\n",
       {{.id = bad, .name = bad, .data = "x"}},
       {},
       bad},
      {"P19_InAName", "da\xFFta: x\ndata: y\n\n", {Data("y")}},
      {"P19_LongRunBefore",
       "data: " + std::string(37, 'a') + "\xFF" + std::string(9, 'b') + "\n\n",
       {Data(std::string(37, 'a') + bad + std::string(9, 'b'))}},
  };
}

class ParserTest : public testing::TestWithParam<Case> {
 protected:
  // Reads the case's bytes, cut before each of `cuts`.
  void Read(const std::vector<std::size_t>& cuts) {
    EventRecorder recorder;
    EventParser parser(recorder);
    std::string_view rest = GetParam().stream;
    std::size_t at = 0;
    for (const std::size_t cut : cuts) {
      parser.Feed(rest.substr(0, cut - at));
      rest.remove_prefix(cut - at);
      at = cut;
    }
    parser.Feed(rest);
    EXPECT_EQ(recorder.events(), GetParam().events);
    EXPECT_EQ(recorder.retries(), GetParam().retries);
    EXPECT_EQ(parser.last_event_id(), GetParam().last_id);
  }
};

TEST_P(ParserTest, WholeByBytesAndCutAtEveryPoint) {
  const std::size_t size = GetParam().stream.size();
  Read({});
  std::vector<std::size_t> each;
  for (std::size_t i = 1; i < size; ++i) each.push_back(i);
  Read(each);
  for (std::size_t i = 0; i <= size; ++i) {
    SCOPED_TRACE("cut at " + std::to_string(i));
    Read({i});
    if (HasFailure()) return;
  }
}

std::string NameOfCase(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Lines, ParserTest, testing::ValuesIn(LineCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Data, ParserTest, testing::ValuesIn(DataCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Fields, ParserTest, testing::ValuesIn(FieldCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Retry, ParserTest, testing::ValuesIn(RetryCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Utf8, ParserTest, testing::ValuesIn(Utf8Cases()), NameOfCase);

// P4 once more, because a reader that waits for what follows a CR passes all of the above.
TEST(ParserNowTest, AnEventIsThereWithTheFirstByteOfItsBlankLine) {
  EventRecorder recorder;
  EventParser parser(recorder);
  parser.Feed("data: x\r");
  EXPECT_THAT(recorder.events(), IsEmpty());
  parser.Feed("\r");
  EXPECT_THAT(recorder.events(), ElementsAre(Data("x")));
  parser.Feed("\ndata: y\n\n");
  EXPECT_THAT(recorder.events(), ElementsAre(Data("x"), Data("y")));
}

TEST(ParserNowTest, AnIdOfAnEarlierConnectionIsCarriedOn) {
  EventRecorder recorder;
  EventParser parser(recorder, {.last_event_id = "likes7-3"});
  EXPECT_EQ(parser.last_event_id(), "likes7-3");
  parser.Feed("data: x\n\nid\ndata: y\n\n");
  EXPECT_THAT(recorder.events(),
              ElementsAre(RecordedEvent{.id = "likes7-3", .data = "x"}, Data("y")));
  EXPECT_EQ(parser.last_event_id(), "");
}

}  // namespace
}  // namespace rpcbench
