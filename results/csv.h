// The published suite's table: clients down, frameworks across.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rpcbench {

struct Table {
  std::vector<std::string> frameworks;  // columns
  std::vector<std::int64_t> clients;    // rows, ascending
  // cells[row][column]; nothing where a framework was skipped, invalid or not run: an empty field
  // in the file.
  std::vector<std::vector<std::optional<double>>> cells;
};

// First line "clients,<framework>,...". Throws Error that names the file and the line for anything
// that is not this table: a wrong head, a field too many or too few, a field that is not a number,
// clients twice or not ascending.
Table ReadCsv(const std::filesystem::path& file);

// Whole or not at all: written beside the file and renamed. Throws Error.
void WriteCsv(const std::filesystem::path& file, const Table& table, int decimals);

}  // namespace rpcbench
