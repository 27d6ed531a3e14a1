// Draws the charts of a run into a folder, each file whole or not at all.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plots/chart.h"
#include "plots/script.h"
#include "results/run.h"

namespace rpcbench {

struct DrawOptions {
  std::filesystem::path out;
  std::vector<ImageFormat> formats = {ImageFormat::kPng, ImageFormat::kSvg};
  std::vector<std::string> only;                   // names of charts; empty: all
  std::optional<std::filesystem::path> published;  // a folder like results/published/go-suite
  std::optional<std::filesystem::path> published_fanout;  // like results/published/fanout
  std::chrono::seconds timeout{60};                       // for one image
};

struct Drawing {
  std::vector<std::filesystem::path> files;
  std::vector<Chart> without_rows;  // not drawn; a file of an earlier run is removed
};

// The charts of a run in a fixed order, with the published figures whose folder is given, axes
// fitted. Throws Error if the published figures cannot be read.
std::vector<Chart> ChartsOf(const Run& run,
                            const std::optional<std::filesystem::path>& published = {},
                            const std::optional<std::filesystem::path>& published_fanout = {});

// Throws Error that names the chart if gnuplot is not there or fails, and for a folder that cannot
// be written. What gnuplot says although it succeeds goes to standard error.
Drawing DrawCharts(const Run& run, const DrawOptions& options);

}  // namespace rpcbench
