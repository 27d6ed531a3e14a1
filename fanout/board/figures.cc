#include "fanout/board/figures.h"

#include <fmt/format.h>

namespace rpcbench {
namespace {

// Less than this of a core that others took is not worth a word.
constexpr double kQuietCores = 0.05;

using Seconds = std::chrono::duration<double>;
using Milliseconds = std::chrono::duration<double, std::milli>;

double Share(Seconds part, Seconds whole) {
  return whole.count() > 0 ? part / whole : 0;
}

double Ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

// The window's part of a counter.
template <class Counts, class Number>
Number Delta(const Counts& begin, const Counts& end, Number Counts::*member) {
  return end.*member - begin.*member;
}

struct Window {
  explicit Window(const BoardFigures& figures)
      : begin(figures.begin),
        end(figures.end),
        length(end.at - begin.at),
        cpu((end.usage.user + end.usage.system) - (begin.usage.user + begin.usage.system)),
        ticks(Delta(begin.ticks, end.ticks, &TickCounts::ticks)),
        delivered(Delta(begin.topic.ledger, end.topic.ledger, &Ledger::delivered)),
        coalesced(Delta(begin.topic.ledger, end.topic.ledger, &Ledger::coalesced)),
        evicted(Delta(begin.topic.ledger, end.topic.ledger, &Ledger::evicted)),
        dropped(Delta(begin.topic.ledger, end.topic.ledger, &Ledger::dropped)) {}

  // What the loop's thread spent in handing frames over, encoders and canaries apart.
  Seconds write_cpu() const {
    if (end.watchers.has_write_cpu)
      return Delta(begin.watchers, end.watchers, &WatcherCounts::write_cpu);
    return Delta(begin.ticks, end.ticks, &TickCounts::publish_cpu) -
           Delta(begin.topic, end.topic, &TopicCounts::encode_cpu) -
           Delta(begin.topic, end.topic, &TopicCounts::canary_cpu);
  }

