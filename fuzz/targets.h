// What the echo suite parses of bytes from a socket or a file, as functions of any bytes. Each
// returns normally for all input, or ends the program: a fault, or a promise that was broken.
#pragma once

#include <string_view>
#include <vector>

namespace rpcbench {

void FuzzAsioFrame(std::string_view bytes);       // frames, and the raw codec in them
void FuzzJsonRecord(std::string_view bytes);      // and: what is read is written and read alike
void FuzzHttpRequest(std::string_view bytes);     // and: whole or in pieces gives the same
void FuzzWsFrames(std::string_view bytes);        // the scanner before Beast
void FuzzServerExchange(std::string_view bytes);  // first line and report of a server process
void FuzzBenchmarkJson(std::string_view bytes);
void FuzzCsv(std::string_view bytes);
void FuzzManifest(std::string_view bytes);

struct FuzzTarget {
  const char* name;  // of its corpus folder
  void (*run)(std::string_view bytes);
};

std::vector<FuzzTarget> FuzzTargets();

}  // namespace rpcbench
