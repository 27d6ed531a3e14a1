#include "results/row_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "echo/error.h"
#include "results/csv_lines.h"
#include "results/files.h"

namespace rpcbench {
namespace {

void ReadLine(const std::filesystem::path& file, std::size_t number, std::string_view line,
              RowTable& table) {
  const std::vector<std::string_view> fields = CsvFields(line);
  if (fields.size() != table.counters.size() + 1) {
    FailCsv(
        file, number,
        fmt::format("{} fields where the head has {}", fields.size(), table.counters.size() + 1));
  }
  const std::string name(fields.front());
  if (name.empty()) FailCsv(file, number, "a row has no name");
  if (std::find(table.rows.begin(), table.rows.end(), name) != table.rows.end()) {
    FailCsv(file, number, "row twice: " + name);
  }
  table.rows.push_back(name);
  auto& cells = table.cells.emplace_back();
  for (std::size_t i = 1; i < fields.size(); ++i) {
    cells.push_back(ReadCsvCell(file, number, table.counters[i - 1], fields[i]));
  }
}

std::string Field(double value) {
  return std::abs(value) >= 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

// What ReadRowCsv would not take must not be written.
void Check(const std::filesystem::path& file, const RowTable& table) {
  const auto refuse = [&](const std::string& what) {
    throw Error("cannot write " + file.string() + ": " + what);
  };
  if (table.counters.empty()) refuse("the table has no columns");
  for (const auto* names : {&table.counters, &table.rows}) {
    for (const std::string& name : *names) {
      if (!IsCsvName(name)) refuse("not a name: \"" + name + "\"");
    }
  }
  if (table.cells.size() != table.rows.size()) refuse("rows and names differ in number");
  for (const auto& cells : table.cells) {
    if (cells.size() != table.counters.size()) refuse("a row is not as long as the head");
    for (const auto& cell : cells) {
      if (cell && !std::isfinite(*cell)) refuse("a cell is not finite");
    }
  }
}

}  // namespace

RowTable ReadRowCsv(const std::filesystem::path& file) {
  const std::string text = ReadFile(file);
  const std::vector<std::string_view> lines = CsvLines(text);
  RowTable table;
  table.counters =
      ReadCsvHead(file, lines.empty() ? "" : lines.front(), "row", "row,<counter>,...");
  for (std::size_t i = 1; i < lines.size(); ++i) ReadLine(file, i + 1, lines[i], table);
  return table;
}

void WriteRowCsv(const std::filesystem::path& file, const RowTable& table) {
  Check(file, table);
  std::string text = fmt::format("row,{}\n", fmt::join(table.counters, ","));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    text += table.rows[row];
    for (const auto& cell : table.cells[row]) text += cell ? "," + Field(*cell) : ",";
    text += "\n";
  }
  WriteFile(file, text);
}

}  // namespace rpcbench
