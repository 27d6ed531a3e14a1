#include "fanout/board/command.h"

namespace rpcbench {

const char* ToString(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kUnknownCard:
      return "unknown card";
    case StatusCode::kQueueFull:
      return "queue full";
    case StatusCode::kStopped:
      return "stopped";
    case StatusCode::kDiskFull:
      return "disk full";
    case StatusCode::kLocked:
      return "locked";
    case StatusCode::kReadOnly:
      return "read only";
    case StatusCode::kInputOutput:
      return "input or output failed";
    case StatusCode::kCorrupt:
      return "corrupt";
    case StatusCode::kFailed:
      return "failed";
  }
  return "unknown";
}

}  // namespace rpcbench
