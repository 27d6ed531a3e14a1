#include "results/sample_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/files.h"
#include "results/sample_fanout.h"
#include "results/sample_file.h"

namespace rpcbench {
namespace {

using Json = nlohmann::ordered_json;
using Counters = SampleFile::Counters;

constexpr double kDelay = 0.030;

struct Sample {
  const char* name;
  const char* label;
  const char* carries;
  double limit;   // calls a second that one core serves
  double allocs;  // a call, both sides together
  double bytes;
};

std::vector<Sample> Samples() {
  return {
      {"direct", "direct", "many", 2'000'000, 0.1, 20},
      {"asio_tcp_raw", "Asio raw", "many", 900'000, 0.2, 40},
      {"asio_tcp_raw_unbatched", "Asio raw, unbatched", "many", 110'000, 0.3, 60},
      {"asio_tcp_protobuf", "Asio protobuf", "many", 420'000, 4.1, 1'300},
      {"asio_tcp_json", "Asio JSON", "many", 230'000, 2.4, 1'900},
      {"grpc_http2_protobuf", "gRPC", "many", 34'000, 38, 5'400},
      {"grpc_http2_protobuf_callback", "gRPC callback", "many", 27'000, 45, 6'800},
      {"capnp_tcp_capnp", "Cap'n Proto", "many", 41'000, 52, 9'000},
      {"capnp_tcp_capnp_buffered", "Cap'n Proto, buffered", "many", 88'000, 52, 9'100},
      {"thrift_tcp_binary", "Thrift binary", "one", 60'000, 9, 2'100},
      {"thrift_tcp_compact", "Thrift compact", "one", 62'000, 9, 2'050},
      {"beast_http1_protobuf", "Beast HTTP/1.1", "one", 70'000, 11, 2'600},
      {"beast_http1_json", "Beast HTTP/1.1 JSON", "one", 58'000, 12, 3'200},
      {"beast_http1_pipelined_protobuf", "Beast pipelined", "in_order", 95'000, 10, 2'500},
      {"beast_ws_protobuf", "Beast WebSocket", "many", 150'000, 7, 2'000},
  };
}

bool CarriesOne(const Sample& sample) {
  return std::string(sample.carries) == "one";
}

// What n calls in flight over k connections would show, in a closed loop or `calls` of them at
// once.
Counters Figures(const Sample& sample, double clients, double in_flight, double speed) {
  const double most = sample.limit * speed * std::min(1.5, 1 + 0.15 * (clients - 1));
  const double qps = std::min(in_flight / (kDelay * 1.01), most);
  const double mean = in_flight / qps;
  const double cpu = 1e6 / (sample.limit * speed);
  return {{"qps", qps},
          {"share", qps * kDelay / in_flight},
          {"mean_s", mean},
          {"min_s", kDelay},
          {"p50_s", mean * 0.99},
          {"p75_s", mean * 1.04},
          {"p90_s", mean * 1.1},
          {"p95_s", mean * 1.15},
          {"p99_s", mean * 1.3},
          {"p999_s", mean * 1.6},
          {"max_s", mean * 1.9},
          {"client_cpu_us", cpu * 0.6},
          {"client_user_us", cpu * 0.4},
          {"client_sys_us", cpu * 0.2},
          {"server_cpu_us", cpu * 0.5},
          {"server_user_us", cpu * 0.3},
          {"server_sys_us", cpu * 0.2},
          {"errors", 0},
          {"held_min_ms", 30.0},
          {"held_p99_ms", 30.4},
          {"peak_in_flight", in_flight},
          {"connections", clients}};
}

Counters Burst(const Sample& sample, double clients, double calls, double speed) {
  Counters counters = Figures(sample, clients, calls, speed);
  counters["sec"] = calls / counters["qps"] + kDelay;
  counters["client_b"] = sample.bytes * 0.55;
  counters["server_b"] = sample.bytes * 0.45;
  counters["client_allocs"] = sample.allocs * 0.6;
  counters["server_allocs"] = sample.allocs * 0.4;
  return counters;
}

void AddQps(const Sample& sample, const SampleOptions& options, SampleFile& file) {
  for (const int clients : {1, 2, 4, 8, 16}) {
    const std::vector<int> loads =
        CarriesOne(sample) ? std::vector{clients} : std::vector{2'000, 32'000};
    for (const int in_flight : loads) {
      const std::string name =
          fmt::format("BenchmarkQPS/{}/clients:{}/in_flight:{}", sample.name, clients, in_flight);
      if (!options.good && name == "BenchmarkQPS/asio_tcp_json/clients:16/in_flight:2000") {
        file.AddError(name, "invalid: the client's thread was 97 % busy");
      } else {
        file.AddRow(name, Figures(sample, clients, in_flight, options.speed));
      }
    }
    const double calls = CarriesOne(sample) ? 10 : 10'000;
    file.AddRow(fmt::format("BenchmarkQPSBurst/{}/clients:{}", sample.name, clients),
                Burst(sample, clients, calls * clients, options.speed));
  }
}

void AddSweep(const Sample& sample, const SampleOptions& options, SampleFile& file) {
  const std::string head = fmt::format("BenchmarkQPS/{}/clients:4/in_flight:", sample.name);
  for (const int in_flight : {250, 500, 1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 50'000}) {
    const std::string name = head + std::to_string(in_flight);
    if (CarriesOne(sample)) {
      file.AddError(name, "skipped: a connection carries one call at a time");
    } else {
      file.AddRow(name, Figures(sample, 4, in_flight, options.speed));
    }
  }
}

void AddFixed(const Sample& sample, const SampleOptions& options, SampleFile& file) {
  for (const int clients : {1, 2, 4, 8, 16}) {
    const std::string name = fmt::format("BenchmarkFixed/{}/clients:{}", sample.name, clients);
    if (!CarriesOne(sample)) {
      file.AddRow(name, Burst(sample, clients, 100'000, options.speed));
      continue;
    }
    file.AddError(name, "skipped: 100,000 calls one at a time would take too long");
    Counters counters = Burst(sample, clients, 100, options.speed);
    counters["sec"] = 100 * kDelay / clients;
    file.AddRow(fmt::format("BenchmarkFixedSmall/{}/clients:{}", sample.name, clients), counters);
  }
}

void AddHol(const Sample& sample, const SampleOptions& options, SampleFile& file) {
  const bool many = std::string(sample.carries) == "many";
  const auto name = [&](const char* part) {
    return fmt::format("BenchmarkHOL/{}/{}", part, sample.name);
  };
  if (!options.good && std::string(sample.name) == "beast_http1_json") {
    file.AddError(name("ceiling"), "the server ended with status 134");
  } else {
    const double qps = CarriesOne(sample) ? 33 : 500 / kDelay;
    file.AddRow(name("ceiling"), {{"qps", qps}, {"times_one_at_a_time", qps * kDelay}});
  }
  file.AddRow(name("victim"), {{"wait_p50_s", many ? 0.002 : 0.3},
                               {"wait_max_s", many ? 0.004 : 0.305},
                               {"overtook", many ? 1.0 : 0.0}});
  file.AddRow(name("steady"), {{"p50_s", many ? 0.0004 : 0.15},
                               {"p99_s", many ? 0.002 : 0.31},
                               {"max_s", many ? 0.004 : 0.32}});
}

Json Manifest() {
  Json manifest = {{"date", "2024-01-01T00:00:00Z"},
                   {"host", "sample"},
                   {"machine", {{"cpu", "Sample CPU"}, {"cores", 2}, {"memory_mb", 8'000}}},
                   {"kernel", "Linux 6.1"},
                   {"compiler", "g++ 12.2.0"},
                   {"flags", "-O2"},
                   {"commit", "0000000"},
                   {"profile", "sample"},
                   {"libraries", {{"boost", "1.74"}}},
                   {"frameworks", Json::array()}};
  for (const Sample& sample : Samples()) {
    manifest["frameworks"].push_back({{"name", sample.name},
                                      {"label", sample.label},
                                      {"version", "1.0"},
                                      {"settings", "as shipped"},
                                      {"carries", sample.carries}});
  }
  return manifest;
}

}  // namespace

void WriteSampleRun(const std::filesystem::path& folder, const SampleOptions& options) {
  SampleFile qps(options);
  SampleFile sweep(options);
  SampleFile fixed(options);
  SampleFile hol(options);
  for (const Sample& sample : Samples()) {
    AddQps(sample, options, qps);
    AddSweep(sample, options, sweep);
    AddFixed(sample, options, fixed);
    AddHol(sample, options, hol);
  }
  qps.Write(folder / "qps/benchmark.json");
  sweep.Write(folder / "qps/sweep.json");
  fixed.Write(folder / "fixed/benchmark.json");
  hol.Write(folder / "hol/benchmark.json");
  WriteSampleFanout(folder, options);
  WriteFile(folder / "manifest.json", Manifest().dump(1) + "\n");
}

}  // namespace rpcbench
