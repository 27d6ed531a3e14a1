#include "results/name.h"

#include <charconv>
#include <string_view>

#include "echo/error.h"
#include "results/fanout.h"

namespace rpcbench {
namespace {

// Google Benchmark's own additions: they say how it was asked to time, not what was run.
bool IsHarnessPart(std::string_view part) {
  for (const std::string_view plain : {"manual_time", "real_time", "process_time"}) {
    if (part == plain) return true;
  }
  for (const std::string_view key :
       {"iterations:", "repeats:", "min_time:", "min_warmup_time:", "threads:"}) {
    if (part.starts_with(key)) return true;
  }
  return false;
}

void Append(std::string& text, std::string_view part) {
  if (!text.empty()) text += '/';
  text += part;
}

// Only these: a row that differs in anything else is another row, and must not pass for one.
bool IsParameter(const std::string& key, const std::string& family) {
  if (IsFanoutFamily(family)) return key == "streams" || key == "window";
  return key == "clients" || key == "in_flight" || key == "rate";
}

void AddPart(std::string_view part, Row& row) {
  const std::size_t colon = part.find(':');
  const std::string key(part.substr(0, colon));
  if (colon == std::string_view::npos || !IsParameter(key, row.family)) {
    Append(row.variant, part);
    return;
  }
  const std::string_view digits = part.substr(colon + 1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 1) {
    throw Error("\"" + std::string(part) + "\" is not " + key + ":<positive number>");
  }
  if (!row.parameters.emplace(key, value).second) throw Error(key + " twice in the name");
}

}  // namespace

Row ParseRowName(const std::string& name) {
  Row row;
  std::size_t heads = 0;
  std::string_view rest = name;
  while (true) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty()) throw Error("\"" + name + "\" has an empty part");
    if (heads == 0 || (heads == 1 && row.family == "BenchmarkHOL")) {
      Append(row.family, part);
      Append(row.name, part);
      ++heads;
    } else if (row.framework.empty()) {
      row.framework = part;
      Append(row.name, part);
    } else if (!IsHarnessPart(part)) {
      AddPart(part, row);
      Append(row.name, part);
    }
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (row.framework.empty()) throw Error("\"" + name + "\" is not <family>/<framework>/...");
  return row;
}

}  // namespace rpcbench
