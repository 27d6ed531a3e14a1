// Rows in, named and styled points and notes out.
#include "plots/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "plots/text.h"

namespace rpcbench {
namespace {

constexpr std::size_t kRangeRepeats = 3;
constexpr std::size_t kReasonLength = 110;

std::string Headword(RowStatus status) {
  std::string word = ToString(status);
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

std::string RepeatsOf(const std::vector<const Row*>& rows) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (const Row* row : rows) {
    const std::size_t count = row->repeats.size();
    if (row->status != RowStatus::kOk || count == 0) continue;
    least = least == 0 ? count : std::min(least, count);
    most = std::max(most, count);
  }
  if (most == 0) return "";
  if (most == 1) return "one repeat";
  const std::string number =
      least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  return fmt::format("median of {} repeats{}", number,
                     most >= kRangeRepeats ? ", bars show least and most" : "");
}

}  // namespace

std::vector<double> ValuesOf(const Row& row, const Quantity& quantity) {
  std::vector<double> values;
  for (const Repeat& repeat : row.repeats) {
    if (quantity.counters.empty() || !repeat.counters.contains(quantity.counters.front())) continue;
    double sum = 0;
    for (const std::string& counter : quantity.counters) {
      const auto found = repeat.counters.find(counter);
      if (found != repeat.counters.end()) sum += found->second;
    }
    if (std::isfinite(sum)) values.push_back(sum * quantity.scale);
  }
  return values;
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<Point> PointOf(const Row& row, const Quantity& quantity, double x) {
  if (row.status != RowStatus::kOk) return std::nullopt;
  const std::vector<double> values = ValuesOf(row, quantity);
  if (values.empty()) return std::nullopt;
  Point point{.x = x, .y = MedianOf(values), .range = {}};
  if (values.size() >= kRangeRepeats) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    point.range = {*least, *most};
  }
  return point;
}

Selection::Selection(const Run& run) : run_(&run), names_(FrameworksOf(run)) {}

std::vector<const Row*> Selection::Rows(const std::function<bool(const Row&)>& takes) const {
  std::vector<const Row*> rows;
  for (const Row& row : run_->rows) {
    if (takes(row)) rows.push_back(&row);
  }
  return rows;
}

std::size_t Selection::IndexOf(const std::string& framework) const {
  const auto found = std::find_if(names_.begin(), names_.end(), [&](const FrameworkName& name) {
    return name.identifier == framework;
  });
  return static_cast<std::size_t>(found - names_.begin());
}

std::string Selection::LabelOf(const Row& row) const {
  const std::size_t index = IndexOf(row.framework);
  const std::string label = index < names_.size() ? names_[index].label : row.framework;
  return row.variant.empty() ? label : fmt::format("{} ({})", label, row.variant);
}

Style Selection::StyleFor(const Row& row) const {
  Style style = StyleOf(IndexOf(row.framework));
  if (!row.variant.empty()) style.dash = 4;
  return style;
}

Style Selection::PublishedStyle(const std::string& framework, std::size_t position) const {
  const std::size_t index = IndexOf(framework);
  return StyleOf(index < names_.size() ? index : names_.size() + position);
}

void Selection::AddPoint(Chart& chart, const Row& row, const Point& point) const {
  const std::string label = LabelOf(row);
  auto found = std::find_if(chart.series.begin(), chart.series.end(), [&](const Series& series) {
    return series.framework == row.framework && series.label == label;
  });
  if (found == chart.series.end()) {
    chart.series.push_back({.framework = row.framework,
                            .label = label,
                            .style = StyleFor(row),
                            .published = false,
                            .points = {}});
    found = std::prev(chart.series.end());
  }
  const bool there = std::any_of(found->points.begin(), found->points.end(),
                                 [&](const Point& other) { return other.x == point.x; });
  if (!there) found->points.push_back(point);
}

Chart Selection::Begin(Chart chart, const std::vector<const Row*>& rows) const {
  chart.rows = rows.size();
  chart.subtitle = Subtitle(rows);
  chart.notes = Notes(rows);
  return chart;
}

double Selection::DelaySeconds() const {
  std::vector<double> delays;
  for (const Row& row : run_->rows) {
    const auto in_flight = static_cast<double>(row.Parameter("in_flight"));
    const std::optional<double> qps = row.Median("qps");
    const std::optional<double> share = row.Median("share");
    if (row.status != RowStatus::kOk || in_flight <= 0 || !qps || !share || *qps <= 0) continue;
    delays.push_back(in_flight * *share / *qps);
  }
  return delays.empty() ? 0.030 : MedianOf(delays);
}

std::string Selection::Subtitle(const std::vector<const Row*>& rows) const {
  std::vector<std::string> parts = SourceOf(*run_);
  const std::string repeats = RepeatsOf(rows);
  if (!repeats.empty()) parts.push_back(repeats);
  return fmt::format("{}", fmt::join(parts, "   |   "));
}

std::vector<std::string> Selection::Notes(const std::vector<const Row*>& rows) const {
  struct Group {
    RowStatus status;
    std::string reason;
    std::vector<std::string> labels;
  };
  std::vector<Group> groups;
  for (const Row* row : rows) {
    if (row->status == RowStatus::kOk) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
      return one.status == row->status && one.reason == row->reason;
    });
    if (group == groups.end()) {
      groups.push_back({.status = row->status, .reason = row->reason, .labels = {}});
      group = std::prev(groups.end());
    }
    const std::string label = LabelOf(*row);
    if (std::find(group->labels.begin(), group->labels.end(), label) == group->labels.end()) {
      group->labels.push_back(label);
    }
  }
  std::vector<std::string> notes;
  for (const Group& group : groups) {
    notes.push_back(fmt::format("{}: {}: {}", Headword(group.status), fmt::join(group.labels, ", "),
                                Shorten(group.reason, kReasonLength)));
  }
  return notes;
}

}  // namespace rpcbench
