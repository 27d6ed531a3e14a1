// What a framework is to the suite: a name, what it can do, how to start a server and how to
// connect to it.
//
// A new framework is a folder frameworks/<name>/ with <name>.cc (header comment, the two
// conversions between Record and the wire type, a server, a client, one function that returns the
// Frameworks) and a CMakeLists.txt with one add_framework call, and one line each in
// frameworks/CMakeLists.txt and all.cc. CONTRIBUTING.md has the recipe.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "echo/client.h"
#include "echo/hold_meter.h"
#include "echo/record.h"
#include "echo/server.h"

namespace rpcbench {

// How many calls a connection carries at once, and whether a later reply may overtake an earlier
// one.
enum class Carries { kOne, kInOrder, kMany };

struct Traits {
  std::string transport;  // "tcp", "http2", "http1", "ws", "memory"
  std::string codec;      // "raw", "protobuf", "json", "capnp", "binary", "compact", "none"
  Carries carries = Carries::kMany;
  NanRule nan_rule = NanRule::kSameBits;
  bool in_process = false;    // has no server process and no socket
  bool native_timer = false;  // honours DelaySource::kNative
};

struct Framework {
  std::string name;     // framework_transport_codec: the same in flags, CSV, legends and test names
  std::string label;    // for people
  std::string version;  // of the library, as its headers or the running library say
  std::string settings;  // what was chosen and why, in a line
  Traits traits;

  // Starts a server. `meter` outlives it. Throws Error.
  std::function<std::unique_ptr<EchoServer>(const ServerOptions& options, HoldMeter& meter)>
      start_server;

  // Opens options.connections TCP connections to `address`, spread over options.threads threads
  // that the clients share, each established when this returns. `sink` outlives the clients. Throws
  // Error if one cannot be established within options.connect_timeout.
  std::function<EchoClients(const Address& address, const ClientOptions& options, ReplySink& sink)>
      connect;
};

// A framework that this build lacks, and why.
struct NotBuilt {
  std::string name;
  std::string reason;
};

}  // namespace rpcbench
