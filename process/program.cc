#include "process/program.h"

#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <exception>

namespace rpcbench {
namespace {

int Told(const ProgramSteps& steps, const std::exception& error, int status) {
  fmt::print(stderr, "{}: {}\n", steps.name, error.what());
  return status;
}

}  // namespace

int RunProgram(const CLI::App& app, const ProgramSteps& steps) {
  try {
    if (!steps.read()) return 0;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    return Told(steps, error, 2);
  }
  signal(SIGPIPE, SIG_IGN);
  try {
    return steps.run();
  } catch (const std::exception& error) {
    return Told(steps, error, 1);
  }
}

}  // namespace rpcbench
