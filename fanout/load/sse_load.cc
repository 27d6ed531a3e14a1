// sse_load: many event streams from one thread, every byte of them checked. With a parent it speaks
// the exchange of protocol.h on standard input and output; for a person it prints a table.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "fanout/load/load_exchange.h"
#include "fanout/load/watch.h"
#include "fanout/peer/peer_watch.h"
#include "measure/resources.h"
#include "process/duration_flag.h"
#include "process/program.h"
#include "server/target.h"

namespace rpcbench {
namespace {

struct Flags {
  StreamLoadOptions load;
  std::string connect;
  std::string deadline = "60s";
  std::string late = "50ms";
  std::string cpus;
  double seconds = 0;
  bool open_with_headers = false;
  std::string peer;
  double rate = 20;
  std::size_t event_bytes = 1400;
};

void DeclareStreams(CLI::App& app, Flags& flags) {
  app.add_option("--connect", flags.connect, "HOST:PORT of the server, an IPv4 address");
  app.add_option("--path", flags.load.path, "What each stream asks for")->capture_default_str();
  app.add_option("--streams", flags.load.streams, "How many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--accept-encoding", flags.load.accept_encoding, "The coding to ask for")
      ->check(CLI::IsMember({"zstd", "br", "identity"}))
      ->capture_default_str();
  app.add_option("--connect-rate", flags.load.connect_rate,
                 "Streams a second at most; 0: all at once")
      ->capture_default_str();
  app.add_flag("--open-with-headers", flags.open_with_headers,
               "A stream is open with its headers, not only with its first event");
  app.add_option("--decode-share", flags.load.decode_share,
                 "Share of a core for streams decoded on their own; 20 are in any case, and the "
                 "rest is compared with them byte for byte")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--late", flags.late, "A timed event is late beyond")->capture_default_str();
}

void DeclareRun(CLI::App& app, Flags& flags) {
  app.add_option("--deadline", flags.deadline, "How long streams may take to open or to come back")
      ->capture_default_str();
  app.add_option("--cpus", flags.cpus, "Processors to run on, such as 0,2-3; default: all");
  app.add_option("--seconds", flags.seconds,
                 "Watch for so long and print a table, instead of commands on standard input; 10 "
                 "where that is a terminal")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--peer", flags.peer,
                 "Start this server, publish to it, and print what an event costs it")
      ->check(CLI::IsMember({"nchan", "sse"}));
  app.add_option("--rate", flags.rate, "With --peer: events a second")
      ->check(CLI::Range(0.1, 10'000.0))
      ->capture_default_str();
  app.add_option("--event-bytes", flags.event_bytes, "With --peer: bytes of an event's data")
      ->check(CLI::Range(64, 60'000))
      ->capture_default_str();
  app.footer("Exits with 0 if all went well, 1 if not, 2 for flags that make no sense.");
}

// Throws Error if the flags ask for nonsense.
void Check(Flags& flags) {
  flags.load.open_with_event = !flags.open_with_headers;
  flags.load.deadline = ParseDuration(flags.deadline);
  flags.load.late = ParseDuration(flags.late);
  if (!flags.cpus.empty()) flags.load.cpus = ParseCpus(flags.cpus);
  if (flags.load.path.empty() || flags.load.path[0] != '/' ||
      flags.load.path.find_first_of(" \r\n\t") != std::string::npos) {
    throw Error("--path \"" + flags.load.path +
                "\": give one that begins with / and has no blanks");
  }
  if (!flags.peer.empty() != flags.connect.empty()) {
    throw Error("give --connect HOST:PORT, or --peer, and not both");
  }
  if (flags.peer.empty()) flags.load.connect = ParseAddress(flags.connect);
}

// Speaks the exchange: what goes wrong is told on standard output.
bool Serve(const StreamLoadOptions& options) {
  try {
    LoadLoop loop(options);
    return LoadExchange(loop, options.deadline, STDIN_FILENO, STDOUT_FILENO).Run();
  } catch (const Error& error) {
    fmt::print("{}\n", nlohmann::json{{"error", error.what()}}.dump());
    return false;
  }
}

bool Run(const Flags& flags) {
  const bool person = flags.seconds > 0 || isatty(STDIN_FILENO) == 1;
  const auto window = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(flags.seconds > 0 ? flags.seconds : 10));
  if (!flags.peer.empty()) {
    PushOptions options;
    options.peer = flags.peer;
    options.streams = flags.load.streams;
    options.rate = flags.rate;
    options.event_bytes = flags.event_bytes;
    return WatchPeer(options, window);
  }
  PinTo(flags.load.cpus);
  return person ? WatchStreams(flags.load, window) : Serve(flags.load);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Opens many event streams, decodes or compares every byte of them, and counts.");
  DeclareStreams(app, flags);
  DeclareRun(app, flags);
  const auto read = [&] {
    app.parse(argc, argv);
    Check(flags);
    return true;
  };
  return RunProgram(app, {"sse_load", read, [&] { return Run(flags) ? 0 : 1; }});
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
