// A JSON file with the lines of its entries, so that an error can say where. Knows no benchmark.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rpcbench {

struct JsonFile {
  nlohmann::json value;
  // Where each element of the array `entries` at the top begins, counted from 1.
  std::vector<std::size_t> lines;
};

// The bare words NaN, Infinity and -Infinity, which Google Benchmark writes and JSON does not have,
// are read as null. Throws Error that names the file, the line and what is wrong.
JsonFile ReadJson(const std::filesystem::path& file, const std::string& entries = "");

}  // namespace rpcbench
