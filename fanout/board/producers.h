// Those who send commands: an open loop on an even schedule, so that a slow board does not slow
// down its load.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "fanout/board/command.h"
#include "measure/latency.h"

namespace rpcbench {

struct ProducerOptions {
  int producers = 200;
  double rate = 800;  // commands a second, of all producers together
  int cards = 200;
  std::uint64_t seed = 1;
};

struct ProducerCounts {
  std::uint64_t submitted = 0;
  std::uint64_t committed = 0;
  std::uint64_t failed = 0;
  std::string first_failure;  // the message of the first that failed
  std::uint64_t pending() const { return submitted - committed - failed; }
};

// Which producer sends when. Each sends at a fixed pace from a phase of its own; the phases are
// spread evenly, so that all together send evenly too.
class ProducerSchedule final {
 public:
  ProducerSchedule(int producers, double rate) : producers_(producers), rate_(rate) {}

  int ProducerOf(std::uint64_t command) const {
    return static_cast<int>(command % static_cast<std::uint64_t>(producers_));
  }
  // From the start. Computed from the number and not from the one before: it does not drift.
  std::chrono::nanoseconds DueAfter(std::uint64_t command) const {
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(static_cast<double>(command) * 1e9 / rate_));
  }

 private:
  int producers_;
  double rate_;
};

// Outlives every command that it submitted: stop it, then the writer, then destroy it.
class Producers final {
 public:
  using Clock = std::chrono::steady_clock;
  using Submit = std::function<void(const Command&, Settle)>;  // Writer::Submit

  Producers(const ProducerOptions& options, Submit submit);
  ~Producers();  // stops
  Producers(const Producers&) = delete;
  Producers& operator=(const Producers&) = delete;

  // One thread for all of them, from now on.
  void Start();
  // Submits no more. What was submitted is still settled. May be repeated.
  void Stop();

  // The thread's work: submits each command that is due by now, however late; returns when the
  // next one is due. For a test with a clock of its own, call Begin first and not Start.
  void Begin(Clock::time_point start) { start_ = start; }
  Clock::time_point SubmitDue(Clock::time_point now);

  // From due to committed, of the commands that are due from `begin` on and before EndWindow's
  // `end`. Room for `capacity` of them. Any thread.
  void BeginWindow(Clock::time_point begin, std::size_t capacity);
  void EndWindow(Clock::time_point end);

  ProducerCounts counts() const;  // any thread
  // Once all are settled: counts().pending() is 0.
  const LatencyLog& due_to_commit() const { return due_to_commit_; }

 private:
  void Run();
  void OnSettled(Clock::time_point due, const Status& status);

  const ProducerOptions options_;
  const ProducerSchedule schedule_;
  const Submit submit_;
  std::mt19937_64 cards_;
  Clock::time_point start_{};
  std::uint64_t next_ = 0;  // the command that is to be submitted next

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  ProducerCounts counts_;
  LatencyLog due_to_commit_;
  Clock::time_point window_begin_ = Clock::time_point::max();
  Clock::time_point window_end_ = Clock::time_point::max();
  std::thread thread_;
};

}  // namespace rpcbench
