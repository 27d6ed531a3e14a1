#include "fanout/sse/event_queue.h"

#include <gtest/gtest.h>

#include <memory>

namespace rpcbench {
namespace {

LoggedEvent Numbered(std::uint64_t number) {
  return {number, std::make_shared<const Chunk>(std::to_string(number) + ";", 1)};
}

// What is in the queue, which is empty then.
std::string Drain(EventQueue& queue) {
  std::string text;
  queue.Take(1 << 20, text);
  return text;
}

TEST(EventQueueTest, FirstInFirstOut) {
  EventQueue queue(OverflowPolicy::kEvict, 4);
  for (const std::uint64_t n : {1, 2, 3}) {
    EXPECT_EQ(queue.Offer(Numbered(n), 0), Admission::kQueued);
  }
  EXPECT_EQ(Drain(queue), "1;2;3;");
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueueTest, APullIsBoundedButNeverEmpty) {
  EventQueue queue(OverflowPolicy::kEvict, 9);
  for (const std::uint64_t n : {1, 2, 3, 4}) queue.Offer(Numbered(n), 0);
  std::string text;
  EXPECT_EQ(queue.Take(1, text), 1u);
  EXPECT_EQ(queue.Take(text.size() + 5, text), 2u);
  EXPECT_EQ(text, "1;2;3;");
  EXPECT_EQ(queue.TakeOne()->body(), "4;");
}

TEST(EventQueueTest, NewestReplacesWhatWaits) {
  EventQueue queue(OverflowPolicy::kNewestReplaces, 2);
  queue.Offer(Numbered(1), 0);
  queue.Offer(Numbered(2), 0);
  EXPECT_EQ(queue.Offer(Numbered(3), 1), Admission::kReplaced);
  EXPECT_EQ(queue.Offer(Numbered(4), 3), Admission::kReplaced);
  EXPECT_EQ(Drain(queue), "2;4;");
}

TEST(EventQueueTest, WhatWasSentIsNotReplaced) {
  EventQueue queue(OverflowPolicy::kNewestReplaces, 2);
  queue.Offer(Numbered(1), 0);
  Drain(queue);
  EXPECT_EQ(queue.Offer(Numbered(2), 1), Admission::kQueued);
  EXPECT_EQ(Drain(queue), "2;");
}

TEST(EventQueueTest, FullOfOtherKeysItEvicts) {
  EventQueue queue(OverflowPolicy::kNewestReplaces, 2);
  queue.Offer(Numbered(1), 0);
  queue.Offer(Numbered(2), 0);
  EXPECT_EQ(queue.Offer(Numbered(3), 0), Admission::kEvict);
  EXPECT_EQ(Drain(queue), "1;2;");
}

TEST(EventQueueTest, DropLeavesTheNewOut) {
  EventQueue queue(OverflowPolicy::kDropAndCount, 2);
  for (const std::uint64_t n : {1, 2}) queue.Offer(Numbered(n), n - 1);
  EXPECT_EQ(queue.Offer(Numbered(3), 2), Admission::kDropped);
  queue.TakeOne();
  EXPECT_EQ(queue.Offer(Numbered(4), 3), Admission::kQueued);
  EXPECT_EQ(Drain(queue), "2;4;");
}

TEST(EventQueueTest, EvictDoesNotReplace) {
  EventQueue queue(OverflowPolicy::kEvict, 2);
  for (const std::uint64_t n : {1, 2}) queue.Offer(Numbered(n), n - 1);
  EXPECT_EQ(queue.Offer(Numbered(3), 2), Admission::kEvict);
}

TEST(EventQueueTest, WhatItBeginsWithDoesNotFillIt) {
  EventQueue queue(OverflowPolicy::kEvict, 1);
  for (const std::uint64_t n : {1, 2, 3}) queue.Preload(Numbered(n));
  EXPECT_EQ(queue.Offer(Numbered(4), 0), Admission::kQueued);
  EXPECT_EQ(queue.Offer(Numbered(5), 0), Admission::kEvict);
  EXPECT_EQ(queue.TakeOne()->body(), "1;");
  EXPECT_EQ(queue.Offer(Numbered(5), 0), Admission::kEvict);
  EXPECT_EQ(Drain(queue), "2;3;4;");
  EXPECT_EQ(queue.Offer(Numbered(5), 0), Admission::kQueued);
}

TEST(EventQueueTest, WhatItBeginsWithIsReplacedToo) {
  EventQueue queue(OverflowPolicy::kNewestReplaces, 1);
  queue.Preload(Numbered(1));
  queue.Preload(Numbered(2));
  EXPECT_EQ(queue.Offer(Numbered(3), 1), Admission::kReplaced);
  EXPECT_EQ(queue.Offer(Numbered(4), 0), Admission::kEvict);
  EXPECT_EQ(queue.Offer(Numbered(5), 3), Admission::kReplaced);
  EXPECT_EQ(Drain(queue), "2;5;");
}

}  // namespace
}  // namespace rpcbench
