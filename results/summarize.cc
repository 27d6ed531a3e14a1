// summarize: computes the CSV files of a run from its raw repeats.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "results/command_line.h"
#include "results/fanout_summary.h"
#include "results/run.h"
#include "results/summary.h"

int main(int argc, char** argv) {
  CLI::App app{
      "Computes the CSV files of a run (qps/*.csv, fixed/*.csv, fanout/*.csv) from its JSON "
      "files."};
  std::string folder;
  app.add_option("--in", folder, "The run folder; no default")
      ->required()
      ->check(CLI::ExistingDirectory);
  if (const auto status = rpcbench::ParseCommandLine(app, argc, argv, "--in RUN")) return *status;
  try {
    const rpcbench::Run run = rpcbench::ReadRun(folder);
    rpcbench::WriteSummary(run);
    for (const auto& file : rpcbench::Summarize(run)) {
      std::printf("%s\n", (run.folder / file.name).c_str());
    }
    for (const auto& file : rpcbench::SummarizeFanout(run)) {
      std::printf("%s\n", (run.folder / file.name).c_str());
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "summarize: %s\n", error.what());
    return 1;
  }
}
