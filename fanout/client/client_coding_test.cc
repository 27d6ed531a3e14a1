// Content codings: decoded as they come, and what is refused.
#include <zlib.h>

#include "fanout/client/client_fixture.h"
#include "fanout/encode/encoder.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Codes events of one stream, each so that it can be decoded at once.
class Coder {
 public:
  virtual ~Coder() = default;
  virtual std::string Code(const std::string& text) = 0;
};

class EncoderCoder final : public Coder {
 public:
  explicit EncoderCoder(Codec codec) : encoder_(MakeEncoder(DefaultEncoder(codec))) {}
  std::string Code(const std::string& text) override {
    std::string bytes;
    encoder_->Encode(text, bytes);
    return bytes;
  }

 private:
  std::unique_ptr<Encoder> encoder_;
};

class GzipCoder final : public Coder {
 public:
  GzipCoder() { deflateInit2(&stream_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY); }
  ~GzipCoder() override { deflateEnd(&stream_); }
  GzipCoder(const GzipCoder&) = delete;
  GzipCoder& operator=(const GzipCoder&) = delete;

  std::string Code(const std::string& text) override {
    std::string bytes(1024, '\0');
    std::string input = text;
    stream_.next_in = reinterpret_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = static_cast<uInt>(bytes.size());
    deflate(&stream_, Z_SYNC_FLUSH);
    bytes.resize(bytes.size() - stream_.avail_out);
    return bytes;
  }

 private:
  z_stream stream_{};
};

std::unique_ptr<Coder> MakeCoder(const std::string& coding) {
  if (coding == "gzip") return std::make_unique<GzipCoder>();
  return std::make_unique<EncoderCoder>(coding == "br" ? Codec::kBrotli : Codec::kZstd);
}

std::vector<std::string> InBytes(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

class CodingTest : public ClientFixture {
 protected:
  static std::string Coded(const std::string& coding) {
    return Head("Content-Encoding: " + coding + "\r\n");
  }

  void ExpectFailed(const std::string& why) {
    Connect(server_.Url());
    while (log_.empty() || log_.back() != "failed") {
      RunTo(log_.size() + 1);
      ASSERT_FALSE(HasFatalFailure());
    }
    EXPECT_THAT(why_, HasSubstr(why));
    RunOut();
    EXPECT_EQ(server_.requests().size(), 1u);
  }
};

class EachCodingTest : public CodingTest, public testing::WithParamInterface<const char*> {};

// The server says no more after the last of these bytes: an event that waits for others in the
// decoder is never seen.
TEST_P(EachCodingTest, IsDecodedAsItComes) {
  const auto coder = MakeCoder(GetParam());
  std::string bytes;
  for (const char* text : {"data: a\n\n", "data: b\n\n", "id: 1\n", "data: c\n\n"}) {
    bytes += coder->Code(text);
  }
  std::vector<std::string> pieces = InBytes(bytes);
  pieces.insert(pieces.begin(), Coded(GetParam()));
  server_.SayAndHold(pieces);
  Connect(server_.Url());
  RunTo(4);
  EXPECT_THAT(
      log_, ElementsAre(std::string("open ") + GetParam(), "message:a", "message:b", "message:c"));
}

TEST_P(EachCodingTest, BeginsAnewWithEachConnection) {
  for (const char* data : {"a", "b"}) {
    server_.Say({Coded(GetParam()) +
                 MakeCoder(GetParam())->Code("id: 7\ndata: " + std::string(data) + "\n\n")});
  }
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(7);
  const std::string open = std::string("open ") + GetParam();
  EXPECT_THAT(log_, ElementsAre(open, "message:a", "lost", open, "message:b", "lost", "open"));
}

TEST_P(EachCodingTest, BytesThatDoNotDecodeEndForGood) {
  server_.SayAndHold({Coded(GetParam()) + std::string(100, '\xFF')});
  ExpectFailed(server_.Url());
}

INSTANTIATE_TEST_SUITE_P(Codings, EachCodingTest, testing::Values("gzip", "br", "zstd"));

TEST_F(CodingTest, SeveralZstdFramesAreOneStream) {
  std::string bytes;
  for (const char* data : {"a", "b", "c"}) {
    bytes += EncoderCoder(Codec::kZstd).Code("data: " + std::string(data) + "\n\n");
    AppendEndOfZstdFrame(bytes);
  }
  std::vector<std::string> pieces = InBytes(bytes);
  pieces.insert(pieces.begin(), Coded("zstd"));
  server_.SayAndHold(pieces);
  Connect(server_.Url());
  RunTo(4);
  EXPECT_THAT(log_, ElementsAre("open zstd", "message:a", "message:b", "message:c"));
}

// A frame's header that asks for a window of 2^`log` bytes, and a raw block of one event.
std::string FrameWithWindow(int log) {
  const std::string event = "data: x\n\n";
  std::string frame("\x28\xB5\x2F\xFD\x00", 5);
  frame += static_cast<char>((log - 10) << 3);
  frame += static_cast<char>((event.size() << 3) | 1);  // the last block, raw
  return frame + std::string(2, '\0') + event;
}

TEST_F(CodingTest, AWindowOfEightMegabytesIsTaken) {
  server_.SayAndHold({Coded("zstd") + FrameWithWindow(23)});
  Connect(server_.Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open zstd", "message:x"));
}

TEST_F(CodingTest, AWindowBeyondIsRefused) {
  server_.SayAndHold({Coded("zstd") + FrameWithWindow(24)});
  ExpectFailed(server_.Url());
  EXPECT_THAT(log_, ElementsAre("open zstd", "failed"));
}

TEST_F(CodingTest, IdentityByName) {
  server_.SayAndHold({Coded("identity") + "data: x\n\n"});
  Connect(server_.Url());
  RunTo(2);
  EXPECT_EQ(log_[1], "message:x");
}

TEST_F(CodingTest, AnUnknownOneEndsForGood) {
  server_.SayAndHold({Coded("compress")});
  ExpectFailed("compress");
}

TEST_F(CodingTest, WhatIsAcceptedCanBeSaid) {
  options_.accept_encoding = "br;q=0.5";
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(1);
  EXPECT_THAT(server_.requests()[0], HasSubstr("\r\nAccept-Encoding: br;q=0.5\r\n"));
}

TEST_F(CodingTest, NothingNeedBeAccepted) {
  options_.accept_encoding = "";
  server_.SayAndHold({Head()});
  Connect(server_.Url());
  RunTo(1);
  EXPECT_THAT(server_.requests()[0], testing::Not(HasSubstr("Accept-Encoding")));
}

}  // namespace
}  // namespace rpcbench
