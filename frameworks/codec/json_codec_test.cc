#include "frameworks/codec/json_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace rpcbench {
namespace {

std::string Json(const Record& record) {
  std::string out;
  AppendJson(record, out);
  return out;
}

TEST(JsonCodecTest, WritesProto3Mapping) {
  EXPECT_EQ(Json({true, -5, 0.5, "a\"b"}),
            R"({"flag":true,"number":"-5","real":0.5,"text":"a\"b"})");
  EXPECT_EQ(Json({false, 0, std::numeric_limits<double>::quiet_NaN(), ""}),
            R"({"flag":false,"number":"0","real":"NaN","text":""})");
}

TEST(JsonCodecTest, ReadsWhatOtherWritersSend) {
  Record record;
  ASSERT_TRUE(ParseJson(R"( { "text" : "\u00fc" , "number": 12, "real": "1.5" } )", record));
  EXPECT_EQ(record.text, "\xc3\xbc");
  EXPECT_EQ(record.number, 12);
  EXPECT_EQ(record.real, 1.5);
  EXPECT_FALSE(record.flag);
  ASSERT_TRUE(ParseJson("{}", record));
  EXPECT_TRUE(record.text.empty()) << "absent fields are zero";
  ASSERT_TRUE(ParseJson(R"({"real":"-Infinity","number":null})", record));
  EXPECT_TRUE(std::isinf(record.real));
}

TEST(JsonCodecTest, UnknownFieldsAreSkippedWhateverTheyHold) {
  Record record;
  ASSERT_TRUE(
      ParseJson(R"({"x":{"number":[1,{"flag":true}]},"number":"3","y":[[]],"z":null})", record));
  EXPECT_EQ(record.number, 3);
  EXPECT_FALSE(record.flag);
}

TEST(JsonCodecTest, RejectsEverythingElse) {
  Record record;
  for (const char* bad : {"",
                          "null",
                          "[]",
                          "1",
                          "{",
                          "{}x",
                          R"({"flag":1})",
                          R"({"flag":"true"})",
                          R"({"number":1.5})",
                          R"({"number":"9223372036854775808"})",
                          R"({"number":"1 "})",
                          R"({"real":"x"})",
                          R"({"real":1e999})",
                          R"({"text":1})",
                          R"({"text":{}})",
                          R"({"number":[1]})",
                          "{\"text\":\"\xff\"}",
                          R"({"text":"\ud800"})",
                          R"({"flag":tru)",
                          R"({flag:true})"}) {
    EXPECT_FALSE(ParseJson(bad, record)) << bad;
  }
}

TEST(JsonCodecTest, DeepNestingDoesNotOverflowTheStack) {
  Record record;
  const std::string deep = R"({"x":)" + std::string(200'000, '[');
  EXPECT_FALSE(ParseJson(deep, record));
}

}  // namespace
}  // namespace rpcbench
