#include "results/sample_file.h"

#include <limits>

#include "results/files.h"

namespace rpcbench {
namespace {

using Json = nlohmann::ordered_json;

// nlohmann writes null where Google Benchmark writes NaN.
std::string ReplaceNull(std::string text) {
  for (std::size_t at = 0; (at = text.find(": null", at)) != std::string::npos;) {
    text.replace(at, 6, ": NaN");
  }
  return text;
}

}  // namespace

void SampleFile::AddRow(const std::string& name, const Counters& counters) {
  for (int repeat = 0; repeat < options_.repeats; ++repeat) {
    Json entry = Entry(name, "iteration");
    entry["repetition_index"] = repeat;
    entry["real_time"] = 1e9;
    for (const auto& [key, value] : counters) entry[key] = value * Noise();
    entries_.push_back(entry);
  }
  // Google Benchmark divides by a mean of zero here and writes NaN, which is not JSON.
  Json aggregate = Entry(name, "aggregate");
  aggregate["name"] = name + "_cv";
  aggregate["aggregate_name"] = "cv";
  aggregate["errors"] = std::numeric_limits<double>::quiet_NaN();
  entries_.push_back(aggregate);
}

void SampleFile::AddError(const std::string& name, const std::string& message) {
  Json entry = Entry(name, "iteration");
  entry["repetition_index"] = 0;
  entry["error_occurred"] = true;
  entry["error_message"] = message;
  entries_.push_back(entry);
}

void SampleFile::Write(const std::filesystem::path& file) const {
  Json text;
  text["context"] = {{"num_cpus", 2}, {"load_avg", {0.1, 0.2}}};
  text["benchmarks"] = entries_;
  WriteFile(file, ReplaceNull(text.dump(1)) + "\n");
}

Json SampleFile::Entry(const std::string& name, const std::string& type) const {
  return {{"name", name},     {"run_name", name}, {"run_type", type},
          {"threads", 1},     {"iterations", 1},  {"repetitions", options_.repeats},
          {"time_unit", "ns"}};
}

double SampleFile::Noise() {
  const double unit = static_cast<double>(random_()) / static_cast<double>(random_.max());
  return 1 + options_.spread * (2 * unit - 1);
}

}  // namespace rpcbench
