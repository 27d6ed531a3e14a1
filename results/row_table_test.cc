#include "results/row_table.h"

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <utility>

#include "results/files.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RowTableTest : public testing::Test {
 protected:
  RowTable Read(const std::string& text) {
    WriteFile(file_, text);
    return ReadRowCsv(file_);
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "t.csv";
};

TEST_F(RowTableTest, EmptyFieldsAreMissingCells) {
  const RowTable table = Read("row,cores,dropped\nF/a/streams:2,0.5,\r\nF/b,,3\n");
  EXPECT_THAT(table.counters, ElementsAre("cores", "dropped"));
  EXPECT_THAT(table.rows, ElementsAre("F/a/streams:2", "F/b"));
  EXPECT_THAT(table.cells[0], ElementsAre(0.5, std::nullopt));
  EXPECT_THAT(table.cells[1], ElementsAre(std::nullopt, 3.0));
}

TEST_F(RowTableTest, DamageNamesFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ":1: expected \"row,<counter>,...\""},
      {"clients,a\n1,2\n", ":1: expected"},
      {"row\n", ":1: expected"},
      {"row,a,a\n", ":1: column twice: a"},
      {"row,a\nF/x,1,2\n", ":2: 3 fields where the head has 2"},
      {"row,a\nF/x,1\n,1\n", ":3: a row has no name"},
      {"row,a\nF/x,1\nF/x,2\n", ":3: row twice: F/x"},
      {"row,a\nF/x,inf\n", ":2: a is not a number: \"inf\""},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(ErrorOf([&] { Read(text); }), HasSubstr(file_.string() + expected)) << text;
  }
}

TEST_F(RowTableTest, LargeFiguresKeepTheirDigits) {
  WriteRowCsv(file_, {{"heap", "share"}, {"F/x"}, {{1751122.4, 0.123456789}}});
  EXPECT_EQ(ReadFile(file_), "row,heap,share\nF/x,1751122,0.123457\n");
}

TEST_F(RowTableTest, PublishedFilesComeBackByteForByte) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RPCBENCH_PUBLISHED_FANOUT)) {
    if (entry.path().extension() != ".csv") continue;
    WriteRowCsv(file_, ReadRowCsv(entry.path()));
    EXPECT_EQ(ReadFile(file_), ReadFile(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 2);
}

TEST_F(RowTableTest, WhatCouldNotBeReadIsNotWritten) {
  const auto refused = [&](const RowTable& table) {
    return ErrorOf([&] { WriteRowCsv(file_, table); });
  };
  EXPECT_THAT(refused({{"a"}, {"F,x"}, {{1.0}}}), HasSubstr("not a name: \"F,x\""));
  EXPECT_THAT(refused({{}, {}, {}}), HasSubstr("no columns"));
  EXPECT_THAT(refused({{"a"}, {"F/x"}, {}}), HasSubstr("differ in number"));
  EXPECT_THAT(refused({{"a"}, {"F/x"}, {{1.0, 2.0}}}), HasSubstr("not as long as the head"));
  EXPECT_THAT(refused({{"a"}, {"F/x"}, {{std::numeric_limits<double>::infinity()}}}),
              HasSubstr("not finite"));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace rpcbench
