#include "fanout/board/board_rows.h"

#include "fanout/board/board_run.h"
#include "fanout/board/figures.h"

namespace rpcbench {
namespace {

class LiveBoard final : public LiveRow {
 public:
  LiveBoard(const BoardCase& board_case, const BoardOptions& options,
            std::chrono::nanoseconds window)
      : case_(board_case), options_(options), window_(window) {}

  RowResult Run(std::int64_t iterations, Count) override {
    BoardRun run(case_, options_);
    const BoardFigures figures = run.Measure(window_ * iterations);
    RowResult result;
    result.counters = CountersOf(case_, figures);
    result.violations = Violations(case_, options_, figures);
    result.seconds = figures.end.at - figures.begin.at;
    return result;
  }

 private:
  const BoardCase case_;
  const BoardOptions& options_;
  const std::chrono::nanoseconds window_;
};

RowSpec RowOf(const BoardCase& board_case, const BoardOptions& options,
              std::chrono::nanoseconds window) {
  RowSpec row;
  row.name = NameOf(board_case);
  row.count_allocations = false;
  row.skipped = WhyNot(board_case, options);
  row.start = [board_case, &options, window]() -> std::unique_ptr<LiveRow> {
    return std::make_unique<LiveBoard>(board_case, options, window);
  };
  return row;
}

}  // namespace

std::vector<RowSpec> BoardRows(const std::vector<int>& streams, const BoardOptions& options,
                               std::chrono::nanoseconds window) {
  std::vector<RowSpec> rows;
  for (const bool wire : {false, true}) {
    for (const int many : streams) {
      for (const Codec codec : {Codec::kZstd, Codec::kBrotli, Codec::kIdentity}) {
        for (const bool cohort : {false, true}) {
          if (codec == Codec::kIdentity && !cohort) continue;
          for (const Synchronous synchronous : {Synchronous::kFull, Synchronous::kNormal}) {
            rows.push_back(RowOf({codec, synchronous, cohort, wire, many}, options, window));
          }
        }
      }
    }
  }
  return rows;
}

}  // namespace rpcbench
