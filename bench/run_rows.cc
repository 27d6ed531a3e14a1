#include "bench/run_rows.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <regex>
#include <set>

#include "bench/progress.h"
#include "bench/reporter.h"
#include "echo/error.h"
#include "process/signal_wait.h"
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

}  // namespace

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

int RunRows(const std::vector<RowSpec>& rows, const GoogleFlags& google,
            const RunOptions& options) {
  if (rows.empty()) {
    fmt::print(stderr, "{}: no row matches --benchmark_filter={}\n", options.program,
               google.filter);
    return 2;
  }
  if (!google.out.empty()) CheckWritable(google.out);
  Reporter reporter({google.out, google.out_format, google.format == "console", options.columns});
  Progress progress(static_cast<int>(rows.size()) * google.repetitions, options.after);
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
    fmt::print(stderr, "{}: interrupted; the rows that were finished are kept\n", options.program);
  }
  if (reporter.invalid_rows() + reporter.failed_rows() > 0) {
    fmt::print(stderr, "{}: {} rows are invalid and {} failed\n", options.program,
               reporter.invalid_rows(), reporter.failed_rows());
  }
  return Interrupted() || reporter.invalid_rows() + reporter.failed_rows() > 0 ? 1 : 0;
}

}  // namespace rpcbench
