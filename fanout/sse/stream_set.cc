#include "fanout/sse/stream_set.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fanout/sse/event.h"
#include "fanout/sse/response.h"
#include "measure/thread_cpu.h"

namespace rpcbench {
namespace {

// Streams are taken in batches, so that their sources' CPU can be told from the writes' with a few
// readings of the clock, and what a pull brought into the cache is still there for the write.
constexpr std::size_t kBatch = 64;

std::string RetryText(std::chrono::milliseconds retry) {
  std::string text;
  AppendRetry(retry, text);
  return text;
}

}  // namespace

StreamGroup::~StreamGroup() {
  while (!streams_.empty()) StreamSet::Leave(*streams_.back());
}

StreamSet::StreamSet(const SseServerOptions& options, SseServerCounts& counts)
    : options_(options), counts_(counts) {}

void StreamSet::Open(PeerSocket socket, StreamOffer offer, bool chunked) {
  std::string head;
  AppendStreamHead(offer.codec, chunked, head);
  const bool room = !offer.one_frame || offer.codec == Codec::kIdentity;
  const std::string first = room ? OwnBytes(offer.codec, RetryText(options_.retry)) : "";
  if (!first.empty()) head += chunked ? std::string(Chunk(first, 0).framed()) : first;
  StreamGroup* const group = offer.group;
  const auto stream = std::make_shared<Stream>(
      StreamStart{std::move(socket), std::move(offer), chunked, std::move(head)}, *this);
  stream->index_ = streams_.size();
  streams_.push_back(stream);
  if (group) {
    stream->index_in_group_ = group->streams_.size();
    group->streams_.push_back(stream.get());
  }
  ++counts_.opened;
  PumpOne(*stream);
  if (!stream->closed()) stream->WatchPeer();
}

void StreamSet::PumpOne(Stream& stream) {
  Stream* const one = &stream;
  Pump({&one, 1});
}

void StreamSet::Pump(std::span<Stream* const> streams) {
  const auto now = Stream::Clock::now();
  std::array<Stream*, kBatch> ready;
  while (!streams.empty()) {
    const auto batch = streams.first(std::min(kBatch, streams.size()));
    streams = streams.subspan(batch.size());
    std::size_t count = Collect(batch, ready.data());
    while (count > 0) {
      const auto began = ThreadCpu();
      for (std::size_t i = 0; i < count; ++i) counts_.bytes_sent += ready[i]->Write(now);
      counts_.write_cpu += ThreadCpu() - began;
      count = Collect({ready.data(), count}, ready.data());
    }
  }
  CloseDoomed();
}

std::size_t StreamSet::Collect(std::span<Stream* const> streams, Stream** ready) {
  std::size_t count = 0;
  for (Stream* stream : streams) {
    if (stream->Pull()) {
      ready[count++] = stream;
    } else if (stream->over()) {
      doomed_.push_back(stream);
    }
  }
  return count;
}

void StreamSet::CloseDoomed() {
  while (!doomed_.empty()) {
    Stream& stream = *doomed_.back();
    doomed_.pop_back();
    Close(stream, *stream.over());
  }
}

void StreamSet::Close(Stream& stream, Ending why) {
  if (stream.closed()) return;
  switch (why) {
    case Ending::kPeer:
      ++counts_.closed_by_peer;
      break;
    case Ending::kSlow:
      ++counts_.closed_slow;
      break;
    case Ending::kRotated:
      ++counts_.closed_rotated;
      break;
    case Ending::kDrained:
      ++counts_.closed_drained;
      break;
    case Ending::kCut:
      ++counts_.closed_cut;
      break;
  }
  const auto kept = stream.shared_from_this();
  Remove(stream);
  stream.Close(why);
  if (streams_.empty() && empty_) empty_();
}

void StreamSet::Remove(Stream& stream) {
  Leave(stream);
  const std::size_t index = stream.index_;
  if (index + 1 != streams_.size()) {
    streams_[index] = std::move(streams_.back());
    streams_[index]->index_ = index;
  }
  streams_.pop_back();
}

void StreamSet::Leave(Stream& stream) {
  StreamGroup* const group = std::exchange(stream.group_, nullptr);
  if (!group) return;
  Stream* const last = group->streams_.back();
  group->streams_[stream.index_in_group_] = last;
  last->index_in_group_ = stream.index_in_group_;
  group->streams_.pop_back();
}

void StreamSet::Sweep(Stream::Clock::time_point now) {
  due_.clear();
  for (const auto& stream : streams_) {
    if (stream->Stuck(now - options_.write_deadline)) {
      stream->End(Ending::kSlow, {});
    } else if (stream->Beat(now - options_.heartbeat)) {
      ++counts_.heartbeats;
      due_.push_back(stream.get());
    }
    if (stream->over()) doomed_.push_back(stream.get());
  }
  Pump(due_);
}

// The times are dealt out evenly with a random place in each share, so that the connects of many
// streams are spread better than by chance.
void StreamSet::Drain(std::chrono::milliseconds spread) {
  std::uniform_real_distribution<double> place(0, 1);
  due_.clear();
  for (const auto& stream : streams_) {
    const double share =
        (static_cast<double>(due_.size()) + place(random_)) / static_cast<double>(streams_.size());
    const auto retry = std::chrono::duration_cast<std::chrono::milliseconds>(spread * share);
    stream->End(Ending::kDrained, RetryText(retry));
    due_.push_back(stream.get());
  }
  Pump(due_);
}

void StreamSet::CloseAll(Ending why) {
  while (!streams_.empty()) Close(*streams_.back(), why);
}

}  // namespace rpcbench
