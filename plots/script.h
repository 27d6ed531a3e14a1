// One chart as gnuplot's commands: where what stands on the page.
#pragma once

#include <filesystem>

#include "plots/chart.h"

namespace rpcbench {

enum class ImageFormat { kPng, kSvg };

const char* ToString(ImageFormat format);

// Pixels of a chart, in both formats.
inline constexpr int kChartWidth = 1200;
inline constexpr int kChartHeight = 750;

// Writes to `script` what makes gnuplot draw the chart into `image`. A chart that has rows and
// nothing to draw becomes a page that says why.
void WriteScript(const std::filesystem::path& script, const Chart& chart, ImageFormat format,
                 const std::filesystem::path& image);

}  // namespace rpcbench
