// The exchange of a server process with whoever started it: lines of JSON over standard input and
// output.
//
//   server
//   {"rpcbench":1,"framework":"asio_tcp_raw","host":"127.0.0.1","port":40123,"pid":7,"cpus":[1]}
//   client  mark                  or: mark allocations
//   server  {"marked":true}
//   client  report
//   server  {"elapsed_ns":...,"usage":{...},"held":{...},"sockets":{...}}
//   client  (closes)              the server stops and exits with 0
//
// Anything else is answered with {"error":"..."}. A server in another language that speaks this can
// join the suite.
#pragma once

#include <iosfwd>
#include <string>

#include "echo/client.h"
#include "server/server_meter.h"

namespace rpcbench {

struct Hello {
  std::string framework;
  Address address;
  int pid = 0;
  std::vector<int> cpus;
};

std::string HelloLine(const Hello& hello);
// Throws Error that quotes the line.
Hello ParseHello(const std::string& line);

// Answers commands until `in` ends.
void ServeControl(ServerMeter& server, std::istream& in, std::ostream& out);

}  // namespace rpcbench
