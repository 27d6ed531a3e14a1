#include "bench/reporter.h"

#include <cmath>

#include "echo/error.h"
#include "results/files.h"

namespace rpcbench {
namespace {

// The console and CSV reporters of the library are what --benchmark_out_format allows beside json.
std::unique_ptr<benchmark::BenchmarkReporter> FileReporter(const std::string& format) {
  if (format == "json") return std::make_unique<benchmark::JSONReporter>();
  if (format == "console") {
    return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
  }
  throw Error("--benchmark_out_format=" + format + ": give json or console");
}

// A run whose label says why it has no figures is an error: see Runner::Fail.
void MakeError(benchmark::BenchmarkReporter::Run& run, const std::string& message) {
  run.error_occurred = true;
  run.error_message = message;
  run.report_label.clear();
  run.counters.clear();
  run.real_accumulated_time = 0;
}

bool StartsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

}  // namespace

Reporter::Reporter(ReportOptions options) : options_(std::move(options)) {
  if (options_.console)
    display_ = std::make_unique<ConsoleLines>(options_.columns);
  else
    display_.reset(benchmark::CreateDefaultDisplayReporter());
  if (options_.out.empty()) return;
  file_ = FileReporter(options_.out_format);
  file_->SetOutputStream(&file_text_);
  file_->SetErrorStream(&file_text_);
}

Reporter::~Reporter() = default;

void Reporter::AddAllocations(const std::string& name, const Counters& counters) {
  allocations_[name] = counters;
}

void Reporter::Spoil(const std::string& name, const std::string& reason) {
  spoiled_[name] = reason;
}

bool Reporter::ReportContext(const Context& context) {
  display_->SetOutputStream(&GetOutputStream());
  display_->SetErrorStream(&GetErrorStream());
  if (file_ && !file_->ReportContext(context)) return false;
  return display_->ReportContext(context);
}

void Reporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> kept;
  for (Run run : runs) {
    run.run_name.time_type.clear();  // "/manual_time" is how every row is timed
    if (run.report_label == kInterrupted) {
      incomplete_.insert(run.run_name.str());
      continue;
    }
    const std::string name = run.run_name.str();
    const bool first_repeat = run.run_type == Run::RT_Iteration && run.repetition_index <= 0;
    if (run.run_type == Run::RT_Aggregate && incomplete_.contains(name)) continue;
    if (!run.report_label.empty()) MakeError(run, run.report_label);
    if (const auto found = spoiled_.find(name); found != spoiled_.end() && first_repeat) {
      MakeError(run, found->second + " (in the allocation pass)");
    }
    if (run.error_occurred) incomplete_.insert(name);
    // The variation of a counter that is always 0 is NaN, which is not JSON.
    std::erase_if(run.counters,
                  [](const auto& counter) { return !std::isfinite(counter.second.value); });
    if (StartsWith(run.error_message, kInvalidPrefix))
      invalid_.insert(name);
    else if (run.error_occurred && !StartsWith(run.error_message, kSkippedPrefix))
      failed_.insert(name);
    const auto found = allocations_.find(name);
    if (found != allocations_.end() && first_repeat && !run.error_occurred) {
      for (const auto& [counter, value] : found->second) run.counters[counter] = value;
    }
    kept.push_back(std::move(run));
  }
  if (kept.empty()) return;
  display_->ReportRuns(kept);
  if (!file_) return;
  file_->ReportRuns(kept);
  WriteOut(false);
}

void Reporter::Finalize() {
  display_->Finalize();
  if (!file_) return;
  file_->Finalize();
  WriteOut(true);
}

void Reporter::WriteOut(bool final) {
  std::string text = file_text_.str();
  // Between rows the library's JSON lacks its end.
  if (!final && options_.out_format == "json") text += "\n  ]\n}\n";
  WriteFile(options_.out, text);
}

}  // namespace rpcbench
