#include "process/duration_flag.h"

#include <charconv>
#include <cmath>

#include "echo/error.h"

namespace rpcbench {

std::chrono::nanoseconds ParseDuration(const std::string& text) {
  double value = -1;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  const std::string unit(result.ptr, end);
  double scale = 0;
  if (unit == "s")
    scale = 1e9;
  else if (unit == "ms")
    scale = 1e6;
  else if (unit == "us")
    scale = 1e3;
  else if (unit.empty() && value == 0)
    scale = 1;
  constexpr double kHour = 3600e9;
  if (result.ec != std::errc{} || scale == 0 || !(value >= 0) || value * scale > kHour) {
    throw Error("duration \"" + text +
                "\": give a number with s, ms or us, such as 30ms, up to an hour");
  }
  return std::chrono::nanoseconds(std::llround(value * scale));
}

}  // namespace rpcbench
