// compare: one run's frameworks side by side, or two runs row by row.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "echo/error.h"
#include "results/command_line.h"
#include "results/comparison.h"
#include "results/fanout_published.h"
#include "results/run.h"

namespace rpcbench {
namespace {

struct Flags {
  std::vector<std::string> runs;
  std::string published;
  Condition condition;
  std::string gate;
  bool markdown = false;
  bool json = false;
};

void Declare(CLI::App& app, Flags& flags) {
  const CLI::Validator positive(
      [](std::string& text) {
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.find_first_not_of('0') != std::string::npos && text.size() < 19
                   ? std::string()
                   : text + " is not a positive whole number";
      },
      "");
  app.add_option("RUN", flags.runs, "One run folder, or two to compare; no default")
      ->required()
      ->expected(1, 2)
      ->check(CLI::ExistingDirectory);
  auto* markdown =
      app.add_flag("--markdown", flags.markdown, "Print Markdown; default: a table for a terminal");
  app.add_flag("--json", flags.json, "Print JSON; default: a table for a terminal")
      ->excludes(markdown);
  app.add_option("--clients", flags.condition.clients,
                 "Rows with K connections; default: the most there is (two runs: all)")
      ->type_name("K")
      ->check(positive);
  app.add_option(
         "--in-flight", flags.condition.in_flight,
         "Rows with N calls in flight; default: 2000 or the nearest there is (two runs: all)")
      ->type_name("N")
      ->check(positive);
  app.add_option("--gate", flags.gate,
                 "Two runs: exit status 1 where the second is worse by more than this, such as 5%, "
                 "and the difference is significant; default: never")
      ->type_name("PERCENT");
  app.add_option("--published", flags.published,
                 "Published figures of the fan-out to set beside one run's; default: the first "
                 "that is there of RUN/../published/fanout, RUN/../../published/fanout and "
                 "results/published/fanout")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  app.footer(
      "Exit status: 0 good, 1 a row is invalid or failed, a file is damaged, or a --gate is "
      "passed; 2 "
      "bad usage.");
}

std::string Print(const Report& report, const Flags& flags) {
  if (flags.json) return ToJson(report);
  return flags.markdown ? ToMarkdown(report) : ToText(report);
}

std::optional<FanoutPublished> ReadPublishedFor(const Flags& flags) {
  if (!flags.published.empty()) return ReadFanoutPublished(flags.published);
  const auto folder = FindPublished(flags.runs[0], "fanout");
  return folder ? std::optional(ReadFanoutPublished(*folder)) : std::nullopt;
}

// The share, from "5%" or "5". Throws Error.
std::optional<double> GateOf(const Flags& flags) {
  if (flags.gate.empty()) return std::nullopt;
  if (flags.runs.size() != 2) throw Error("--gate compares two runs, and one is given");
  char* end = nullptr;
  const double percent = std::strtod(flags.gate.c_str(), &end);
  const std::string_view rest = end;
  if (end == flags.gate.c_str() || (rest != "" && rest != "%") || !(percent >= 0) ||
      percent > 1000) {
    throw Error("--gate " + flags.gate + ": give a percentage from 0 to 1000, such as 5%");
  }
  return percent / 100;
}

Report Make(const std::vector<Run>& runs, const Flags& flags, std::optional<double> gate) {
  if (runs.size() == 2) return Compare(runs[0], runs[1], flags.condition, gate);
  const auto published = ReadPublishedFor(flags);
  return Describe(runs[0], flags.condition, published ? &*published : nullptr);
}

int Main(const Flags& flags) {
  std::vector<Run> runs;
  for (const std::string& folder : flags.runs) runs.push_back(ReadRun(folder));
  std::optional<double> gate;
  try {
    gate = GateOf(flags);
    CheckCondition(runs, flags.condition);
  } catch (const Error& error) {
    std::fprintf(stderr, "compare: %s\n", error.what());
    return 2;
  }
  const Report report = Make(runs, flags, gate);
  const std::string text = Print(report, flags);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error("cannot write to standard output");
  }
  return report.good ? 0 : 1;
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  CLI::App app{"Compares the frameworks of one run, or two runs with each other."};
  rpcbench::Flags flags;
  rpcbench::Declare(app, flags);
  const char* allowed =
      "RUN [RUN] [--markdown|--json] [--clients K] [--in-flight N] [--gate PERCENT] [--published "
      "DIR]";
  if (const auto status = rpcbench::ParseCommandLine(app, argc, argv, allowed)) return *status;
  try {
    return rpcbench::Main(flags);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare: %s\n", error.what());
    return 1;
  }
}
