#include "load/row.h"

namespace rpcbench {

RowResult ResultOf(const Measurement& measurement, Count count) {
  RowResult result;
  result.seconds = measurement.length;
  result.violations = ViolationsOf(measurement);
  result.allocated = AllocatedIn(measurement);
  result.counters =
      count == Count::kAllocations ? AllocationCountersOf(measurement) : CountersOf(measurement);
  return result;
}

}  // namespace rpcbench
