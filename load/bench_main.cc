#include "load/bench_main.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <regex>
#include <set>

#include "echo/error.h"
#include "frameworks/all.h"
#include "load/google_flags.h"
#include "load/progress.h"
#include "load/reporter.h"
#include "load/signal_wait.h"
#include "measure/resources.h"
#include "results/files.h"

namespace rpcbench {
namespace {

std::string Joined(const std::vector<std::string>& sentences) {
  std::string joined;
  for (const std::string& sentence : sentences) joined += (joined.empty() ? "" : "; ") + sentence;
  return joined;
}

// Google Benchmark tells only by this that a run is its allocation pass.
class AllocationPass final : public benchmark::MemoryManager {
 public:
  bool active() const { return active_; }
  void SetResult(const AllocationCount& allocated) { allocated_ = allocated; }

  void Start() override {
    active_ = true;
    allocated_ = {};
  }
  void Stop(Result* result) override { Stop(*result); }
  void Stop(Result& result) override {
    active_ = false;
    result.num_allocs = static_cast<std::int64_t>(allocated_.allocations);
    result.total_allocated_bytes = static_cast<std::int64_t>(allocated_.bytes);
  }

 private:
  bool active_ = false;
  AllocationCount allocated_;
};

constexpr double kAccepted = 1e9;  // seconds: longer than any --benchmark_min_time

// Runs rows one after the other; only the one that ran last is kept alive.
class Runner final {
 public:
  Runner(Reporter& reporter, Progress& progress, AllocationPass& pass)
      : reporter_(reporter), progress_(progress), pass_(pass) {}

  void Run(const RowSpec& spec, benchmark::State& state) {
    if (Interrupted()) return Fail(spec, kInterrupted, state);
    if (!spec.skipped.empty()) return Fail(spec, kSkippedPrefix + spec.skipped, state);
    progress_.Begin(spec.name);
    try {
      const RowResult result = Measure(spec, state.max_iterations);
      if (!result.violations.empty())
        Fail(spec, kInvalidPrefix + Joined(result.violations), state);
      else
        Finish(result, state);
    } catch (const std::exception& error) {
      live_.reset();
      Fail(spec, Interrupted() ? kInterrupted : kFailedPrefix + std::string(error.what()), state);
    }
    if (!pass_.active()) progress_.End();
    progress_.Clear();
  }

  void Reset() { live_.reset(); }

 private:
  RowResult Measure(const RowSpec& spec, std::int64_t iterations) {
    if (pass_.active()) return MeasureAllocations(spec, iterations);
    if (live_name_ != spec.name || !live_) {
      live_.reset();
      live_ = spec.start();
      live_name_ = spec.name;
    }
    return live_->Run(iterations, Count::kNothing);
  }

  // Once a row: allocations hardly vary, and the pass costs as much as a repeat.
  RowResult MeasureAllocations(const RowSpec& spec, std::int64_t iterations) {
    RowResult nothing;
    nothing.seconds = std::chrono::seconds(1);
    if (!spec.count_allocations || !live_ || live_name_ != spec.name) return nothing;
    if (!counted_.insert(spec.name).second) return nothing;
    RowResult result = live_->Run(iterations, Count::kAllocations);
    if (!result.violations.empty()) return result;
    reporter_.AddAllocations(spec.name, result.counters);
    pass_.SetResult(result.allocated);
    return result;
  }

  void Finish(const RowResult& result, benchmark::State& state) {
    const double seconds = result.seconds.count() / static_cast<double>(state.max_iterations);
    for (auto _ : state) state.SetIterationTime(seconds);
    for (const auto& [name, value] : result.counters) state.counters[name] = value;
  }

  void Fail(const RowSpec& spec, const std::string& message, benchmark::State& state) {
    counted_.insert(spec.name);  // no allocation pass for a row without figures
    // The library forgets what goes wrong in its allocation pass.
    if (pass_.active() && !Interrupted() && spec.skipped.empty())
      reporter_.Spoil(spec.name, message);
    // Not SkipWithError: where one repeat of several is skipped, the library's statistics end the
    // program. The Reporter makes an error of the label, and of no use for anything is the time,
    // which is long enough to be accepted.
    for (auto _ : state) state.SetIterationTime(kAccepted);
    state.SetLabel(message);
  }

