// Rows in, named and styled points and notes out.
#include "plots/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "plots/text.h"
#include "results/fanout.h"

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
                     most >= kRangeRepeats ? ", whiskers from least to most" : "");
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
    sum *= quantity.scale;
    if (!quantity.times.empty()) {
      const auto factor = repeat.counters.find(quantity.times);
      if (factor == repeat.counters.end()) continue;
      sum *= factor->second;
    }
    if (std::isfinite(sum)) values.push_back(sum);
  }
  return values;
}

std::optional<Point> PointOf(const Row& row, const Quantity& quantity, double x) {
  if (row.status != RowStatus::kOk) return std::nullopt;
  const std::vector<double> values = ValuesOf(row, quantity);
  const std::optional<double> median = Median(values);
  if (!median) return std::nullopt;
  Point point{.x = x, .y = *median, .range = {}};
  if (values.size() >= kRangeRepeats) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    point.range = {*least, *most};
  }
  return point;
}

Selection::Selection(const Run& run) : run_(&run), frameworks_(FrameworksOf(run)) {}

std::vector<const Row*> Selection::Rows(const std::function<bool(const Row&)>& takes) const {
  std::vector<const Row*> rows;
  for (const Row& row : run_->rows) {
    if (takes(row)) rows.push_back(&row);
  }
  return rows;
}

std::size_t Selection::IndexOf(const std::string& framework) const {
  const auto found =
      std::find_if(frameworks_.begin(), frameworks_.end(),
                   [&](const FrameworkEntry& entry) { return entry.name == framework; });
  return static_cast<std::size_t>(found - frameworks_.begin());
}

std::string Selection::LabelOf(const Row& row) const {
  if (IsFanout(row)) return FanoutLabel(row);
  const std::size_t index = IndexOf(row.framework);
  const std::string label = index < frameworks_.size() ? frameworks_[index].label : row.framework;
  return row.variant.empty() ? label : fmt::format("{} ({})", label, row.variant);
}

bool Selection::CarriesOne(const Row& row) const {
  const std::size_t index = IndexOf(row.framework);
  return index < frameworks_.size() && frameworks_[index].carries == "one";
}

Style Selection::StyleFor(const Row& row) const {
  if (IsFanout(row)) {
    const bool own_encoder = BoardTraitsOf(row).encoders == "per_stream";
    return FanoutStyle(CodecOf(row.framework), own_encoder);
  }
  Style style = StyleOf(IndexOf(row.framework));
  if (!row.variant.empty()) style.dash = 4;
  return style;
}

Style Selection::PublishedStyle(const std::string& framework, std::size_t position) const {
  const std::size_t index = IndexOf(framework);
  return StyleOf(index < frameworks_.size() ? index : frameworks_.size() + position);
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
  return Median(delays).value_or(0.030);
}

std::string Selection::Subtitle(const std::vector<const Row*>& rows) const {
  if (!run_->manifest.is_object()) return RepeatsOf(rows);
  std::string subtitle = DescribeMachine(run_->manifest);
  for (const std::string& part : {run_->manifest.value("date", ""), RepeatsOf(rows)}) {
    if (part.empty()) continue;
    subtitle += subtitle.empty() ? part : "; " + part;
  }
  return subtitle;
}

// "Label", or "Label at clients 16" if the label has other rows here that are valid. Of the
// parameters the first that differs between rows is named.
std::string Selection::Subject(const Row& row, const std::vector<const Row*>& rows) const {
  const std::string label = LabelOf(row);
  const bool drawn = std::any_of(rows.begin(), rows.end(), [&](const Row* other) {
    return other->status == RowStatus::kOk && LabelOf(*other) == label;
  });
  if (!drawn) return label;
  for (const auto& [key, value] : row.parameters) {
    const auto differs = [&](const Row* other) { return other->Parameter(key) != value; };
    if (std::none_of(rows.begin(), rows.end(), differs)) continue;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    return fmt::format("{} at {} {}", label, name, FormatNumber(static_cast<double>(value)));
  }
  return label;
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
    const std::string label = Subject(*row, rows);
    if (std::find(group->labels.begin(), group->labels.end(), label) == group->labels.end()) {
      group->labels.push_back(label);
    }
  }
  std::vector<std::string> notes;
  for (const Group& group : groups) {
    notes.push_back(fmt::format("{}: {}: {}", Headword(group.status), fmt::join(group.labels, "; "),
                                Shorten(group.reason, kReasonLength)));
  }
  return notes;
}

}  // namespace rpcbench
