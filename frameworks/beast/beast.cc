// beast: HTTP/1.1 with the Connect unary protocol, and WebSocket, over Boost.Beast and the Asio
// loops that frameworks/asio has. TCP_NODELAY everywhere, bounded headers and bodies, one coarse
// timer a connection, and one write a loop turn.
#include <boost/version.hpp>
#include <string>
#include <vector>

#include "echo/framework.h"
#include "frameworks/beast/http.h"
#include "frameworks/beast/ws.h"

namespace rpcbench {
namespace {

struct HttpRow {
  const char* name;
  const char* label;
  const char* settings;
  HttpCalls calls;
};

std::string Version() {
  return "Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1000);
}

Framework Http(const HttpRow& row) {
  Framework framework;
  framework.name = row.name;
  framework.label = row.label;
  framework.version = Version();
  framework.settings = row.settings;
  framework.traits.transport = "http1";
  framework.traits.carries = row.calls.pipelined ? Carries::kInOrder : Carries::kOne;
  framework.traits.native_timer = true;
  const bool json = row.calls.codec == HttpCodec::kJson;
  framework.traits.codec = json ? "json" : "protobuf";
  framework.traits.nan_rule = json ? NanRule::kAnyNan : NanRule::kSameBits;
  framework.start_server = [name = framework.name](const ServerOptions& options, HoldMeter& meter) {
    return StartHttpServer(name, options, meter);
  };
  framework.connect = [name = framework.name, calls = row.calls](
                          const Address& address, const ClientOptions& options, ReplySink& sink) {
    return ConnectHttp(name, calls, address, options, sink);
  };
  return framework;
}

Framework WebSocket() {
  Framework framework;
  framework.name = "beast_ws_protobuf";
  framework.label = "WebSocket";
  framework.version = Version();
  framework.settings =
      "one binary message a call with its id; no deflate, no fragments; frames batched a loop turn";
  framework.traits.transport = "ws";
  framework.traits.codec = "protobuf";
  framework.traits.carries = Carries::kMany;
  framework.traits.native_timer = true;
  framework.start_server = [name = framework.name](const ServerOptions& options, HoldMeter& meter) {
    return StartWsServer(name, options, meter);
  };
  framework.connect = [name = framework.name](const Address& address, const ClientOptions& options,
                                              ReplySink& sink) {
    return ConnectWs(name, address, options, sink);
  };
  return framework;
}

}  // namespace

std::vector<Framework> BeastFrameworks() {
  return {
      Http({.name = "beast_http1_protobuf",
            .label = "HTTP/1.1 protobuf",
            .settings = "Connect unary, keep-alive, one request at a time a connection",
            .calls = {.codec = HttpCodec::kProtobuf, .pipelined = false}}),
      Http({.name = "beast_http1_json",
            .label = "HTTP/1.1 JSON",
            .settings = "Connect unary in JSON, keep-alive, one request at a time a connection",
            .calls = {.codec = HttpCodec::kJson, .pipelined = false}}),
      Http({.name = "beast_http1_pipelined_protobuf",
            .label = "HTTP/1.1 pipelined",
            .settings = "Connect unary, requests sent without waiting, replies in their order, "
                        "batched a loop turn",
            .calls = {.codec = HttpCodec::kProtobuf, .pipelined = true}}),
      WebSocket(),
  };
}

}  // namespace rpcbench
