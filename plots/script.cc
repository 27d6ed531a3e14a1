// Layout of a page: title, subtitle, plot, legend to its right, notes under it. gnuplot-iostream is
// seen by this file only.
#include "plots/script.h"

#include <fmt/format.h>
#include <gnuplot-iostream.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "plots/text.h"

namespace rpcbench {
namespace {

constexpr double kCharacter = 7.2;  // pixels, at the legend's font size
constexpr std::size_t kNoteColumns = 165;
constexpr std::size_t kLongestLabel = 54;
constexpr double kNoteLine = 17;  // pixels

double AcrossOf(double pixels) {
  return pixels / kChartWidth;
}
double UpOf(double pixels) {
  return pixels / kChartHeight;
}

struct Page {
  double left = 0.08;
  double right = 0.98;
  double top = 0.9;
  double bottom = 0.12;
  std::vector<std::string> header;
  std::vector<std::string> notes;
};

std::string Fit(const std::string& label) {
  return Shorten(label, kLongestLabel);
}

double LabelPixels(const std::vector<std::string>& labels) {
  std::size_t longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, Columns(Fit(label)));
  return static_cast<double>(longest) * kCharacter;
}

// Notes may not crowd out the plot; a page without one has room.
std::vector<std::string> NoteLines(const Chart& chart) {
  std::vector<std::string> lines;
  for (const std::string& note : chart.notes) {
    for (const std::string& line : Wrap(note, kNoteColumns)) lines.push_back(line);
  }
  const std::size_t most = IsDrawable(chart) ? 8 : 30;
  if (lines.size() > most) {
    const std::size_t more = lines.size() - (most - 1);
    lines.resize(most - 1);
    lines.push_back(fmt::format("... and {} lines more, which the run's files have", more));
  }
  return lines;
}

bool IsPublished(const Bar& bar) {
  return bar.published;
}

constexpr char kPublishedKey[] = "published";

// gnuplot gives every entry the width of the longest, and begins a line where the plot ends.
double KeyLines(const Chart& chart, double plot_pixels) {
  std::vector<std::string> labels;
  for (const LegendEntry& entry : chart.legend) labels.push_back(entry.label);
  for (const Reference& reference : chart.references) labels.push_back(reference.label);
  if (std::any_of(chart.bars.begin(), chart.bars.end(), IsPublished)) {
    labels.emplace_back(kPublishedKey);
  }
  const double across = std::max(1.0, std::floor(plot_pixels / (62 + LabelPixels(labels))));
  return std::ceil(static_cast<double>(labels.size()) / across);
}

Page Arrange(const Chart& chart) {
  Page page;
  page.notes = NoteLines(chart);
  for (const std::string& text : {chart.subtitle, chart.published}) {
    for (const std::string& line : Wrap(text, kNoteColumns)) page.header.push_back(line);
  }
  page.top = 1 - UpOf(70 + kNoteLine * static_cast<double>(page.header.size()));
  page.bottom = UpOf(66 + kNoteLine * static_cast<double>(page.notes.size()));
  std::vector<std::string> labels;
  if (!chart.bars.empty()) {
    for (const Bar& bar : chart.bars) labels.push_back(bar.label);
    page.left = AcrossOf(30 + 1.1 * LabelPixels(labels));
    page.right = 0.89;
    const double lines = KeyLines(chart, (page.right - page.left) * kChartWidth);
    if (lines > 0) page.top -= UpOf(8 + 16 * lines);
    return page;
  }
  for (const auto& [at, label] : chart.y.ticks) labels.push_back(label);
  page.left = AcrossOf(56 + 1.1 * LabelPixels(labels));
  labels.clear();
  for (const Series& series : chart.series) labels.push_back(series.label);
  for (const Reference& reference : chart.references) labels.push_back(reference.label);
  page.right = 1 - AcrossOf(66 + LabelPixels(labels));
  return page;
}

void SetTerminal(Gnuplot& gp, ImageFormat format, const std::filesystem::path& image) {
  gp << "set encoding utf8\n";
  if (format == ImageFormat::kPng) {
    gp << fmt::format("set terminal pngcairo noenhanced size {},{} font 'DejaVu Sans,11'\n",
                      kChartWidth, kChartHeight);
  } else {
    gp << fmt::format(
        "set terminal svg noenhanced size {},{} font 'DejaVu Sans, Verdana, Arial, sans-serif,13' "
        "background '#ffffff'\n",
        kChartWidth, kChartHeight);
  }
  gp << "set output " << Quote(image.string()) << "\n";
}

void PutText(Gnuplot& gp, double x, double y, const std::string& text, const std::string& look) {
  gp << fmt::format("set label {} at screen {:.4f},{:.4f} left {}\n", Quote(text), x, y, look);
}

// A font size that looks alike: pngcairo counts in points, svg in pixels.
std::string FontSize(ImageFormat format, double points, const char* face = "") {
  return fmt::format("font '{},{:.0f}'", face,
                     format == ImageFormat::kPng ? points : points * 1.25);
}

void WriteTexts(Gnuplot& gp, const Chart& chart, const Page& page, ImageFormat format) {
  const std::string small = FontSize(format, 9) + " textcolor rgb '#555555'";
  const double x = AcrossOf(14);
  PutText(gp, x, 0.963, chart.title, FontSize(format, 15));
  double y = 1 - UpOf(60);
  for (const std::string& line : page.header) {
    PutText(gp, x, y, line, small);
    y -= UpOf(kNoteLine);
  }
  y = UpOf(8 + kNoteLine * (static_cast<double>(page.notes.size()) - 0.5));
  for (const std::string& note : page.notes) {
    PutText(gp, x, y, note, small);
    y -= UpOf(kNoteLine);
  }
}

void WriteAxis(Gnuplot& gp, const char* letter, const Axis& axis) {
  if (axis.log) gp << "set logscale " << letter << "\n";
  gp << fmt::format("set {}range [{}:{}]\nset {}label {}\n", letter, axis.low, axis.high, letter,
                    Quote(axis.title));
  gp << "set " << letter << "tics nomirror (";
  const char* separator = "";
  for (const auto& [at, label] : axis.ticks) {
    gp << separator << Quote(label) << " " << at << (label.empty() ? " 1" : " 0");
    separator = ", ";
  }
  gp << ")\n";
}

void WriteFrame(Gnuplot& gp, const Page& page) {
  gp << fmt::format(
      "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
      "set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\n",
      page.left, page.right, page.top, page.bottom);
  gp << "set border 3 lc rgb '#444444'\nset tics textcolor rgb '#222222'\n"
        "set grid lc rgb '#dddddd' lt 1 lw 0.7\nset style fill solid 1 noborder\n";
}

// A plot command is one line of elements; the data of those that have some follow in order.
using Columns4 = std::vector<std::tuple<double, double, double, double>>;

struct Elements {
  std::string command;
  std::vector<Columns4> data;

