#include "echo/call_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "echo/call_inbox.h"

namespace rpcbench {
namespace {

TEST(CallTableTest, EachCallIsRemovedOnce) {
  CallTable table(4);
  const int a = 0;
  const int b = 0;
  table.Add(MakeCallId(2, 9), &a);
  EXPECT_FALSE(table.Remove(MakeCallId(2, 8), &a)) << "an earlier user of the slot";
  EXPECT_FALSE(table.Remove(MakeCallId(2, 9), &b)) << "another connection";
  EXPECT_FALSE(table.Remove(MakeCallId(4, 9), &a)) << "beyond the table";
  EXPECT_TRUE(table.Remove(MakeCallId(2, 9), &a));
  EXPECT_FALSE(table.Remove(MakeCallId(2, 9), &a)) << "a doubled reply";
}

TEST(CallTableTest, RemoveAllTakesOneConnectionsCalls) {
  CallTable table(4);
  const int a = 0;
  const int b = 0;
  table.Add(MakeCallId(0, 1), &a);
  table.Add(MakeCallId(1, 1), &b);
  table.Add(MakeCallId(3, 1), &a);
  std::vector<CallId> settled;
  table.RemoveAll(&a, [&](CallId id) { settled.push_back(id); });
  EXPECT_EQ(settled, (std::vector{MakeCallId(0, 1), MakeCallId(3, 1)}));
  EXPECT_TRUE(table.Remove(MakeCallId(1, 1), &b));
}

TEST(CallInboxTest, OnlyTheFirstPushWakes) {
  CallInbox inbox;
  const Record record;
  EXPECT_TRUE(inbox.Push(1, record));
  EXPECT_FALSE(inbox.Push(2, record));
  std::vector<CallInbox::Entry> entries;
  inbox.Take(entries);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].id, 2u);
  EXPECT_TRUE(inbox.Push(3, record));
}

}  // namespace
}  // namespace rpcbench
