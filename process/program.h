// What the main of every program does around its work: exit status, and one line for what went
// wrong. bench/program.h builds on it for programs with rows.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace rpcbench {

struct ProgramSteps {
  std::string name;  // begins the line on standard error
  // Parses the flags; what is thrown here is bad usage. False: that was all, as with --list.
  std::function<bool()> read;
  // Does the work, and returns the exit status. A peer that has gone is an error here, no signal.
  std::function<int()> run;
};

// Returns the exit status: run()'s, or 0 after --help or where read() was all, 1 if run() threw, 2
// for bad usage. `app` is the one that read() parses with.
int RunProgram(const CLI::App& app, const ProgramSteps& steps);

}  // namespace rpcbench
