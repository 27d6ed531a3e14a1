#include <fmt/format.h>

#include "echo/error.h"
#include "fanout/board/board_site.h"
#include "fanout/board/watchers.h"
#include "fanout/load/hash.h"
#include "fanout/load/load_process.h"
#include "fanout/sse/server.h"

namespace rpcbench {
namespace {

constexpr auto kOpenDeadline = std::chrono::seconds(60);

// Sentences about what the streams saw and should not have.
void FindProblems(const StreamLoadReport& report, std::size_t streams,
                  std::vector<std::string>& problems) {
  const auto none = [&](std::uint64_t seen, const char* what) {
    if (seen > 0) problems.push_back(fmt::format("the streams saw {} {}", seen, what));
  };
  none(report.mismatches, "chunks that do not decode to what was published");
  none(report.gaps, "gaps");
  none(report.disorder, "events out of order");
  none(report.resets, "resets");
  none(report.closed, "ends of streams that nobody asked for");
  none(report.reconnects, "reconnects");
  if (report.open != streams) {
    problems.push_back(fmt::format("{} streams are open, not {}", report.open, streams));
  }
}

class WireWatchers final : public Watchers {
 public:
  explicit WireWatchers(const WatcherParts& parts)
      : parts_(parts),
        site_(parts.topic, parts.board_case.codec, parts.board_case.cohort),
        streams_(static_cast<std::size_t>(parts.board_case.streams)) {
    parts_.thread.Do([this] {
      server_ = std::make_unique<SseServer>(parts_.thread.loop(), SseServerOptions{}, site_);
      group_ = server_->MakeGroup();
      site_.Join(*group_);
    });
  }

  ~WireWatchers() override {
    load_.reset();
    // The streams are gone with their server, and only then their group.
    const auto close = [this] {
      server_.reset();
      group_.reset();
    };
    try {
      parts_.thread.Do(close);
    } catch (const std::exception&) {
      close();  // a handler's error has ended the loop: nobody else is on that thread
    }
  }

  void Kick() override { server_->Kick(*group_); }

  WatcherCounts Counts() const override {
    const SseServerCounts counts = server_->counts();
    return {.bytes = counts.bytes_sent,
            .events = std::nullopt,
            .write_cpu = counts.write_cpu,
            .has_write_cpu = true};
  }

  std::chrono::duration<double> Open() override {
    StreamLoadOptions options;
    options.connect = server_->address();
    options.path = BoardSite::kPath;
    options.streams = streams_;
    options.accept_encoding = TokenOf(parts_.board_case.codec);
    options.cpus = parts_.options.client_cpus;
    options.deadline = kOpenDeadline;
    load_ = std::make_unique<LoadProcess>(options, parts_.options.sse_load);
    return load_->AwaitOpen().time;
  }

  void Mark() override { load_->Mark(); }
  std::optional<StreamLoadReport> Report() override { return load_->Report(); }

  WatcherCheck Check(const LastEvent& last) override {
    const std::string id = fmt::format("{}", last.version);
    const std::uint64_t hash = HashOf(last.html);
    load_->Settle(id);
    const StreamLoadReport report = load_->Report();
    WatcherCheck check{.decoded_streams = report.decoded_streams,
                       .compared_streams = report.compared_streams,
                       .problems = {}};
    FindProblems(report, streams_, check.problems);
    std::size_t right = 0;
    for (const ShownState& shown : report.state) {
      if (shown.id == id && shown.hash == hash) right += shown.streams;
    }
    if (right != streams_) {
      check.problems.push_back(fmt::format(
          "the last frame of {} of {} streams is what the database holds", right, streams_));
    }
    return check;
  }

 private:
  const WatcherParts parts_;
  BoardSite site_;
  const std::size_t streams_;
  std::unique_ptr<SseServer> server_;  // made, used and destroyed on the loop's thread
  std::unique_ptr<StreamGroup> group_;
  std::unique_ptr<LoadProcess> load_;
};

}  // namespace

std::unique_ptr<Watchers> MakeWireWatchers(const WatcherParts& parts) {
  return std::make_unique<WireWatchers>(parts);
}

}  // namespace rpcbench
