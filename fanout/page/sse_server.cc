// sse_server: the shared board for a person, as a page that updates live.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/signal_set.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "fanout/page/board_server.h"
#include "fanout/page/data_folder.h"
#include "measure/resources.h"
#include "process/duration_flag.h"
#include "process/program.h"
#include "server/target.h"

namespace rpcbench {
namespace {

// How long the streams of a server that ends take to come back to the next one, one by one.
constexpr std::chrono::milliseconds kSpread{2000};

struct Flags {
  std::string listen = "127.0.0.1:8080";
  std::string listen_tls = "127.0.0.1:8443";
  std::string data;
  std::string synchronous = "full";
  std::string epoch = "30s";
  std::string rotation = "300s";
  std::string tick = "50ms";
  int producers = 200;
  double rate = 20;
  std::size_t streams_max = 0;
  bool json = false;
  bool test_hooks = false;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--listen", flags.listen, "HTTP: HOST:PORT; port 0 takes a free one")
      ->capture_default_str();
  app.add_option(
         "--listen-tls", flags.listen_tls,
         "HTTPS, with a certificate made at start: browsers offer zstd only there, and to this "
         "machine itself; \"none\" for HTTP alone")
      ->capture_default_str();
  app.add_option("--data", flags.data,
                 "Folder of the database, made if it is not there; default: a temporary one");
  app.add_option("--synchronous", flags.synchronous,
                 "full: a command that was answered outlives a loss of power; normal: the end of "
                 "the process")
      ->check(CLI::IsMember({"full", "normal"}))
      ->capture_default_str();
  app.add_option("--producers", flags.producers, "Who send the simulated commands")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--rate", flags.rate,
                 "Simulated commands a second, together; 0: only people's clicks")
      ->check(CLI::Range(0.0, 100'000.0))
      ->capture_default_str();
  app.add_option("--tick", flags.tick, "How often what was committed is shown")
      ->capture_default_str();
  app.add_option("--epoch", flags.epoch, "How often all cohorts of zstd are merged into one")
      ->capture_default_str();
  app.add_option("--rotation", flags.rotation, "How long a connection in brotli lives")
      ->capture_default_str();
  app.add_option("--streams-max", flags.streams_max,
                 "More are refused; 0: what the descriptors allow")
      ->capture_default_str();
  app.add_flag("--json", flags.json, "Print the addresses as one line of JSON");
  app.add_flag("--test-hooks", flags.test_hooks, "POST /admin/merge forces a merge");
}

std::chrono::nanoseconds Positive(const char* flag, const std::string& text) {
  const auto value = ParseDuration(text);
  if (value <= std::chrono::nanoseconds(0))
    throw Error(fmt::format("{} {}: give more than 0", flag, text));
  return value;
}

// But for the database's file. Throws Error if the flags ask for nonsense.
BoardServerOptions Options(const Flags& flags) {
  BoardServerOptions options;
  options.http.listen = ParseAddress(flags.listen);
  if (flags.listen_tls != "none") options.http.listen_tls = ParseAddress(flags.listen_tls);
  options.http.max_streams = flags.streams_max;
  options.topic.epoch = Positive("--epoch", flags.epoch);
  options.topic.rotation = Positive("--rotation", flags.rotation);
  options.store.synchronous =
      flags.synchronous == "normal" ? Synchronous::kNormal : Synchronous::kFull;
  options.tick = Positive("--tick", flags.tick);
  options.producers = flags.producers;
  options.rate = flags.rate;
  options.test_hooks = flags.test_hooks;
  return options;
}

void Announce(const BoardServer& server, const Flags& flags, const std::filesystem::path& data) {
  const std::string http = "http://" + ToString(server.address());
  std::string https;
  if (const auto tls = server.tls_address()) https = "https://" + ToString(*tls);
  if (flags.json) {
    nlohmann::json line{{"http", http}, {"pid", getpid()}, {"data", data.string()}};
    if (!https.empty()) line["https"] = https;
    std::cout << line.dump() << std::endl;
    return;
  }
  std::cout << "board: " << http << "\n";
  if (!https.empty()) {
    std::cout << "       " << https
              << "  (its certificate was made just now, so the browser asks)\n";
  }
  std::cout << "data:  " << data.string() << (flags.data.empty() ? " (removed at the end)" : "")
            << std::endl;
}

void Serve(const Flags& flags, BoardServerOptions options) {
  RaiseDescriptorLimit();
  const DataFolder data(flags.data);
  options.store.file = data.path() / "board.sqlite";
  boost::asio::io_context loop(1);
  BoardServer server(loop, options);
  boost::asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    // The second one ends it at once.
    signals.async_wait([&loop](const boost::system::error_code& again, int) {
      if (!again) loop.stop();
    });
    server.Drain(kSpread, [&loop] { loop.stop(); });
  });
  server.Start();
  Announce(server, flags, data.path());
  loop.run();
}

int Main(int argc, char** argv) {
  Flags flags;
  BoardServerOptions options;
  CLI::App app("Serves a board of 200 cards as a page that updates live, until SIGTERM or Ctrl-C.");
  Declare(app, flags);
  const auto read = [&] {
    app.parse(argc, argv);
    options = Options(flags);
    return true;
  };
  const auto run = [&] {
    Serve(flags, options);
    return 0;
  };
  return RunProgram(app, {"sse_server", read, run});
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
