#include "fanout/peer/push_server.h"

#include <fmt/format.h>

#include "echo/error.h"

namespace rpcbench {

std::string NchanMissing(const PushServerOptions& options) {
  if (!std::filesystem::exists(options.nginx)) {
    return options.nginx.string() + " is not there (package nginx-light)";
  }
  if (!std::filesystem::exists(options.nchan_module)) {
    return options.nchan_module.string() + " is not there (package libnginx-mod-nchan)";
  }
  return "";
}

std::unique_ptr<PushServer> StartPushServer(const std::string& peer,
                                            const PushServerOptions& options) {
  if (peer == "nchan") return StartNchan(options);
  if (peer == "sse") return StartSseEvents(options);
  throw Error(fmt::format("no such server: {}; there are nchan and sse", peer));
}

}  // namespace rpcbench
