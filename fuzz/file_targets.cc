// Readers of files that a person may have edited or a crash cut short.
#include <fstream>

#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "results/csv.h"
#include "results/manifest.h"
#include "results/run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

// The readers take paths. One folder for all inputs, which is gone when the program ends.
template <class Read>
void OnFile(std::string_view bytes, const char* name, Read read) {
  static const Scratch folder;
  const auto file = folder / name;
  std::ofstream(file, std::ios::binary) << bytes;
  std::string message;
  try {
    read(file);
  } catch (const Error& error) {
    message = error.what();
    Require(message.find(name) != std::string::npos, "an error does not name its file");
  }
}

}  // namespace

void FuzzBenchmarkJson(std::string_view bytes) {
  OnFile(bytes, "benchmark.json", [](const auto& file) { ReadBenchmarkJson(file); });
}

void FuzzCsv(std::string_view bytes) {
  OnFile(bytes, "table.csv", [](const auto& file) {
    const Table table = ReadCsv(file);
    Require(table.cells.size() == table.clients.size(), "a table with a row too many or too few");
    for (const auto& row : table.cells) {
      Require(row.size() == table.frameworks.size(), "a row with a cell too many or too few");
    }
  });
}

void FuzzManifest(std::string_view bytes) {
  OnFile(bytes, "manifest.json", [](const auto& file) {
    Run run;
    run.manifest = ReadManifest(file);
    FrameworksOf(run);
    DescribeMachine(run.manifest);
  });
}

std::vector<FuzzTarget> FuzzTargets() {
  return {{"asio_frame", FuzzAsioFrame},
          {"json_record", FuzzJsonRecord},
          {"http_request", FuzzHttpRequest},
          {"ws_frames", FuzzWsFrames},
          {"server_exchange", FuzzServerExchange},
          {"benchmark_json", FuzzBenchmarkJson},
          {"csv", FuzzCsv},
          {"manifest", FuzzManifest}};
}

}  // namespace rpcbench
