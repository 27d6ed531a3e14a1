#include "results/summary.h"

#include <gmock/gmock.h>

#include <map>

#include "results/files.h"
#include "results/name.h"
#include "results/published.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Row MakeRow(const std::string& name, std::map<std::string, double> counters) {
  Row row = ParseRowName(name);
  row.repeats.push_back({0, std::move(counters)});
  return row;
}

std::map<std::string, Table> TablesOf(const rpcbench::Run& run) {
  std::map<std::string, Table> tables;
  for (SummaryFile& file : Summarize(run)) tables.emplace(file.name, std::move(file.table));
  return tables;
}

// The run that the published suite's figures would be.
rpcbench::Run PublishedAsRun(const Published& published) {
  rpcbench::Run run;
  run.manifest = nlohmann::json::object();
  const Table& qps = published.tables.at("qps/qps");
  for (std::size_t row = 0; row < qps.clients.size(); ++row) {
    for (std::size_t column = 0; column < qps.frameworks.size(); ++column) {
      run.rows.push_back(MakeRow("BenchmarkQPS/" + qps.frameworks[column] + "/clients:" +
                                     std::to_string(qps.clients[row]) + "/in_flight:2000",
                                 {{"qps", *qps.cells[row][column]}}));
    }
  }
  const Table& sec = published.tables.at("fixed/sec");
  for (std::size_t row = 0; row < sec.clients.size(); ++row) {
    for (std::size_t column = 0; column < sec.frameworks.size(); ++column) {
      const auto cell = [&](const char* name) {
        return *published.tables.at(std::string("fixed/") + name).cells[row][column];
      };
      run.rows.push_back(MakeRow("BenchmarkFixed/" + sec.frameworks[column] +
                                     "/clients:" + std::to_string(sec.clients[row]),
                                 {{"sec", cell("sec")},
                                  {"mean_s", cell("cop")},
                                  {"max_s", cell("max")},
                                  {"p50_s", cell("med")},
                                  {"min_s", cell("min")},
                                  {"p99_s", cell("p99")},
                                  {"client_b", cell("b") * 400},
                                  {"server_b", cell("b") * 600},
                                  {"client_allocs", cell("allocs") - 1},
                                  {"server_allocs", 1}}));
    }
  }
  return run;
}

TEST(SummaryTest, PublishedFiguresComeBackByteForByte) {
  const Scratch scratch;
  rpcbench::Run run = PublishedAsRun(ReadPublished(RPCBENCH_PUBLISHED));
  run.folder = scratch.path();
  WriteSummary(run);
  for (const char* name :
       {"qps/qps.csv", "fixed/sec.csv", "fixed/cop.csv", "fixed/max.csv", "fixed/med.csv",
        "fixed/min.csv", "fixed/p99.csv", "fixed/b.csv", "fixed/allocs.csv"}) {
    const std::filesystem::path published = RPCBENCH_PUBLISHED;
    EXPECT_EQ(ReadFile(scratch / name), ReadFile(published / name)) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch / "fixed/p999.csv")) << "nobody measured it";
}

TEST(SummaryTest, SampleRunHasEveryFile) {
  const Scratch scratch;
  WriteSampleRun(scratch.path(), {.good = false});
  const auto tables = TablesOf(ReadRun(scratch.path()));
  EXPECT_THAT(tables, SizeIs(1 + 8 + 1 + 9 + 9));
  const Table& qps = tables.at("qps/qps.csv");
  EXPECT_THAT(qps.frameworks, SizeIs(15));
  EXPECT_EQ(qps.frameworks.front(), "direct") << "the manifest's order";
  EXPECT_THAT(qps.clients, ElementsAre(1, 2, 4, 8, 16));
  EXPECT_EQ(qps.cells[4][4], std::nullopt) << "asio_tcp_json at 16 clients is invalid";
  EXPECT_TRUE(qps.cells[3][4].has_value());
  EXPECT_THAT(tables.at("qps/qps_in_flight_32000.csv").frameworks,
              Not(Contains(HasSubstr("thrift"))));
  EXPECT_THAT(tables.at("qps/qps_in_flight_250.csv").clients, ElementsAre(4));
  EXPECT_THAT(tables.at("fixed/sec.csv").frameworks, Not(Contains("thrift_tcp_binary")));
  EXPECT_THAT(tables.at("fixed/small_sec.csv").frameworks,
              ElementsAre("thrift_tcp_binary", "thrift_tcp_compact", "beast_http1_protobuf",
                          "beast_http1_json"));
}

TEST(SummaryTest, VariantsAreColumnsOfTheirOwnBesideTheirFramework) {
  rpcbench::Run run;
  run.rows = {
      MakeRow("BenchmarkQPS/a/clients:2/in_flight:2000", {{"qps", 1}}),
      MakeRow("BenchmarkQPS/b/clients:2/in_flight:2000", {{"qps", 2}}),
      MakeRow("BenchmarkQPS/a/clients:2/in_flight:2000/delay_source:native", {{"qps", 3}}),
      MakeRow("BenchmarkQPS/a/clients:2/in_flight:2000", {{"qps", 9}}),
  };
  const Table table = TablesOf(run).at("qps/qps.csv");
  EXPECT_THAT(table.frameworks, ElementsAre("a", "a/delay_source:native", "b"));
  EXPECT_THAT(table.cells[0], ElementsAre(1, 3, 2));
}

TEST(SummaryTest, SumsCountOnlyRepeatsThatHaveBothSides) {
  Row row = MakeRow("BenchmarkFixed/a/clients:2", {{"client_b", 500}});
  row.repeats.push_back({1, {{"client_b", 1000}, {"server_b", 2000}}});
  row.repeats.push_back({2, {{"sec", 1}}});
  rpcbench::Run run;
  run.rows = {row};
  EXPECT_THAT(TablesOf(run).at("fixed/b.csv").cells[0], ElementsAre(3));
}

TEST(SummaryTest, NothingMeasuredIsNothingWritten) {
  EXPECT_TRUE(Summarize({}).empty());
}

TEST(PublishedTest, TablesByNameAndTheMachine) {
  const Published published = ReadPublished(RPCBENCH_PUBLISHED);
  EXPECT_THAT(published.machine, HasSubstr("Ryzen"));
  EXPECT_THAT(published.tables, SizeIs(9));
  EXPECT_EQ(published.tables.at("qps/qps").cells[4][1], 288727);
}

TEST(PublishedTest, WhatIsMissingIsNamed) {
  const Scratch scratch;
  EXPECT_THAT(ErrorOf([&] { ReadPublished(scratch / "none"); }), HasSubstr("none/machine.txt"));
  WriteFile(scratch / "machine.txt", "\n");
  EXPECT_THAT(ErrorOf([&] { ReadPublished(scratch.path()); }), HasSubstr("no description"));
  WriteFile(scratch / "machine.txt", "big one\n");
  EXPECT_THAT(ErrorOf([&] { ReadPublished(scratch.path()); }), HasSubstr("no CSV file under"));
}

}  // namespace
}  // namespace rpcbench
