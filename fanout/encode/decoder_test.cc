// The decoders on good bytes, cut anywhere, and on bad ones.
#include "fanout/encode/decoder.h"

#include <brotli/encode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>
#include <vector>

#include "echo/error.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;

std::string Text() {
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "data: number " + std::to_string(i * i) + "\n\n";
  return text;
}

std::string Zstd(const std::string& text, int window_log = 19) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string bytes(ZSTD_compressBound(text.size()) + 100, '\0');
  ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
  // Not in one call, which would make the window as small as the text.
  for (std::size_t at = 0; at < text.size(); at += 1'000) {
    const std::string part = text.substr(at, 1'000);
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue);
  }
  ZSTD_inBuffer none{nullptr, 0, 0};
  EXPECT_EQ(ZSTD_compressStream2(context, &out, &none, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(context);
  return bytes.substr(0, out.pos);
}

std::string Brotli(const std::string& text, std::uint32_t window_log = 19, bool large = false) {
  BrotliEncoderState* const state = BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
  BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 4);
  BrotliEncoderSetParameter(state, BROTLI_PARAM_LARGE_WINDOW, large);
  BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, window_log);
  std::string bytes(text.size() + 1'000, '\0');
  std::size_t left = text.size();
  std::size_t room = bytes.size();
  const auto* next = reinterpret_cast<const std::uint8_t*>(text.data());
  auto* free = reinterpret_cast<std::uint8_t*>(bytes.data());
  EXPECT_TRUE(BrotliEncoderCompressStream(state, BROTLI_OPERATION_FINISH, &left, &next, &room,
                                          &free, nullptr));
  EXPECT_TRUE(BrotliEncoderIsFinished(state));
  BrotliEncoderDestroyInstance(state);
  return bytes.substr(0, bytes.size() - room);
}

// 31: gzip; 15 alone is the zlib format.
std::string Deflated(const std::string& text, int window_bits = 31) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(text.size() + 1'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  deflateEnd(&stream);
  return bytes.substr(0, bytes.size() - stream.avail_out);
}

std::string Decoded(const std::string& coding, const std::string& bytes,
                    std::size_t piece = std::string::npos) {
  const auto decoder = MakeDecoder(coding);
  std::string text;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    decoder->Decode(rest.substr(0, piece), text);
    rest.remove_prefix(std::min(piece, rest.size()));
  }
  return text;
}

std::string WhyNot(const std::string& coding, const std::string& bytes,
                   std::size_t piece = std::string::npos) {
  try {
    Decoded(coding, bytes, piece);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Coded {
  std::string coding;
  std::string bytes;
};

std::vector<Coded> All(const std::string& text) {
  return {{"identity", text},
          {"", text},
          {"gzip", Deflated(text)},
          {"br", Brotli(text)},
          {"zstd", Zstd(text)}};
}

TEST(DecoderTest, DecodesWhateverTheSizeOfThePieces) {
  const std::string text = Text();
  for (const Coded& coded : All(text)) {
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{7}, std::size_t{1'000}, std::string::npos}) {
      EXPECT_EQ(Decoded(coded.coding, coded.bytes, piece), text) << coded.coding << " " << piece;
    }
  }
}

TEST(DecoderTest, ATextMayBeEmpty) {
  for (const Coded& coded : All(""))
    EXPECT_EQ(Decoded(coded.coding, coded.bytes), "") << coded.coding;
  for (const Coded& coded : All("")) EXPECT_EQ(Decoded(coded.coding, ""), "") << coded.coding;
}

TEST(DecoderTest, TokensAreTakenInAnyCase) {
  EXPECT_EQ(Decoded("GZip", Deflated("text")), "text");
  EXPECT_EQ(Decoded("x-gzip", Deflated("text")), "text");
  EXPECT_EQ(Decoded("BR", Brotli("text")), "text");
}

TEST(DecoderTest, OtherCodingsAreRefusedByName) {
  EXPECT_THAT(WhyNot("deflate", "x"), HasSubstr("\"deflate\""));
  EXPECT_THAT(WhyNot("zstd, br", "x"), HasSubstr("\"zstd, br\""));
}

TEST(DecoderTest, SeveralZstdFramesAreOneText) {
  const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  const std::string empty_skippable("\x5f\x2a\x4d\x18\0\0\0\0", 8);
  const std::string bytes =
      Zstd("one ") + skippable + Zstd("two ") + Zstd("") + empty_skippable + Zstd("three");
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    ASSERT_EQ(Decoded("zstd", bytes, piece), "one two three") << piece;
  }
}

TEST(DecoderTest, SeveralGzipMembersAreOneText) {
  const std::string bytes = Deflated("one ") + Deflated("") + Deflated("two");
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    ASSERT_EQ(Decoded("gzip", bytes, piece), "one two") << piece;
  }
}

