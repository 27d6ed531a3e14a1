// The batching stream by itself, over a pipe in memory and over a stream that remembers its writes.
#include "frameworks/capnp/batching_stream.h"

#include <capnp/message.h>
#include <gtest/gtest.h>
#include <kj/debug.h>

#include <cstdint>
#include <string>
#include <vector>

#include "frameworks/capnp/link.h"
#include "frameworks/capnp/test_message.h"

namespace rpcbench {
namespace {

std::string TextOf(capnp::MessageReader& reader) {
  return std::string(FromCapnp(reader.getRoot<capnp_schema::Record>()).text);
}

// The loop of the test's own thread.
class BatchingStreamTest : public testing::Test {
 protected:
  ~BatchingStreamTest() noexcept override = default;

  kj::Own<capnp::MessageReader> Read(CapnpBatchingStream& stream) {
    auto message = stream.tryReadMessage(nullptr, {}, nullptr).wait(scope_);
    return kj::mv(KJ_ASSERT_NONNULL(message).reader);
  }

  kj::EventLoop loop_;
  kj::WaitScope scope_{loop_};
};

// kj's streams have no virtual destructor.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

// Remembers each write, and holds it back if told to.
class ScriptedStream final : public kj::AsyncIoStream {
 public:
  kj::Promise<std::size_t> tryRead(void*, std::size_t, std::size_t) override {
    return kj::NEVER_DONE;
  }
  kj::Promise<void> write(const void* buffer, std::size_t size) override {
    writes.emplace_back(static_cast<const char*>(buffer), size);
    if (!hold) return kj::READY_NOW;
    auto paf = kj::newPromiseAndFulfiller<void>();
    held = kj::mv(paf.fulfiller);
    return kj::mv(paf.promise);
  }
  kj::Promise<void> write(kj::ArrayPtr<const kj::ArrayPtr<const kj::byte>>) override {
    KJ_UNIMPLEMENTED("the batching stream writes one buffer");
  }
  kj::Promise<void> whenWriteDisconnected() override { return kj::NEVER_DONE; }
  void shutdownWrite() override { shut_down = true; }

