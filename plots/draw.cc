// Charts to files: a scratch folder beside them, one gnuplot an image, then a rename.
#include "plots/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "echo/error.h"
#include "plots/chart_data.h"
#include "plots/gnuplot.h"
#include "plots/published.h"

namespace rpcbench {
namespace {

namespace fs = std::filesystem;

// In the target's own folder, so that the rename stays within one file system.
class ScratchFolder final {
 public:
  explicit ScratchFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      throw Error(fmt::format("cannot make the folder {} for charts: {}", folder.string(),
                              error.message()));
    }
    std::string name = (folder / ".drawing-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(fmt::format("cannot write into {}: {}", folder.string(), std::strerror(errno)));
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

fs::path DrawImage(const Chart& chart, ImageFormat format, const DrawOptions& options,
                   const ScratchFolder& scratch) {
  const std::string name = fmt::format("{}.{}", chart.name, ToString(format));
  const fs::path image = scratch.path() / name;
  const fs::path script = scratch.path() / (name + ".gnuplot");
  WriteScript(script, chart, format, image);
  const std::string said = RunGnuplot(script, options.timeout, "chart " + name);
  std::error_code error;
  if (fs::file_size(image, error) == 0 || error) {
    throw Error(fmt::format("chart {}: gnuplot succeeded and wrote no image. {}", name, said));
  }
  if (!said.empty()) std::fputs(fmt::format("chart {}: {}\n", name, said).c_str(), stderr);
  const fs::path file = options.out / name;
  fs::rename(image, file, error);
  if (error) throw Error(fmt::format("cannot write {}: {}", file.string(), error.message()));
  return file;
}

void RemoveOld(const Chart& chart, const DrawOptions& options) {
  for (const ImageFormat format : options.formats) {
    std::error_code ignored;
    fs::remove(options.out / fmt::format("{}.{}", chart.name, ToString(format)), ignored);
  }
}

}  // namespace

std::vector<Chart> ChartsOf(const Run& run, const std::optional<fs::path>& published,
                            const std::optional<fs::path>& published_fanout) {
  const Selection selection(run);
  std::vector<Chart> charts = ClientCharts(selection);
  if (published) OverlayPublished(charts, selection, *published);
  for (Chart& chart : charts) FinishLines(chart);
  for (Chart& chart : OtherCharts(selection)) charts.push_back(std::move(chart));
  const std::optional<FanoutPublished> fanout =
      published_fanout ? std::optional(ReadFanoutPublished(*published_fanout)) : std::nullopt;
  const FanoutSource source{selection, fanout ? &*fanout : nullptr};
  for (const auto& make : {EncoderCharts, BoardCharts, StreamCharts}) {
    for (Chart& chart : make(source)) charts.push_back(std::move(chart));
  }
  return charts;
}

Drawing DrawCharts(const Run& run, const DrawOptions& options) {
  const ScratchFolder scratch(options.out);
  Drawing drawing;
  for (const Chart& chart : ChartsOf(run, options.published, options.published_fanout)) {
    const auto& only = options.only;
    if (!only.empty() && std::find(only.begin(), only.end(), chart.name) == only.end()) continue;
    if (chart.rows == 0) {
      RemoveOld(chart, options);
      drawing.without_rows.push_back(chart);
      continue;
    }
    for (const ImageFormat format : options.formats) {
      drawing.files.push_back(DrawImage(chart, format, options, scratch));
    }
  }
  return drawing;
}

}  // namespace rpcbench
