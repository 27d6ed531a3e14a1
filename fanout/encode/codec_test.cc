#include "fanout/encode/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"

namespace rpcbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kFrame = 138'000;

EncoderOptions Zstd(int level, int window_log) {
  return {.codec = Codec::kZstd, .level = level, .window_log = window_log, .low_memory = false};
}

EncoderOptions Brotli(int level, int window_log) {
  return {.codec = Codec::kBrotli, .level = level, .window_log = window_log, .low_memory = false};
}

std::string WhyRefused(const EncoderOptions& options) {
  try {
    CheckEncoder(options, kFrame);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CodecTest, NamesAndTokens) {
  for (const Codec codec : {Codec::kIdentity, Codec::kZstd, Codec::kBrotli}) {
    EXPECT_EQ(ParseCodec(ToString(codec)), codec);
  }
  EXPECT_STREQ(TokenOf(Codec::kBrotli), "br");
  EXPECT_STREQ(ToString(Codec::kBrotli), "brotli");
  EXPECT_STREQ(TokenOf(Codec::kZstd), "zstd");
  EXPECT_STREQ(TokenOf(Codec::kIdentity), "identity");
}

TEST(CodecTest, AnUnknownNameIsAnsweredWithTheNamesThereAre) {
  try {
    ParseCodec("gzip");
    FAIL() << "gzip was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("\"gzip\""), HasSubstr("identity, zstd or brotli")));
  }
  EXPECT_THROW(ParseCodec("br"), Error);
  EXPECT_THROW(ParseCodec(""), Error);
}

TEST(CodecTest, NamesOfSettings) {
  EncoderOptions low = Zstd(1, 18);
  low.low_memory = true;
  EXPECT_EQ(NameOf(low), "zstd_1_lowmem");
  EXPECT_EQ(NameOf(Zstd(-1, 19)), "zstd_-1");
  EXPECT_EQ(NameOf(DefaultEncoder(Codec::kZstd)), "zstd_1");
  EXPECT_EQ(NameOf(DefaultEncoder(Codec::kBrotli)), "brotli_4");
  EXPECT_EQ(NameOf(DefaultEncoder(Codec::kIdentity)), "identity");
}

TEST(CodecTest, EveryLevelThatACodecHasIsTaken) {
  for (int level = -7; level <= 22; ++level) EXPECT_EQ(WhyRefused(Zstd(level, 19)), "") << level;
  for (int level = 0; level <= 11; ++level) EXPECT_EQ(WhyRefused(Brotli(level, 19)), "") << level;
}

TEST(CodecTest, LevelsThatACodecLacksAreRefused) {
  EXPECT_THAT(WhyRefused(Zstd(23, 19)), HasSubstr("zstd level 23: give -7 to 22"));
  EXPECT_THAT(WhyRefused(Zstd(-8, 19)), HasSubstr("zstd level -8"));
  EXPECT_THAT(WhyRefused(Brotli(12, 19)), HasSubstr("brotli level 12: give 0 to 11"));
  EXPECT_THAT(WhyRefused(Brotli(-1, 19)), HasSubstr("brotli level -1"));
}

TEST(CodecTest, WindowsThatBrowsersDoNotDecodeAreRefused) {
  EXPECT_EQ(WhyRefused(Zstd(1, 23)), "");
  EXPECT_EQ(WhyRefused(Brotli(4, 23)), "");
  EXPECT_THAT(WhyRefused(Zstd(1, 24)), AllOf(HasSubstr("2^24"), HasSubstr("8 MB")));
  EXPECT_THAT(WhyRefused(Brotli(4, 24)), AllOf(HasSubstr("2^24"), HasSubstr("8 MB")));
  EXPECT_THAT(WhyRefused(Zstd(1, 9)), HasSubstr("give a window of 10 to 23"));
  EXPECT_THAT(WhyRefused(Zstd(1, -1)), HasSubstr("give a window of 10 to 23"));
}

TEST(CodecTest, AWindowThatALevelImpliesIsRefusedUnlessItIsBounded) {
  for (int level = -7; level < 20; ++level) EXPECT_EQ(WhyRefused(Zstd(level, 0)), "") << level;
  for (int level = 20; level <= 22; ++level) {
    EXPECT_THAT(WhyRefused(Zstd(level, 0)), HasSubstr("implies a window of 2^2")) << level;
    EXPECT_EQ(WhyRefused(Zstd(level, 23)), "") << level;
  }
  EXPECT_EQ(WhyRefused(Brotli(11, 0)), "");
}

TEST(CodecTest, TheWindowOfASetting) {
  EXPECT_EQ(WindowLogOf(Zstd(1, 18)), 18);
  EXPECT_EQ(WindowLogOf(Zstd(1, 0)), 19);
  EXPECT_EQ(WindowLogOf(Brotli(4, 0)), 22);
  EXPECT_EQ(WindowLogOf(DefaultEncoder(Codec::kIdentity)), 0);
}

TEST(CodecTest, AWindowBelowTheFrameIsWarnedOfWithWhatItCosts) {
  EXPECT_EQ(CheckEncoder(Zstd(1, 18), kFrame), std::nullopt);
  const auto warning = CheckEncoder(Zstd(1, 17), kFrame);
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, AllOf(HasSubstr("zstd_1"), HasSubstr("131072 bytes (2^17)"),
                              HasSubstr("138000 bytes"), HasSubstr("85 times")));
}

TEST(CodecTest, TheWarningBeginsWhereAFrameNoLongerFits) {
  constexpr std::size_t kWindow = 1 << 17;
  EXPECT_EQ(CheckEncoder(Zstd(1, 17), kWindow), std::nullopt);
  EXPECT_NE(CheckEncoder(Zstd(1, 17), kWindow + 1), std::nullopt);
  // Brotli keeps 16 bytes of its window for itself.
  EXPECT_EQ(CheckEncoder(Brotli(4, 17), kWindow - 16), std::nullopt);
  EXPECT_NE(CheckEncoder(Brotli(4, 17), kWindow - 15), std::nullopt);
}

TEST(CodecTest, IdentityHasNothingToCheck) {
  EncoderOptions options = DefaultEncoder(Codec::kIdentity);
  options.level = 99;
  options.window_log = 99;
  EXPECT_EQ(CheckEncoder(options, kFrame), std::nullopt);
}

}  // namespace
}  // namespace rpcbench