  const WindowEdge& begin;
  const WindowEdge& end;
  const Seconds length;
  const Seconds cpu;
  const std::uint64_t ticks, delivered, coalesced, evicted, dropped;
};

// Cores that the host took for other guests.
double StolenCores(const Window& window) {
  return Seconds(window.end.machine.stolen - window.begin.machine.stolen) / window.length;
}

void AddCpu(const Window& window, Counters& counters) {
  const Seconds encode = Delta(window.begin.topic, window.end.topic, &TopicCounts::encode_cpu);
  const Seconds canary = Delta(window.begin.topic, window.end.topic, &TopicCounts::canary_cpu);
  const Seconds render = Delta(window.begin.ticks, window.end.ticks, &TickCounts::render_cpu);
  const Seconds commit = Delta(window.begin.writer, window.end.writer, &WriterCounts::commit_cpu);
  counters["cores"] = window.cpu / window.length;
  counters["encode_cores"] = encode / window.length;
  counters["stolen_cores"] = StolenCores(window);
  counters["cpu_render"] = Share(render, window.cpu);
  counters["cpu_encode"] = Share(encode, window.cpu);
  counters["cpu_canary"] = Share(canary, window.cpu);
  counters["cpu_write"] = Share(window.write_cpu(), window.cpu);
  counters["cpu_commit"] = Share(commit, window.cpu);
}

void AddTicks(const BoardFigures& figures, const Window& window, Counters& counters) {
  const auto ticks = static_cast<double>(window.ticks);
  counters["ticks_s"] = ticks / window.length.count();
  counters["tick_p50_ms"] = Milliseconds(figures.ticks.Percentile(0.50)).count();
  counters["tick_p99_ms"] = Milliseconds(figures.ticks.Percentile(0.99)).count();
  counters["tick_max_ms"] = Milliseconds(figures.ticks.Max()).count();
  counters["late_ticks"] =
      static_cast<double>(Delta(window.begin.ticks, window.end.ticks, &TickCounts::late));
  counters["renders_tick"] =
      Ratio(static_cast<double>(Delta(window.begin.ticks, window.end.ticks, &TickCounts::renders)),
            ticks);
}

void AddFrames(const BoardCase& board_case, const BoardFigures& figures, const Window& window,
               Counters& counters) {
  const auto delivered = static_cast<double>(window.delivered);
  const auto bytes =
      static_cast<double>(Delta(window.begin.watchers, window.end.watchers, &WatcherCounts::bytes));
  counters["frames_s"] = delivered / window.length.count();
  counters["dropped"] = static_cast<double>(window.dropped);
  counters["coalesced"] = static_cast<double>(window.coalesced);
  counters["evicted"] = static_cast<double>(window.evicted);
  counters["bytes_frame"] = Ratio(bytes, delivered);
  counters["heap_stream"] = static_cast<double>(window.end.topic.encoder_heap) / board_case.streams;
  counters["cohorts"] = static_cast<double>(window.end.topic.cohorts);
  counters["merges"] =
      static_cast<double>(Delta(window.begin.topic, window.end.topic, &TopicCounts::merges));
  counters["rss_mb"] = static_cast<double>(window.end.usage.rss_kb) / 1024;
  counters["connect_s"] = figures.opened.count();
  counters["decoded_streams"] = static_cast<double>(figures.check.decoded_streams);
  counters["compared_streams"] = static_cast<double>(figures.check.compared_streams);
  if (!board_case.wire) return;
  counters["server_us_frame"] = Ratio(window.cpu.count() * 1e6, delivered);
  if (figures.load && figures.load->elapsed.count() > 0) {
    counters["client_cores"] =
        Seconds(figures.load->user + figures.load->system) / figures.load->elapsed;
  }
}

void AddCommits(const BoardFigures& figures, const Window& window, Counters& counters) {
  const WriterCounts& begin = window.begin.writer;
  const WriterCounts& end = window.end.writer;
  const auto committed = static_cast<double>(Delta(begin, end, &WriterCounts::committed));
  counters["commands_s"] = committed / window.length.count();
  counters["commands_tx"] =
      Ratio(committed, static_cast<double>(Delta(begin, end, &WriterCounts::transactions)));
  counters["due_commit_p50_ms"] = Milliseconds(figures.due_to_commit.Percentile(0.50)).count();
  counters["due_commit_p99_ms"] = Milliseconds(figures.due_to_commit.Percentile(0.99)).count();
  counters["failed_commands"] = static_cast<double>(figures.producers.failed);
}

using Problems = std::vector<std::string>;

void CheckTicks(const BoardOptions& options, const BoardFigures& figures, const Window& window,
                Problems& problems) {
  if (window.ticks == 0) problems.emplace_back("no tick had anything to show");
  const auto renders = Delta(window.begin.ticks, window.end.ticks, &TickCounts::renders);
  if (renders != window.ticks) {
    problems.push_back(fmt::format("{} renders for {} ticks", renders, window.ticks));
  }
  if (figures.ticks.Max() > options.tick) {
    const double stolen = StolenCores(window);
    problems.push_back(fmt::format(
        "a tick took {:.1f} ms, more than {:.0f}{}", Milliseconds(figures.ticks.Max()).count(),
        Milliseconds(options.tick).count(),
        stolen < kQuietCores ? ""
                             : fmt::format("; the host took {:.2f} of a core meanwhile", stolen)));
  }
  if (figures.log_overflowed) problems.emplace_back("a log of times was full");
}

void CheckFramesOf(const BoardCase& board_case, const BoardFigures& figures, const Window& window,
                   Problems& problems) {
  const std::uint64_t lost = window.dropped + window.coalesced + window.evicted;
  if (lost > 0) {
    problems.push_back(fmt::format("frames were lost: {} dropped, {} coalesced, {} evicted",
                                   window.dropped, window.coalesced, window.evicted));
  }
  // What was on its way at the window's begin was delivered in it, and the other way round.
  const std::uint64_t expected = window.ticks * static_cast<std::uint64_t>(board_case.streams) -
                                 lost + window.begin.topic.pending - window.end.topic.pending;
  if (window.delivered != expected) {
    problems.push_back(fmt::format("{} frames were delivered, not {}: {} ticks to {} streams",
                                   window.delivered, expected, window.ticks, board_case.streams));
  }
  if (window.end.watchers.events && window.begin.watchers.events) {
    const std::uint64_t taken = *window.end.watchers.events - *window.begin.watchers.events;
    if (taken != window.delivered) {
      problems.push_back(fmt::format("the streams took {} frames, and the topic delivered {}",
                                     taken, window.delivered));
    }
  }
  if (!figures.last.ledger.Balances(figures.last.pending)) {
    const Ledger& ledger = figures.last.ledger;
    problems.push_back(fmt::format(
        "the ledger does not balance: {} offered, {} delivered, {} coalesced, {} dropped, {} "
        "evicted, {} pending",
        ledger.offered, ledger.delivered, ledger.coalesced, ledger.dropped, ledger.evicted,
        figures.last.pending));
  }
  if (figures.last.failures > 0) {
    problems.push_back(fmt::format("{} encoders failed", figures.last.failures));
  }
}

void CheckCommands(const BoardFigures& figures, Problems& problems) {
  const ProducerCounts& producers = figures.producers;
  if (producers.failed > 0) {
    problems.push_back(fmt::format("{} of {} commands failed, the first: {}", producers.failed,
                                   producers.submitted, producers.first_failure));
  }
  if (producers.pending() > 0) {
    problems.push_back(fmt::format("{} commands were never settled", producers.pending()));
  }
  if (figures.stored_commands != static_cast<std::int64_t>(producers.committed)) {
    problems.push_back(fmt::format("the database has {} commands, and {} were acknowledged",
                                   figures.stored_commands, producers.committed));
  }
  if (!figures.board_is_stored) {
    problems.emplace_back("the last frame is not what a fresh connection reads from the database");
  }
}

}  // namespace

Counters CountersOf(const BoardCase& board_case, const BoardFigures& figures) {
  const Window window(figures);
  Counters counters;
  AddCpu(window, counters);
  AddTicks(figures, window, counters);
  AddFrames(board_case, figures, window, counters);
  AddCommits(figures, window, counters);
  return counters;
}

std::vector<std::string> Violations(const BoardCase& board_case, const BoardOptions& options,
                                    const BoardFigures& figures) {
  const Window window(figures);
  Problems problems;
  CheckTicks(options, figures, window, problems);
  CheckFramesOf(board_case, figures, window, problems);
  CheckCommands(figures, problems);
  problems.insert(problems.end(), figures.check.problems.begin(), figures.check.problems.end());
  return problems;
}

}  // namespace rpcbench
