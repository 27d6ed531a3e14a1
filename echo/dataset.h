// The records of a run, made once from a seed before anything is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "echo/record.h"

namespace rpcbench {

struct DatasetOptions {
  // Sent in turn, again and again: 0.6 MB, which fits a core's cache, so that the cost of a call is
  // the framework's and not that of fetching the harness's records from memory.
  std::size_t records = 1024;
  std::uint64_t seed = 1;
  std::size_t min_text = 0;         // bytes
  std::size_t max_text = kMaxText;  // bytes; lengths are uniform in [min_text, max_text]
};

// Immutable after construction, so that any thread may read it. The same options give the same
// records on every machine: std::mt19937_64 is specified exactly, and the draws do not go through a
// standard distribution.
class Dataset final {
 public:
  explicit Dataset(const DatasetOptions& options);

  // These records in turn, instead of drawn ones.
  static Dataset Of(std::vector<Record> records);

  // The record that call number `index` sends: records are used in turn.
  const Record& operator[](std::uint64_t index) const { return records_[index % records_.size()]; }
  std::size_t size() const { return records_.size(); }

 private:
  Dataset() = default;

  std::vector<Record> records_;
};

}  // namespace rpcbench
