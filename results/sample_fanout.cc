#include "results/sample_fanout.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "results/sample_file.h"

namespace rpcbench {
namespace {

using Counters = SampleFile::Counters;

constexpr double kTicks = 20;
constexpr double kMebi = 1024.0 * 1024.0;

struct SampleEncoder {
  const char* name;
  double board_bytes;  // a frame of the shared board
  double board_us;
  double heap_bytes;  // a frame of the page
  double heap_us;
  double mebi;
};

constexpr SampleEncoder kEncoders[] = {
    {"zstd_-1", 1'620, 38, 420, 9, 1.6},   {"zstd_1", 1'481, 42, 404, 12, 1.7},
    {"zstd_3", 1'368, 36, 230, 11, 2.0},   {"zstd_5", 420, 58, 140, 22, 2.9},
    {"zstd_7", 353, 71, 109, 31, 3.9},     {"zstd_9", 350, 92, 108, 44, 5.2},
    {"zstd_12", 349, 210, 108, 160, 8.1},  {"brotli_3", 1'310, 120, 190, 60, 1.9},
    {"brotli_4", 774, 193, 121, 92, 2.1},  {"brotli_5", 380, 340, 110, 210, 3.4},
    {"brotli_6", 372, 420, 108, 260, 3.4}, {"brotli_9", 366, 900, 105, 610, 6.8}};

struct BoardCase {
  std::string codec;
  bool full = false;
  bool cohort = false;
  bool wire = false;
  double streams = 200;

  std::string Name() const {
    return fmt::format("BenchmarkSharedBoard/{}/{}/{}/{}/streams:{:.0f}", codec,
                       full ? "full" : "normal", cohort ? "cohort" : "per_stream",
                       wire ? "wire" : "sink", streams);
  }
};

// Cores by part, from what one frame costs; the rest follows from them.
Counters Board(const BoardCase& board, double speed) {
  const bool zstd = board.codec == "zstd";
  const bool encoded = board.codec != "identity";
  const double cohorts =
      encoded && board.cohort ? std::min(board.streams, 1 + board.streams / 300) : 0;
  const double encoders = board.cohort ? cohorts : board.streams;
  const double frame_us = !encoded ? 0 : zstd ? 42 : 193;
  const double render = kTicks * 110e-6 / speed;
  const double encode = kTicks * encoders * frame_us * 1e-6 / speed;
  const double send_us = (board.wire ? 6.5 : 0.3) + (encoded ? 0 : 30);
  const double canary = kTicks * cohorts * 25e-6 / speed;
  const double write = kTicks * board.streams * send_us * 1e-6 / speed;
  const double commit = (board.full ? 0.075 : 0.031) / speed;
  const double cores = (render + encode + canary + write + commit) * 1.08;
  const double tick_ms = (110 + encoders * frame_us + board.streams * send_us) * 1e-3 / speed;
  const double due_ms = board.full ? 2.4 : 0.21;
  Counters counters = {{"cores", cores},
                       {"encode_cores", encode},
                       {"ticks_s", 19.9},
                       {"tick_p50_ms", tick_ms},
                       {"tick_p99_ms", tick_ms * 1.7},
                       {"renders_tick", 1},
                       {"frames_s", 19.9 * board.streams},
                       {"dropped", 0},
                       {"bytes_frame", !encoded ? 138'000.0
                                       : zstd   ? 1'481.0
                                                : 774.0},
                       {"heap_stream", encoders / board.streams * (zstd ? 1.7 : 2.1) * kMebi},
                       {"commands_tx", board.full ? 1.9 : 1.05},
                       {"due_commit_p50_ms", due_ms},
                       {"due_commit_p99_ms", due_ms * 4 + tick_ms},
                       {"cpu_render", render / cores},
                       {"cpu_encode", encode / cores},
                       {"cpu_canary", canary / cores},
                       {"cpu_write", write / cores},
                       {"cpu_commit", commit / cores}};
  if (board.cohort) counters["cohorts"] = cohorts;
  return counters;
}

void AddBoard(const SampleOptions& options, SampleFile& file) {
  const auto add = [&](const BoardCase& board) {
    const std::string name = board.Name();
    if (!options.good && name == "BenchmarkSharedBoard/brotli/full/per_stream/wire/streams:200") {
      file.AddError(name, "invalid: a tick took 71 ms, and a tick is 50 ms");
    } else {
      file.AddRow(name, Board(board, options.speed));
    }
  };
  for (const char* codec : {"zstd", "brotli"}) {
    for (const bool cohort : {false, true}) {
      for (const bool full : {true, false}) {
        add({codec, full, cohort, false, 200});
        add({codec, full, cohort, true, 200});
      }
      for (const double streams : {1.0, 1'000.0, 5'000.0}) {
        if (!cohort && streams > 1'000) continue;
        add({codec, false, cohort, false, streams});
      }
    }
    add({codec, false, true, true, 5'000});
  }
  add({"identity", false, false, true, 200});
}

void AddEncoders(const SampleOptions& options, SampleFile& file) {
  for (const SampleEncoder& encoder : kEncoders) {
    for (const int window : {18, 19}) {
      const double heap = encoder.mebi * (window == 19 ? 1 : 0.8) * kMebi;
      const double cores = 200 * kTicks * encoder.board_us * 1e-6 + 0.05;
      file.AddRow(fmt::format("BenchmarkBoardLevels/{}/window:{}", encoder.name, window),
                  {{"bytes_frame", encoder.board_bytes},
                   {"cores", cores / options.speed},
                   {"heap_stream", heap},
                   {"tick_p99_ms", encoder.board_us * 0.2 * 1.7 / options.speed}});
    }
    file.AddRow(fmt::format("BenchmarkHeapPerStream/{}/streams:20", encoder.name),
                {{"bytes_frame", encoder.heap_bytes},
                 {"us_frame", encoder.heap_us / options.speed},
                 {"heap_stream", encoder.mebi * kMebi}});
  }
  file.AddRow("BenchmarkBoardLevels/zstd_1/window:16",
              {{"bytes_frame", 126'000}, {"cores", 0.4}, {"heap_stream", 0.9 * kMebi}});
  for (const char* level :
       {"zstd_1_lowmem/window:18", "zstd_1_lowmem/window:19", "brotli_4/window:22"}) {
    file.AddRow(fmt::format("BenchmarkBoardLevels/{}", level),
                {{"bytes_frame", 774}, {"cores", 0.9}, {"heap_stream", 9.7 * kMebi}});
  }
  file.AddError("BenchmarkBoardLevels/zstd_20/window:25",
                "skipped: a window of 2^25 bytes is more than the 8 MB that browsers decode");
  file.AddRow("BenchmarkHeapPerStream/brotli_4/streams:20/window:22",
              {{"bytes_frame", 121}, {"us_frame", 97}, {"heap_stream", 9.7 * kMebi}});
  file.AddRow(
      "BenchmarkHeapPerStream/zstd_1_lowmem/streams:20",
      {{"bytes_frame", 404}, {"us_frame", 14 / options.speed}, {"heap_stream", 0.6 * kMebi}});
}

void AddPush(const SampleOptions& options, SampleFile& file) {
  for (const double streams : {2'000.0, 5'000.0}) {
    for (const auto& [server, cost] : {std::pair{"sse", 6.9}, {"nchan", 9.6}}) {
      const double us = cost * (1 + streams / 1e5) / options.speed;
      file.AddRow(fmt::format("BenchmarkPush/{}/streams:{:.0f}", server, streams),
                  {{"server_us_event", us},
                   {"events_s", kTicks * streams},
                   {"server_cores", kTicks * streams * us * 1e-6},
                   {"latency_p50_ms", streams * us * 5e-4},
                   {"latency_p99_ms", streams * us * 1.2e-3},
                   {"rss_kb_stream", 9.5}});
    }
  }
  file.AddError("BenchmarkPush/nchan/streams:20000",
                "skipped: a process may open 20,000 files here");
  file.AddRow("BenchmarkConnect/sse/streams:10000", {{"connect_s", 2.1},
                                                     {"back_s", 4.2},
                                                     {"rss_before_kb", 11'000},
                                                     {"rss_kb_stream", 9.5},
                                                     {"rss_back_kb", 12'500}});
}

}  // namespace

void WriteSampleFanout(const std::filesystem::path& folder, const SampleOptions& options) {
  SampleFile board(options);
  SampleFile encoders(options);
  SampleFile push(options);
  AddBoard(options, board);
  AddEncoders(options, encoders);
  AddPush(options, push);
  board.Write(folder / "fanout/board.json");
  encoders.Write(folder / "fanout/encoders.json");
  push.Write(folder / "fanout/push.json");
}

}  // namespace rpcbench
