// For tests: encoders that fail when they are told to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "echo/error.h"
#include "fanout/encode/encoder.h"

namespace rpcbench {

struct Faults {
  int throws = 0;       // so many of the next calls of Encode fail
  int lies = 0;         // so many of the next calls encode another text
  bool broken = false;  // no encoder can be made
  int made = 0;         // encoders so far
};

class FaultyEncoder final : public Encoder {
 public:
  FaultyEncoder(std::unique_ptr<Encoder> encoder, Faults& faults)
      : encoder_(std::move(encoder)), faults_(faults) {}

  void Encode(std::string_view text, std::string& out) override {
    if (faults_.throws > 0) {
      --faults_.throws;
      // What a real one may leave behind must not be sent either.
      out += "half of it";
      throw Error("the encoder failed, as the test wanted");
    }
    if (faults_.lies > 0) {
      --faults_.lies;
      encoder_->Encode("id: 666\ndata: a lie\n\n", out);
      return;
    }
    encoder_->Encode(text, out);
  }

  std::size_t heap() const override { return encoder_->heap(); }

 private:
  std::unique_ptr<Encoder> encoder_;
  Faults& faults_;
};

// A factory for TopicOptions. `faults` outlives all that is made.
inline std::function<std::unique_ptr<Encoder>(const EncoderOptions&, const TextRing*)> MakeFaulty(
    Faults& faults) {
  return
      [&faults](const EncoderOptions& options, const TextRing* ring) -> std::unique_ptr<Encoder> {
        if (faults.broken) {
          throw Error("no encoder can be made, as the test wanted");
        }
        ++faults.made;
        return std::make_unique<FaultyEncoder>(MakeEncoder(options, ring), faults);
      };
}

}  // namespace rpcbench
