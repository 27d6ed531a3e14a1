#include "fanout/load/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpcbench {
namespace {

constexpr std::size_t kShownStates = 3;

std::string Line(const char* name, const std::string& value) {
  return fmt::format("{:<12}{}\n", name, value);
}

std::string States(const StreamLoadReport& report) {
  std::string lines;
  const std::size_t shown = std::min(report.state.size(), kShownStates);
  for (std::size_t i = 0; i < shown; ++i) {
    const ShownState& state = report.state[i];
    lines += Line(i == 0 ? "now at" : "",
                  fmt::format("event {} on {} streams",
                              state.id.empty() ? "(none)" : "\"" + state.id + "\"", state.streams));
  }
  if (report.state.size() > shown) {
    lines += Line("", fmt::format("and {} other states", report.state.size() - shown));
  }
  return lines;
}

}  // namespace

std::string TableOf(const StreamLoadReport& report) {
  const double seconds = std::max(1e-9, std::chrono::duration<double>(report.elapsed).count());
  const auto rate = [&](std::uint64_t count) { return static_cast<double>(count) / seconds; };
  const std::chrono::duration<double> cpu = report.user + report.system;
  std::string table;
  table += Line("streams", fmt::format("{} open: {} decoded on their own, {} compared byte for "
                                       "byte with {} distinct bodies",
                                       report.open, report.decoded_streams, report.compared_streams,
                                       report.sequences));
  table += Line("events",
                fmt::format("{} in {:.2f} s: {:.0f} a second, {} to {} a stream", report.events,
                            seconds, rate(report.events), report.events_least, report.events_most));
  table += Line("bytes",
                fmt::format("{:.0f} a second, {:.0f} an event", rate(report.bytes),
                            static_cast<double>(report.bytes) /
                                static_cast<double>(std::max<std::uint64_t>(1, report.events))));
  table +=
      Line("wrong", fmt::format("{} mismatches, {} gaps, {} out of order, {} resets",
                                report.mismatches, report.gaps, report.disorder, report.resets));
  table +=
      Line("connections", fmt::format("{} lost, {} made again", report.closed, report.reconnects));
  if (report.timed_events > 0) {
    table += Line("latency", fmt::format("p50 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms; {} late",
                                         report.latency_p50_ms, report.latency_p99_ms,
                                         report.latency_max_ms, report.late_events));
  }
  table += Line("this side",
                fmt::format("{:.2f} cores, {} MB", cpu.count() / seconds, report.rss_kb / 1024));
  return table + States(report);
}

}  // namespace rpcbench
