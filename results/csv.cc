#include "results/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "echo/error.h"
#include "results/csv_lines.h"
#include "results/files.h"

namespace rpcbench {
namespace {

void ReadLine(const std::filesystem::path& file, std::size_t number, std::string_view line,
              Table& table) {
  const std::vector<std::string_view> fields = CsvFields(line);
  if (fields.size() != table.frameworks.size() + 1) {
    FailCsv(
        file, number,
        fmt::format("{} fields where the head has {}", fields.size(), table.frameworks.size() + 1));
  }
  const auto clients = ParseNumber<std::int64_t>(fields.front());
  if (!clients || *clients < 1) {
    FailCsv(file, number,
            fmt::format("clients is not a positive number: \"{:.60}\"", fields.front()));
  }
  if (!table.clients.empty() && *clients <= table.clients.back()) {
    FailCsv(
        file, number,
        fmt::format("clients {} after {}: each once, ascending", *clients, table.clients.back()));
  }
  auto& cells = table.cells.emplace_back();
  for (std::size_t i = 1; i < fields.size(); ++i) {
    cells.push_back(ReadCsvCell(file, number, table.frameworks[i - 1], fields[i]));
  }
  table.clients.push_back(*clients);
}

// What ReadCsv would not take must not be written.
void Check(const std::filesystem::path& file, const Table& table) {
  const auto refuse = [&](const std::string& what) {
    throw Error("cannot write " + file.string() + ": " + what);
  };
  if (table.frameworks.empty()) refuse("the table has no columns");
  for (const std::string& name : table.frameworks) {
    if (!IsCsvName(name)) refuse("not a column name: \"" + name + "\"");
  }
  if (table.cells.size() != table.clients.size()) refuse("rows and clients differ in number");
  for (const auto& cells : table.cells) {
    if (cells.size() != table.frameworks.size()) refuse("a row is not as long as the head");
    for (const auto& cell : cells) {
      if (cell && !std::isfinite(*cell)) refuse("a cell is not finite");
    }
  }
}

}  // namespace

Table ReadCsv(const std::filesystem::path& file) {
  const std::string text = ReadFile(file);
  const std::vector<std::string_view> lines = CsvLines(text);
  Table table;
  table.frameworks =
      ReadCsvHead(file, lines.empty() ? "" : lines.front(), "clients", "clients,<framework>,...");
  for (std::size_t i = 1; i < lines.size(); ++i) ReadLine(file, i + 1, lines[i], table);
  return table;
}

void WriteCsv(const std::filesystem::path& file, const Table& table, int decimals) {
  Check(file, table);
  std::string text = "clients";
  for (const std::string& name : table.frameworks) text += "," + name;
  text += "\n";
  for (std::size_t row = 0; row < table.clients.size(); ++row) {
    text += std::to_string(table.clients[row]);
    for (const auto& cell : table.cells[row]) {
      text += cell ? fmt::format(",{:.{}f}", *cell, decimals) : ",";
    }
    text += "\n";
  }
  WriteFile(file, text);
}

}  // namespace rpcbench
