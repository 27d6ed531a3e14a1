// A message stream for capnp::TwoPartyVatNetwork that makes one write of all messages of an event
// loop's turn, and many messages of one read. The library's own makes a write a message and two
// reads or more. Not for messages with file descriptors.
#pragma once

#include <capnp/serialize-async.h>
#include <kj/async-io.h>
#include <kj/refcount.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rpcbench {

// capnp::MessageStream has no virtual destructor. kj::Own deletes by the type that was made.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

class CapnpBatchingStream final : public capnp::MessageStream {
 public:
  // Once this much waits, it is written in mid-turn; while a write of it is under way, further
  // messages of this size together make the next writeMessage wait.
  static constexpr std::size_t kBatchBytes = 64 * 1024;
  static constexpr std::size_t kReadBytes = 64 * 1024;
  // As the library's own reader has it.
  static constexpr std::uint32_t kMaxSegments = 512;

  // `stream` outlives this.
  explicit CapnpBatchingStream(kj::AsyncIoStream& stream);
  ~CapnpBatchingStream() noexcept(false);

  // Fails on a message of more than options.traversalLimitInWords or kMaxSegments as soon as its
  // header says so, and on a stream that ends inside a message. `scratch` is not used. The reader
  // may outlive the stream.
  kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> tryReadMessage(
      kj::ArrayPtr<kj::AutoCloseFd> fds, capnp::ReaderOptions options,
      kj::ArrayPtr<capnp::word> scratch) override;

  // The segments are copied and the promise is done at once, unless kBatchBytes wait already: a
  // caller that sends one message after the other, as TwoPartyVatNetwork does, could never hand
  // over a second one in the same turn. A write that fails later fails all that come after it, and
  // the read that is under way. One at a time.
  kj::Promise<void> writeMessage(
      kj::ArrayPtr<const int> fds,
      kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) override;
  kj::Promise<void> writeMessages(
      kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) override;

  // Unknown: only streaming calls ask for it.
  kj::Maybe<int> getSendBufferSize() override { return nullptr; }

  // Shuts down writing, after what waits has been written.
  kj::Promise<void> end() override;

 private:
  class Chunk;
  class Message;
  enum class Writing { kIdle, kAtEndOfTurn, kUnderWay };

  kj::Maybe<kj::Own<capnp::MessageReader>> TakeMessage(const capnp::ReaderOptions& options);
  kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> ReadMore(capnp::ReaderOptions options);
  void MakeRoom();

  void Append(kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments);
  kj::Promise<void> Appended();
  void StartWrite(kj::Promise<void> write);
  kj::Promise<void> WriteOut();
  kj::Promise<void> WriteNext();
  void Fail(kj::Exception&& error);

  kj::AsyncIoStream& stream_;

  kj::Own<Chunk> chunk_;      // what was read; shared with the messages that lie in it
  std::size_t begin_ = 0;     // first byte not handed out; a multiple of 8
  std::size_t end_ = 0;       // behind the last byte read
  std::size_t expected_ = 0;  // bytes of the message at begin_, as far as known
  kj::Canceler reads_;

  Writing writing_ = Writing::kIdle;
  std::vector<kj::byte> waiting_;                        // to be written next
  std::vector<kj::byte> written_;                        // being written
  kj::Maybe<kj::Own<kj::PromiseFulfiller<void>>> room_;  // a writeMessage that waits
  kj::Maybe<kj::Own<kj::PromiseFulfiller<void>>> idle_;  // an end that waits
  kj::Maybe<kj::Exception> failure_;
  kj::Promise<void> write_ = nullptr;
};

#pragma GCC diagnostic pop

}  // namespace rpcbench
