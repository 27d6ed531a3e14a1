// See batching_stream.h.
#include "frameworks/capnp/batching_stream.h"

#include <capnp/serialize.h>
#include <kj/debug.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace rpcbench {

using capnp::word;

// Words, so that every message in it is aligned.
class CapnpBatchingStream::Chunk final : public kj::Refcounted {
 public:
  explicit Chunk(std::size_t bytes)
      : words_(kj::heapArray<word>((bytes + sizeof(word) - 1) / sizeof(word))) {}

  kj::byte* bytes() { return words_.asBytes().begin(); }
  std::size_t size() const { return words_.size() * sizeof(word); }

 private:
  kj::Array<word> words_;
};

// Reads in place, and keeps the chunk.
class CapnpBatchingStream::Message final : public capnp::FlatArrayMessageReader {
 public:
  Message(kj::ArrayPtr<const word> words, const capnp::ReaderOptions& limits, kj::Own<Chunk> chunk)
      : FlatArrayMessageReader(words, limits), chunk_(kj::mv(chunk)) {}

 private:
  kj::Own<Chunk> chunk_;
};

CapnpBatchingStream::CapnpBatchingStream(kj::AsyncIoStream& stream) : stream_(stream) {}
CapnpBatchingStream::~CapnpBatchingStream() noexcept(false) = default;

kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> CapnpBatchingStream::tryReadMessage(
    kj::ArrayPtr<kj::AutoCloseFd>, capnp::ReaderOptions options, kj::ArrayPtr<word>) {
  KJ_IF_MAYBE (reader, TakeMessage(options)) {
    return kj::Maybe<capnp::MessageReaderAndFds>(
        capnp::MessageReaderAndFds{kj::mv(*reader), nullptr});
  }
  return reads_.wrap(ReadMore(options));
}

// The message at the front, if it is there whole.
kj::Maybe<kj::Own<capnp::MessageReader>> CapnpBatchingStream::TakeMessage(
    const capnp::ReaderOptions& options) {
  expected_ = 0;
  const std::size_t words = (end_ - begin_) / sizeof(word);
  if (words == 0) return nullptr;
  const auto front = kj::arrayPtr(reinterpret_cast<const word*>(chunk_->bytes() + begin_), words);
  std::uint32_t last_segment = 0;
  std::memcpy(&last_segment, front.begin(), sizeof last_segment);  // little-endian, as the host
  KJ_REQUIRE(last_segment < kMaxSegments, "message has too many segments", last_segment);
  const std::size_t expected = capnp::expectedSizeInWordsFromPrefix(front);
  KJ_REQUIRE(expected <= options.traversalLimitInWords, "message is too large", expected);
  expected_ = expected * sizeof(word);
  if (expected > words) return nullptr;
  begin_ += expected_;
  return kj::Own<capnp::MessageReader>(
      kj::heap<Message>(front.slice(0, expected), options, kj::addRef(*chunk_)));
}

kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> CapnpBatchingStream::ReadMore(
    capnp::ReaderOptions options) {
  MakeRoom();
  return stream_.tryRead(chunk_->bytes() + end_, 1, chunk_->size() - end_)
      .then(
          [this, options](std::size_t bytes) -> kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> {
            if (bytes == 0) {
              if (begin_ == end_) return kj::Maybe<capnp::MessageReaderAndFds>(nullptr);
              return KJ_EXCEPTION(DISCONNECTED, "the stream ended inside a message");
            }
            end_ += bytes;
            KJ_IF_MAYBE (reader, TakeMessage(options)) {
              return kj::Maybe<capnp::MessageReaderAndFds>(
                  capnp::MessageReaderAndFds{kj::mv(*reader), nullptr});
            }
            return ReadMore(options);
          });
}

// Sees to it that the rest of the message at the front fits, or half a chunk where that is more.
// Messages that were handed out stay where they are.
void CapnpBatchingStream::MakeRoom() {
  const std::size_t held = end_ - begin_;
  if (chunk_.get() != nullptr && !chunk_->isShared() && held == 0) begin_ = end_ = 0;
  const std::size_t wanted = std::max(expected_, held + kReadBytes / 2);
  if (chunk_.get() != nullptr && chunk_->size() - begin_ >= wanted) return;
  auto fresh = kj::refcounted<Chunk>(std::max(expected_, kReadBytes));
  if (held > 0) std::memcpy(fresh->bytes(), chunk_->bytes() + begin_, held);
  chunk_ = kj::mv(fresh);
  begin_ = 0;
  end_ = held;
}

