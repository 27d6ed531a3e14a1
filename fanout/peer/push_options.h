// What a push server, its streams and its publisher are to be.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

#include "fanout/load/load_process.h"
#include "fanout/peer/push_server.h"
#include "measure/resources.h"

namespace rpcbench {

struct PushOptions {
  std::string peer = "sse";  // or nchan
  std::size_t streams = 200;
  double rate = 20;                // events a second
  std::size_t event_bytes = 1400;  // of an event's data
  CpuSplit cpus;                   // empty: nobody is pinned
  std::chrono::nanoseconds warm_up = std::chrono::seconds(1);
  std::filesystem::path sse_load;    // empty: beside this program
  std::filesystem::path sse_events;  // empty: beside this program
};

PushServerOptions ServerOptionsOf(const PushOptions& options);

// Plain streams that are open before anything was published.
StreamLoadOptions LoadOptionsOf(const PushOptions& options, const PushServer& server);

}  // namespace rpcbench
