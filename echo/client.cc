#include "echo/client.h"

namespace rpcbench {

const char* ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kTimedOut:
      return "timed out";
    case Outcome::kCancelled:
      return "cancelled";
    case Outcome::kMismatch:
      return "mismatch";
  }
  return "unknown";
}

}  // namespace rpcbench
