// Record as a protobuf message: the conversions that every protobuf row shares.
#pragma once

#include "echo/record.h"
#include "echo/schema/record.pb.h"

namespace rpcbench {

inline void ToProto(const RecordView& record, proto::Record& message) {
  message.set_flag(record.flag);
  message.set_number(record.number);
  message.set_real(record.real);
  message.set_text(record.text.data(), record.text.size());
}

// The view's text belongs to `message`.
inline RecordView FromProto(const proto::Record& message) {
  return {message.flag(), message.number(), message.real(), message.text()};
}

}  // namespace rpcbench
