#include "frameworks/all.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "echo/error.h"
#include "frameworks/not_built.h"

namespace rpcbench {

// Each folder's one function.
std::vector<Framework> DirectFrameworks();
std::vector<Framework> AsioFrameworks();
std::vector<Framework> GrpcFrameworks();
std::vector<Framework> CapnpFrameworks();
std::vector<Framework> ThriftFrameworks();
std::vector<Framework> BeastFrameworks();

namespace {

void Append(std::vector<Framework>& all, std::vector<Framework> some) {
  std::move(some.begin(), some.end(), std::back_inserter(all));
}

}  // namespace

std::vector<Framework> AllFrameworks() {
  std::vector<Framework> all;
  Append(all, DirectFrameworks());
#ifdef RPCBENCH_WITH_ASIO
  Append(all, AsioFrameworks());
#endif
#ifdef RPCBENCH_WITH_GRPC
  Append(all, GrpcFrameworks());
#endif
#ifdef RPCBENCH_WITH_CAPNP
  Append(all, CapnpFrameworks());
#endif
#ifdef RPCBENCH_WITH_THRIFT
  Append(all, ThriftFrameworks());
#endif
#ifdef RPCBENCH_WITH_BEAST
  Append(all, BeastFrameworks());
#endif
  return all;
}

std::vector<NotBuilt> FrameworksNotBuilt() {
  return NotBuiltRows();
}

void PrintFrameworks() {
  for (const Framework& framework : AllFrameworks()) {
    fmt::print("{}\n    {}, {}\n    {}\n", framework.name, framework.label, framework.version,
               framework.settings);
  }
  for (const NotBuilt& missing : FrameworksNotBuilt()) {
    fmt::print("{}\n    not built: {}\n", missing.name, missing.reason);
  }
}

const Framework& FindFramework(const std::vector<Framework>& all, const std::string& name) {
  std::string names;
  for (const Framework& framework : all) {
    if (framework.name == name) return framework;
    names += (names.empty() ? "" : ", ") + framework.name;
  }
  throw Error("unknown framework \"" + name + "\"; there are: " + names);
}

}  // namespace rpcbench
