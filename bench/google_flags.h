// Google Benchmark's flags, taken out of the command line before ours are read.
#pragma once

#include <filesystem>
#include <string>

namespace rpcbench {

struct GoogleFlags {
  std::string filter;
  std::filesystem::path out;
  std::string out_format = "json";
  std::string format = "console";
  double min_time = 0;  // seconds
  int repetitions = 1;
  bool list_tests = false;
};

// Passes --benchmark_* and --v on to the library and removes them from argv; what this suite has to
// know or does itself is returned. Names and files are ours to handle: the library would match its
// filter against names with a suffix, and open the file before there is anything to write.
// `window_seconds` is --benchmark_min_time where it is not given. Throws Error for a flag the
// library does not know.
GoogleFlags TakeGoogleFlags(int& argc, char** argv, double window_seconds);

}  // namespace rpcbench