  void Add(const std::string& element) {
    command += command.empty() ? "plot " : ", ";
    command += element;
  }
  void Send(Gnuplot& gp) const {
    gp << command << "\n";
    for (const Columns4& columns : data) gp.send1d(columns);
  }
};

// Point sizes too look larger in svg.
std::string LookOf(const Series& series, ImageFormat format) {
  const std::string colour =
      series.published ? Lighter(series.style.colour, 0.35) : series.style.colour;
  return fmt::format("lc rgb '{}' pt {} dt {} lw {} ps {}", colour, series.style.point,
                     series.published ? 2 : series.style.dash, series.published ? 1.4 : 2.0,
                     (series.published ? 0.7 : 1.1) * (format == ImageFormat::kPng ? 1 : 0.75));
}

void AddSeries(Elements& elements, const Series& series, ImageFormat format) {
  Columns4 points;
  Columns4 ranges;
  for (const Point& point : series.points) {
    points.emplace_back(point.x, point.y, point.y, point.y);
    if (point.range) {
      ranges.emplace_back(point.x, point.y, point.range->first, point.range->second);
    }
  }
  if (!ranges.empty()) {
    elements.Add(fmt::format("'-' using 1:2:3:4 with yerrorbars lc rgb '{}' pt 0 lw 1 notitle",
                             series.style.colour));
    elements.data.push_back(ranges);
  }
  elements.Add(fmt::format("'-' using 1:2 with linespoints {} notitle", LookOf(series, format)));
  elements.data.push_back(points);
}

void AddReferences(Elements& elements, const Chart& chart) {
  for (const Reference& reference : chart.references) {
    Columns4 points;
    for (const auto& [x, y] : reference.points) points.emplace_back(x, y, y, y);
    elements.Add(fmt::format("'-' using 1:2 with lines lc rgb '#000000' dt 3 lw 2 title {}",
                             Quote(Fit(reference.label))));
    elements.data.push_back(points);
  }
}

void AddLegend(Elements& elements, const Chart& chart, ImageFormat format, bool published) {
  bool headed = !published;
  for (const Series& series : chart.series) {
    if (series.published != published) continue;
    if (!headed) elements.Add("keyentry with lines lc rgb '#ffffff' title 'Published, elsewhere:'");
    headed = true;
    elements.Add(fmt::format("keyentry with linespoints {} title {}", LookOf(series, format),
                             Quote(Fit(series.label))));
  }
}

void WriteLines(Gnuplot& gp, const Chart& chart, const Page& page, ImageFormat format) {
  WriteAxis(gp, "x", chart.x);
  WriteAxis(gp, "y", chart.y);
  gp << fmt::format("set key at screen {:.4f},{:.4f} left top Left reverse samplen 2.4 {}\n",
                    page.right + AcrossOf(6), page.top, FontSize(format, 9.5));
  Elements elements;
  // What is published lies under what was measured here.
  for (auto series = chart.series.rbegin(); series != chart.series.rend(); ++series) {
    AddSeries(elements, *series, format);
  }
  AddLegend(elements, chart, format, false);
  AddReferences(elements, chart);
  AddLegend(elements, chart, format, true);
  elements.Send(gp);
}

// Coloured boxes: value, index, ends along x and along y, colour as a number.
using Boxes = std::vector<std::tuple<double, double, double, double, double, double, long>>;

// The parts of the bars, published ones lighter.
Boxes BoxesOf(const Chart& chart, bool only_published) {
  const std::vector<double> places = BarPlaces(chart.bars);
  Boxes boxes;
  for (std::size_t index = 0; index < chart.bars.size(); ++index) {
    const Bar& bar = chart.bars[index];
    const double place = places[index];
    for (const Bar::Part& part : bar.parts) {
      if (only_published && !bar.published) continue;
      const std::string colour = bar.published ? Lighter(part.colour, 0.65) : part.colour;
      const double from = std::max(part.from, chart.x.low);
      boxes.emplace_back(part.to, place, from, std::max(from, part.to), place - 0.36, place + 0.36,
                         std::stol(colour.substr(1), nullptr, 16));
    }
  }
  return boxes;
}

// What is written beside the bars and at their ends; returns the whiskers.
Columns4 WriteBarTexts(Gnuplot& gp, Chart& chart, ImageFormat format) {
  const std::vector<double> places = BarPlaces(chart.bars);
  Columns4 ranges;
  for (std::size_t index = 0; index < chart.bars.size(); ++index) {
    const Bar& bar = chart.bars[index];
    const double y = places[index];
    chart.y.ticks.emplace_back(y, Fit(bar.label));
    double end = bar.value;
    if (bar.range) {
      ranges.emplace_back(bar.value, y, bar.range->first, bar.range->second);
      end = std::max(end, bar.range->second);
    }
    gp << fmt::format("set label {} at first {},{} left offset character 0.7,0 {}\n",
                      Quote(bar.text), end, y, FontSize(format, 9));
  }
  chart.y.low = places.back() + 0.5;
  chart.y.high = -0.5;
  return ranges;
}

void WriteBars(Gnuplot& gp, Chart chart, const Page& page, ImageFormat format) {
  const Columns4 ranges = WriteBarTexts(gp, chart, format);
  WriteAxis(gp, "x", chart.x);
  WriteAxis(gp, "y", chart.y);
  gp << "set grid noytics\nset ytics scale 0\n";
  gp << fmt::format("set key at screen {:.4f},{:.4f} left bottom Left reverse horizontal {}\n",
                    page.left, page.top + UpOf(2), FontSize(format, 9.5));
  Elements elements;
  elements.Add("'-' using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable notitle");
  const Boxes hatched = BoxesOf(chart, true);
  // One colour for all: in an SVG a plot has one pattern, whatever its boxes' colours.
  const char* hatch = "fs transparent pattern 5 lc rgb '#777777'";
  if (!hatched.empty()) {
    elements.Add(fmt::format("'-' using 1:2:3:4:5:6 with boxxyerror {} notitle", hatch));
  }
  if (!ranges.empty()) {
    elements.Add("'-' using 1:2:3:4 with xerrorbars lc rgb '#222222' pt 0 lw 1 notitle");
    elements.data.push_back(ranges);
  }
  AddReferences(elements, chart);
  for (const LegendEntry& entry : chart.legend) {
    elements.Add(
        fmt::format("keyentry with boxes lc rgb '{}' title {}", entry.colour, Quote(entry.label)));
  }
  if (!hatched.empty()) {
    elements.Add(fmt::format("keyentry with boxes {} title {}", hatch, Quote(kPublishedKey)));
  }
  gp << elements.command << "\n";
  gp.send1d(BoxesOf(chart, false));
  if (!hatched.empty()) gp.send1d(hatched);
  for (const Columns4& columns : elements.data) gp.send1d(columns);
}

// gnuplot writes no page without a plot: a white dot makes one.
void WriteEmpty(Gnuplot& gp, const Page& page, ImageFormat format) {
  PutText(gp, AcrossOf(14), page.top - UpOf(30),
          "Nothing to draw: no row of this chart is valid. The reasons are below.",
          FontSize(format, 13));
  gp << "unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
        "plot '-' using 1:2 with dots lc rgb '#ffffff' notitle\n";
  gp.send1d(std::vector<std::tuple<double, double>>{{0.5, 0.5}});
}

}  // namespace

const char* ToString(ImageFormat format) {
  return format == ImageFormat::kPng ? "png" : "svg";
}

void WriteScript(const std::filesystem::path& script, const Chart& chart, ImageFormat format,
                 const std::filesystem::path& image) {
  Gnuplot gp(">" + script.string());
  const Page page = Arrange(chart);
  SetTerminal(gp, format, image);
  WriteFrame(gp, page);
  WriteTexts(gp, chart, page, format);
  if (!chart.bars.empty()) {
    WriteBars(gp, chart, page, format);
  } else if (!chart.series.empty()) {
    WriteLines(gp, chart, page, format);
  } else {
    WriteEmpty(gp, page, format);
  }
  gp << "set output\n";
}

}  // namespace rpcbench
