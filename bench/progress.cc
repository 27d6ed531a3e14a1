#include "bench/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace rpcbench {
namespace {

std::string Left(std::chrono::seconds left) {
  if (left.count() < 60) return fmt::format("{} s", left.count());
  return fmt::format("{} min {:02} s", left.count() / 60, left.count() % 60);
}

}  // namespace

Progress::Progress(int measurements, std::chrono::seconds after)
    : shown_(isatty(STDERR_FILENO) != 0), measurements_(measurements), after_(after) {}

Progress::~Progress() {
  Clear();
}

void Progress::Begin(const std::string& what) {
  if (!shown_) return;
  const auto spent = std::chrono::steady_clock::now() - started_;
  std::string left = "time left is known after the first row";
  if (done_ > 0) {
    const int to_come = std::max(measurements_ - done_, 0);
    left =
        Left(std::chrono::duration_cast<std::chrono::seconds>(spent / done_ * to_come) + after_) +
        " left";
  }
  fmt::print(stderr, "\r\033[K[{}/{}] {}, {}", std::min(done_ + 1, measurements_), measurements_,
             what, left);
  std::fflush(stderr);
}

void Progress::Clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace rpcbench
