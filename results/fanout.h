// The rows of the SSE fan-out, told from the others: their families, and what their names say.
// Their Row::framework is a codec, an encoder or a server, and never one of the echo frameworks.
#pragma once

#include <string>
#include <string_view>

#include "results/run.h"

namespace rpcbench {

inline constexpr char kBoardFamily[] = "BenchmarkSharedBoard";
inline constexpr char kLevelsFamily[] = "BenchmarkBoardLevels";
inline constexpr char kHeapFamily[] = "BenchmarkHeapPerStream";
inline constexpr char kPushFamily[] = "BenchmarkPush";
inline constexpr char kConnectFamily[] = "BenchmarkConnect";

// The counter of kPushFamily rows: CPU of the server's process for each event that a client got.
inline constexpr char kServerMicroseconds[] = "server_us_event";

bool IsFanoutFamily(std::string_view family);

inline bool IsFanout(const Row& row) {
  return IsFanoutFamily(row.family);
}

// What the name of a kBoardFamily row says beside codec and streams; "" where it does not say.
struct BoardTraits {
  std::string synchronous;  // "full", "normal"
  std::string encoders;     // "per_stream", "cohort"
  std::string delivery;     // "sink", "wire"
  std::string rest;         // parts that are none of these, joined by ", "
};

BoardTraits BoardTraitsOf(const Row& row);

// "zstd" of "zstd_1_lowmem"; a codec or a server is returned as it is.
std::string CodecOf(const std::string& encoder);

// The encoder of this suite that a published one is to be read beside: "zstd_1", "zstd_3" and
// "zstd_7" for "zstd_fastest", "zstd_default" and "zstd_better"; any other is its own partner.
std::string PartnerOf(const std::string& encoder);

// For people, without the streams: "zstd, FULL, cohort, sink", "zstd 3, window 2^19",
// "zstd 1, low memory", "sse (this suite)", "nchan".
std::string FanoutLabel(const Row& row);

}  // namespace rpcbench
