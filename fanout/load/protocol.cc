#include "fanout/load/protocol.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

using nlohmann::json;

std::string Milliseconds(std::chrono::nanoseconds time) {
  return fmt::format("{}ms", std::chrono::duration<double, std::milli>(time).count());
}

// Both directions go through this one list of fields. `Report` is const where they are written.
template <class Report, class Visit>
void VisitNumbers(Report& report, Visit visit) {
  visit("events", report.events);
  visit("events_least", report.events_least);
  visit("events_most", report.events_most);
  visit("bytes", report.bytes);
  visit("mismatches", report.mismatches);
  visit("gaps", report.gaps);
  visit("disorder", report.disorder);
  visit("branches", report.branches);
  visit("resets", report.resets);
  visit("heartbeats", report.heartbeats);
  visit("reconnects", report.reconnects);
  visit("closed", report.closed);
  visit("timed_events", report.timed_events);
  visit("late_events", report.late_events);
  visit("latency_p50_ms", report.latency_p50_ms);
  visit("latency_p99_ms", report.latency_p99_ms);
  visit("latency_max_ms", report.latency_max_ms);
  visit("open", report.open);
  visit("decoded_streams", report.decoded_streams);
  visit("compared_streams", report.compared_streams);
  visit("sequences", report.sequences);
  visit("rss_kb", report.rss_kb);
}

StreamLoadReport ReportFrom(const json& from) {
  StreamLoadReport report;
  VisitNumbers(report, [&](const char* key, auto& value) { from.at(key).get_to(value); });
  report.elapsed = std::chrono::nanoseconds(from.at("elapsed_ns").get<std::int64_t>());
  report.user = std::chrono::microseconds(from.at("user_us").get<std::int64_t>());
  report.system = std::chrono::microseconds(from.at("system_us").get<std::int64_t>());
  for (const json& shown : from.at("state")) {
    report.state.push_back({shown.at("id").get<std::string>(),
                            shown.at("hash").get<std::uint64_t>(),
                            shown.at("streams").get<std::size_t>()});
  }
  return report;
}

}  // namespace

std::vector<std::string> ArgumentsOf(const StreamLoadOptions& options) {
  std::vector<std::string> arguments = {"--connect",
                                        ToString(options.connect),
                                        "--path",
                                        options.path,
                                        "--streams",
                                        std::to_string(options.streams),
                                        "--accept-encoding",
                                        options.accept_encoding,
                                        "--connect-rate",
                                        std::to_string(options.connect_rate),
                                        "--decode-share",
                                        fmt::format("{}", options.decode_share),
                                        "--deadline",
                                        Milliseconds(options.deadline),
                                        "--late",
                                        Milliseconds(options.late)};
  if (!options.open_with_event) arguments.emplace_back("--open-with-headers");
  if (!options.cpus.empty()) {
    arguments.insert(arguments.end(), {"--cpus", ToString(options.cpus)});
  }
  return arguments;
}

std::string ToLine(const StreamLoadReport& report) {
  json out = {{"elapsed_ns", report.elapsed.count()},
              {"user_us", report.user.count()},
              {"system_us", report.system.count()},
              {"state", json::array()}};
  VisitNumbers(report, [&](const char* key, const auto& value) { out[key] = value; });
  for (const ShownState& shown : report.state) {
    out["state"].push_back({{"id", shown.id}, {"hash", shown.hash}, {"streams", shown.streams}});
  }
  // An id may hold any bytes that a server sends; what is no UTF-8 must not end the exchange.
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

StreamLoadReport ParseStreamLoadReport(const std::string& line) {
  try {
    return ReportFrom(json::parse(line));
  } catch (const json::exception& error) {
    throw Error("sse_load's report lacks something: " + line + " (" + error.what() + ")");
  }
}

}  // namespace rpcbench
