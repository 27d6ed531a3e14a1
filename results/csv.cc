#include "results/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "echo/error.h"
#include "results/files.h"

namespace rpcbench {
namespace {

[[noreturn]] void Fail(const std::filesystem::path& file, std::size_t line,
                       const std::string& what) {
  throw Error(fmt::format("{}:{}: {}", file.string(), line, what));
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Lines without their ends; a last line without one counts, and files from Windows are read too.
std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines = Split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

template <class Number>
std::optional<Number> Parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> ReadHead(const std::filesystem::path& file, std::string_view line) {
  const std::vector<std::string_view> fields = Split(line, ',');
  if (fields.front() != "clients" || fields.size() < 2) {
    Fail(file, 1, fmt::format("expected \"clients,<framework>,...\", found \"{:.60}\"", line));
  }
  const std::vector<std::string> names(fields.begin() + 1, fields.end());
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) Fail(file, 1, "a column has no name");
    if (std::find(names.begin(), name, *name) != name) Fail(file, 1, "column twice: " + *name);
  }
  return names;
}

void ReadLine(const std::filesystem::path& file, std::size_t number, std::string_view line,
              Table& table) {
  const std::vector<std::string_view> fields = Split(line, ',');
  if (fields.size() != table.frameworks.size() + 1) {
    Fail(
        file, number,
        fmt::format("{} fields where the head has {}", fields.size(), table.frameworks.size() + 1));
  }
  const auto clients = Parse<std::int64_t>(fields.front());
  if (!clients || *clients < 1) {
    Fail(file, number, fmt::format("clients is not a positive number: \"{:.60}\"", fields.front()));
  }
  if (!table.clients.empty() && *clients <= table.clients.back()) {
    Fail(file, number,
         fmt::format("clients {} after {}: each once, ascending", *clients, table.clients.back()));
  }
  auto& cells = table.cells.emplace_back();
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto value = Parse<double>(fields[i]);
    if (!fields[i].empty() && !(value && std::isfinite(*value))) {
      Fail(file, number,
           fmt::format("{} is not a number: \"{:.60}\"", table.frameworks[i - 1], fields[i]));
    }
    cells.push_back(value);
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
    if (name.empty() || name.find_first_of(",\"\r\n") != std::string::npos) {
      refuse("not a column name: \"" + name + "\"");
    }
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
  const std::vector<std::string_view> lines = Lines(text);
  Table table;
  table.frameworks = ReadHead(file, lines.empty() ? "" : lines.front());
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