TEST(DecoderTest, BytesBehindTheEndAreRefused) {
  for (const Coded& coded : All("text")) {
    if (coded.coding.empty() || coded.coding == "identity") continue;
    for (const char* garbage : {"x", "xyz", "garbage that is longer than any header would be"}) {
      EXPECT_NE(WhyNot(coded.coding, coded.bytes + garbage), "") << coded.coding;
      EXPECT_NE(WhyNot(coded.coding, coded.bytes + garbage, 1), "") << coded.coding;
    }
  }
}

TEST(DecoderTest, BrotliHasNoSecondStream) {
  EXPECT_THAT(WhyNot("br", Brotli("one") + Brotli("two")), HasSubstr("behind the end"));
}

TEST(DecoderTest, ZstdWindowsOverEightMegabytesAreRefused) {
  const std::string text = Text();
  EXPECT_EQ(Decoded("zstd", Zstd(text, 23)), text);
  for (const std::size_t piece : {std::size_t{1}, std::string::npos}) {
    EXPECT_THAT(WhyNot("zstd", Zstd(text, 24), piece),
                HasSubstr("a window of 16777216 bytes, more than the 2^23 allowed"));
  }
}

TEST(DecoderTest, AZstdWindowIsJudgedThoughTheTextIsSmall) {
  // A frame of which header and content are there at once: 2^24 bytes of window, 4 of content.
  const std::string frame("\x28\xb5\x2f\xfd\x80\x70\x04\0\0\0\x21\0\0text", 17);
  EXPECT_THAT(WhyNot("zstd", frame), HasSubstr("a window of 16777216 bytes"));
}

TEST(DecoderTest, BrotliWindowsOverEightMegabytesAreRefused) {
  const std::string text = Text();
  EXPECT_EQ(Decoded("br", Brotli(text, 23)), text);
  EXPECT_THAT(WhyNot("br", Brotli(text, 24)), HasSubstr("2^24"));
  EXPECT_THAT(WhyNot("br", Brotli(text, 25, true)), HasSubstr("large window"));
}

TEST(DecoderTest, FormatsThatOnlyLookAlikeAreRefused) {
  EXPECT_NE(WhyNot("gzip", Deflated(Text(), 15)), "");
  EXPECT_NE(WhyNot("gzip", Zstd("text")), "");
  EXPECT_NE(WhyNot("zstd", Deflated("text")), "");
  EXPECT_NE(WhyNot("zstd", std::string("\x27\xb5\x2f\xfd\x00", 5)), "") << "zstd 0.7";
}

TEST(DecoderTest, ADamagedByteNeverCrashesAndZstdAndGzipNotice) {
  const std::string text = Text();
  std::mt19937_64 random(1);
  for (const Coded& coded : All(text)) {
    if (coded.coding.empty() || coded.coding == "identity") continue;
    int unnoticed = 0;
    for (int i = 0; i < 300; ++i) {
      std::string bytes = coded.bytes;
      // Not the gzip header's time and system, which nobody has to look at.
      const std::size_t at = 10 + random() % (bytes.size() - 10);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      try {
        unnoticed += Decoded(coded.coding, bytes, 1'000) == text;
      } catch (const Error&) {
        continue;
      }
    }
    const int most = coded.coding == "br" ? 300 : 10;  // brotli has no checksum
    EXPECT_LE(unnoticed, most) << coded.coding;
  }
}

TEST(DecoderTest, ACutIsNoErrorButTheRestIsMissing) {
  const std::string text = Text();
  for (const Coded& coded : All(text)) {
    const std::string part = Decoded(coded.coding, coded.bytes.substr(0, coded.bytes.size() / 2));
    EXPECT_LT(part.size(), text.size()) << coded.coding;
    EXPECT_EQ(part, text.substr(0, part.size())) << coded.coding;
  }
}

TEST(DecoderTest, RandomBytesGiveAnErrorOrAText) {
  std::mt19937_64 random(2);
  const std::string starts[] = {"", "\x1f\x8b\x08", "\x0b", "\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18"};
  for (int i = 0; i < 3'000; ++i) {
    std::string bytes = starts[random() % 5];
    for (std::size_t size = random() % 200; size > 0; --size) bytes += static_cast<char>(random());
    for (const char* coding : {"gzip", "br", "zstd"}) {
      const auto decoder = MakeDecoder(coding);
      std::string text;
      try {
        decoder->Decode(bytes, text);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(coding));
      }
    }
  }
}

}  // namespace
}  // namespace rpcbench
