#include "bench/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "results/files.h"

namespace rpcbench {
namespace {

class ReporterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    reporter_ = std::make_unique<Reporter>(
        ReportOptions{folder_ / "out.json", "json", true, {{"QPS", "qps"}}});
    reporter_->SetOutputStream(&shown_);
    reporter_->SetErrorStream(&shown_);
    reporter_->ReportContext(context_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static benchmark::BenchmarkReporter::Run Row(const std::string& name) {
    benchmark::BenchmarkReporter::Run run;
    run.run_name.function_name = name;
    run.run_name.time_type = "manual_time";
    run.run_type = benchmark::BenchmarkReporter::Run::RT_Iteration;
    run.family_index = 0;
    run.per_family_instance_index = 0;
    run.repetition_index = 0;
    run.repetitions = 1;
    run.counters["qps"] = 123;
    return run;
  }

  static benchmark::BenchmarkReporter::Run Bad(const std::string& name, const std::string& why) {
    auto run = Row(name);
    run.report_label = why;
    return run;
  }

  nlohmann::json Written() { return nlohmann::json::parse(ReadFile(folder_ / "out.json")); }

  std::filesystem::path folder_;
  std::ostringstream shown_;
  benchmark::BenchmarkReporter::Context context_;
  std::unique_ptr<Reporter> reporter_;
};

TEST_F(ReporterTest, TheFileIsWholeAfterEachRow) {
  reporter_->ReportRuns({Row("A")});
  EXPECT_EQ(Written().at("benchmarks").size(), 1u);
  reporter_->ReportRuns({Row("B")});
  const auto json = Written();
  EXPECT_EQ(json.at("benchmarks").size(), 2u);
  EXPECT_EQ(json.at("benchmarks")[1].at("name"), "B") << "without /manual_time";
  EXPECT_EQ(json.at("benchmarks")[1].at("qps"), 123);
  reporter_->Finalize();
  EXPECT_EQ(Written().at("benchmarks").size(), 2u);
  EXPECT_THAT(shown_.str(), testing::HasSubstr("123"));
}

TEST_F(ReporterTest, AllocationsJoinTheFirstRepeat) {
  reporter_->AddAllocations("A", {{"client_allocs", 7}});
  auto second = Row("A");
  second.repetition_index = 1;
  reporter_->ReportRuns({Row("A"), second});
  reporter_->Finalize();
  const auto json = Written();
  EXPECT_EQ(json.at("benchmarks")[0].at("client_allocs"), 7);
  EXPECT_FALSE(json.at("benchmarks")[1].contains("client_allocs"));
}

TEST_F(ReporterTest, InvalidAndFailedRowsAreCountedSkippedOnesAreNot) {
  reporter_->ReportRuns({Bad("A", "invalid: x"), Bad("A", "invalid: y"), Bad("B", "failed: z"),
                         Bad("C", "skipped: w")});
  reporter_->Finalize();
  EXPECT_EQ(reporter_->invalid_rows(), 1);
  EXPECT_EQ(reporter_->failed_rows(), 1);
  EXPECT_EQ(Written().at("benchmarks")[3].at("error_message"), "skipped: w");
}

TEST_F(ReporterTest, ARowWhoseAllocationPassWentWrongIsNotGood) {
  reporter_->Spoil("A", "invalid: x");
  reporter_->ReportRuns({Row("A")});
  reporter_->Finalize();
  EXPECT_EQ(reporter_->invalid_rows(), 1);
  EXPECT_EQ(Written().at("benchmarks")[0].at("error_message"),
            "invalid: x (in the allocation pass)");
}

TEST_F(ReporterTest, NoAggregatesWhereARepeatHasNoFigures) {
  auto mean = Row("A");
  mean.run_type = benchmark::BenchmarkReporter::Run::RT_Aggregate;
  mean.aggregate_name = "mean";
  reporter_->ReportRuns({Row("A"), Bad("A", "failed: x")});
  reporter_->ReportRuns({mean});
  reporter_->Finalize();
  const auto rows = Written().at("benchmarks");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].at("error_message"), "failed: x");
  EXPECT_FALSE(rows[1].contains("qps"));
}

TEST_F(ReporterTest, AnInterruptedRowIsNotReported) {
  reporter_->ReportRuns({Row("A")});
  reporter_->ReportRuns({Bad("B", kInterrupted)});
  reporter_->Finalize();
  EXPECT_EQ(Written().at("benchmarks").size(), 1u);
  EXPECT_EQ(reporter_->failed_rows(), 0);
}

}  // namespace
}  // namespace rpcbench
