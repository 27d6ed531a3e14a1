// A server that passes on what is POSTed to it, to all streams: nchan, or ours.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "echo/client.h"
#include "fanout/peer/process_use.h"

namespace rpcbench {

// A process of its own, on a free port of loopback. Destruction ends and reaps it.
class PushServer {
 public:
  virtual ~PushServer() = default;

  virtual Address address() const = 0;
  virtual std::string events_path() const = 0;   // GET: a stream
  virtual std::string publish_path() const = 0;  // POST: the body is an event's data
  // All its processes together. Throws Error if one is gone.
  virtual ProcessUse Use() = 0;
};

struct PushServerOptions {
  std::vector<int> cpus;  // to run on; empty: anywhere
  // nchan: where nginx and its modules are. ours: sse_events, beside this program where empty.
  std::filesystem::path nginx = "/usr/sbin/nginx";
  std::filesystem::path nchan_module = "/usr/lib/nginx/modules/ngx_nchan_module.so";
  std::filesystem::path sse_events;
};

// Why nchan cannot be started, with the package that is missing; empty: it can.
std::string NchanMissing(const PushServerOptions& options);
// Both throw Error that says what went wrong, if it does not answer in 10 s.
std::unique_ptr<PushServer> StartNchan(const PushServerOptions& options);
std::unique_ptr<PushServer> StartSseEvents(const PushServerOptions& options);

// "nchan" or "sse". Throws Error for any other.
std::unique_ptr<PushServer> StartPushServer(const std::string& peer,
                                            const PushServerOptions& options);

}  // namespace rpcbench
