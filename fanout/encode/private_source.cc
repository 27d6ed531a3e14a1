#include "fanout/encode/private_source.h"

#include "echo/error.h"

namespace rpcbench {

PrivateSource::PrivateSource(const EncoderOptions& options, TopicState& state,
                             std::string_view first)
    : codec_(options.codec),
      state_(state),
      encoder_(state.options.make_encoder(options)),
      heap_(encoder_->heap()),
      place_(state.audience),
      first_(first) {
  ++state_.privates;
  state_.private_heap += heap_;
}

PrivateSource::~PrivateSource() {
  --state_.privates;
  state_.private_heap -= heap_;
}

ChunkRef PrivateSource::Next() {
  if (place_.busy() || encoder_ == nullptr) {
    return nullptr;
  }
  if (!first_.empty()) {
    ChunkRef chunk = Encode(first_, 1);
    if (chunk) {
      place_.TakeOwn();
      ++state_.first_frames;
    }
    first_.clear();
    return chunk;
  }
  if (place_.behind() == 0) {
    return nullptr;
  }
  ChunkRef chunk = Encode(state_.newest, 1);
  if (chunk) {
    place_.Take(state_.audience.newest(), 1);
  }
  return chunk;
}

ChunkRef PrivateSource::Heartbeat() {
  if (encoder_ == nullptr) {
    return nullptr;
  }
  if (!started_) {
    return Encode(kSilentText, 0);  // no frame of another's may come before its only one
  }
  std::string body;
  AppendHeartbeat(codec_, body);
  return std::make_shared<const Chunk>(body, 0);
}

std::string_view PrivateSource::closing() const {
  return encoder_ == nullptr ? std::string_view("failed") : std::string_view();
}

ChunkRef PrivateSource::Encode(std::string_view text, std::uint32_t events) {
  std::string bytes;
  const auto start = ThreadCpu();
  try {
    encoder_->Encode(text, bytes);
  } catch (const Error&) {
    encoder_.reset();
    ++state_.meter.failures;
  }
  state_.meter.encode_cpu += ThreadCpu() - start;
  const std::size_t heap = encoder_ ? encoder_->heap() : 0;
  state_.private_heap += heap - heap_;
  heap_ = heap;
  if (encoder_ == nullptr) {
    return nullptr;
  }
  started_ = true;
  ++state_.meter.encodes;
  state_.meter.bytes += bytes.size();
  return std::make_shared<const Chunk>(bytes, events);
}

}  // namespace rpcbench