  Reporter& reporter_;
  Progress& progress_;
  AllocationPass& pass_;
  std::unique_ptr<LiveRow> live_;
  std::string live_name_;
  std::set<std::string> counted_;
};

// Google Benchmark's filter: a regular expression, or one after a minus that rows must not match.
std::vector<RowSpec> Filter(std::vector<RowSpec> rows, std::string filter) {
  if (filter.empty() || filter == "all") return rows;
  const bool negative = filter[0] == '-';
  if (negative) filter.erase(0, 1);
  try {
    const std::regex pattern(filter);
    std::erase_if(
        rows, [&](const RowSpec& row) { return std::regex_search(row.name, pattern) == negative; });
  } catch (const std::regex_error&) {
    throw Error("--benchmark_filter=" + filter + " is not a regular expression");
  }
  return rows;
}

int RunRows(const Program& program, const std::vector<RowSpec>& rows, const GoogleFlags& google,
            std::chrono::seconds after) {
  if (rows.empty()) {
    fmt::print(stderr, "{}: no row matches --benchmark_filter={}\n", program.name, google.filter);
    return 2;
  }
  if (!google.out.empty()) CheckWritable(google.out);
  Reporter reporter({google.out, google.out_format, google.format == "console"});
  Progress progress(static_cast<int>(rows.size()) * google.repetitions, after);
  AllocationPass pass;
  Runner runner(reporter, progress, pass);
  for (const RowSpec& row : rows) {
    benchmark::RegisterBenchmark(
        row.name.c_str(), [&runner, &row](benchmark::State& state) { runner.Run(row, state); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterMemoryManager(&pass);
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  benchmark::RegisterMemoryManager(nullptr);
  runner.Reset();
  if (Interrupted()) {
    fmt::print(stderr, "{}: interrupted; the rows that were finished are kept\n", program.name);
  }
  if (reporter.invalid_rows() + reporter.failed_rows() > 0) {
    fmt::print(stderr, "{}: {} rows are invalid and {} failed\n", program.name,
               reporter.invalid_rows(), reporter.failed_rows());
  }
  return Interrupted() || reporter.invalid_rows() + reporter.failed_rows() > 0 ? 1 : 0;
}

struct Parsed {
  LoadFlags load;
  int after = 0;
};

void DeclareAll(CLI::App& app, const Program& program, Parsed& parsed) {
  Declare(app, parsed.load);
  if (!program.one_connection) DeclareClients(app, parsed.load);
  for (const NumberFlag& flag : program.flags) {
    auto* const option = app.add_option(flag.name, *flag.values, flag.help);
    option->check(CLI::Range(flag.least, flag.most))->capture_default_str();
    if (flag.list)
      option->delimiter(',');
    else
      option->expected(1);
  }
  app.add_option("--after", parsed.after,
                 "Seconds that the caller still needs afterwards, for the time left")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.footer(
      "Google Benchmark's own flags work too, such as --benchmark_filter=REGEX, "
      "--benchmark_repetitions=N,\n"
      "--benchmark_min_time=SECONDS (a window is this long), "
      "--benchmark_enable_random_interleaving=true,\n"
      "--benchmark_out=FILE, --benchmark_format=json, --benchmark_list_tests.");
}

// What the flags ask for.
struct Plan {
  std::vector<Framework> frameworks;
  LoadOptions options;
  std::optional<Dataset> dataset;
  std::vector<RowSpec> rows;
};

// Throws Error if the flags ask for nonsense.
void MakePlan(const Program& program, const Parsed& parsed, const GoogleFlags& google, Plan& plan) {
  plan.options = Check(parsed.load);
  plan.options.window = std::chrono::nanoseconds(static_cast<std::int64_t>(google.min_time * 1e9));
  plan.frameworks = Matching(AllFrameworks(), parsed.load.frameworks);
  plan.dataset.emplace(DatasetOptions{.seed = plan.options.seed});
  plan.rows = Filter(program.rows(plan.frameworks, plan.options, *plan.dataset), google.filter);
}

int Run(const Program& program, const Plan& plan, const GoogleFlags& google, int after) {
  for (const NotBuilt& missing : FrameworksNotBuilt()) {
    fmt::print(stderr, "{}: {} is not built: {}\n", program.name, missing.name, missing.reason);
  }
  signal(SIGPIPE, SIG_IGN);
  CatchInterrupts();
  RaiseDescriptorLimit();
  if (!plan.options.client_cpus.empty()) PinTo(plan.options.client_cpus);
  return RunRows(program, plan.rows, google, std::chrono::seconds(after));
}

}  // namespace

int BenchMain(int argc, char** argv, const Program& program) {
  Parsed parsed;
  GoogleFlags google;
  Plan plan;
  CLI::App app(program.description);
  DeclareAll(app, program, parsed);
  try {
    google = TakeGoogleFlags(argc, argv);
    app.parse(argc, argv);
    if (parsed.load.list) {
      PrintFrameworks();
      return 0;
    }
    MakePlan(program, parsed, google, plan);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program.name, error.what());
    return 2;
  }
  if (google.list_tests) {
    for (const RowSpec& row : plan.rows) fmt::print("{}\n", row.name);
    return 0;
  }
  try {
    return Run(program, plan, google, parsed.after);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program.name, error.what());
    return 1;
  }
}

}  // namespace rpcbench
