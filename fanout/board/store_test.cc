#include "fanout/board/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "echo/error.h"
#include "fanout/board/other_connection.h"
#include "fanout/board/temporary_folder.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    options_.file = folder_.path() / "board.sqlite";
    options_.busy_timeout = 10ms;
  }

  std::unique_ptr<Store> Open() { return std::make_unique<Store>(options_); }

  static Status Apply(Store& store, std::vector<int> cards) {
    std::vector<Command> commands;
    for (const int card : cards) commands.push_back({card});
    return store.Apply(commands);
  }

  // As another process would see it.
  std::int64_t StoredCommands() {
    Store fresh(options_);
    fresh.CheckIntegrity();
    const auto counts = fresh.Counts();
    const std::int64_t sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    EXPECT_EQ(fresh.Totals().commands, sum) << "the total is not the sum of the cards";
    return sum;
  }

  TemporaryFolder folder_;
  StoreOptions options_;
};

TEST_F(StoreTest, BeginsWithNothing) {
  const auto store = Open();
  EXPECT_THAT(store->Counts(), SizeIs(kCards));
  EXPECT_THAT(store->Counts(), Each(0));
  EXPECT_EQ(store->Totals().commands, 0);
}

TEST_F(StoreTest, CommandsAreThereForAFreshConnection) {
  for (const Synchronous synchronous : {Synchronous::kFull, Synchronous::kNormal}) {
    options_.synchronous = synchronous;
    options_.file = folder_.path() / ToString(synchronous);
    const auto store = Open();
    EXPECT_TRUE(Apply(*store, {3, 3, 199}).ok());
    EXPECT_TRUE(Apply(*store, {0}).ok());
    Store fresh(options_);
    EXPECT_EQ(fresh.Counts()[3], 2);
    EXPECT_EQ(fresh.Counts()[199], 1);
    EXPECT_EQ(fresh.Totals().commands, 4);
    EXPECT_EQ(fresh.Totals().transactions, 2);
  }
}

TEST_F(StoreTest, ABoardGoesOnWhereItStopped) {
  ASSERT_TRUE(Apply(*Open(), {5}).ok());
  ASSERT_TRUE(Apply(*Open(), {5}).ok());
  const auto store = Open();
  Board board(1);
  Load(*store, board);
  EXPECT_EQ(board.count(5), 2);
}

TEST_F(StoreTest, WritesAheadOfItself) {
  const auto store = Open();
  ASSERT_TRUE(Apply(*store, {1}).ok());
  EXPECT_TRUE(std::filesystem::exists(options_.file.string() + "-wal"));
}

TEST_F(StoreTest, AFullDiskRefusesAllOfABatchAndNoMore) {
  options_.max_pages = 12;
  const auto store = Open();
  OtherConnection disk(options_.file);
  disk.MakeEachCommandTakeAPage();
  std::int64_t applied = 0;
  Status status;
  while ((status = Apply(*store, {1})).ok() && applied < 100) ++applied;
  EXPECT_EQ(status.code, StatusCode::kDiskFull);
  EXPECT_THAT(status.message, HasSubstr("full"));
  EXPECT_EQ(Apply(*store, {1, 2, 3}).code, StatusCode::kDiskFull);
  EXPECT_EQ(StoredCommands(), applied);
  disk.FreePages();
  EXPECT_TRUE(Apply(*store, {1, 2, 3}).ok());
  EXPECT_EQ(StoredCommands(), applied + 3);
}

TEST_F(StoreTest, ALockedDatabaseIsWaitedForOnlySoLong) {
  const auto store = Open();
  OtherConnection other(options_.file);
  other.Lock();
  const Status status = Apply(*store, {1});
  EXPECT_EQ(status.code, StatusCode::kLocked);
  EXPECT_THAT(status.message, HasSubstr(options_.file.string()));
  EXPECT_EQ(store->Counts()[1], 0) << "reading goes on";
  EXPECT_NO_THROW(Open()) << "so does opening";
  other.Unlock();
  EXPECT_TRUE(Apply(*store, {1}).ok());
  EXPECT_EQ(StoredCommands(), 1);
}

TEST_F(StoreTest, WhatIsNoDatabaseIsAnError) {
  std::ofstream(options_.file) << std::string(8192, 'x');
  EXPECT_THAT([&] { Open(); }, ThrowsMessage<Error>(HasSubstr(options_.file.string())));
}

TEST_F(StoreTest, ACorruptDatabaseIsAnError) {
  ASSERT_TRUE(Apply(*Open(), {1}).ok());
  std::fstream file(options_.file, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  file << std::string(std::filesystem::file_size(options_.file) - 4096, 'x');
  file.close();
  EXPECT_THAT([&] { Open(); }, ThrowsMessage<Error>(HasSubstr("malformed")));
}

TEST_F(StoreTest, AnotherBoardsDatabaseIsAnError) {
  Open();
  options_.cards = 100;
  EXPECT_THAT([&] { Open(); }, ThrowsMessage<Error>(HasSubstr("200 cards")));
}

TEST_F(StoreTest, AMissingFolderIsAnError) {
  options_.file = folder_.path() / "none" / "board.sqlite";
  EXPECT_THAT([&] { Open(); }, ThrowsMessage<Error>(HasSubstr("none/board.sqlite")));
}

}  // namespace
}  // namespace rpcbench
