// Every encoder against the real decoders: what a browser could show after each flush.
#include "fanout/encode/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <vector>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"
#include "fanout/encode/decoder.h"
#include "fanout/encode/heap_page.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;

EncoderOptions Options(Codec codec, int level, int window_log = 19, bool low_memory = false) {
  return {.codec = codec, .level = level, .window_log = window_log, .low_memory = low_memory};
}

// The later frames of a page, the second and third being what follows a change.
std::vector<std::string> Pages(int count) {
  HeapPage page(1);
  std::vector<std::string> frames(static_cast<std::size_t>(count));
  for (std::string& frame : frames) {
    page.Render(frame);
    page.Change();
  }
  return frames;
}

// A stream: an encoder, and the decoder at its other end.
class Stream {
 public:
  explicit Stream(const EncoderOptions& options)
      : encoder_(MakeEncoder(options)), decoder_(MakeDecoder(TokenOf(options.codec))) {}

  std::string Encoded(const std::string& text) {
    std::string bytes;
    encoder_->Encode(text, bytes);
    return bytes;
  }
  // What the client's decoder makes of these bytes, at once.
  std::string Decoded(const std::string& bytes) {
    std::string text;
    decoder_->Decode(bytes, text);
    return text;
  }
  std::string Sent(const std::string& text) { return Decoded(Encoded(text)); }
  std::size_t heap() const { return encoder_->heap(); }

 private:
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Decoder> decoder_;
};

class EncoderTest : public testing::TestWithParam<EncoderOptions> {
 protected:
  Stream stream_{GetParam()};
};

TEST_P(EncoderTest, EachPageIsDecodableAtOnce) {
  for (const std::string& page : Pages(6)) EXPECT_EQ(stream_.Sent(page), page);
}

TEST_P(EncoderTest, EachSmallEventIsDecodableAtOnce) {
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(1000 + i);
    const std::string event =
        "id: " + number + "\nevent: likes\ndata: {\"post\":3,\"num\":" + number + "}\n\n";
    ASSERT_EQ(event.size(), 51u);
    ASSERT_EQ(stream_.Sent(event), event);
  }
}

