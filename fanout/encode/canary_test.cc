#include "fanout/encode/canary.h"

#include <gtest/gtest.h>

#include "fanout/encode/encoder.h"

namespace rpcbench {
namespace {

class CanaryTest : public testing::TestWithParam<Codec> {
 protected:
  std::string Encode(std::string_view text) {
    std::string bytes;
    encoder_->Encode(text, bytes);
    return bytes;
  }

  std::unique_ptr<Encoder> encoder_ = MakeEncoder(DefaultEncoder(GetParam()));
  Canary canary_{GetParam()};
};

TEST_P(CanaryTest, ReadsWhatWasEncodedEventByEvent) {
  for (const char* text : {"data: one\n\n", "data: two\n\n", "data: two\n\n"}) {
    EXPECT_TRUE(canary_.Reads(Encode(text), text));
  }
}

TEST_P(CanaryTest, NoticesAnotherText) {
  EXPECT_TRUE(canary_.Reads(Encode("data: one\n\n"), "data: one\n\n"));
  EXPECT_FALSE(canary_.Reads(Encode("data: two\n\n"), "data: too\n\n"));
}

TEST_P(CanaryTest, NoticesThatTheEndIsStillInTheEncoder) {
  std::string bytes = Encode("data: one\n\n");
  bytes.resize(bytes.size() / 2);
  EXPECT_FALSE(canary_.Reads(bytes, "data: one\n\n"));
}

TEST_P(CanaryTest, NoticesBytesThatAreNoneOfTheCodec) {
  EXPECT_FALSE(canary_.Reads("half of it", "data: one\n\n"));
}

INSTANTIATE_TEST_SUITE_P(Codecs, CanaryTest, testing::Values(Codec::kZstd, Codec::kBrotli),
                         [](const auto& named) { return ToString(named.param); });

}  // namespace
}  // namespace rpcbench
