// The table of the fan-out's CSV files: a row a benchmark row, a column a counter.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rpcbench {

struct RowTable {
  std::vector<std::string> counters;  // columns
  std::vector<std::string> rows;      // Row::name
  // cells[row][column]; nothing where it was not measured: an empty field in the file.
  std::vector<std::vector<std::optional<double>>> cells;
};

// First line "row,<counter>,...". Throws Error that names the file and the line for anything that
// is not this table: a wrong head, a field too many or too few, a field that is not a number, a row
// without a name or twice.
RowTable ReadRowCsv(const std::filesystem::path& file);

// Six digits, and all of them before the point. Whole or not at all. Throws Error.
void WriteRowCsv(const std::filesystem::path& file, const RowTable& table);

}  // namespace rpcbench
