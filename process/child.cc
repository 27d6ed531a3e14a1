#include "process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "echo/error.h"

extern char** environ;

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kGrace = std::chrono::seconds(3);

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {ends[0], ends[1]};
}

void Close(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

}  // namespace

Child::Child(std::string program, const std::vector<std::string>& arguments)
    : program_(std::move(program)) {
  Pipe in = MakePipe();
  Pipe out = MakePipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv{const_cast<char*>(program_.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int failed =
      posix_spawn(&pid_, program_.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  Close(in.read);
  Close(out.write);
  to_child_ = in.write;
  from_child_ = out.read;
  if (failed != 0) {
    Close(to_child_);
    Close(from_child_);
    throw Error("cannot start " + program_ + ": " + std::strerror(failed));
  }
}

Child::~Child() {
  Close(to_child_);
  if (!Reap(kGrace)) {
    kill(pid_, SIGKILL);
    Reap(kGrace);
  }
  Close(from_child_);
}

void Child::WriteLine(const std::string& line) {
  const std::string bytes = line + "\n";
  // SIGPIPE is ignored by every main that has children; a closed pipe is EPIPE here.
  if (write(to_child_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    Reap(std::chrono::seconds(1));
    throw Error(program_ + " does not take \"" + line + "\": " + HowItEnded());
  }
}

std::string Child::ReadLine(std::chrono::nanoseconds patience) {
  const auto deadline = Clock::now() + patience;
  for (;;) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd waiting{.fd = from_child_, .events = POLLIN, .revents = 0};
    const int ready = left.count() <= 0 ? 0 : poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience).count();
      throw Error(program_ + " did not answer in " + std::to_string(seconds) + " s");
    }
    char bytes[4096];
    const ssize_t size = read(from_child_, bytes, sizeof bytes);
    if (size <= 0) {
      Reap(std::chrono::seconds(1));
      throw Error(program_ + " " + HowItEnded());
    }
    received_.append(bytes, static_cast<std::size_t>(size));
  }
}

void Child::CheckAlive() {
  if (Reap(std::chrono::nanoseconds(0))) throw Error(program_ + " " + HowItEnded());
}

bool Child::Reap(std::chrono::nanoseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (!reaped_) {
    const pid_t ended = waitpid(pid_, &status_, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno == ECHILD))
      reaped_ = true;
    else if (Clock::now() >= deadline)
      return false;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string Child::HowItEnded() const {
  if (!reaped_) return "closed its output but still runs";
  if (WIFSIGNALED(status_)) {
    return std::string("was killed by signal ") + std::to_string(WTERMSIG(status_)) + " (" +
           strsignal(WTERMSIG(status_)) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace rpcbench
