#include "fanout/encode/raw_zstd_frame.h"

#include <gtest/gtest.h>

#include "fanout/encode/decoder.h"
#include "fanout/encode/encoder.h"

namespace rpcbench {
namespace {

std::string Frame(std::string_view text) {
  std::string frame;
  AppendRawZstdFrame(text, frame);
  return frame;
}

TEST(RawZstdFrameTest, SaysItsTextAtEverySize) {
  for (const std::size_t size : {0, 1, 3, 255, 256, 70'000, 131'071, 131'072, 131'073, 400'000}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
      text += static_cast<char>(i * i >> 3);
    }
    std::string decoded;
    MakeDecoder("zstd")->Decode(Frame(text), decoded);
    EXPECT_EQ(decoded, text) << size;
  }
}

// The whole text must be there once the last byte is: nothing waits for what follows.
TEST(RawZstdFrameTest, IsDecodedByteByByte) {
  const auto decoder = MakeDecoder("zstd");
  std::string decoded;
  for (const char byte : Frame("event: hello\n\n")) {
    decoder->Decode(std::string_view(&byte, 1), decoded);
  }
  EXPECT_EQ(decoded, "event: hello\n\n");
}

TEST(RawZstdFrameTest, OtherFramesMayFollow) {
  std::string body = Frame("one ") + Frame("two ");
  MakeEncoder(DefaultEncoder(Codec::kZstd))->Encode("three ", body);
  AppendEndOfZstdFrame(body);
  body += Frame("four");
  std::string decoded;
  MakeDecoder("zstd")->Decode(body, decoded);
  EXPECT_EQ(decoded, "one two three four");
}

}  // namespace
}  // namespace rpcbench
