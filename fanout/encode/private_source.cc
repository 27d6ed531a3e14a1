#include "fanout/encode/private_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "echo/error.h"

namespace rpcbench {

PrivateSource::PrivateSource(const EncoderOptions& options, TopicState& state,
                             std::string_view first)
    : codec_(options.codec),
      state_(state),
      encoder_(state.options.make_encoder(options, state.RingFor(options.codec))),
      heap_(encoder_->heap()),
      place_(state.audience),
      first_(first) {
  index_ = state_.privates.size();
  state_.privates.push_back(this);
  state_.private_heap += heap_;
}

PrivateSource::~PrivateSource() {
  state_.privates.back()->index_ = index_;
  state_.privates[index_] = state_.privates.back();
  state_.privates.pop_back();
  state_.private_heap -= heap_;
}

ChunkRef PrivateSource::Next() {
  if (ahead_) {
    started_ = true;
    return std::exchange(ahead_, nullptr);
  }
  if (place_.busy() || encoder_ == nullptr) {
    return nullptr;
  }
  if (!first_.empty()) {
    ChunkRef chunk = EncodeNow(first_, 1);
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
  ChunkRef chunk = EncodeNow(state_.NewestFor(codec_), 1);
  if (chunk) {
    place_.Take(state_.audience.newest(), 1);
  }
  return chunk;
}

ChunkRef PrivateSource::Heartbeat() {
  // Before the frame's header, which what was encoded ahead begins with, no block may come.
  if (encoder_ == nullptr || (ahead_ && !started_)) {
    return nullptr;
  }
  if (!started_) {
    return EncodeNow(kSilentText, 0);  // no frame of another's may come before its only one
  }
  std::string body;
  AppendHeartbeat(codec_, body);
  return std::make_shared<const Chunk>(body, 0);
}

void PrivateSource::EncodeAhead(TopicState& state) {
  std::vector<PrivateSource*> waiting;
  std::copy_if(state.privates.begin(), state.privates.end(), std::back_inserter(waiting),
               [](const PrivateSource* source) { return source->WaitsForNewest(); });
  state.meter.encode_cpu += state.pool.Run(waiting.size(), [&](std::size_t i) {
    waiting[i]->Encode(state.NewestFor(waiting[i]->codec_));
  });
  for (PrivateSource* source : waiting) {
    source->ahead_ = source->Finish(1);
    if (source->ahead_) source->place_.Take(state.audience.newest(), 1);
  }
}

bool PrivateSource::WaitsForNewest() const {
  return encoder_ != nullptr && !place_.busy() && first_.empty() && place_.behind() > 0;
}

void PrivateSource::Encode(std::string_view text) {
  bytes_.clear();
  try {
    encoder_->Encode(text, bytes_);
  } catch (const HistoryGone&) {
    closing_ = "slow";
  } catch (const Error&) {
    closing_ = "failed";
  }
  if (!closing_.empty()) encoder_.reset();
}

ChunkRef PrivateSource::Finish(std::uint32_t events) {
  const std::size_t heap = encoder_ ? encoder_->heap() : 0;
  state_.private_heap += heap - heap_;
  heap_ = heap;
  if (encoder_ == nullptr) {
    state_.meter.failures += closing_ == "failed" ? 1 : 0;
    return nullptr;
  }
  ++state_.meter.encodes;
  state_.meter.bytes += bytes_.size();
  return std::make_shared<const Chunk>(bytes_, events);
}

ChunkRef PrivateSource::EncodeNow(std::string_view text, std::uint32_t events) {
  const auto began = ThreadCpu();
  Encode(text);
  state_.meter.encode_cpu += ThreadCpu() - began;
  started_ = encoder_ != nullptr;
  return Finish(events);
}

}  // namespace rpcbench
