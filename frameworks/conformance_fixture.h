// What the conformance cases stand on: verbs to start, connect and expect.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frameworks/all.h"
#include "frameworks/recorder.h"

namespace rpcbench {

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  Conformance() : all_(AllFrameworks()), framework_(FindFramework(all_, GetParam())) {}

  std::unique_ptr<EchoServer> Start(std::chrono::nanoseconds delay, int threads = 1) {
    ServerOptions options;
    options.delay = delay;
    options.threads = threads;
    return Start(options);
  }

  std::unique_ptr<EchoServer> Start(const ServerOptions& options) {
    return framework_.start_server(options, meter_);
  }

  EchoClients Connect(const EchoServer& server, ReplySink& sink, int connections = 1,
                      std::uint32_t call_limit = 4096, int threads = 1) {
    ClientOptions options;
    options.connections = connections;
    options.call_limit = call_limit;
    options.threads = threads;
    return framework_.connect(server.address(), options, sink);
  }

  bool Same(const RecordView& a, const RecordView& b) const {
    return SameRecord(a, b, framework_.traits.nan_rule);
  }

  // Sends each record once and expects each back unchanged, and nothing else.
  void ExpectEchoed(const std::vector<Record>& records) {
    const auto server = Start(std::chrono::milliseconds(0));
    Recorder recorder;
    const auto clients = Connect(*server, recorder);
    for (std::uint32_t i = 0; i < records.size(); ++i) {
      clients[0]->Call(MakeCallId(i, 7), records[i]);
    }
    ASSERT_TRUE(recorder.WaitFor(records.size())) << "a reply did not come";
    std::map<CallId, int> seen;
    for (const auto& reply : recorder.replies()) {
      ASSERT_EQ(reply.outcome, Outcome::kOk) << ToString(reply.outcome);
      ASSERT_EQ(++seen[reply.id], 1) << "doubled reply";
      ASSERT_LT(SlotOf(reply.id), records.size());
      EXPECT_TRUE(Same(reply.record, records[SlotOf(reply.id)])) << "record " << SlotOf(reply.id);
    }
    EXPECT_EQ(seen.size(), records.size());
  }

  // Each call that was started settles once, whatever the outcome.
  void ExpectEachOnce(Recorder& recorder, std::uint32_t calls) {
    std::map<CallId, int> seen;
    for (const auto& reply : recorder.replies()) ++seen[reply.id];
    EXPECT_EQ(seen.size(), calls);
    for (const auto& [id, times] : seen) EXPECT_EQ(times, 1) << "slot " << SlotOf(id);
  }

  HoldMeter meter_;
  std::vector<Framework> all_;
  const Framework& framework_;
};

}  // namespace rpcbench
