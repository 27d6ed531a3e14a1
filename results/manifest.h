// What a run says about itself: where, with what and which frameworks. Reads; `measure` writes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/run.h"

namespace rpcbench {

struct FrameworkEntry {
  std::string name;
  std::string label;  // the name where the manifest has none
  std::string version;
  std::string settings;
  std::string carries;  // "one", "in_order", "many"; empty if not said
};

// An object whose known keys have the right types: date, host, kernel, compiler, flags, commit and
// profile are strings, machine and libraries objects, frameworks an array of objects with a name.
// Throws Error that names the file and what is wrong.
nlohmann::json ReadManifest(const std::filesystem::path& file);

// In the manifest's order, which colours follow; then those that only rows name. Fan-out rows name
// none.
std::vector<FrameworkEntry> FrameworksOf(const Run& run);

// "AMD Ryzen 7, 8 cores, 32,000 MB; Linux 6.1; g++ 12.2; commit abc; profile full": what is known,
// or "" if nothing is.
std::string DescribeMachine(const nlohmann::json& manifest);

}  // namespace rpcbench
