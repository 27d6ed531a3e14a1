#include "results/csv_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "echo/error.h"

namespace rpcbench {
namespace {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void FailCsv(const std::filesystem::path& file, std::size_t line, const std::string& what) {
  throw Error(fmt::format("{}:{}: {}", file.string(), line, what));
}

std::vector<std::string_view> CsvFields(std::string_view line) {
  return Split(line, ',');
}

std::vector<std::string_view> CsvLines(std::string_view text) {
  std::vector<std::string_view> lines = Split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

std::vector<std::string> ReadCsvHead(const std::filesystem::path& file, std::string_view line,
                                     std::string_view first, std::string_view what) {
  const std::vector<std::string_view> fields = CsvFields(line);
  if (fields.front() != first || fields.size() < 2) {
    FailCsv(file, 1, fmt::format("expected \"{}\", found \"{:.60}\"", what, line));
  }
  const std::vector<std::string> names(fields.begin() + 1, fields.end());
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) FailCsv(file, 1, "a column has no name");
    if (std::find(names.begin(), name, *name) != name) FailCsv(file, 1, "column twice: " + *name);
  }
  return names;
}

std::optional<double> ReadCsvCell(const std::filesystem::path& file, std::size_t line,
                                  const std::string& column, std::string_view field) {
  const auto value = ParseNumber<double>(field);
  if (!field.empty() && !(value && std::isfinite(*value))) {
    FailCsv(file, line, fmt::format("{} is not a number: \"{:.60}\"", column, field));
  }
  return value;
}

bool IsCsvName(std::string_view name) {
  return !name.empty() && name.find_first_of(",\"\r\n") == std::string_view::npos;
}

}  // namespace rpcbench
