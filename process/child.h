// A child process with a pipe to its standard input and one from its standard output.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace rpcbench {

// The child has a process group of its own, so that Ctrl-C reaches only the parent, which then ends
// it in order. Its standard error is the parent's. Every member throws Error that names the
// program.
class Child final {
 public:
  Child(std::string program, const std::vector<std::string>& arguments);
  // Closes its input and waits a moment for it to end; then kills it. It is reaped when this
  // returns.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void WriteLine(const std::string& line);
  // Without the line's end. Throws if none comes in time, or if the child ended: the message says
  // how.
  std::string ReadLine(std::chrono::nanoseconds patience);
  void CheckAlive();

 private:
  // Waits for the child's end, at most this long; true if it ended.
  bool Reap(std::chrono::nanoseconds patience);
  std::string HowItEnded() const;

  const std::string program_;
  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  std::string received_;
};

}  // namespace rpcbench
