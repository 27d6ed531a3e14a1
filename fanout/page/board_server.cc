#include "fanout/page/board_server.h"

#include <numeric>

#include "fanout/sse/event.h"
#include "fanout/sse/stream_group.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

constexpr std::uint64_t kSeed = 1;  // of titles and words: the same board for everyone
constexpr std::chrono::seconds kDrainPatience{5};

// Ids have to go on increasing over restarts, or a client would believe that it is ahead. Every
// event has at least one command that the one before had not, so the number of commands that were
// ever committed is never below the last id that was sent: nothing needs to be stored.
std::uint64_t FirstVersion(const std::vector<std::int64_t>& counts) {
  return static_cast<std::uint64_t>(
             std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) +
         1;
}

}  // namespace

BoardServer::BoardServer(boost::asio::io_context& loop, const BoardServerOptions& options)
    : loop_(loop),
      options_(options),
      store_(options.store),
      board_(kSeed, options.store.cards),
      counts_(store_.Counts()),
      topic_(options.topic),
      site_(topic_,
            {options.store.cards,
             [this](const Command& command, auto settle) { Submit(command, std::move(settle)); },
             options.test_hooks ? std::function<void()>([this] { topic_.Merge(); }) : nullptr}),
      second_(loop),
      patience_(loop) {
  for (int card = 0; card < board_.cards(); ++card)
    board_.Set(card, counts_[static_cast<std::size_t>(card)]);
  server_ = std::make_unique<SseServer>(loop, options.http, site_);
  group_ = server_->MakeGroup();
  site_.UseGroup(*group_);
  ticks_ = std::make_unique<TickLoop>(loop, board_, committed_, topic_,
                                      TickOptions{options.tick, FirstVersion(counts_)},
                                      [this] { server_->Kick(*group_); });
  WriterOptions writer;
  writer.cards = board_.cards();
  writer_ = std::make_unique<Writer>(
      [this](std::span<const Command> commands) {
        Status status = store_.Apply(commands);
        if (status.ok()) {
          for (const Command& command : commands) ++counts_[static_cast<std::size_t>(command.card)];
        }
        return status;
      },
      committed_, writer);
  if (options.rate <= 0) return;
  ProducerOptions load;
  load.producers = options.producers;
  load.rate = options.rate;
  load.cards = board_.cards();
  // Another run is to click on other cards.
  load.seed = FirstVersion(counts_);
  producers_ = std::make_unique<Producers>(load, [this](const Command& command, Settle settle) {
    writer_->Submit(command, std::move(settle));
  });
}

BoardServer::~BoardServer() {
  if (producers_) producers_->Stop();
  writer_->Stop();  // settles what is queued: nothing calls the site's answers after this
  producers_.reset();
  ticks_.reset();
  server_.reset();
  group_.reset();
}

void BoardServer::Start() {
  ticks_->Start();
  if (producers_) producers_->Start();
  ArmSecond();
}

void BoardServer::ArmSecond() {
  second_.expires_after(std::chrono::seconds(1));
  second_.async_wait([this](const boost::system::error_code& error) {
    if (!error) OnSecond();
  });
}

void BoardServer::OnSecond() {
  PanelTotals totals;
  totals.topic = topic_.counts();
  totals.server = server_->counts();
  totals.streams = site_.streams();
  totals.ticks = ticks_->counts().ticks;
  const WriterCounts written = writer_->counts();
  totals.commands = written.committed;
  totals.failed = written.failed;
  const ProcessUsage usage = UsageNow();
  totals.cpu = usage.user + usage.system;
  panel_.Sample(Panel::Clock::now(), totals);

  // One stream carries both, because HTTP/1.1 has six connections for a page at most. The board
  // comes with it, so that this event too is the whole newest state.
  event_.clear();
  AppendEvent({std::nullopt, "panel", panel_.json()}, event_);
  event_ += ticks_->event();
  topic_.Publish(event_);
  server_->Kick(*group_);
  ArmSecond();
}

void BoardServer::Submit(const Command& command,
                         std::function<void(const Status&, std::int64_t count)> settle) {
  writer_->Submit(command,
                  [this, card = command.card, settle = std::move(settle)](const Status& status) {
                    // A refusal comes on the caller's thread, where the counts may not be read.
                    settle(status, status.ok() ? counts_[static_cast<std::size_t>(card)] : 0);
                  });
}

void BoardServer::Drain(std::chrono::milliseconds spread, std::function<void()> done) {
  if (producers_) producers_->Stop();
  ticks_->Stop();
  second_.cancel();
  const auto once = std::make_shared<std::function<void()>>(std::move(done));
  const auto finish = [this, once] {
    patience_.cancel();
    if (*once) std::exchange(*once, nullptr)();
  };
  patience_.expires_after(kDrainPatience);
  patience_.async_wait([finish](const boost::system::error_code& error) {
    if (!error) finish();
  });
  server_->Drain(spread, finish);
}

}  // namespace rpcbench
