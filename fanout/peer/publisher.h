// Publishes events to a server by POST, on an even schedule.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>

#include "echo/client.h"

namespace rpcbench {

struct PublisherOptions {
  Address server;
  std::string path;
  double rate = 20;                // events a second
  std::size_t event_bytes = 1400;  // of an event's data
  std::uint64_t first = 1;         // the first event's number
};

// "t=<due> n=<number> " and letters, `bytes` long in all, or as long as the marks are. `due`:
// CLOCK_MONOTONIC. sse_load takes latency and gaps from them.
std::string EventData(std::chrono::nanoseconds due, std::uint64_t number, std::size_t bytes);

// A thread of its own, from construction to Stop. Each event leaves when it is due, or at once
// where the one before was answered too late for that; its latency counts from when it was due.
class Publisher final {
 public:
  explicit Publisher(const PublisherOptions& options);
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // After the event at hand. Throws Error if publishing failed. May be repeated.
  void Stop();

  std::uint64_t published() const { return published_; }  // and answered
  std::uint64_t late() const { return late_; }            // left over 10 ms after they were due
  // Of the last event; after Stop.
  const std::string& last_data() const { return last_data_; }

 private:
  void Run();

  const PublisherOptions options_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> published_{0};
  std::atomic<std::uint64_t> late_{0};
  std::string last_data_;
  std::exception_ptr failed_;
  std::thread thread_;
};

}  // namespace rpcbench
