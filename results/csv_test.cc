#include "results/csv.h"

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "results/files.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CsvTest : public testing::Test {
 protected:
  Table Read(const std::string& text) {
    WriteFile(file_, text);
    return ReadCsv(file_);
  }

  std::string ErrorIn(const std::string& text) {
    return ErrorOf([&] { Read(text); });
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "t.csv";
};

TEST_F(CsvTest, EmptyFieldsAreMissingCells) {
  const Table table = Read("clients,a,b\n1,0.5,\n16,,3\n");
  EXPECT_THAT(table.frameworks, ElementsAre("a", "b"));
  EXPECT_THAT(table.clients, ElementsAre(1, 16));
  EXPECT_THAT(table.cells[0], ElementsAre(0.5, std::nullopt));
  EXPECT_THAT(table.cells[1], ElementsAre(std::nullopt, 3.0));
}

TEST_F(CsvTest, OtherLineEndsAreRead) {
  EXPECT_THAT(Read("clients,a\r\n1,2\r\n").cells[0], ElementsAre(2.0));
  EXPECT_THAT(Read("clients,a\n1,2").cells[0], ElementsAre(2.0));
  EXPECT_TRUE(Read("clients,a").cells.empty());
}

TEST_F(CsvTest, DamageNamesFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ":1: expected \"clients,"},
      {"\n", ":1: expected"},
      {"{\"clients\": 1}\n", ":1: expected"},
      {"clients\n", ":1: expected"},
      {"client,a\n1,2\n", ":1: expected"},
      {"clients,a,\n", ":1: a column has no name"},
      {"clients,a,b,a\n", ":1: column twice: a"},
      {"clients,a\n1,2\n2,3,4\n", ":3: 3 fields where the head has 2"},
      {"clients,a,b\n1,2\n", ":2: 2 fields"},
      {"clients,a\n1,2\n\n2,3\n", ":3: 1 fields"},
      {"clients,a\n1,2x\n", ":2: a is not a number: \"2x\""},
      {"clients,a\n1, 2\n", ":2: a is not a number"},
      {"clients,a\n1,nan\n", ":2: a is not a number"},
      {"clients,a\n1,1e999\n", ":2: a is not a number"},
      {"clients,a\nx,2\n", ":2: clients is not a positive number"},
      {"clients,a\n0,2\n", ":2: clients is not a positive number"},
      {"clients,a\n1.5,2\n", ":2: clients is not a positive number"},
      {"clients,a\n1,2\n1,3\n", ":3: clients 1 after 1"},
      {"clients,a\n2,2\n1,3\n", ":3: clients 1 after 2"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(ErrorIn(text), HasSubstr(file_.string() + expected)) << text;
  }
}

TEST_F(CsvTest, RoundTrip) {
  const std::string text = "clients,a,b\n1,0.500,\n16,-2.000,12345678.125\n";
  const Table table = Read(text);
  WriteCsv(scratch_ / "again.csv", table, 3);
  EXPECT_EQ(ReadFile(scratch_ / "again.csv"), text);
}

TEST_F(CsvTest, PublishedFilesComeBackByteForByte) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RPCBENCH_PUBLISHED)) {
    if (entry.path().extension() != ".csv") continue;
    const int decimals = entry.path().filename() == "qps.csv" ? 0 : 3;
    WriteCsv(scratch_ / "again.csv", ReadCsv(entry.path()), decimals);
    EXPECT_EQ(ReadFile(scratch_ / "again.csv"), ReadFile(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 9);
}

TEST_F(CsvTest, WhatCouldNotBeReadIsNotWritten) {
  const auto refused = [&](const Table& table) {
    return ErrorOf([&] { WriteCsv(file_, table, 3); });
  };
  EXPECT_THAT(refused({{"a,b"}, {1}, {{1.0}}}), HasSubstr("not a column name"));
  EXPECT_THAT(refused({{}, {}, {}}), HasSubstr("no columns"));
  EXPECT_THAT(refused({{"a"}, {1}, {}}), HasSubstr("differ in number"));
  EXPECT_THAT(refused({{"a"}, {1}, {{1.0, 2.0}}}), HasSubstr("not as long as the head"));
  EXPECT_THAT(refused({{"a"}, {1}, {{std::numeric_limits<double>::infinity()}}}),
              HasSubstr("not finite"));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace rpcbench
