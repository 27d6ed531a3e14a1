#include "server/report.h"

#include <nlohmann/json.hpp>

namespace rpcbench {
namespace {

using nlohmann::json;

json ToJson(const ProcessUsage& usage) {
  return {{"user_us", usage.user.count()},
          {"system_us", usage.system.count()},
          {"voluntary_switches", usage.voluntary_switches},
          {"involuntary_switches", usage.involuntary_switches},
          {"rss_kb", usage.rss_kb},
          {"peak_rss_kb", usage.peak_rss_kb},
          {"threads", usage.threads}};
}

ProcessUsage UsageFrom(const json& from) {
  ProcessUsage usage;
  usage.user = std::chrono::microseconds(from.at("user_us").get<std::int64_t>());
  usage.system = std::chrono::microseconds(from.at("system_us").get<std::int64_t>());
  from.at("voluntary_switches").get_to(usage.voluntary_switches);
  from.at("involuntary_switches").get_to(usage.involuntary_switches);
  from.at("rss_kb").get_to(usage.rss_kb);
  from.at("peak_rss_kb").get_to(usage.peak_rss_kb);
  from.at("threads").get_to(usage.threads);
  return usage;
}

json ToJson(const HoldReport& held) {
  return {{"calls", held.calls},          {"least_ns", held.least.count()},
          {"p50_ns", held.p50.count()},   {"p99_ns", held.p99.count()},
          {"most_ns", held.most.count()}, {"peak_in_flight", held.peak_in_flight}};
}

HoldReport HeldFrom(const json& from) {
  const auto ns = [&](const char* key) {
    return std::chrono::nanoseconds(from.at(key).get<std::int64_t>());
  };
  HoldReport held;
  from.at("calls").get_to(held.calls);
  from.at("peak_in_flight").get_to(held.peak_in_flight);
  held.least = ns("least_ns");
  held.p50 = ns("p50_ns");
  held.p99 = ns("p99_ns");
  held.most = ns("most_ns");
  return held;
}

json ToJson(const SocketFacts& sockets) {
  return {
      {"established", sockets.established},     {"without_nodelay", sockets.without_nodelay},
      {"bytes_sent", sockets.bytes_sent},       {"bytes_received", sockets.bytes_received},
      {"segments_sent", sockets.segments_sent}, {"segments_received", sockets.segments_received}};
}

SocketFacts SocketsFrom(const json& from) {
  SocketFacts sockets;
  from.at("established").get_to(sockets.established);
  from.at("without_nodelay").get_to(sockets.without_nodelay);
  from.at("bytes_sent").get_to(sockets.bytes_sent);
  from.at("bytes_received").get_to(sockets.bytes_received);
  from.at("segments_sent").get_to(sockets.segments_sent);
  from.at("segments_received").get_to(sockets.segments_received);
  return sockets;
}

}  // namespace

json ToJson(const ServerReport& report) {
  json out = {{"elapsed_ns", report.elapsed.count()},
              {"held", ToJson(report.held)},
              {"sockets", ToJson(report.sockets)}};
  if (report.usage) out["usage"] = ToJson(*report.usage);
  if (report.allocations) {
    out["allocations"] = {{"count", report.allocations->allocations},
                          {"bytes", report.allocations->bytes}};
  }
  return out;
}

ServerReport ServerReportFrom(const json& from) {
  ServerReport report;
  report.elapsed = std::chrono::nanoseconds(from.at("elapsed_ns").get<std::int64_t>());
  report.held = HeldFrom(from.at("held"));
  report.sockets = SocketsFrom(from.at("sockets"));
  if (from.contains("usage")) report.usage = UsageFrom(from.at("usage"));
  if (from.contains("allocations")) {
    const json& counted = from.at("allocations");
    report.allocations = {counted.at("count").get<std::uint64_t>(),
                          counted.at("bytes").get<std::uint64_t>()};
  }
  return report;
}

}  // namespace rpcbench