TEST_P(EncoderTest, TextsOfAnySize) {
  for (const std::size_t size : {0u, 1u, 2u, 0u, 65'536u, 131'072u, 131'073u, 700'000u, 3u, 0u}) {
    std::string text;
    for (const std::string& page : Pages(static_cast<int>(size / 57'000 + 1))) text += page;
    text.resize(size);
    ASSERT_EQ(stream_.Sent(text), text) << size;
  }
}

TEST_P(EncoderTest, TheBytesMayArriveOneByOne) {
  for (const std::string& page : Pages(3)) {
    std::string text;
    for (const char byte : stream_.Encoded(page)) text += stream_.Decoded(std::string(1, byte));
    EXPECT_EQ(text, page);
  }
}

TEST_P(EncoderTest, WhatIsInTheOutputStays) {
  const auto encoder = MakeEncoder(GetParam());
  std::string out = "before";
  encoder->Encode("text", out);
  EXPECT_EQ(out.substr(0, 6), "before");
  EXPECT_EQ(stream_.Decoded(out.substr(6)), "text");
}

TEST_P(EncoderTest, HeartbeatsBetweenTextsAreUnseenAndDisturbNothing) {
  // Identity has no blocks: there it is a comment, which the parser passes over.
  const std::string seen = GetParam().codec == Codec::kIdentity ? ":\n\n" : "";
  std::string heartbeat;
  AppendHeartbeat(GetParam().codec, heartbeat);
  for (const std::string& page : Pages(4)) {
    EXPECT_EQ(stream_.Sent(page), page);
    EXPECT_EQ(stream_.Decoded(heartbeat), seen);
    EXPECT_EQ(stream_.Decoded(heartbeat + heartbeat), seen + seen);
  }
}

TEST_P(EncoderTest, TheSameTextsGiveTheSameBytes) {
  Stream other(GetParam());
  for (const std::string& page : Pages(4)) EXPECT_EQ(stream_.Encoded(page), other.Encoded(page));
}

TEST_P(EncoderTest, ItsHeapIsCountedAndBounded) {
  if (GetParam().codec == Codec::kIdentity) {
    stream_.Sent("text");
    EXPECT_EQ(stream_.heap(), 0u);
    return;
  }
  const std::vector<std::string> pages = Pages(40);
  for (std::size_t i = 0; i < 20; ++i) stream_.Encoded(pages[i]);
  const std::size_t held = stream_.heap();
  EXPECT_GT(held, 200'000u);  // the window and more, but for brotli 0 and 1, which keep none
  for (std::size_t i = 20; i < 40; ++i) stream_.Encoded(pages[i]);
  EXPECT_LE(stream_.heap(), held + (256 << 10));
}

std::vector<EncoderOptions> Settings() {
  std::vector<EncoderOptions> settings{Options(Codec::kIdentity, 0)};
  for (const int level : {-7, -1, 1, 3, 5, 7, 9, 12, 19, 22}) {
    settings.push_back(Options(Codec::kZstd, level));
  }
  for (const int level : {1, 3, 12}) settings.push_back(Options(Codec::kZstd, level, 19, true));
  for (const int level : {0, 1, 3, 4, 5, 6, 9, 11}) {
    settings.push_back(Options(Codec::kBrotli, level));
  }
  return settings;
}

std::string CaseName(const testing::TestParamInfo<EncoderOptions>& setting) {
  std::string name = NameOf(setting.param);
  for (char& c : name) c = c == '-' ? 'm' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Settings, EncoderTest, testing::ValuesIn(Settings()), CaseName);

TEST(EncodedBytesTest, ARepeatedPageCostsLittle) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    Stream stream(DefaultEncoder(codec));
    const std::vector<std::string> pages = Pages(3);
    stream.Encoded(pages[0]);
    EXPECT_LT(stream.Encoded(pages[1]).size(), 2'000u);
    EXPECT_LT(stream.Encoded(pages[2]).size(), 2'000u);
  }
}

// Frames of 138 KB or so: blocks must not be so large that the window's far end is out of reach.
TEST(EncodedBytesTest, AFrameOfHalfTheWindowIsFoundInIt) {
  Stream stream(Options(Codec::kZstd, 1, 18));
  std::string frame;
  for (const std::string& page : Pages(3)) frame += page;
  frame.resize(138'000);
  stream.Encoded(frame);
  for (int i = 0; i < 10; ++i) EXPECT_LT(stream.Encoded(frame).size(), 500u) << i;
}

TEST(EncodedBytesTest, AWindowBelowThePageCostsManyTimesTheBytes) {
  Stream wide(Options(Codec::kZstd, 1, 17));
  Stream narrow(Options(Codec::kZstd, 1, 15));
  std::size_t wide_bytes = 0;
  std::size_t narrow_bytes = 0;
  for (const std::string& page : Pages(6)) {
    wide_bytes = wide.Encoded(page).size();
    narrow_bytes = narrow.Encoded(page).size();
  }
  EXPECT_GT(narrow_bytes, 5 * wide_bytes);
}

// The window that a decoder has to have, as the first bytes of a stream say.
std::size_t WindowOf(Codec codec, const std::string& bytes) {
  if (codec == Codec::kZstd) {
    ZSTD_frameHeader header;
    EXPECT_EQ(ZSTD_getFrameHeader(&header, bytes.data(), bytes.size()), 0u);
    EXPECT_EQ(header.frameContentSize, ZSTD_CONTENTSIZE_UNKNOWN);
    EXPECT_EQ(header.checksumFlag, 0u);
    return header.windowSize;
  }
  // RFC 7932, section 9.1, read without the decoder.
  const unsigned first = static_cast<unsigned char>(bytes[0]);
  if ((first & 1) == 0) return 1 << 16;
  if ((first >> 1 & 7) != 0) return std::size_t{1} << (17 + (first >> 1 & 7));
  const unsigned small = first >> 4 & 7;
  return std::size_t{1} << (small == 0 ? 17 : 8 + small);
}

// At the window that is the default, at what each level implies (0), and at the largest.
TEST(EncodedBytesTest, NoLevelPassesTheWindowThatBrowsersDecode) {
  constexpr std::size_t kMost = std::size_t{8} << 20;
  const std::string text = Pages(1)[0].substr(0, 4'000);
  const auto zstd = [&](int level, int window) {
    return WindowOf(Codec::kZstd, Stream(Options(Codec::kZstd, level, window)).Encoded(text));
  };
  const auto brotli = [&](int level, int window) {
    return WindowOf(Codec::kBrotli, Stream(Options(Codec::kBrotli, level, window)).Encoded(text));
  };
  for (int level = -7; level <= 22; ++level) {
    EXPECT_EQ(zstd(level, 19), std::size_t{1} << 19) << level;
    EXPECT_TRUE(level >= 20 || zstd(level, 0) <= kMost) << level;
  }
  for (const int level : {1, 22}) EXPECT_EQ(zstd(level, 23), kMost) << level;
  for (int level = 0; level <= 11; ++level) {
    EXPECT_EQ(brotli(level, 19), std::size_t{1} << 19) << level;
    EXPECT_LE(brotli(level, 0), kMost) << level;
  }
  for (const int level : {0, 11}) EXPECT_EQ(brotli(level, 23), kMost) << level;
}

TEST(EncodedBytesTest, AFrameThatWasEndedIsFollowedByAnother) {
  const std::vector<std::string> pages = Pages(6);
  Stream first(Options(Codec::kZstd, 1));
  Stream second(Options(Codec::kZstd, 7, 18));
  std::string bytes = first.Encoded(pages[0]);
  bytes += first.Encoded(pages[1]);
  AppendEndOfZstdFrame(bytes);
  bytes += second.Encoded(pages[1]);
  bytes += second.Encoded(pages[2]);
  AppendHeartbeat(Codec::kZstd, bytes);
  AppendEndOfZstdFrame(bytes);
  bytes += Stream(Options(Codec::kZstd, 3)).Encoded(pages[3]);
  EXPECT_EQ(Stream(Options(Codec::kZstd, 1)).Decoded(bytes),
            pages[0] + pages[1] + pages[1] + pages[2] + pages[3]);
}

TEST(EncodedBytesTest, AHeartbeatBeforeAFrameIsNoStream) {
  std::string heartbeat;
  AppendHeartbeat(Codec::kZstd, heartbeat);
  EXPECT_THROW(Stream(Options(Codec::kZstd, 1)).Decoded(heartbeat), Error);
  std::string after = Stream(Options(Codec::kZstd, 1)).Encoded("text");
  AppendEndOfZstdFrame(after);
  EXPECT_THROW(Stream(Options(Codec::kZstd, 1)).Decoded(after + heartbeat), Error);
}

TEST(EncodedBytesTest, AnIdentityHeartbeatIsAComment) {
  std::string heartbeat;
  AppendHeartbeat(Codec::kIdentity, heartbeat);
  EXPECT_EQ(heartbeat, ":\n\n");
}

TEST(MakeEncoderTest, RefusesWhatCheckEncoderRefuses) {
  EXPECT_THROW(MakeEncoder(Options(Codec::kZstd, 23)), Error);
  EXPECT_THROW(MakeEncoder(Options(Codec::kZstd, 20, 0)), Error);
  EXPECT_THROW(MakeEncoder(Options(Codec::kBrotli, 4, 24)), Error);
  EXPECT_NO_THROW(MakeEncoder(Options(Codec::kZstd, 1, 16)));  // bad, but not refused
}

TEST(MakeEncoderTest, LowMemoryHoldsClearlyLess) {
  for (const int level : {1, 3, 7}) {
    Stream usual(Options(Codec::kZstd, level));
    Stream low(Options(Codec::kZstd, level, 19, true));
    for (const std::string& page : Pages(3)) {
      usual.Encoded(page);
      low.Encoded(page);
    }
    EXPECT_LT(static_cast<double>(low.heap()), 0.8 * static_cast<double>(usual.heap())) << level;
  }
}

TEST(MakeEncoderTest, WithoutMemoryZstdThrowsAndLeavesTheOutputAlone) {
  const std::string page = Pages(1)[0];
  const auto encoder = MakeZstdEncoder(Options(Codec::kZstd, 1), 200'000);
  std::string out = "before";
  try {
    encoder->Encode(page, out);
    ADD_FAILURE() << "encoded without memory";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot encode a text of"));
  }
  EXPECT_EQ(out, "before");
  EXPECT_THROW(MakeZstdEncoder(Options(Codec::kZstd, 1), 100), Error);
  // Not brotli: its library ends the process where there is no memory.
}

}  // namespace
}  // namespace rpcbench
