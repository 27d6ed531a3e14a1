// The board as a service: what streams see of commands, merges, restarts and drains.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <future>
#include <nlohmann/json.hpp>

#include "fanout/page/site_fixture.h"

namespace rpcbench {
namespace {

using testing::StartsWith;

class BoardServerTest : public BoardFixture {
 protected:
  void Add(int card) {
    ASSERT_EQ(Command(nlohmann::json{{"card", card}}.dump()).result_int(), 200u);
  }
  unsigned Merge() {
    return HttpAsk(address()).Send(http::verb::post, "/admin/merge").result_int();
  }
  static nlohmann::json NextPanel(BoardStream& stream) {
    return nlohmann::json::parse(stream.Next("panel").data);
  }
};

// Another connection that keeps the database for itself.
class Lock final {
 public:
  explicit Lock(const std::filesystem::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~Lock() { sqlite3_close(database_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  sqlite3* database_ = nullptr;
};

TEST_F(BoardServerTest, ACommandIsSeenByEveryStreamWhateverItsCoding) {
  StartServer();
  BoardStream plain(address(), "/events", "identity");
  BoardStream zstd(address(), "/events", "zstd");
  BoardStream brotli(address(), "/events", "br");
  BoardStream own(address(), "/events?cohort=0", "zstd");
  EXPECT_EQ(plain.coding, "");
  EXPECT_EQ(zstd.coding, "zstd");
  EXPECT_EQ(brotli.coding, "br");
  EXPECT_EQ(own.coding, "zstd");
  for (BoardStream* stream : {&plain, &zstd, &brotli, &own}) Until(*stream, 3, 0);
  Add(3);
  for (BoardStream* stream : {&plain, &zstd, &brotli, &own}) Until(*stream, 3, 1);
}

TEST_F(BoardServerTest, ThePanelComesEachSecondWithTheBoard) {
  StartServer();
  BoardStream shared(address(), "/events", "zstd");
  BoardStream own(address(), "/events?cohort=0", "zstd");
  shared.Next("panel");
  const auto panel = NextPanel(shared);
  EXPECT_EQ(panel["streams"], 2);
  EXPECT_EQ(panel["streams_zstd"], 2);
  EXPECT_EQ(panel["cohorts"], 1);
  EXPECT_EQ(panel["privates"], 1);
  EXPECT_GT(panel["heap_kb"], 0);
  const auto& history = panel["history"];
  EXPECT_EQ(history["ticks_s"].size(), history["bytes_frame"].size());
}

TEST_F(BoardServerTest, IdsGoOnIncreasingOverARestart) {
  StartServer();
  std::uint64_t last = 0;
  {
    BoardStream stream(address(), "/events", "zstd");
    for (int round = 1; round <= 5; ++round) {
      Add(1);
      last = std::stoull(Until(stream, 1, round).id);
    }
  }
  StopServer();
  StartServer();
  BoardStream back(address(), "/events", "zstd", std::to_string(last));
  const auto first = back.Next("board");
  EXPECT_GE(std::stoull(first.id), last);
  EXPECT_EQ(CountOf(1, first.data), "5") << "the whole newest state, whatever was missed";
  Add(1);
  EXPECT_GT(std::stoull(Until(back, 1, 6).id), last);
}

TEST_F(BoardServerTest, AnIdFromNowhereGetsTheNewestState) {
  StartServer();
  Add(1);
  for (const char* id : {"0", "99999999", "-1", "of another topic"}) {
    BoardStream stream(address(), "/events", "zstd", id);
    Until(stream, 1, 1);
  }
}

TEST_F(BoardServerTest, AMergeIsNoGap) {
  StartServer();
  BoardStream early(address(), "/events", "zstd");
  for (int round = 1; round <= 12; ++round) {  // more than a cohort's log holds
    Add(9);
    Until(early, 9, round);
  }
  BoardStream late(address(), "/events", "zstd");
  Until(late, 9, 12);
  while (NextPanel(late)["cohorts"] != 2) {
  }
  ASSERT_EQ(Merge(), 200u);
  Add(9);
  Until(early, 9, 13);
  Until(late, 9, 13);
  nlohmann::json panel;
  do {
    panel = NextPanel(early);
  } while (panel["merges"] == 0);
  EXPECT_EQ(panel["cohorts"], 1);
  EXPECT_EQ(panel["streams"], 2);
}

TEST_F(BoardServerTest, ADrainTellsStreamsWhenToComeBackAndEndsThem) {
  StartServer();
  BoardStream stream(address(), "/events", "zstd");
  stream.Next("board");
  std::promise<void> done;
  thread_->Do([&] { server_->Drain(std::chrono::milliseconds(300), [&] { done.set_value(); }); });
  stream.ReadToEnd();
  EXPECT_GE(stream.retry.count(), 0);
  EXPECT_LE(stream.retry.count(), 300);
  done.get_future().wait();
}

TEST_F(BoardServerTest, AFailedCommitIsAnswered500AndTheBoardGoesOn) {
  options_.store.busy_timeout = std::chrono::milliseconds(20);
  StartServer();
  BoardStream stream(address(), "/events", "zstd");
  {
    const Lock lock(options_.store.file);
    const auto answer = Command(R"({"card":5})");
    EXPECT_EQ(answer.result_int(), 500u);
    EXPECT_THAT(answer.body(), StartsWith(ToString(StatusCode::kLocked)));
  }
  Add(5);
  Until(stream, 5, 1);
  while (NextPanel(stream)["commands_failed"] != 1) {
  }
}

TEST_F(BoardServerTest, SimulatedLoadMovesTheBoard) {
  options_.rate = 200;
  StartServer();
  BoardStream stream(address(), "/events", "zstd");
  const auto first = std::stoull(stream.Next("board").id);
  while (std::stoull(stream.Next("board").id) < first + 5) {
  }
}

TEST_F(BoardServerTest, HasNoTestHooksUnlessAsked) {
  options_.test_hooks = false;
  StartServer();
  EXPECT_EQ(Merge(), 404u);
}

}  // namespace
}  // namespace rpcbench
