#include "process/signal_wait.h"

#include <signal.h>

#include <atomic>

#include "echo/error.h"

namespace rpcbench {
namespace {

// A signal handler has no other place to write to.
std::atomic<bool> interrupted{false};

void OnSignal(int number) {
  interrupted = true;
  signal(number, SIG_DFL);
}

}  // namespace

void CatchInterrupts() {
  signal(SIGINT, OnSignal);
  signal(SIGTERM, OnSignal);
}

bool Interrupted() {
  return interrupted;
}

void ThrowIfInterrupted() {
  if (interrupted) throw Error("interrupted");
}

}  // namespace rpcbench
