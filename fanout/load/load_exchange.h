// sse_load's side of the exchange (protocol.h): commands come in, waits end, answers go out.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "fanout/load/load_loop.h"

namespace rpcbench {

// Reads from one descriptor and writes to another, both of which are its caller's. One command at a
// time: the next one is looked at once the one before was answered.
class LoadExchange final {
 public:
  using Clock = LoadLoop::Clock;

  LoadExchange(LoadLoop& loop, std::chrono::nanoseconds deadline, int in, int out);

  // Until the input ends. False if the streams did not open in time; the answer was given. Throws
  // Error if the loop does.
  bool Run();

 private:
  // What is waited for, before an answer can be given.
  struct Wait {
    Clock::time_point began;
    Clock::time_point deadline;
    std::function<std::size_t()> missing;
    std::string answer;  // the key of the number of streams
    std::string ms;      // the key of the time
    std::string what;    // that the missing ones are not: "open"
  };

  void ReadInput();
  void Step();
  void Command(const std::string& line);
  void Begin(Wait wait);
  void Answer(const std::string& line);

  LoadLoop& loop_;
  const std::chrono::nanoseconds deadline_;
  const int in_;
  const int out_;
  std::string input_;
  bool input_ended_ = false;
  bool opened_ = false;
  bool failed_ = false;
  bool waiting_ = false;
  Wait wait_;
  Clock::time_point next_look_{};
};

}  // namespace rpcbench
