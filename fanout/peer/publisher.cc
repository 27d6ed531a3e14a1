#include "fanout/peer/publisher.h"

#include <fmt/format.h>

#include <algorithm>

#include "echo/error.h"
#include "fanout/peer/http_caller.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kLate = std::chrono::milliseconds(10);
// Between two events the thread looks so often whether it is to stop.
constexpr auto kStep = std::chrono::milliseconds(20);

}  // namespace

std::string EventData(std::chrono::nanoseconds due, std::uint64_t number, std::size_t bytes) {
  std::string data = fmt::format("t={} n={} ", due.count(), number);
  // Letters that differ from one event to the next, though not by chance.
  std::uint64_t state = number * 0x9e3779b97f4a7c15 + 1;
  while (data.size() < bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    data.push_back(static_cast<char>('a' + (state >> 33) % 26));
  }
  return data;
}

Publisher::Publisher(const PublisherOptions& options)
    : options_(options), thread_([this] { Run(); }) {}

Publisher::~Publisher() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Publisher::Stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  if (failed_) std::rethrow_exception(failed_);
}

void Publisher::Run() try {
  HttpCaller server(options_.server, kPatience);
  const auto step =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options_.rate));
  const auto began = Clock::now();
  for (std::uint64_t sent = 0; !stop_; ++sent) {
    const auto due = began + step * static_cast<std::int64_t>(sent);
    while (!stop_ && Clock::now() < due) {
      std::this_thread::sleep_until(std::min<Clock::time_point>(due, Clock::now() + kStep));
    }
    if (stop_) return;
    if (Clock::now() > due + kLate) ++late_;
    last_data_ = EventData(due.time_since_epoch(), options_.first + sent, options_.event_bytes);
    const HttpAnswer answer = server.Post(options_.path, last_data_);
    if (answer.status / 100 != 2) {
      throw Error(fmt::format("http://{}{} answers an event with status {}",
                              ToString(options_.server), options_.path, answer.status));
    }
    ++published_;
  }
} catch (...) {
  failed_ = std::current_exception();
}

}  // namespace rpcbench
