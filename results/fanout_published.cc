#include "results/fanout_published.h"

#include <algorithm>
#include <set>

#include "echo/error.h"
#include "results/fanout.h"
#include "results/name.h"
#include "results/published.h"
#include "results/row_table.h"

namespace rpcbench {
namespace {

namespace fs = std::filesystem;

void AddRows(const fs::path& file, std::vector<Row>& rows) {
  const RowTable table = ReadRowCsv(file);
  for (std::size_t index = 0; index < table.rows.size(); ++index) {
    Row row;
    try {
      row = ParseRowName(table.rows[index]);
    } catch (const Error& error) {
      throw Error(file.string() + ": " + error.what());
    }
    if (!IsFanout(row)) throw Error(file.string() + ": " + row.name + " is no row of the fan-out");
    row.file = file.filename().string();
    Repeat repeat;
    for (std::size_t column = 0; column < table.counters.size(); ++column) {
      const std::optional<double>& cell = table.cells[index][column];
      if (cell) repeat.counters[table.counters[column]] = *cell;
    }
    row.repeats.push_back(std::move(repeat));
    rows.push_back(std::move(row));
  }
}

}  // namespace

FanoutPublished ReadFanoutPublished(const fs::path& folder) {
  FanoutPublished published;
  published.machine = ReadMachine(folder);
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.insert(entry.path());
  }
  for (const fs::path& file : files) AddRows(file, published.rows);
  if (published.rows.empty()) throw Error("no CSV file with rows in " + folder.string());
  return published;
}

std::vector<Beside> SetBeside(const std::vector<const Row*>& own, const FanoutPublished* published,
                              const std::string& family) {
  std::vector<const Row*> others;
  if (published != nullptr && !own.empty()) {
    for (const Row& row : published->rows) {
      if (row.family == family) others.push_back(&row);
    }
  }
  std::vector<Beside> all;
  for (std::size_t index = 0; index < own.size(); ++index) {
    const std::string& name = own[index]->framework;
    all.push_back({own[index], false});
    const auto same = [&](const Row* row) { return row->framework == name; };
    if (std::any_of(own.begin() + static_cast<std::ptrdiff_t>(index) + 1, own.end(), same))
      continue;
    const auto waits = [&](const Row* row) { return PartnerOf(row->framework) != name; };
    const auto begin = std::stable_partition(others.begin(), others.end(), waits);
    for (auto other = begin; other != others.end(); ++other) all.push_back({*other, true});
    others.erase(begin, others.end());
  }
  for (const Row* other : others) all.push_back({other, true});
  return all;
}

std::optional<fs::path> FindPublished(const fs::path& run, const std::string& suite) {
  const fs::path folder = fs::absolute(run).lexically_normal();
  for (const fs::path& from : {folder / "..", folder / "../..", fs::path("results")}) {
    const fs::path found = (from / "published" / suite).lexically_normal();
    if (fs::is_directory(found)) return found;
  }
  return std::nullopt;
}

}  // namespace rpcbench