  bool hold = false;
  bool shut_down = false;
  std::vector<std::string> writes;
  kj::Own<kj::PromiseFulfiller<void>> held;
};

#pragma GCC diagnostic pop

TEST_F(BatchingStreamTest, ReadsMessagesThatComeByteByByte) {
  auto pipe = kj::newTwoWayPipe();
  CapnpBatchingStream stream(*pipe.ends[0]);
  for (const capnp::uint segment_words : {64u, 2u}) {
    TestMessage message("byte by byte", segment_words);
    auto read = stream.tryReadMessage(nullptr, {}, nullptr);
    for (const char byte : message.Bytes()) pipe.ends[1]->write(&byte, 1).wait(scope_);
    auto got = read.wait(scope_);
    EXPECT_EQ(TextOf(*KJ_ASSERT_NONNULL(got).reader), "byte by byte");
  }
}

TEST_F(BatchingStreamTest, ReadsManyMessagesOfOneReceiveAndKeepsThem) {
  auto pipe = kj::newTwoWayPipe();
  CapnpBatchingStream stream(*pipe.ends[0]);
  std::string bytes;
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) {  // more than a chunk, and one message bigger than a chunk
    texts.push_back(
        std::string(i == 150 ? 3 * CapnpBatchingStream::kReadBytes : 997, 'a' + i % 26));
    bytes += TestMessage(texts.back(), 4096).Bytes();
  }
  auto write = pipe.ends[1]->write(bytes.data(), bytes.size()).eagerlyEvaluate(nullptr);
  std::vector<kj::Own<capnp::MessageReader>> readers;
  for (std::size_t i = 0; i < texts.size(); ++i) readers.push_back(Read(stream));
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(TextOf(*readers[i]), texts[i]) << i;
  write.wait(scope_);
  pipe.ends[1]->shutdownWrite();
  EXPECT_TRUE(stream.tryReadMessage(nullptr, {}, nullptr).wait(scope_) == nullptr);
}

TEST_F(BatchingStreamTest, AMessageOutlivesItsStream) {
  auto pipe = kj::newTwoWayPipe();
  kj::Own<capnp::MessageReader> reader;
  {
    CapnpBatchingStream stream(*pipe.ends[0]);
    const std::string bytes = TestMessage("kept", 64).Bytes();
    auto write = pipe.ends[1]->write(bytes.data(), bytes.size()).eagerlyEvaluate(nullptr);
    reader = Read(stream);
    write.wait(scope_);
  }
  EXPECT_EQ(TextOf(*reader), "kept");
}

TEST_F(BatchingStreamTest, RejectsWhatTheHeaderMakesAbsurd) {
  for (const auto& header : {std::vector<std::uint32_t>{0xffffffff, 0},
                             {CapnpBatchingStream::kMaxSegments, 1},
                             {0, 0x40000000},
                             {1, 1, 0x7fffffff, 0}}) {
    auto pipe = kj::newTwoWayPipe();
    CapnpBatchingStream stream(*pipe.ends[0]);
    auto write = pipe.ends[1]->write(header.data(), header.size() * 4).eagerlyEvaluate(nullptr);
    auto read = stream.tryReadMessage(nullptr, {}, nullptr);
    EXPECT_ANY_THROW(read.wait(scope_)) << header[0] << " " << header[1];
  }
}

TEST_F(BatchingStreamTest, AStreamCutInsideAMessageIsAnError) {
  const std::string bytes = TestMessage("never whole", 64).Bytes();
  for (const std::size_t length : {std::size_t{1}, std::size_t{8}, bytes.size() - 1}) {
    auto pipe = kj::newTwoWayPipe();
    CapnpBatchingStream stream(*pipe.ends[0]);
    auto read = stream.tryReadMessage(nullptr, {}, nullptr);
    pipe.ends[1]->write(bytes.data(), length).wait(scope_);
    pipe.ends[1]->shutdownWrite();
    EXPECT_ANY_THROW(read.wait(scope_)) << length;
  }
}

TEST_F(BatchingStreamTest, WritesATurnsMessagesAtOnceAndInOrder) {
  ScriptedStream out;
  CapnpBatchingStream stream(out);
  TestMessage first("first", 64);
  TestMessage second("second, of many segments", 2);
  TestMessage third("third", 64);
  for (auto* message : {&first, &second, &third}) {
    static_cast<capnp::MessageStream&>(stream).writeMessage(message->builder()).wait(scope_);
    EXPECT_TRUE(out.writes.empty()) << "the turn is not over";
  }
  scope_.poll();
  ASSERT_EQ(out.writes.size(), 1u);
  EXPECT_EQ(out.writes[0], first.Bytes() + second.Bytes() + third.Bytes());
}

TEST_F(BatchingStreamTest, AFullBatchWaitsForTheWriteBeforeIt) {
  ScriptedStream out;
  out.hold = true;
  CapnpBatchingStream stream(out);
  capnp::MessageStream& messages = stream;
  TestMessage large(std::string(CapnpBatchingStream::kBatchBytes, 'x'), 16384);
  TestMessage small("small", 64);
  messages.writeMessage(large.builder()).wait(scope_);
  EXPECT_EQ(out.writes.size(), 1u) << "a full batch does not wait for the end of the turn";
  messages.writeMessage(small.builder()).wait(scope_);
  auto blocked = messages.writeMessage(large.builder());
  EXPECT_FALSE(blocked.poll(scope_));
  EXPECT_EQ(out.writes.size(), 1u);
  out.held->fulfill();
  blocked.wait(scope_);
  ASSERT_EQ(out.writes.size(), 2u);
  EXPECT_EQ(out.writes[1], small.Bytes() + large.Bytes());
  auto end = messages.end();
  EXPECT_FALSE(end.poll(scope_));
  EXPECT_FALSE(out.shut_down) << "before all was written";
  out.held->fulfill();
  end.wait(scope_);
  EXPECT_TRUE(out.shut_down);
}

TEST_F(BatchingStreamTest, AFailedWriteFailsReadsAndLaterWrites) {
  ScriptedStream out;
  out.hold = true;
  CapnpBatchingStream stream(out);
  capnp::MessageStream& messages = stream;
  TestMessage message("lost", 64);
  auto read = stream.tryReadMessage(nullptr, {}, nullptr);
  messages.writeMessage(message.builder()).wait(scope_);
  scope_.poll();
  out.held->reject(KJ_EXCEPTION(DISCONNECTED, "scripted"));
  EXPECT_ANY_THROW(read.wait(scope_));
  EXPECT_ANY_THROW(messages.writeMessage(message.builder()).wait(scope_));
  EXPECT_ANY_THROW(messages.end().wait(scope_));
}

}  // namespace
}  // namespace rpcbench
