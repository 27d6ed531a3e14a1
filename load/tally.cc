#include "load/tally.h"

namespace rpcbench {

void Tally::Reset(std::size_t samples_a_lane) {
  for (Lane& lane : lanes_) {
    lane.log.Reset(samples_a_lane);
    lane.calls = 0;
    lane.inside = std::chrono::nanoseconds(0);
  }
  for (auto* counter : {&failed_, &timed_out_, &cancelled_, &mismatched_}) *counter = 0;
}

void Tally::AddError(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      break;
    case Outcome::kFailed:
      ++failed_;
      break;
    case Outcome::kTimedOut:
      ++timed_out_;
      break;
    case Outcome::kCancelled:
      ++cancelled_;
      break;
    case Outcome::kMismatch:
      ++mismatched_;
      break;
  }
}

void Tally::AddDoubled() {
  ++doubled_;
}

double Tally::calls() const {
  double calls = 0;
  for (const Lane& lane : lanes_) calls += lane.calls;
  return calls;
}

std::chrono::nanoseconds Tally::inside() const {
  std::chrono::nanoseconds inside{0};
  for (const Lane& lane : lanes_) inside += lane.inside;
  return inside;
}

OutcomeCounts Tally::counts() const {
  OutcomeCounts counts;
  for (const Lane& lane : lanes_) counts.ok += lane.log.samples().size();
  counts.failed = failed_;
  counts.timed_out = timed_out_;
  counts.cancelled = cancelled_;
  counts.mismatched = mismatched_;
  counts.doubled = doubled_;
  return counts;
}

bool Tally::overflowed() const {
  for (const Lane& lane : lanes_) {
    if (lane.log.overflowed()) return true;
  }
  return false;
}

LatencySet Tally::Latencies() const {
  LatencySet latencies;
  for (const Lane& lane : lanes_) latencies.Merge(lane.log);
  latencies.Sort();
  return latencies;
}

}  // namespace rpcbench
