#include "results/run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "results/files.h"
#include "results/manifest.h"
#include "results/name.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class BenchmarkJsonTest : public testing::Test {
 protected:
  std::vector<Row> Read(const std::string& text) {
    WriteFile(file_, text);
    return ReadBenchmarkJson(file_);
  }

  // One entry a line, the first on line 2.
  std::vector<Row> ReadEntries(const std::vector<std::string>& entries) {
    std::string text = "{\"context\": {\"caches\": [{}]}, \"benchmarks\": [";
    for (const std::string& entry : entries) {
      text += (&entry == &entries.front() ? "\n" : ",\n") + entry;
    }
    return Read(text + "]}");
  }

  std::string ErrorIn(const std::vector<std::string>& entries) {
    return ErrorOf([&] { ReadEntries(entries); });
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "benchmark.json";
};

const char kGood[] =
    R"({"name": "BenchmarkQPS/a/clients:4/in_flight:8", "run_type": "iteration",
        "repetition_index": 0, "threads": 1, "real_time": 5, "label": "x", "qps": 10})";

TEST_F(BenchmarkJsonTest, RepeatsOfARowAreGathered) {
  const auto rows = ReadEntries(
      {kGood, R"({"name": "BenchmarkFixed/b/clients:1", "run_type": "iteration", "sec": 1})",
       R"({"name": "BenchmarkQPS/a/clients:4/in_flight:8", "run_type": "iteration",
           "repetition_index": 1, "qps": 20, "p50_s": 0.5})",
       R"({"name": "BenchmarkQPS/a/clients:4/in_flight:8_mean", "run_type": "aggregate"})"});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].name, "BenchmarkQPS/a/clients:4/in_flight:8");
  EXPECT_EQ(rows[0].Median("qps"), 15);
  EXPECT_THAT(rows[0].Values("p50_s"), ElementsAre(0.5));
  EXPECT_EQ(rows[0].Median("real_time"), std::nullopt) << "no counter of ours";
  EXPECT_EQ(rows[0].repeats[1].index, 1);
  EXPECT_EQ(rows[1].Median("sec"), 1);
}

TEST_F(BenchmarkJsonTest, NumbersThatAreNotFiniteWereNotMeasured) {
  const auto rows = ReadEntries(
      {R"({"name": "BenchmarkFixed/a/clients:1", "run_type": "iteration",
           "x": NaN, "y": -Infinity, "z": 1, "label": "NaN \" -Infinity"})",
       R"({"name": "BenchmarkFixed/a/clients:1_cv", "run_type": "aggregate", "x": -NaN})"});
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_THAT(rows[0].repeats[0].counters, ElementsAre(std::pair("z", 1.0)));
}

TEST_F(BenchmarkJsonTest, WorstRepeatSaysWhatBecameOfTheRow) {
  const auto error = [](const std::string& message) {
    return R"({"name": "BenchmarkQPS/a/clients:4/in_flight:8", "run_type": "iteration",
               "error_occurred": true, "error_message": ")" +
           message + "\"}";
  };
  auto row = ReadEntries({error("skipped: too long")}).front();
  EXPECT_EQ(row.status, RowStatus::kSkipped);
  EXPECT_EQ(row.reason, "too long");
  EXPECT_TRUE(row.repeats.empty());
  row = ReadEntries({kGood, error("invalid: client busy"), error("server gone"), kGood}).front();
  EXPECT_EQ(row.status, RowStatus::kFailed);
  EXPECT_EQ(row.reason, "client busy");
  EXPECT_THAT(row.repeats, SizeIs(2));
  EXPECT_STREQ(ToString(row.status), "failed");
  row = ReadEntries({error("failed: server gone")}).front();
  EXPECT_EQ(row.reason, "server gone");
}

