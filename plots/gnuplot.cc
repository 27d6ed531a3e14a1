// A process of its own from a script on disk, rather than a pipe: its exit status and its words are
// kept, and it cannot end this program with a broken pipe.
#include "plots/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "echo/error.h"

namespace rpcbench {
namespace {

pid_t Start(const std::string& script, const std::string& errors, const std::string& what) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::string program = "gnuplot";
  std::string argument = script;
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT) {
    throw Error(what + ": gnuplot is not on the PATH; install the package gnuplot-nox");
  }
  if (failed != 0) throw Error(fmt::format("{}: cannot start gnuplot: {}", what, strerror(failed)));
  return child;
}

// The wait status; nothing if the deadline came first, and then the child is ended and reaped.
bool Await(pid_t child, std::chrono::seconds timeout, int& status) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

std::string Contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t end = text.find_last_not_of(" \n");
  return end == std::string::npos ? "" : text.substr(text.find_first_not_of(" \n"), end + 1);
}

}  // namespace

std::string RunGnuplot(const std::filesystem::path& script, std::chrono::seconds timeout,
                       const std::string& what) {
  std::filesystem::path errors = script;
  errors += ".errors";
  const pid_t child = Start(script.string(), errors.string(), what);
  int status = 0;
  if (!Await(child, timeout, status)) {
    throw Error(fmt::format("{}: gnuplot did not end within {} s and was stopped. {}", what,
                            timeout.count(), Contents(errors)));
  }
  const std::string said = Contents(errors);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return said;
  const std::string how = WIFEXITED(status) ? fmt::format("exit status {}", WEXITSTATUS(status))
                                            : fmt::format("signal {}", WTERMSIG(status));
  throw Error(fmt::format("{}: gnuplot failed with {}: {}", what, how, said));
}

}  // namespace rpcbench
