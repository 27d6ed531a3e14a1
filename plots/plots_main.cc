// plots: draws the charts of a run folder, as often as one likes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "echo/error.h"
#include "plots/draw.h"
#include "results/fanout_published.h"
#include "results/run.h"

namespace rpcbench {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string in;
  std::string out;
  std::string published;
  bool with_published = false;
  std::vector<std::string> formats = {"png", "svg"};
  std::vector<std::string> only;
};

std::vector<std::string> ChartNames() {
  std::vector<std::string> names;
  for (const Chart& chart : ChartsOf(Run{})) names.push_back(chart.name);
  return names;
}

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--in", flags.in, "Run folder, with manifest.json and the results")
      ->required()
      ->type_name("RUN");
  app.add_option("--out", flags.out, "Folder for the charts [RUN/charts]")->type_name("DIR");
  app.add_option("--with-published", flags.published,
                 "Lay published figures over the charts of the same meaning: those of go-suite and "
                 "fanout, or of one of them [what is there in RUN/../published, "
                 "RUN/../../published and results/published]")
      ->expected(0, 1)
      ->type_name("DIR");
  app.add_option("--format", flags.formats, "png, svg or both [png,svg]")
      ->delimiter(',')
      ->type_name("LIST")
      ->check(CLI::IsMember({"png", "svg"}));
  app.add_option("--only", flags.only,
                 fmt::format("Only these charts [all]: {}", fmt::join(ChartNames(), ", ")))
      ->delimiter(',')
      ->type_name("NAMES")
      ->check(CLI::IsMember(ChartNames()).description(""));
}

// A folder with both suites, or one of them, known by its tables.
void UsePublished(const fs::path& folder, DrawOptions& options) {
  for (const fs::path& suite : {folder, folder / "go-suite", folder / "fanout"}) {
    if (fs::is_directory(suite / "qps") || fs::is_directory(suite / "fixed")) {
      options.published = suite;
    } else if (fs::exists(suite / "board.csv") || fs::exists(suite / "encoders.csv")) {
      options.published_fanout = suite;
    }
  }
  if (!options.published && !options.published_fanout) {
    throw Error(fmt::format("no published figures in {}: neither go-suite nor fanout is there",
                            folder.string()));
  }
}

void ChoosePublished(const Flags& flags, DrawOptions& options) {
  if (!flags.published.empty()) {
    UsePublished(flags.published, options);
    return;
  }
  options.published = FindPublished(flags.in, "go-suite");
  options.published_fanout = FindPublished(flags.in, "fanout");
  if (options.published || options.published_fanout) return;
  throw Error(
      fmt::format("no published figures beside {} or in results/published; name a folder with "
                  "--with-published DIR",
                  flags.in));
}

int Draw(const Flags& flags) {
  const Run run = ReadRun(flags.in);
  DrawOptions options;
  options.out = flags.out.empty() ? fs::path(flags.in) / "charts" : fs::path(flags.out);
  options.only = flags.only;
  options.formats.clear();
  for (const ImageFormat format : {ImageFormat::kPng, ImageFormat::kSvg}) {
    const auto& names = flags.formats;
    if (std::find(names.begin(), names.end(), ToString(format)) != names.end()) {
      options.formats.push_back(format);
    }
  }
  if (flags.with_published) ChoosePublished(flags, options);
  const Drawing drawing = DrawCharts(run, options);
  for (const fs::path& file : drawing.files) fmt::print("{}\n", file.string());
  for (const Chart& chart : drawing.without_rows) {
    fmt::print("not drawn: {}: the run has no row of it; it takes {}\n", chart.name, chart.missing);
  }
  return 0;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Draws the charts of a run folder with gnuplot.");
  Declare(app, flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "plots: {} (--help lists the flags)\n", error.what());
    return 2;
  }
  flags.with_published = app.count("--with-published") > 0;
  try {
    return Draw(flags);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plots: {}\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
