// The fan-out's part of the report of one run: a line a row, and published figures in lines of
// their own below the rows that they are to be read beside.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "results/comparison.h"
#include "results/fanout.h"

namespace rpcbench {
namespace {

constexpr double kMebi = 1024.0 * 1024.0;

// A column and how its cell is made of a row.
struct Figure {
  Column column;
  std::function<std::optional<double>(const Row&)> value;
};

Figure Plain(const char* counter, const Column& column, double scale = 1) {
  return {column, [key = std::string(counter), scale](const Row& row) {
            std::optional<double> value = row.Median(key);
            if (value) *value *= scale;
            return value;
          }};
}

struct Shape {
  const char* family;
  const char* id;
  const char* title;
  std::vector<Figure> figures;
};

std::vector<Shape> Shapes() {
  const Figure cores = Plain("cores", {"cores", "cores", 3});
  const Figure bytes = Plain("bytes_frame", {"bytes_frame", "B a\nframe", 0});
  const Figure heap = Plain("heap_stream", {"heap_stream_mib", "heap MiB\na stream", 3}, 1 / kMebi);
  const Figure cost = Plain("us_frame", {"us_frame", "us a\nframe", 1});
  const Figure tick = Plain("tick_p99_ms", {"tick_p99_ms", "tick\np99 ms", 2});
  const Figure memory = Plain("rss_kb_stream", {"rss_kb_stream", "server KB\na stream", 1});
  return {{kBoardFamily,
           "board",
           "Shared board: each tick's frame to every stream",
           {cores, Plain("encode_cores", {"encode_cores", "encode\ncores", 3}),
            Plain("cohorts", {"cohorts", "cohorts", 0}), bytes, heap, tick,
            Plain("due_commit_p50_ms", {"due_commit_p50_ms", "due to\ncommit\np50 ms", 2})}},
          {kLevelsFamily,
           "board_levels",
           "Encoders on the shared board",
           {bytes, cost, cores, heap, tick}},
          {kHeapFamily,
           "heap_per_stream",
           "Encoders on a page of which little changes",
           {bytes, cost, heap}},
          {kPushFamily,
           "push",
           "Push: the server's CPU for each delivered event",
           {Plain(kServerMicroseconds, {kServerMicroseconds, "server us\nan event", 2}),
            Plain("events_s", {"events_s", "events/s", 0}),
            Plain("latency_p50_ms", {"latency_p50_ms", "latency\np50 ms", 2}),
            Plain("latency_p99_ms", {"latency_p99_ms", "latency\np99 ms", 2}), memory}},
          {kConnectFamily,
           "connect",
           "All streams at once: connect, and come back after a cut",
           {Plain("connect_s", {"connect_s", "connect\ns", 2}),
            Plain("back_s", {"back_s", "all back\ns", 2}), memory,
            Plain("rss_before_kb", {"rss_before_mib", "MiB\nbefore", 1}, 1.0 / 1024),
            Plain("rss_back_kb", {"rss_back_mib", "MiB after\nall left", 1}, 1.0 / 1024)}}};
}

class FanoutDescriber final {
 public:
  FanoutDescriber(const Run& run, const FanoutPublished* published)
      : run_(run), published_(published) {}

  Block Describe(const Shape& shape) const {
    Block block = Empty(shape);
    for (const Figure& figure : shape.figures) block.columns.push_back(figure.column);
    const bool push = block.id == "push";
    if (push) block.columns.push_back({"times_nchan", "x nchan", 3});
    const std::vector<Beside> all = SetBeside(RowsOf(shape.family), published_, shape.family);
    for (const auto& [row, published] : all) {
      if (published) block.note = "published, on another machine: " + published_->machine;
      std::vector<Cell>& cells = Begin(*row, published, block);
      for (const Figure& figure : shape.figures) cells.push_back(ToCell(figure.value(*row)));
      if (push) cells.push_back(ToCell(TimesNchan(*row)));
    }
    return block;
  }

 private:
  static Block Empty(const Shape& shape) {
    const std::string family = shape.family;
    const bool servers = family == kPushFamily || family == kConnectFamily;
    Block block{shape.id, shape.title, "", {}, {}};
    block.columns = {{"row", "row", -1, false},
                     {"source", "source", -1, false},
                     {"label", servers ? "server" : "encoders"},
                     {"streams", "streams", 0}};
    return block;
  }

  static Cell ToCell(std::optional<double> value) { return value ? Cell(*value) : Cell(); }

  static std::vector<Cell>& Begin(const Row& row, bool published, Block& block) {
    const std::int64_t streams = row.Parameter("streams");
    return block.rows.emplace_back(
        std::vector<Cell>{row.name, std::string(published ? "published" : "run"),
                          published ? "published: " + FanoutLabel(row) : FanoutLabel(row),
                          streams > 0 ? Cell(static_cast<double>(streams)) : Cell()});
  }

  std::vector<const Row*> RowsOf(const std::string& family) const {
    std::vector<const Row*> rows;
    for (const Row& row : run_.rows) {
      if (row.family == family && row.status == RowStatus::kOk) rows.push_back(&row);
    }
    return rows;
  }

  // CPU an event against nchan's at the same number of streams.
  std::optional<double> TimesNchan(const Row& row) const {
    const std::optional<double> cost = row.Median(kServerMicroseconds);
    for (const Row* other : RowsOf(kPushFamily)) {
      if (other->framework != "nchan") continue;
      if (other->Parameter("streams") != row.Parameter("streams")) continue;
      const std::optional<double> peer = other->Median(kServerMicroseconds);
      if (cost && peer && *peer > 0) return *cost / *peer;
    }
    return std::nullopt;
  }

  const Run& run_;
  const FanoutPublished* published_;
};

// A figure that no row has is a column of dashes: in JSON only.
void HideEmpty(Block& block) {
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    const bool any = std::any_of(block.rows.begin(), block.rows.end(), [i](const auto& row) {
      return !std::holds_alternative<std::monostate>(row[i]);
    });
    if (!any) block.columns[i].shown = false;
  }
}

}  // namespace

std::vector<Block> DescribeFanout(const Run& run, const FanoutPublished* published) {
  const FanoutDescriber describer(run, published);
  std::vector<Block> blocks;
  for (const Shape& shape : Shapes()) {
    blocks.push_back(describer.Describe(shape));
  }
  std::erase_if(blocks, [](const Block& block) { return block.rows.empty(); });
  for (Block& block : blocks) HideEmpty(block);
  return blocks;
}

}  // namespace rpcbench
