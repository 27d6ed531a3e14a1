// The exchange of sse_load with whoever started it: lines of JSON over standard input and output.
//
//   sse_load  {"open":200,"connect_ms":81.5}     all streams are open; or {"error":"..."} and exit
//   1 parent    mark sse_load  {"marked":true} parent    report sse_load
//   {"elapsed_ns":...,"events":...,"state":[{"id":"7","hash":...,"streams":200}],...} parent settle
//   812                         until all streams have had the event 812 or a newer sse_load
//   {"settled":200,"ms":4.1} parent    cut                                closes all streams at
//   once and connects them again sse_load  {"back":200,"ms":90.2}             when all are open
//   again parent    await_reconnect                    until the server's cut, seen since the mark,
//   is over sse_load  {"back":200,"ms":1240.7}           since the first stream was lost parent
//   (closes)                           sse_load exits with 0
//
// What cannot be done before the deadline, and what is no command, is answered {"error":"..."}.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "echo/client.h"

namespace rpcbench {

// How sse_load is to be started.
struct StreamLoadOptions {
  Address connect;
  std::string path = "/events";
  std::size_t streams = 200;
  std::string accept_encoding = "zstd";  // of one Accept-Encoding header
  std::size_t connect_rate = 0;          // streams a second at most; 0: all at once
  // Whether a stream is open once it had its first event, or already with the response's headers:
  // for a topic that may be silent.
  bool open_with_event = true;
  double decode_share = 0.5;  // of its core, for streams that are decoded on their own
  std::vector<int> cpus;      // to run on; empty: as its parent
  std::chrono::nanoseconds deadline = std::chrono::seconds(60);   // of each wait
  std::chrono::nanoseconds late = std::chrono::milliseconds(50);  // an event is late beyond
};

std::vector<std::string> ArgumentsOf(const StreamLoadOptions& options);

// How many streams show the same thing: the id of their last event, and HashOf(its data).
struct ShownState {
  std::string id;
  std::uint64_t hash = 0;
  std::size_t streams = 0;
};

struct StreamLoadReport {
  // Since the mark.
  std::chrono::nanoseconds elapsed{0};
  std::uint64_t events = 0;        // over all streams
  std::uint64_t events_least = 0;  // of the stream that had fewest
  std::uint64_t events_most = 0;
  std::uint64_t bytes = 0;       // received, HTTP chunk framing included
  std::uint64_t mismatches = 0;  // bytes that do not decode, or to other events than another's
  std::uint64_t gaps = 0;        // numbers passed over, of events with "n=" (event_reader.h)
  std::uint64_t disorder = 0;    // events whose number or id was not above the one before
  // Streams whose bytes, in mid-frame, were other ones than those of the streams like them so far.
  // They are decoded and checked; but streams that share an encoder never differ.
  std::uint64_t branches = 0;
  std::uint64_t resets = 0;  // events of the type "reset"
  std::uint64_t heartbeats = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t closed = 0;  // streams that ended without being asked to
  std::chrono::microseconds user{0};
  std::chrono::microseconds system{0};
  // Of events whose data begins with "t=<CLOCK_MONOTONIC in ns> ", in ms.
  std::uint64_t timed_events = 0;
  std::uint64_t late_events = 0;
  double latency_p50_ms = 0;
  double latency_p99_ms = 0;
  double latency_max_ms = 0;
  // Now.
  std::size_t open = 0;
  std::size_t decoded_streams = 0;   // each with a decoder of its own
  std::size_t compared_streams = 0;  // byte for byte with what was decoded once for all alike
  std::size_t sequences = 0;         // distinct bodies, each decoded once
  std::int64_t rss_kb = 0;
  std::vector<ShownState> state;  // streams without an event yet have the id ""; most first
};

// One line without its end.
std::string ToLine(const StreamLoadReport& report);
// Throws Error that quotes the line if it lacks a field.
StreamLoadReport ParseStreamLoadReport(const std::string& line);

}  // namespace rpcbench
