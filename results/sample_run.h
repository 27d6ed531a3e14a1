// A run that nobody measured, for tests: plausible figures from a seed, in the shape of a real run.
// Never a result.
#pragma once

#include <cstdint>
#include <filesystem>

namespace rpcbench {

struct SampleOptions {
  std::uint32_t seed = 1;
  int repeats = 3;
  double spread = 0.02;  // of a repeat around its row's figure
  double speed = 1;      // of every framework, against the sample's own
  bool good = true;      // false: two rows are invalid and one failed
};

// Writes qps/benchmark.json and qps/sweep.json, fixed/benchmark.json, hol/benchmark.json, what
// WriteSampleFanout writes, and manifest.json: 15 frameworks, clients 1 to 16, in_flight 2000 and
// 32000, the sweep at clients 4 from 250 to 50,000. Frameworks that carry one call at a time have
// in_flight = clients, a Fixed row that is skipped, and a FixedSmall row. Always the same for the
// same options. Throws Error.
void WriteSampleRun(const std::filesystem::path& folder, const SampleOptions& options = {});

}  // namespace rpcbench
