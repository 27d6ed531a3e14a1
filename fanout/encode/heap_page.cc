#include "fanout/encode/heap_page.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <set>
#include <string_view>

namespace rpcbench {
namespace {

constexpr std::string_view kHead =
    "data: <!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Stations</title>"
    "</head><body><main id=\"stations\"><h1>Stations</h1><table><thead><tr><th>Rank</th>"
    "<th>Station</th><th>Readings</th><th>Load</th><th>Change</th><th>Last seen</th><th>Note</th>"
    "</tr></thead><tbody>";
constexpr std::string_view kTail = "</tbody></table></main></body></html>\n\n";

constexpr std::array<std::string_view, 32> kPlaces = {
    "alder",  "bay",   "birch", "bridge", "castle", "cedar", "cliff",   "creek",
    "dune",   "fen",   "field", "forest", "harbor", "heath", "hill",    "island",
    "lagoon", "lake",  "marsh", "meadow", "mill",   "moor",  "orchard", "pine",
    "quarry", "ridge", "river", "shore",  "spring", "tower", "valley",  "weir"};
constexpr std::array<std::string_view, 8> kSides = {"east", "inner", "lower", "north",
                                                    "old",  "south", "upper", "west"};
constexpr std::array<std::string_view, 24> kNotes = {
    "battery", "changed", "checked",  "clean",  "cold",   "delayed", "dry",    "firmware",
    "frost",   "gauge",   "humid",    "level",  "manual", "noise",   "normal", "pending",
    "pump",    "relay",   "replaced", "sensor", "stable", "storm",   "valve",  "wind"};

constexpr std::uint32_t kDay = 24 * 3600;

}  // namespace

HeapPage::HeapPage(std::uint64_t seed) : engine_(seed) {
  std::string page(kHead);
  while (page.size() + kTail.size() < kHeapPageBytes) {
    rows_.push_back(MakeRow(rows_.size() + 1));
    Append(rows_.back(), page);
  }
}

HeapPage::Row HeapPage::MakeRow(std::size_t rank) {
  const std::string_view side = kSides[Below(kSides.size())];
  const std::string_view place = kPlaces[Below(kPlaces.size())];
  Row row{};
  row.before = fmt::format(
      "<tr id=\"station-{0}\"><td class=\"rank\">{0}</td><th scope=\"row\">"
      "<a href=\"/stations/{1}-{2}-{0}\">{1} {2}</a></th>",
      rank, side, place);
  for (int words = 0; words < 4; ++words) {
    if (words > 0) row.note += ' ';
    row.note += kNotes[Below(kNotes.size())];
  }
  Measure(row);
  return row;
}

void HeapPage::Measure(Row& row) {
  row.readings = static_cast<std::uint32_t>(100 + Below(99'900));
  row.tenths = static_cast<std::uint32_t>(Below(1'000));
  row.change = static_cast<std::int32_t>(Below(2'000)) - 1'000;
  row.second = now_;
}

void HeapPage::Change() {
  now_ = (now_ + 1) % kDay;
  std::set<std::size_t> changed;
  while (changed.size() < kChangedRows) changed.insert(Below(rows_.size()));
  for (const std::size_t row : changed) Measure(rows_[row]);
}

void HeapPage::Append(const Row& row, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{}<td class=\"num\">{}</td><td class=\"num\">{}.{} %</td>"
                 "<td class=\"{}\">{:+.2f}</td><td><time>{:02}:{:02}:{:02}</time></td>"
                 "<td class=\"note\">{}</td></tr>",
                 row.before, row.readings, row.tenths / 10, row.tenths % 10,
                 row.change < 0 ? "down" : "up", row.change / 100.0, row.second / 3600,
                 row.second / 60 % 60, row.second % 60, row.note);
}

void HeapPage::Render(std::string& out) const {
  out += kHead;
  for (const Row& row : rows_) Append(row, out);
  out += kTail;
}

}  // namespace rpcbench
