// A full disk and a locked database: commands fail with a clear status, the board goes on from what
// was committed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <memory>

#include "fanout/board/other_connection.h"
#include "fanout/board/store.h"
#include "fanout/board/temporary_folder.h"
#include "fanout/board/tick_loop.h"
#include "fanout/board/writer.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

class BadDaysTest : public testing::Test {
 protected:
  BadDaysTest() {
    options_.file = folder_.path() / "board.sqlite";
    options_.busy_timeout = 10ms;
    options_.max_pages = 12;
    store_ = std::make_unique<Store>(options_);
    other_ = std::make_unique<OtherConnection>(options_.file);
    writer_ = std::make_unique<Writer>(
        [this](std::span<const Command> commands) { return store_->Apply(commands); }, committed_,
        WriterOptions{});
  }

  // How the command ended.
  Status Send(int card) {
    std::promise<Status> settled;
    writer_->Submit({card}, [&](const Status& status) { settled.set_value(status); });
    Status status = settled.get_future().get();
    if (status.ok()) ++acknowledged_;
    return status;
  }

  // What the streams see after the next tick is what a fresh connection reads, and holds all that
  // was acknowledged.
  void ExpectShownIsStored() {
    ticks_.Tick();
    Store fresh(options_);
    Board stored(1);
    Load(fresh, stored);
    for (int card = 0; card < stored.cards(); ++card) {
      EXPECT_EQ(board_.count(card), stored.count(card)) << "card " << card;
    }
    EXPECT_EQ(fresh.Totals().commands, acknowledged_);
  }

  TemporaryFolder folder_;
  StoreOptions options_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<OtherConnection> other_;
  Board board_{1};
  Committed committed_;
  boost::asio::io_context loop_;
  Topic topic_{TopicOptions{}};
  TickLoop ticks_{loop_, board_, committed_, topic_, {}, [] {}};
  std::int64_t acknowledged_ = 0;
  std::unique_ptr<Writer> writer_;
};

TEST_F(BadDaysTest, AFullDisk) {
  other_->MakeEachCommandTakeAPage();
  Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) status = Send(i);
  EXPECT_EQ(status.code, StatusCode::kDiskFull) << status.message;
  EXPECT_EQ(Send(5).code, StatusCode::kDiskFull);
  ExpectShownIsStored();
  EXPECT_GT(acknowledged_, 0);
  other_->FreePages();
  EXPECT_TRUE(Send(5).ok());
  ExpectShownIsStored();
}

TEST_F(BadDaysTest, ALockedDatabase) {
  EXPECT_TRUE(Send(3).ok());
  other_->Lock();
  EXPECT_EQ(Send(4).code, StatusCode::kLocked);
  EXPECT_EQ(Send(5).code, StatusCode::kLocked);
  ExpectShownIsStored();
  EXPECT_EQ(board_.count(3), 1);
  EXPECT_EQ(board_.count(4), 0);
  other_->Unlock();
  EXPECT_TRUE(Send(4).ok());
  ExpectShownIsStored();
}

}  // namespace
}  // namespace rpcbench
