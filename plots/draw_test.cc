// Files on disk: gnuplot itself is run, so it must be installed.
#include "plots/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "plots/gnuplot.h"
#include "results/files.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

DrawOptions Into(const fs::path& out, std::vector<std::string> only = {}) {
  DrawOptions options;
  options.out = out;
  options.only = std::move(only);
  return options;
}

Run SampleRun(const Scratch& folder) {
  SampleOptions options;
  options.repeats = 3;
  options.good = false;
  WriteSampleRun(folder.path(), options);
  return ReadRun(folder.path());
}

std::uint32_t BigEndian(const std::string& text, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t index = at; index < at + 4; ++index) {
    number = number << 8U | static_cast<unsigned char>(text.at(index));
  }
  return number;
}

// Without the whole text in the message.
testing::AssertionResult Holds(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in it";
}

void ExpectPng(const fs::path& file) {
  const std::string text = ReadFile(file);
  EXPECT_EQ(text.substr(0, 8), "\x89PNG\r\n\x1a\n") << file;
  EXPECT_EQ(BigEndian(text, 16), static_cast<std::uint32_t>(kChartWidth)) << file;
  EXPECT_EQ(BigEndian(text, 20), static_cast<std::uint32_t>(kChartHeight)) << file;
  EXPECT_THAT(text.substr(text.size() - 8), HasSubstr("IEND")) << file;
}

// What is wrong with the tags of an XML text, or "". Enough for what gnuplot writes.
std::string FaultOf(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    const std::size_t end =
        text.compare(at, 4, "<!--") == 0 ? text.find("-->", at) : text.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with('?') || tag.starts_with('!') || tag.ends_with('/')) continue;
    const std::string name = tag.substr(0, tag.find_first_of(" \t\n"));
    if (name.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) return "unexpected <" + name + ">";
      open.pop_back();
    } else {
      open.push_back(name);
    }
  }
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    const std::size_t end = text.find(';', at);
    if (end == std::string::npos || end - at > 8) return "a bare & at " + std::to_string(at);
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(DrawTest, DrawsEveryChartOfTheSampleRunAsPngAndSvg) {
  Scratch folder;
  const rpcbench::Run run = SampleRun(folder);
  DrawOptions options = Into(folder / "charts");
  options.published = RPCBENCH_PUBLISHED;
  options.published_fanout = RPCBENCH_PUBLISHED_FANOUT;
  const Drawing drawing = DrawCharts(run, options);
  EXPECT_THAT(drawing.without_rows, IsEmpty());
  EXPECT_EQ(drawing.files.size(), 2 * ChartsOf(run).size());
  for (const fs::path& file : drawing.files) {
    if (file.extension() == ".png") {
      ExpectPng(file);
    } else {
      EXPECT_EQ(FaultOf(ReadFile(file)), "") << file;
    }
  }
  const auto files = std::distance(fs::directory_iterator(folder / "charts"), {});
  EXPECT_EQ(static_cast<std::size_t>(files), drawing.files.size()) << "something was left behind";
  const std::string fixed = ReadFile(folder / "charts/fixed_sec.svg");
  for (const char* label : {"Thrift binary", "Beast HTTP/1.1 JSON", "would take too long"}) {
    EXPECT_TRUE(Holds(fixed, label));
  }
  const std::string bytes = ReadFile(folder / "charts/fanout_bytes.svg");
  for (const char* label :
       {"zstd -1, window 2^18", "published: zstd better", "Hatched: published"}) {
    EXPECT_TRUE(Holds(bytes, label));
  }
}

TEST(DrawTest, DrawsHostileLabelsAsTheyAre) {
  Scratch folder;
  rpcbench::Run run = SampleRun(folder);
  run.manifest["frameworks"][0]["label"] = "a_b^{c} 'q' \"d\" \\n <x> & `date` $1 \xff";
  DrawCharts(run, Into(folder / "charts", {"qps"}));
  const std::string svg = ReadFile(folder / "charts/qps.svg");
  EXPECT_EQ(FaultOf(svg), "");
  EXPECT_TRUE(Holds(svg, "a_b^{c} 'q' \"d\" \\n &lt;x> &amp; `date` $1 ?"));
}

TEST(DrawTest, DrawsAPageOfReasonsWhereNoRowIsValid) {
  Scratch folder;
  rpcbench::Run run = SampleRun(folder);
  for (Row& row : run.rows) {
    row.status = RowStatus::kInvalid;
    row.reason = "the clock stood still";
  }
  const Drawing drawing = DrawCharts(run, Into(folder / "charts", {"cpu", "qps"}));
  EXPECT_EQ(drawing.files.size(), 4u);
  ExpectPng(folder / "charts/cpu.png");
  EXPECT_TRUE(Holds(ReadFile(folder / "charts/qps.svg"), "the clock stood"));
}

TEST(DrawTest, DrawsNothingWithoutRowsAndRemovesWhatWasThere) {
  Scratch folder;
  WriteFile(folder / "charts/qps.png", "of an earlier run");
  const Drawing drawing = DrawCharts(rpcbench::Run{}, Into(folder / "charts"));
  EXPECT_THAT(drawing.files, IsEmpty());
  EXPECT_EQ(drawing.without_rows.size(), ChartsOf(rpcbench::Run{}).size());
  EXPECT_FALSE(fs::exists(folder / "charts/qps.png"));
}

TEST(DrawTest, NamesAFolderThatCannotBeWritten) {
  Scratch folder;
  WriteFile(folder / "file", "in the way");
  const std::string error =
      ErrorOf([&] { DrawCharts(rpcbench::Run{}, Into(folder / "file/charts")); });
  EXPECT_THAT(error, HasSubstr((folder / "file/charts").string()));
}

TEST(GnuplotTest, KeepsItsWordsWhenItFails) {
  Scratch folder;
  WriteFile(folder / "script", "plot nonsense(\n");
  const std::string error =
      ErrorOf([&] { RunGnuplot(folder / "script", std::chrono::seconds(30), "chart x.png"); });
  EXPECT_THAT(error, HasSubstr("chart x.png: gnuplot failed with exit status 1"));
  EXPECT_THAT(error, HasSubstr("nonsense"));
}

TEST(GnuplotTest, IsStoppedAtTheDeadline) {
  Scratch folder;
  WriteFile(folder / "script", "while (1) { }\n");
  const std::string error =
      ErrorOf([&] { RunGnuplot(folder / "script", std::chrono::seconds(1), "chart x.png"); });
  EXPECT_THAT(error, HasSubstr("did not end within 1 s"));
}

TEST(GnuplotTest, NamesThePackageWhenItIsMissing) {
  Scratch folder;
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  const std::string error =
      ErrorOf([&] { RunGnuplot(folder / "script", std::chrono::seconds(1), "chart x.png"); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(error, HasSubstr("gnuplot-nox"));
}

}  // namespace
}  // namespace rpcbench
