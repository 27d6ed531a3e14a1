// For crash_test: a writer under FULL that says on standard output, a line a command, which cards'
// commands it has acknowledged, and goes on until it is killed.
//
//   crash_writer FILE SEED
#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <random>
#include <semaphore>
#include <string>

#include "echo/error.h"
#include "fanout/board/store.h"
#include "fanout/board/writer.h"

namespace rpcbench {
namespace {

// Commands that wait at once: enough that transactions hold several.
constexpr int kInFlight = 16;

void Acknowledge(int card) {
  const std::string line = fmt::format("{}\n", card);
  // Whole or not at all: it is short, and nobody else writes. Without the reader there is no point
  // in going on.
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) _exit(1);
}

void WriteForEver(const std::string& file, std::uint64_t seed) {
  Store store({.file = file, .synchronous = Synchronous::kFull});
  Committed committed;
  std::counting_semaphore<kInFlight> room(kInFlight);
  Writer writer([&](std::span<const Command> commands) { return store.Apply(commands); }, committed,
                {});
  std::mt19937_64 draw(seed);
  std::vector<Command> taken;
  for (;;) {
    room.acquire();
    const Command command{static_cast<int>(draw() % kCards)};
    writer.Submit(command, [&room, command](const Status& status) {
      if (status.ok()) Acknowledge(command.card);
      room.release();
    });
    committed.Take(taken);  // nobody shows them
  }
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: crash_writer FILE SEED\n");
    return 2;
  }
  try {
    rpcbench::WriteForEver(argv[1], std::stoull(argv[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "crash_writer: {}\n", error.what());
    return 1;
  }
}
