// What a row of the shared board is, and what all rows have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fanout/board/board.h"
#include "fanout/board/store.h"
#include "fanout/encode/codec.h"

namespace rpcbench {

struct BoardCase {
  Codec codec = Codec::kZstd;
  Synchronous synchronous = Synchronous::kFull;
  bool cohort = true;  // otherwise each stream has an encoder of its own
  bool wire = false;   // otherwise the streams are in this process
  int streams = 200;
};

// "BenchmarkSharedBoard/zstd/full/cohort/sink/streams:200"
std::string NameOf(const BoardCase& board_case);

struct BoardOptions {
  EncoderOptions zstd = DefaultEncoder(Codec::kZstd);
  EncoderOptions brotli = DefaultEncoder(Codec::kBrotli);
  std::chrono::nanoseconds tick = std::chrono::milliseconds(50);
  std::chrono::nanoseconds warm_up = std::chrono::seconds(2);
  std::chrono::nanoseconds epoch = std::chrono::seconds(30);  // cohorts merge this often
  bool canary = true;
  bool shared_window = true;  // of zstd's per_stream rows: one copy of what was shown for all
  int encode_threads = 0;     // of per_stream rows; 0: one for each CPU that the row runs on
  double rate = 800;          // commands a second
  int producers = 200;
  int cards = kCards;
  std::uint64_t seed = 1;
  std::filesystem::path data;      // each row's database is made and removed in here
  std::vector<int> server_cpus;    // of this process in wire rows; empty: not pinned
  std::vector<int> client_cpus;    // of sse_load
  std::vector<int> all_cpus;       // of this process in sink rows; empty: not pinned
  std::filesystem::path sse_load;  // empty: beside this program
};

// The encoder of a row's codec.
EncoderOptions EncoderOf(const BoardCase& board_case, const BoardOptions& options);

// How many threads encode in a per_stream row.
int EncodeThreads(const BoardCase& board_case, const BoardOptions& options);

// Why this row cannot be run on this machine, with what it would need; empty: it can. An estimate
// from what a frame costs, so that a row is not begun that cannot end well.
std::string WhyNot(const BoardCase& board_case, const BoardOptions& options);

}  // namespace rpcbench