TEST_F(BenchmarkJsonTest, DamagedEntryNamesFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"5", "an entry is not an object"},
      {"[{}]", "an entry is not an object"},
      {"{}", "no \"run_type\""},
      {R"({"run_type": "iteration"})", "no \"name\""},
      {R"({"run_type": "iteration", "name": 5})", "\"name\" is 5"},
      {R"({"run_type": "iteration", "name": ""})", "empty part"},
      {R"({"run_type": "iteration", "name": "BM_x"})", "is not <family>/<framework>"},
      {R"({"run_type": "iteration", "name": "F/a/clients:x"})", "clients:<positive number>"},
      {R"({"run_type": "iteration", "name": "F/a/clients:"})", "clients:<positive number>"},
      {R"({"run_type": "iteration", "name": "F/a/clients:1/clients:1"})", "clients twice"},
      {R"({"run_type": "iteration", "name": "BenchmarkPush/sse/streams:0"})", "streams:<positive"},
      {R"({"run_type": "iteration", "name": "F/a", "qps": "fast"})", "counter \"qps\" is"},
      {R"({"run_type": "iteration", "name": "F/a", "qps": true})", "counter \"qps\" is"},
      {R"({"run_type": "iteration", "name": "F/a", "repetition_index": 0.5})", "whole number"},
      {R"({"run_type": "iteration", "name": "F/a", "error_occurred": 1})", "error_occurred"},
      {R"({"run_type": "iteration", "name": "F/a", "error_occurred": true})", "error_message"},
  };
  for (const auto& [entry, expected] : cases) {
    // kGood takes lines 2 and 3.
    const std::string error = ErrorIn({kGood, entry, kGood});
    EXPECT_THAT(error, HasSubstr(file_.string() + ":4: ")) << entry;
    EXPECT_THAT(error, HasSubstr(expected)) << entry;
  }
}

TEST_F(BenchmarkJsonTest, WhatIsNotJsonNamesFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ":1: the file is empty"},
      {"\n\nhello", ":3: syntax error"},
      {"{\n\"benchmarks\": [\n{\"name\": \"F/a\",\n", ":4: syntax error"},
      {"{\"benchmarks\": [\n]}\n}", ":3: syntax error"},
      {"{\"benchmarks\": [\n1e999]}", ":2: "},
      {"{\"benchmarks\": [\n\"\xff\"]}", ":2: syntax error"},
      {"[]", ":1: not Google Benchmark's JSON"},
      {"null", ":1: not Google Benchmark's JSON"},
      {"{}", ":1: not Google Benchmark's JSON"},
      {"{\"benchmarks\": {}}", ":1: not Google Benchmark's JSON"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(ErrorOf([&] { Read(text); }), HasSubstr(file_.string() + expected)) << text;
  }
  EXPECT_TRUE(Read("{\"benchmarks\": []}").empty());
}

TEST_F(BenchmarkJsonTest, EveryTruncationIsAnError) {
  ReadEntries({kGood});
  const std::string text = ReadFile(file_);
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(ErrorOf([&] { Read(text.substr(0, size)); }), "") << size;
  }
}

TEST(RowNameTest, IsTakenApart) {
  const Row row = ParseRowName(
      "BenchmarkQPS/a_tcp/clients:4/in_flight:2000/iterations:1/repeats:10/delay_source:native/"
      "manual_time");
  EXPECT_EQ(row.name, "BenchmarkQPS/a_tcp/clients:4/in_flight:2000/delay_source:native");
  EXPECT_EQ(row.family, "BenchmarkQPS");
  EXPECT_EQ(row.framework, "a_tcp");
  EXPECT_EQ(row.variant, "delay_source:native");
  EXPECT_EQ(row.Parameter("clients"), 4);
  EXPECT_EQ(row.Parameter("in_flight"), 2000);
  EXPECT_EQ(row.Parameter("rate", 7), 7);

  const Row board = ParseRowName(
      "BenchmarkSharedBoard/zstd/full/per_stream/sink/streams:200/clients:3/repeats:3/manual_time");
  EXPECT_EQ(board.name, "BenchmarkSharedBoard/zstd/full/per_stream/sink/streams:200/clients:3");
  EXPECT_EQ(board.family, "BenchmarkSharedBoard");
  EXPECT_EQ(board.framework, "zstd");
  EXPECT_EQ(board.variant, "full/per_stream/sink/clients:3") << "no parameter of this family";
  EXPECT_EQ(board.Parameter("streams"), 200);
  EXPECT_EQ(ParseRowName("BenchmarkBoardLevels/zstd_-1/window:19").Parameter("window"), 19);
  EXPECT_EQ(ParseRowName("BenchmarkQPS/a/streams:3").variant, "streams:3");

  const Row hol = ParseRowName("BenchmarkHOL/victim/direct/manual_time");
  EXPECT_EQ(hol.name, "BenchmarkHOL/victim/direct");
  EXPECT_EQ(hol.family, "BenchmarkHOL/victim");
  EXPECT_EQ(hol.framework, "direct");
  EXPECT_EQ(hol.variant, "");
  EXPECT_EQ(hol.Parameter("clients", 1), 1);
}

