// Text as it is: what a stream without Content-Encoding carries.
#include "fanout/encode/codec_encoders.h"

namespace rpcbench {
namespace {

class IdentityEncoder final : public Encoder {
 public:
  void Encode(std::string_view text, std::string& out) override { out += text; }
  std::size_t heap() const override { return 0; }
};

}  // namespace

std::unique_ptr<Encoder> MakeIdentityEncoder() {
  return std::make_unique<IdentityEncoder>();
}

}  // namespace rpcbench
