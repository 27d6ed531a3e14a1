#include "fanout/encode/encoder_set.h"

#include <fmt/format.h>

#include "fanout/encode/topic.h"
#include "measure/thread_cpu.h"

namespace rpcbench {

EncoderSet::EncoderSet(const EncoderOptions& options, int streams, bool shared_window)
    : encoded_(static_cast<std::size_t>(streams)), decoder_(MakeDecoder(TokenOf(options.codec))) {
  if (shared_window) ring_.emplace(TopicOptions{}.shared_window_bytes);
  const TextRing* const ring = ring_ ? &*ring_ : nullptr;
  for (int i = 0; i < streams; ++i) encoders_.push_back(MakeEncoder(options, ring));
}

EncodeCost EncoderSet::Encode(std::string_view frame) {
  for (std::string& bytes : encoded_) bytes.clear();
  const auto began = std::chrono::steady_clock::now();
  const auto cpu_before = ThreadCpu();
  if (ring_) frame = ring_->Append(frame);
  for (std::size_t i = 0; i < encoders_.size(); ++i) encoders_[i]->Encode(frame, encoded_[i]);
  EncodeCost cost;
  cost.cpu = ThreadCpu() - cpu_before;
  cost.wall = std::chrono::steady_clock::now() - began;
  return cost;
}

std::string EncoderSet::Check(std::string_view frame) {
  decoded_.clear();
  decoder_->Decode(encoded_[0], decoded_);
  if (decoded_ != frame) {
    return fmt::format("a frame of {} bytes was decoded to {} bytes that differ from it",
                       frame.size(), decoded_.size());
  }
  for (std::size_t i = 1; i < encoded_.size(); ++i) {
    if (encoded_[i] == encoded_[0]) continue;
    return fmt::format("stream {} was sent other bytes than stream 0 for the same frames", i);
  }
  return "";
}

std::size_t EncoderSet::bytes() const {
  std::size_t sum = 0;
  for (const std::string& bytes : encoded_) sum += bytes.size();
  return sum;
}

std::size_t EncoderSet::heap() const {
  std::size_t sum = ring_ ? ring_->capacity() : 0;
  for (const auto& encoder : encoders_) sum += encoder->heap();
  return sum;
}

}  // namespace rpcbench