TEST(MedianTest, IsExact) {
  EXPECT_EQ(Median({}), std::nullopt);
  EXPECT_EQ(Median({5}), 5);
  EXPECT_EQ(Median({9, 1, 5}), 5);
  EXPECT_EQ(Median({9, 1, 5, 6}), 5.5);
  EXPECT_EQ(Median({1e308, 1.5e308}), 1.25e308);
}

TEST(RunTest, SampleRunIsRead) {
  const Scratch scratch;
  WriteSampleRun(scratch.path(), {.good = false});
  const rpcbench::Run run = ReadRun(scratch.path());
  EXPECT_THAT(FrameworksOf(run), SizeIs(15)) << "codecs and servers of the fan-out are none";
  EXPECT_EQ(FrameworksOf(run)[5].label, "gRPC");
  EXPECT_THAT(DescribeMachine(run.manifest), HasSubstr("Sample CPU, 2 cores, 8000 MB"));
  const auto count = [&](RowStatus status) {
    return std::count_if(run.rows.begin(), run.rows.end(),
                         [&](const Row& row) { return row.status == status; });
  };
  EXPECT_EQ(count(RowStatus::kInvalid), 2);
  EXPECT_EQ(count(RowStatus::kFailed), 1);
  EXPECT_EQ(count(RowStatus::kSkipped), 4 * 9 + 4 * 5 + 2);
  EXPECT_EQ(run.rows.front().file, "qps/benchmark.json");
  EXPECT_EQ(run.rows.back().file, "fanout/push.json");
  EXPECT_THAT(run.rows.front().repeats, SizeIs(3));
}

TEST(RunTest, WhatIsNoRunIsAnError) {
  const Scratch scratch;
  EXPECT_THAT(ErrorOf([&] { ReadRun(scratch / "none"); }), HasSubstr("none: not a folder"));
  EXPECT_THAT(ErrorOf([&] { ReadRun(scratch.path()); }), HasSubstr("it has none of"));
  WriteSampleRun(scratch.path());
  std::filesystem::remove_all(scratch / "qps");
  EXPECT_EQ(ErrorOf([&] { ReadRun(scratch.path()); }), "") << "each file may be absent";
  std::filesystem::create_directories(scratch / "qps/sweep.json");
  EXPECT_THAT(ErrorOf([&] { ReadRun(scratch.path()); }), HasSubstr("sweep.json: not a plain"));
}

TEST(ManifestTest, WrongTypesNameTheFile) {
  const Scratch scratch;
  const auto file = scratch / "manifest.json";
  for (const char* bad :
       {"[]", "5", "{\"commit\": 5}", "{\"machine\": \"big\"}", "{\"machine\": {\"cpu\": 1}}",
        "{\"libraries\": []}", "{\"frameworks\": {}}", "{\"frameworks\": [1]}",
        "{\"frameworks\": [{}]}", "{\"frameworks\": [{\"name\": 1}]}",
        "{\"frameworks\": [{\"name\": \"a\", \"label\": 1}]}", "{", ""}) {
    WriteFile(file, bad);
    EXPECT_THAT(ErrorOf([&] { ReadManifest(file); }), HasSubstr(file.string())) << bad;
  }
}

TEST(ManifestTest, FrameworksKeepItsOrderAndRowsAddTheirs) {
  rpcbench::Run run;
  run.manifest = {
      {"frameworks", {{{"name", "b"}, {"label", ""}}, {{"name", "a"}, {"label", "A"}}}}};
  run.rows = {ParseRowName("F/c/clients:1"), ParseRowName("F/a/clients:1")};
  const auto all = FrameworksOf(run);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].label, "b") << "the name where no label is";
  EXPECT_EQ(all[1].label, "A");
  EXPECT_EQ(all[2].label, "c");
}

}  // namespace
}  // namespace rpcbench
