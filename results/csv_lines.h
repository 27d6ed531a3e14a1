// What every CSV file of a run has in common: lines, fields, numbers. Knows no table.
#pragma once

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rpcbench {

// Throws Error that names the file and the line, counted from 1.
[[noreturn]] void FailCsv(const std::filesystem::path& file, std::size_t line,
                          const std::string& what);

// The fields of a line, empty ones too; there is no quoting.
std::vector<std::string_view> CsvFields(std::string_view line);

// Lines without their ends; a last line without one counts, and files from Windows are read too.
std::vector<std::string_view> CsvLines(std::string_view text);

// The names of the columns after the first, which must be `first`; `what` stands for them in the
// message: "clients,<framework>,...". Each must be there and once.
std::vector<std::string> ReadCsvHead(const std::filesystem::path& file, std::string_view line,
                                     std::string_view first, std::string_view what);

// A finite number or, of an empty field, nothing. Throws Error for anything else.
std::optional<double> ReadCsvCell(const std::filesystem::path& file, std::size_t line,
                                  const std::string& column, std::string_view field);

// Whether `name` can stand in a head or before a line.
bool IsCsvName(std::string_view name);

template <class Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace rpcbench
