// The progress line: what runs, how far, and how long still.
#pragma once

#include <chrono>
#include <string>

namespace rpcbench {

// On standard error, and silent where that is not a terminal. The time left is that of the
// measurements still to come at the pace so far, and `after`: what the caller does once this
// program has ended.
class Progress final {
 public:
  Progress(int measurements, std::chrono::seconds after);
  // Clears the line.
  ~Progress();

  // Shows the line while something else starts.
  void Begin(const std::string& what);
  void End() { ++done_; }
  // Clears the line so that a row can be printed; the next Begin shows it again.
  void Clear();

 private:
  const bool shown_;
  const int measurements_;
  const std::chrono::seconds after_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  int done_ = 0;
};

}  // namespace rpcbench
