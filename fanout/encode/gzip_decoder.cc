// gzip (RFC 1952) by zlib: what peers send that have neither zstd nor brotli.
#include <fmt/format.h>
#include <zlib.h>

#include "echo/error.h"
#include "fanout/encode/codec_decoders.h"

namespace rpcbench {
namespace {

constexpr int kGzipOnly = 16;  // added to the window's bits: no zlib header, no raw deflate
constexpr char kFirstOfMember = '\x1f';  // zlib would take one wrong byte before it says anything
constexpr std::size_t kPiece = 16 << 10;
constexpr std::size_t kMostAtOnce = 1 << 30;  // zlib counts in 32 bits

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw Error("gzip: no memory for a decoder");
    }
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;  // zlib points back to the stream
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  void Decode(std::string_view bytes, std::string& out) override {
    while (!bytes.empty()) {
      if (between_members_ && bytes[0] != kFirstOfMember) {
        throw Error(fmt::format("gzip: {} bytes that are no gzip", bytes.size()));
      }
      between_members_ = false;
      bytes.remove_prefix(Inflate(bytes.substr(0, kMostAtOnce), out));
    }
  }

 private:
  // Until the bytes are used up or a member ends. Returns how many were used.
  std::size_t Inflate(std::string_view bytes, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      char piece[kPiece];
      stream_.next_out = reinterpret_cast<Bytef*>(piece);
      stream_.avail_out = kPiece;
      const int result = inflate(&stream_, Z_SYNC_FLUSH);
      out.append(piece, kPiece - stream_.avail_out);
      if (result == Z_STREAM_END) {
        between_members_ = true;
        inflateReset(&stream_);
        break;
      }
      // Z_BUF_ERROR only says that there was nothing to do.
      if (result != Z_OK && result != Z_BUF_ERROR) {
        throw Error(fmt::format("gzip: {}", stream_.msg != nullptr ? stream_.msg : zError(result)));
      }
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    return bytes.size() - stream_.avail_in;
  }

  z_stream stream_{};
  bool between_members_ = true;
};

}  // namespace

std::unique_ptr<Decoder> MakeGzipDecoder() {
  return std::make_unique<GzipDecoder>();
}

}  // namespace rpcbench
