// zstd without a window of its own: whatever is left out or overwritten, a real decoder has exactly
// the texts that were encoded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "fanout/encode/decoder.h"
#include "fanout/encode/encoder.h"
#include "fanout/encode/heap_page.h"

namespace rpcbench {
namespace {

EncoderOptions Options(int level, int window_log, bool low_memory = false) {
  return {
      .codec = Codec::kZstd, .level = level, .window_log = window_log, .low_memory = low_memory};
}

// A stream that encodes with a ring, and the decoder at its other end.
class Stream {
 public:
  Stream(const EncoderOptions& options, const TextRing& ring)
      : encoder_(MakeEncoder(options, &ring)), decoder_(MakeDecoder(TokenOf(Codec::kZstd))) {}

  std::string Encoded(std::string_view text) {
    std::string bytes;
    encoder_->Encode(text, bytes);
    return bytes;
  }
  std::string Sent(std::string_view text) {
    std::string decoded;
    decoder_->Decode(Encoded(text), decoded);
    return decoded;
  }
  std::size_t heap() const { return encoder_->heap(); }

 private:
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Decoder> decoder_;
};

// Texts that repeat parts of what came before, from near and from far.
class Texts {
 public:
  explicit Texts(std::uint32_t seed) : random_(seed) {
    for (char& c : past_) c = static_cast<char>(random_());
  }
  std::string Next(std::size_t most) {
    const std::size_t size = random_() % most;
    std::string text;
    while (text.size() < size) {
      if (random_() % 8 == 0) past_[random_() % past_.size()] = static_cast<char>(random_());
      text += past_.substr(random_() % past_.size(), 1 + random_() % 400);
    }
    text.resize(size);
    return text;
  }
  std::uint32_t Random() { return random_(); }

 private:
  std::mt19937 random_;
  std::string past_ = std::string(20'000, '\0');
};

class ZstdRingEncoderTest : public testing::TestWithParam<EncoderOptions> {};

// A ring of the least size for its window, and streams that leave out texts at random: each either
// decodes to what was encoded, or is told that it cannot go on and starts anew.
TEST_P(ZstdRingEncoderTest, WhateverIsLeftOutEachTextIsDecodableAtOnce) {
  const std::size_t window = std::size_t{1} << GetParam().window_log;
  TextRing ring(4 * window);
  Texts texts(static_cast<std::uint32_t>(GetParam().level + 100));
  std::vector<std::unique_ptr<Stream>> streams(6);
  std::vector<int> pauses(streams.size(), 0);
  int gone = 0;
  int sent = 0;
  const int many = GetParam().level > 9 ? 200 : 600;  // those levels take their time
  for (int i = 0; i < many; ++i) {
    const std::string_view text = ring.Append(texts.Next(window));
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (pauses[s]-- > 0) continue;
      pauses[s] = s == 0 || texts.Random() % 4 != 0 ? 0 : static_cast<int>(texts.Random() % 12);
      if (!streams[s]) streams[s] = std::make_unique<Stream>(GetParam(), ring);
      try {
        ASSERT_EQ(streams[s]->Sent(text), text) << "text " << i << ", stream " << s;
        ++sent;
      } catch (const HistoryGone&) {
        ASSERT_NE(s, 0u) << "the one that leaves nothing out";
        streams[s].reset();
        ++gone;
      }
    }
  }
  EXPECT_GT(gone, 3);
  EXPECT_GT(sent, many);
}

TEST_P(ZstdRingEncoderTest, TextsFromElsewhereMayComeBetween) {
  TextRing ring(std::size_t{4} << GetParam().window_log);
  Texts texts(7);
  Stream stream(GetParam(), ring);
  for (int i = 0; i < 200; ++i) {
    const std::string kept(ring.Append(texts.Next(3000)));
    if (i % 3 == 0) {
      ASSERT_EQ(stream.Sent(std::string(kept)), kept) << i;  // a copy, gone at once
    }
    const std::string_view text = ring.Append(texts.Next(3000));
    ASSERT_EQ(stream.Sent(text), text) << i;
  }
}

std::vector<EncoderOptions> Settings() {
  std::vector<EncoderOptions> settings;
  for (const int level : {-5, 1, 3, 6, 9, 13, 19}) settings.push_back(Options(level, 14));
  settings.push_back(Options(1, 10));
  settings.push_back(Options(1, 17));
  settings.push_back(Options(3, 16, true));
  return settings;
}

INSTANTIATE_TEST_SUITE_P(Settings, ZstdRingEncoderTest, testing::ValuesIn(Settings()),
                         [](const auto& setting) {
                           std::string name = NameOf(setting.param) + "_window_" +
                                              std::to_string(setting.param.window_log);
                           for (char& c : name) c = c == '-' ? 'm' : c;
                           return name;
                         });

class BoardLikeTest : public testing::Test {
 protected:
  std::string_view NextPage() {
    std::string text;
    page_.Change();
    page_.Render(text);
    return ring_.Append(text);
  }

  HeapPage page_{1};
  TextRing ring_{8 << 20};
};

TEST_F(BoardLikeTest, ItMakesAsFewBytesAsWithItsOwnWindow) {
  Stream shared(Options(1, 19), ring_);
  const auto own = MakeEncoder(Options(1, 19));
  std::size_t shared_bytes = 0;
  std::string own_bytes;
  for (int i = 0; i < 300; ++i) {  // twice round the ring
    const std::string_view page = NextPage();
    shared_bytes += shared.Encoded(page).size();
    own->Encode(page, own_bytes);
  }
  EXPECT_LT(static_cast<double>(shared_bytes), 1.05 * static_cast<double>(own_bytes.size()));
  EXPECT_LT(static_cast<double>(shared.heap()), 0.7 * static_cast<double>(own->heap()));
}

TEST_F(BoardLikeTest, OneThatPausesForTooLongIsToldSo) {
  Stream stream(Options(1, 19), ring_);
  Stream other(Options(1, 19), ring_);
  stream.Encoded(NextPage());
  for (int i = 0; i < 100; ++i) {
    const std::string_view page = NextPage();
    EXPECT_EQ(other.Encoded(page).empty(), false);
  }
  std::string_view page = NextPage();
  EXPECT_NO_THROW(stream.Encoded(page));  // 5.7 MB later
  for (int i = 0; i < 200; ++i) page = NextPage();
  EXPECT_THROW(stream.Encoded(page), HistoryGone);
}

TEST_F(BoardLikeTest, AGrownRingIsAnother) {
  Stream stream(Options(1, 19), ring_);
  stream.Encoded(NextPage());
  const std::string large(3 << 20, 'x');
  EXPECT_THROW(stream.Encoded(ring_.Append(large)), HistoryGone);
}

// libzstd counts bytes in 32 bits and begins anew at 3,500 MB, before they are used up.
TEST_F(BoardLikeTest, ItGoesOnOnceTheyAre) {
  Stream stream(Options(1, 19), ring_);
  const std::string block(1 << 20, 'x');
  std::string decoded;
  for (int i = 0; i < 3600; ++i) {
    std::string text = block;
    text.replace(static_cast<std::size_t>(i) % 1000, 7, std::to_string(1'000'000 + i));
    if (stream.Sent(ring_.Append(text)) != text) FAIL() << i;
  }
}

}  // namespace
}  // namespace rpcbench
