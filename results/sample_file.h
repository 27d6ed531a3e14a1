// One of Google Benchmark's files in the making, for tests.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "results/sample_run.h"

namespace rpcbench {

class SampleFile final {
 public:
  using Counters = std::map<std::string, double>;

  explicit SampleFile(const SampleOptions& options) : options_(options), random_(options.seed) {}

  // options.repeats repeats, spread around the counters, and an aggregate.
  void AddRow(const std::string& name, const Counters& counters);
  // One repeat that ended in an error.
  void AddError(const std::string& name, const std::string& message);

  // Throws Error.
  void Write(const std::filesystem::path& file) const;

 private:
  nlohmann::ordered_json Entry(const std::string& name, const std::string& type) const;
  double Noise();

  SampleOptions options_;
  std::mt19937 random_;
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
};

}  // namespace rpcbench
