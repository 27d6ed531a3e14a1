// What is drawn, as values: series, bars, reference lines and notes. Knows neither rows nor
// gnuplot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plots/style.h"

namespace rpcbench {

// Least and most over the repeats; nothing below three repeats.
using Range = std::optional<std::pair<double, double>>;

struct Point {
  double x = 0;
  double y = 0;
  Range range;
};

struct Series {
  std::string framework;
  std::string label;
  Style style;
  bool published = false;  // another machine's: dashed and lighter
  std::vector<Point> points;
};

// One horizontal bar, from the axis' lower end.
struct Bar {
  struct Part {
    std::string colour;
    double from = 0;
    double to = 0;
  };
  std::string label;
  std::vector<Part> parts;  // painted in this order, so that a later one covers an earlier
  double value = 0;         // what it is sorted by
  std::string text;         // written at its end
  Range range;
  bool published = false;     // another machine's: lighter and hatched
  bool begins_group = false;  // stands a little apart from the bar above it
};

struct Reference {
  std::string label;
  std::vector<std::pair<double, double>>
      points;  // in a bar chart x is the value, y the bar's place
};

struct LegendEntry {
  std::string label;
  std::string colour;
};

struct Axis {
  std::string title;
  bool log = false;
  double low = 0;
  double high = 1;
  std::vector<std::pair<double, std::string>> ticks;  // without a text: a minor one
};

struct Chart {
  std::string name;  // of the file
  std::string title;
  std::string subtitle;   // where, when, how often
  std::string published;  // says whose the dashed lines and hatched bars are; empty without any
  Axis x;
  Axis y;                           // a bar chart's is made of its bars
  std::vector<Series> series;       // a line chart
  std::vector<Bar> bars;            // a bar chart
  std::vector<LegendEntry> legend;  // a bar chart's
  std::vector<Reference> references;
  std::vector<std::string> notes;  // under the chart: who is not drawn and why
  // How many rows of this chart the run has, drawn or not. Without one there is nothing to say.
  std::size_t rows = 0;
  std::string missing;  // what would have to be run to have a row
};

inline bool IsDrawable(const Chart& chart) {
  return !chart.series.empty() || !chart.bars.empty();
}

// Where the bars stand along the y axis, the first at 0: one apart, more before a group.
std::vector<double> BarPlaces(const std::vector<Bar>& bars);

// A line across all bars at this value.
Reference Across(const std::vector<Bar>& bars, const std::string& label, double value);

// Whether a log axis serves better: all values positive and over one and a half decades apart.
bool WantsLog(const std::vector<double>& values);

// Ends and ticks for these values, at least one: from 0 on a linear axis, at 1, 2 and 5 or at whole
// decades on a log one. On a log axis values below or at zero are passed over.
void FitAxis(Axis& axis, const std::vector<double>& values);

// "33.3", "1,250", "66,667": three digits, more only before the point.
std::string FormatNumber(double value);

// Fits the axes of a chart with clients along x, sorts the legend as the lines end, and moves each
// series a little aside so that equal values do not hide one another.
void FinishLines(Chart& chart);

// The same for a chart whose x axis is already fitted and holds numbers; nothing is moved aside.
// Within a factor of two a log axis would have one tick or none: it is linear then.
void FinishCurves(Chart& chart, bool log);

// Sorts by value, the greatest on top, and fits the axis; the axis' `log` must be set.
void FinishBars(Chart& chart);

// The same, with the bars in the order that they have.
void FitBars(Chart& chart);

}  // namespace rpcbench
