#include "load/bench_main.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "bench/program.h"
#include "frameworks/all.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

// What the flags ask for. Rows refer to it.
struct Plan {
  LoadFlags flags;
  std::vector<Framework> frameworks;
  LoadOptions options;
  std::optional<Dataset> dataset;
};

void DeclareAll(CLI::App& app, const Program& program, LoadFlags& flags) {
  Declare(app, flags);
  if (!program.one_connection) DeclareClients(app, flags);
  for (const NumberFlag& flag : program.flags) {
    auto* const option = app.add_option(flag.name, *flag.values, flag.help);
    option->check(CLI::Range(flag.least, flag.most))->capture_default_str();
    if (flag.list)
      option->delimiter(',');
    else
      option->expected(1);
  }
  if (program.declare) program.declare(app);
}

bool ListFrameworks(const Plan& plan) {
  if (plan.flags.list) PrintFrameworks();
  return plan.flags.list;
}

// Throws Error if the flags ask for nonsense.
std::vector<RowSpec> Rows(const Program& program, const GoogleFlags& google, Plan& plan) {
  plan.options = Check(plan.flags);
  plan.options.window = std::chrono::nanoseconds(static_cast<std::int64_t>(google.min_time * 1e9));
  plan.frameworks = Matching(AllFrameworks(), plan.flags.frameworks);
  plan.dataset.emplace(DatasetOptions{.seed = plan.options.seed});
  return program.rows(plan.frameworks, plan.options, *plan.dataset);
}

void Prepare(const Program& program, const Plan& plan) {
  for (const NotBuilt& missing : FrameworksNotBuilt()) {
    fmt::print(stderr, "{}: {} is not built: {}\n", program.name, missing.name, missing.reason);
  }
  PinTo(plan.options.client_cpus);
}

}  // namespace

int BenchMain(int argc, char** argv, const Program& program) {
  Plan plan;
  BenchProgram bench;
  bench.name = program.name;
  bench.description = program.description;
  bench.columns = {{"QPS", "qps"},
                   {"share", "share", 1, 100, "%"},
                   {"p50 ms", "p50_s", 2, 1e3, ""},
                   {"p99 ms", "p99_s", 2, 1e3, ""},
                   {"max ms", "max_s", 2, 1e3, ""},
                   {"CPU us c", "client_cpu_us", 2, 1, ""},
                   {"CPU us s", "server_cpu_us", 2, 1, ""}};
  bench.declare = [&](CLI::App& app) { DeclareAll(app, program, plan.flags); };
  bench.instead = [&] { return ListFrameworks(plan); };
  bench.rows = [&](const GoogleFlags& google) { return Rows(program, google, plan); };
  bench.prepare = [&] { Prepare(program, plan); };
  return RunBenchProgram(argc, argv, bench);
}

}  // namespace rpcbench
