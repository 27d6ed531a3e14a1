#include "bench/google_flags.h"

#include <benchmark/benchmark.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "echo/error.h"

namespace rpcbench {
namespace {

bool TakeValue(std::string_view argument, std::string_view flag, std::string& value) {
  if (argument.substr(0, flag.size()) != flag || argument.substr(flag.size(), 1) != "=")
    return false;
  value = argument.substr(flag.size() + 1);
  return true;
}

template <class Number>
Number ParseFlag(std::string_view flag, const std::string& text, Number least) {
  Number value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || value < least) {
    throw Error(std::string(flag) + "=" + text + ": give a number of at least " +
                std::to_string(least));
  }
  return value;
}

bool IsTrue(const std::string& text) {
  return text == "true" || text == "1" || text == "yes";
}

// True if the flag is one that the library is not to see.
bool TakeOurs(std::string_view argument, GoogleFlags& flags) {
  std::string value;
  if (TakeValue(argument, "--benchmark_filter", flags.filter)) return true;
  if (TakeValue(argument, "--benchmark_out", value)) {
    flags.out = value;
    return true;
  }
  if (TakeValue(argument, "--benchmark_out_format", flags.out_format)) return true;
  if (argument == "--benchmark_list_tests")
    flags.list_tests = true;
  else if (TakeValue(argument, "--benchmark_list_tests", value))
    flags.list_tests = IsTrue(value);
  else
    return false;
  return true;
}

void NoteTheirs(std::string_view argument, GoogleFlags& flags) {
  std::string value;
  TakeValue(argument, "--benchmark_format", flags.format);
  if (TakeValue(argument, "--benchmark_min_time", value)) {
    flags.min_time = ParseFlag("--benchmark_min_time", value, 0.001);
  }
  if (TakeValue(argument, "--benchmark_repetitions", value)) {
    flags.repetitions = ParseFlag("--benchmark_repetitions", value, 1);
  }
}

}  // namespace

GoogleFlags TakeGoogleFlags(int& argc, char** argv, double window_seconds) {
  GoogleFlags flags;
  flags.min_time = window_seconds;
  std::string window = "--benchmark_min_time=" + std::to_string(window_seconds);
  std::vector<char*> theirs{argv[0], window.data()};
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool google = argument.substr(0, 12) == "--benchmark_" || argument.substr(0, 4) == "--v=";
    if (!google) {
      argv[kept++] = argv[i];
    } else if (!TakeOurs(argument, flags)) {
      NoteTheirs(argument, flags);
      theirs.push_back(argv[i]);
    }
  }
  argc = kept;
  if (flags.out_format != "json" && flags.out_format != "console") {
    throw Error("--benchmark_out_format=" + flags.out_format + ": give json or console");
  }
  if (flags.format != "console" && flags.format != "json" && flags.format != "csv") {
    throw Error("--benchmark_format=" + flags.format + ": give console, json or csv");
  }
  int count = static_cast<int>(theirs.size());
  theirs.push_back(nullptr);
  benchmark::Initialize(&count, theirs.data());
  if (count > 1)
    throw Error(std::string(theirs[1]) + ": not a flag of Google Benchmark, or not its value");
  return flags;
}

}  // namespace rpcbench
