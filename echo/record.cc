#include "echo/record.h"

#include <bit>
#include <cmath>

namespace rpcbench {

bool SameRecord(const RecordView& a, const RecordView& b, NanRule rule) {
  if (a.flag != b.flag || a.number != b.number || a.text != b.text) return false;
  if (std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real)) return true;
  return rule == NanRule::kAnyNan && std::isnan(a.real) && std::isnan(b.real);
}

}  // namespace rpcbench
