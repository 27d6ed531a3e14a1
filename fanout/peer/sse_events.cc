// sse_events: our counterpart to nginx with nchan, a process that passes on what is POSTed to it.
// Prints one line of JSON with its address, and serves until its standard input ends.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "fanout/peer/events_site.h"
#include "measure/resources.h"
#include "process/program.h"
#include "server/target.h"

namespace rpcbench {
namespace {

struct Flags {
  std::string listen = "127.0.0.1:0";
  std::string cpus;
};

// Stops the loop when the input ends, so that no server survives a killed parent.
class EndWithInput final {
 public:
  explicit EndWithInput(boost::asio::io_context& loop) : loop_(loop), input_(loop, dup(0)) {
    Read();
  }

 private:
  void Read() {
    input_.async_read_some(boost::asio::buffer(bytes_),
                           [this](const boost::system::error_code& error, std::size_t) {
                             if (error)
                               loop_.stop();
                             else
                               Read();
                           });
  }

  boost::asio::io_context& loop_;
  boost::asio::posix::stream_descriptor input_;
  std::array<char, 64> bytes_{};
};

void Serve(const Address& listen, const std::vector<int>& cpus) {
  PinTo(cpus);
  RaiseDescriptorLimit();
  boost::asio::io_context loop(1);
  EventsSite site;
  SseServer server(loop, {.listen = listen}, site);
  site.Serve(server);
  const nlohmann::json hello = {{"host", server.address().host},
                                {"port", server.address().port},
                                {"pid", getpid()},
                                {"cpus", AllowedCpus()}};
  fmt::print("{}\n", hello.dump());
  std::fflush(stdout);
  EndWithInput end(loop);
  loop.run();
}

int Main(int argc, char** argv) {
  Flags flags;
  Address listen;
  std::vector<int> cpus;
  CLI::App app(
      "Sends each body that is POSTed to /pub as an event to every stream of /events, until "
      "standard "
      "input ends. Made to be started by push and sse_load.");
  app.add_option("--listen", flags.listen,
                 "HOST:PORT; nothing listens beyond loopback unless asked")
      ->capture_default_str();
  app.add_option("--cpus", flags.cpus, "Processors to run on, such as 0,2-3; default: all");
  const auto read = [&] {
    app.parse(argc, argv);
    listen = ParseAddress(flags.listen);
    if (!flags.cpus.empty()) cpus = ParseCpus(flags.cpus);
    return true;
  };
  const auto run = [&] {
    Serve(listen, cpus);
    return 0;
  };
  return RunProgram(app, {"sse_events", read, run});
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
