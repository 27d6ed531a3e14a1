#include "fanout/load/load_exchange.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

namespace rpcbench {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

// To look whether a wait is over may mean to look at every stream.
constexpr auto kLookEvery = 2ms;
constexpr auto kIdle = 20ms;

double Ms(std::chrono::duration<double> time) {
  return time.count() * 1e3;
}

std::string ErrorLine(const std::string& message) {
  return json{{"error", message}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

LoadExchange::LoadExchange(LoadLoop& loop, std::chrono::nanoseconds deadline, int in, int out)
    : loop_(loop), deadline_(deadline), in_(in), out_(out) {
  loop_.Watch(in_);
}

bool LoadExchange::Run() {
  const auto now = Clock::now();
  Begin({.began = now,
         .deadline = now + deadline_,
         .missing = [this] { return loop_.streams() - loop_.open(); },
         .answer = "open",
         .ms = "connect_ms",
         .what = "open"});
  while (!input_ended_ && !failed_) {
    loop_.Poll(waiting_ ? std::chrono::milliseconds(kLookEvery) : kIdle);
    ReadInput();
    Step();
  }
  return !failed_;
}

void LoadExchange::ReadInput() {
  pollfd waiting{.fd = in_, .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, 0) != 1) return;
  char bytes[4096];
  const ssize_t size = read(in_, bytes, sizeof bytes);
  if (size < 0 && errno == EINTR) return;
  if (size <= 0) {
    input_ended_ = true;
    return;
  }
  input_.append(bytes, static_cast<std::size_t>(size));
}

void LoadExchange::Step() {
  const auto now = Clock::now();
  if (waiting_) {
    if (now < next_look_) return;
    next_look_ = now + kLookEvery;
    const std::size_t missing = wait_.missing();
    if (missing > 0 && now < wait_.deadline) return;
    waiting_ = false;
    if (missing == 0) {
      opened_ = true;
      Answer(json{{wait_.answer, loop_.streams()}, {wait_.ms, Ms(now - wait_.began)}}.dump());
    } else {
      failed_ = !opened_;
      const std::string& problem = loop_.last_problem();
      Answer(ErrorLine(fmt::format("{} of {} streams are not {} after {:.1f} s{}", missing,
                                   loop_.streams(), wait_.what, Ms(now - wait_.began) / 1e3,
                                   problem.empty() ? "" : "; the last problem: " + problem)));
    }
  }
  const std::size_t end = input_.find('\n');
  if (end == std::string::npos || failed_) return;
  const std::string line = input_.substr(0, end);
  input_.erase(0, end + 1);
  Command(line);
}

void LoadExchange::Command(const std::string& line) {
  const auto now = Clock::now();
  Wait wait{.began = now,
            .deadline = now + deadline_,
            .missing = [this] { return loop_.streams() - loop_.open(); },
            .answer = "back",
            .ms = "ms",
            .what = "back"};
  if (line == "mark") {
    loop_.Mark();
    Answer(json{{"marked", true}}.dump());
  } else if (line == "report") {
    Answer(ToLine(loop_.Report()));
  } else if (line.rfind("settle ", 0) == 0) {
    const std::string id = line.substr(7);
    wait.missing = [this, wanted = SeenId(id)] { return loop_.Behind(wanted); };
    wait.answer = "settled";
    wait.what = "at event " + id;
    Begin(std::move(wait));
  } else if (line == "cut") {
    loop_.CutAll();
    Begin(std::move(wait));
  } else if (line == "await_reconnect") {
    wait.missing = [this] {
      // The time is the server's and ours together, from when the first stream was lost.
      if (loop_.first_lost() != Clock::time_point{}) wait_.began = loop_.first_lost();
      return loop_.NotReconnected();
    };
    Begin(std::move(wait));
  } else {
    Answer(ErrorLine("unknown command: give mark, report, settle ID, cut or await_reconnect"));
  }
}

void LoadExchange::Begin(Wait wait) {
  wait_ = std::move(wait);
  waiting_ = true;
  next_look_ = {};
}

// The parent reads each answer before it asks again, so that a pipe is never full.
void LoadExchange::Answer(const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t size = write(out_, bytes.data() + written, bytes.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {
      input_ended_ = true;  // nobody listens any more
      return;
    }
    written += static_cast<std::size_t>(size);
  }
}

}  // namespace rpcbench
