// What a server says of itself between a mark and a report.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "echo/hold_meter.h"
#include "measure/allocations.h"
#include "measure/resources.h"
#include "measure/sockets.h"

namespace rpcbench {

struct ServerReport {
  std::chrono::nanoseconds elapsed{0};  // since the mark
  // Since the mark, but for rss_kb, peak_rss_kb and threads, which are as they are now. Absent
  // where client and server share a process.
  std::optional<ProcessUsage> usage;
  std::optional<AllocationCount> allocations;  // only after a mark that asked for them
  HoldReport held;
  SocketFacts sockets;  // as they are now
};

nlohmann::json ToJson(const ServerReport& report);
// Throws nlohmann::json::exception if a field is missing or of the wrong type.
ServerReport ServerReportFrom(const nlohmann::json& json);

}  // namespace rpcbench
