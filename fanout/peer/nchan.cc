// nginx with the nchan module, as a child.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "echo/error.h"
#include "fanout/peer/http_caller.h"
#include "fanout/peer/nchan_config.h"
#include "fanout/peer/push_server.h"
#include "measure/resources.h"
#include "process/child.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(10);

// nginx cannot be asked for any free port. One that was free a moment ago mostly still is.
std::uint16_t FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  auto* const address = reinterpret_cast<sockaddr*>(&name);
  const bool bound =
      fd >= 0 && bind(fd, address, sizeof name) == 0 && getsockname(fd, address, &size) == 0;
  if (fd >= 0) close(fd);
  if (!bound) throw Error(std::string("no free port for nginx: ") + std::strerror(errno));
  return ntohs(name.sin_port);
}

// A folder for everything that nginx writes, removed with all in it.
class TemporaryFolder final {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "rpcbench-nchan-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      throw Error("cannot make a folder like " + path + ": " + std::strerror(errno));
    }
    path_ = path;
    // Started by root, nginx gives its worker another user, who has to get in.
    chmod(path.c_str(), 0755);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string WriteConfig(const PushServerOptions& options, const std::filesystem::path& folder,
                        std::uint16_t port) {
  const auto path = folder / "nginx.conf";
  std::ofstream(path) << NchanConfig(options.nchan_module, folder, port, options.cpus);
  return path.string();
}

class Nchan final : public PushServer {
 public:
  explicit Nchan(const PushServerOptions& options)
      : address_{"127.0.0.1", FreePort()},
        // If this process is killed, so is nginx: nothing else would tell it.
        nginx_("/usr/bin/setpriv",
               {"--pdeathsig", "TERM", options.nginx.string(), "-p", folder_.path().string(), "-e",
                (folder_.path() / "error.log").string(), "-c",
                WriteConfig(options, folder_.path(), address_.port)}) {
    try {
      AwaitAnswer();
      for (const pid_t worker : ChildrenOf(nginx_.pid())) {
        if (options.cpus.empty() || CpusOf(worker) == options.cpus) continue;
        throw Error(fmt::format("nginx runs on processors {}, not on {}", ToString(CpusOf(worker)),
                                ToString(options.cpus)));
      }
    } catch (...) {
      kill(nginx_.pid(), SIGTERM);
      throw;
    }
  }

  // The master ends its worker and then itself; the child's destructor waits for it.
  ~Nchan() override { kill(nginx_.pid(), SIGTERM); }

  Address address() const override { return address_; }
  std::string events_path() const override { return "/events"; }
  std::string publish_path() const override { return "/pub"; }

  ProcessUse Use() override {
    ProcessUse use = UseOf(nginx_.pid());
    for (const pid_t worker : ChildrenOf(nginx_.pid())) use += UseOf(worker);
    return use;
  }

 private:
  // The channel does not exist yet, so a GET of the publisher's location is answered with 404.
  void AwaitAnswer() {
    const auto deadline = Clock::now() + kPatience;
    for (;;) {
      try {
        nginx_.CheckAlive();
        HttpCaller(address_, kPatience).Get(publish_path());
        return;
      } catch (const Error& error) {
        if (!Alive() || Clock::now() > deadline) throw Error(error.what() + Log());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  bool Alive() {
    try {
      nginx_.CheckAlive();
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  std::string Log() const {
    std::ostringstream log;
    log << std::ifstream(folder_.path() / "error.log").rdbuf();
    return log.str().empty() ? "" : "; its log: " + log.str();
  }

  const TemporaryFolder folder_;
  const Address address_;
  Child nginx_;
};

}  // namespace

std::unique_ptr<PushServer> StartNchan(const PushServerOptions& options) {
  const std::string missing = NchanMissing(options);
  if (!missing.empty()) throw Error("nchan: " + missing);
  return std::make_unique<Nchan>(options);
}

}  // namespace rpcbench
