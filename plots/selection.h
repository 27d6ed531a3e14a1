// What all charts need of a run: rows by predicate, values over repeats, names, styles and notes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plots/chart.h"
#include "plots/style.h"
#include "results/manifest.h"
#include "results/run.h"

namespace rpcbench {

// One number a repeat: the sum of those counters that it has, times scale and times the counter
// `times` if one is named. A repeat that lacks the first or `times` has none.
struct Quantity {
  std::vector<std::string> counters;
  double scale = 1;
  std::string times{};
};

std::vector<double> ValuesOf(const Row& row, const Quantity& quantity);

// The median, and the range from three repeats on. Nothing if no repeat has the quantity or the row
// is not valid.
std::optional<Point> PointOf(const Row& row, const Quantity& quantity, double x);

class Selection final {
 public:
  // The run outlives this.
  explicit Selection(const Run& run);

  std::vector<const Row*> Rows(const std::function<bool(const Row&)>& takes) const;

  // The label of the row's framework, with the variant if it has one; FanoutLabel of its rows.
  std::string LabelOf(const Row& row) const;
  // Whether the manifest says that the framework carries one call at a time on a connection.
  bool CarriesOne(const Row& row) const;
  Style StyleFor(const Row& row) const;
  // A published framework that has one of our names has its style; the others have those after
  // ours, by `position`.
  Style PublishedStyle(const std::string& framework, std::size_t position) const;

  // Adds to the series of the row's framework and variant; makes it first if it is not there. A
  // second point at the same x is passed over: the first file's row counts.
  void AddPoint(Chart& chart, const Row& row, const Point& point) const;

  // A chart with subtitle, notes and number of rows filled in.
  Chart Begin(Chart chart, const std::vector<const Row*>& rows) const;

  // The constant delay of the server as the rows tell it: in flight / delay = qps / share. 30 ms if
  // none does.
  double DelaySeconds() const;

 private:
  std::size_t IndexOf(const std::string& framework) const;
  std::string Subtitle(const std::vector<const Row*>& rows) const;
  std::string Subject(const Row& row, const std::vector<const Row*>& rows) const;
  std::vector<std::string> Notes(const std::vector<const Row*>& rows) const;

  const Run* run_;
  std::vector<FrameworkEntry> frameworks_;
};

}  // namespace rpcbench