kj::Promise<void> CapnpBatchingStream::writeMessage(
    kj::ArrayPtr<const int> fds, kj::ArrayPtr<const kj::ArrayPtr<const word>> segments) {
  KJ_REQUIRE(fds.size() == 0, "this stream carries no file descriptors");
  Append(segments);
  return Appended();
}

kj::Promise<void> CapnpBatchingStream::writeMessages(
    kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const word>>> messages) {
  for (const auto& segments : messages) Append(segments);
  return Appended();
}

// The serialized form: a table of the segments' sizes, padded to a word, then the segments.
void CapnpBatchingStream::Append(kj::ArrayPtr<const kj::ArrayPtr<const word>> segments) {
  KJ_REQUIRE(segments.size() > 0 && segments.size() <= kMaxSegments, segments.size());
  std::uint32_t table[kMaxSegments + 2];
  std::size_t count = 0;
  table[count++] = static_cast<std::uint32_t>(segments.size() - 1);
  for (const auto& segment : segments) table[count++] = static_cast<std::uint32_t>(segment.size());
  if (count % 2 != 0) table[count++] = 0;
  const auto* head = reinterpret_cast<const kj::byte*>(table);
  waiting_.insert(waiting_.end(), head, head + count * sizeof table[0]);
  for (const auto& segment : segments) {
    const auto bytes = segment.asBytes();
    waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  }
}

kj::Promise<void> CapnpBatchingStream::Appended() {
  KJ_IF_MAYBE (error, failure_) {
    return kj::cp(*error);
  }
  const bool full = waiting_.size() >= kBatchBytes;
  if (full && writing_ == Writing::kUnderWay) {
    KJ_REQUIRE(room_ == nullptr, "the write before this one still waits");
    auto paf = kj::newPromiseAndFulfiller<void>();
    room_ = kj::mv(paf.fulfiller);
    return kj::mv(paf.promise);
  }
  if (full) {
    StartWrite(WriteOut());
  } else if (writing_ == Writing::kIdle) {
    writing_ = Writing::kAtEndOfTurn;
    StartWrite(kj::evalLast([this] { return WriteOut(); }));
  }
  return kj::READY_NOW;
}

void CapnpBatchingStream::StartWrite(kj::Promise<void> write) {
  write_ = write.eagerlyEvaluate([this](kj::Exception&& error) { Fail(kj::mv(error)); });
}

// Writes all that waits, then what came meanwhile.
kj::Promise<void> CapnpBatchingStream::WriteOut() {
  writing_ = Writing::kUnderWay;
  std::swap(waiting_, written_);
  KJ_IF_MAYBE (room, room_) {
    (*room)->fulfill();
    room_ = nullptr;
  }
  return stream_.write(written_.data(), written_.size()).then([this] { return WriteNext(); });
}

kj::Promise<void> CapnpBatchingStream::WriteNext() {
  written_.clear();
  if (waiting_.size() >= kBatchBytes) return WriteOut();
  if (!waiting_.empty()) {
    writing_ = Writing::kAtEndOfTurn;
    return kj::evalLast([this] { return WriteOut(); });
  }
  writing_ = Writing::kIdle;
  KJ_IF_MAYBE (idle, idle_) {
    (*idle)->fulfill();
    idle_ = nullptr;
  }
  return kj::READY_NOW;
}

void CapnpBatchingStream::Fail(kj::Exception&& error) {
  waiting_.clear();
  KJ_IF_MAYBE (room, room_) {
    (*room)->reject(kj::cp(error));
  }
  KJ_IF_MAYBE (idle, idle_) {
    (*idle)->reject(kj::cp(error));
  }
  room_ = nullptr;
  idle_ = nullptr;
  reads_.cancel(error);
  failure_ = kj::mv(error);
}

kj::Promise<void> CapnpBatchingStream::end() {
  KJ_IF_MAYBE (error, failure_) {
    return kj::cp(*error);
  }
  if (writing_ == Writing::kIdle) {
    stream_.shutdownWrite();
    return kj::READY_NOW;
  }
  auto paf = kj::newPromiseAndFulfiller<void>();
  idle_ = kj::mv(paf.fulfiller);
  return paf.promise.then([this] { stream_.shutdownWrite(); });
}

}  // namespace rpcbench
