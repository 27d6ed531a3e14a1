// The client side of the contract: one connection, asynchronous calls, one reply each.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "echo/record.h"

namespace rpcbench {

struct Address {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
};

inline std::string ToString(const Address& address) {
  return address.host + ":" + std::to_string(address.port);
}

// How a call ended. The adapter says one of the first four; the harness adds kMismatch when a reply
// differs from what was sent, outside the timed span.
enum class Outcome : std::uint8_t { kOk, kFailed, kTimedOut, kCancelled, kMismatch };

const char* ToString(Outcome outcome);

// Names one call. The low 32 bits are its slot: below ClientOptions::call_limit, and used by one
// call at a time, so that an adapter may keep a call's state in a plain array. The high 32 bits
// tell the users of a slot apart.
using CallId = std::uint64_t;

constexpr CallId MakeCallId(std::uint32_t slot, std::uint32_t generation) {
  return (static_cast<CallId>(generation) << 32) | slot;
}
constexpr std::uint32_t SlotOf(CallId id) {
  return static_cast<std::uint32_t>(id);
}

// Where replies go.
class ReplySink {
 public:
  // Comes exactly once a call, from any thread, also on failure, timeout and close. For one
  // connection two of these never run at the same time. Must not block and must not throw. May call
  // EchoClient::Call on the same client; the slot of `id` is free again as soon as this begins.
  // `record` is valid during the call only, and meaningless unless `outcome` is kOk.
  virtual void OnReply(CallId id, Outcome outcome, const RecordView& record) = 0;

 protected:
  ~ReplySink() = default;
};

struct ClientOptions {
  int connections = 1;              // clients that `connect` returns
  int threads = 1;                  // event loops or polling threads over which they are spread
  std::uint32_t call_limit = 1024;  // no slot is this high
  std::chrono::nanoseconds connect_timeout = std::chrono::seconds(5);
};

// One connection. Destroy it from a thread other than the one that calls OnReply.
class EchoClient {
 public:
  // Settles what is in flight (kCancelled, or what the framework says) before it returns; no
  // OnReply comes after.
  virtual ~EchoClient() = default;

  // Starts one call and returns without waiting for it. `record` stays as it is until its OnReply.
  // Any thread may call, also several at a time, also from inside OnReply. May run OnReply before
  // it returns, but then with an outcome other than kOk (a closed connection), never with a reply.
  virtual void Call(CallId id, const Record& record) = 0;
};

using EchoClients = std::vector<std::unique_ptr<EchoClient>>;

}  // namespace rpcbench
