// The three bodies that the asio rows put in a frame. A codec is used by one thread.
//
//   Value                       what the server decodes a request to and holds until the reply is
//   due bool Read(body, Value&)     false if the body is none void Write(Value, out)      appends
//   the reply's body void Write(RecordView, out) appends a request's body bool View(body,
//   RecordView&) decodes a reply; the view is valid until the next View or while `body` is
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "echo/record.h"
#include "frameworks/codec/json_codec.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {

// flag, number and real as they lie in memory, then the text: 17 to 1,023 bytes.
class RawCodec final {
 public:
  using Value = Record;

  bool Read(std::string_view body, Record& record) {
    RecordView view;
    if (!View(body, view)) return false;
    record.flag = view.flag;
    record.number = view.number;
    record.real = view.real;
    record.text.assign(view.text);
    return true;
  }

  void Write(const RecordView& record, std::string& out) {
    char head[kHead];
    head[0] = record.flag ? 1 : 0;
    std::memcpy(head + 1, &record.number, sizeof record.number);
    std::memcpy(head + 9, &record.real, sizeof record.real);
    out.append(head, kHead);
    out.append(record.text);
  }

  bool View(std::string_view body, RecordView& record) {
    if (body.size() < kHead || static_cast<unsigned char>(body[0]) > 1) return false;
    record.flag = body[0] != 0;
    std::memcpy(&record.number, body.data() + 1, sizeof record.number);
    std::memcpy(&record.real, body.data() + 9, sizeof record.real);
    record.text = body.substr(kHead);
    return true;
  }

 private:
  static constexpr std::size_t kHead = 1 + sizeof(std::int64_t) + sizeof(double);
};

class ProtobufCodec final {
 public:
  using Value = proto::Record;

  bool Read(std::string_view body, proto::Record& message) {
    return message.ParseFromArray(body.data(), static_cast<int>(body.size()));
  }

  void Write(const proto::Record& message, std::string& out) { message.AppendToString(&out); }

  void Write(const RecordView& record, std::string& out) {
    ToProto(record, scratch_);
    scratch_.AppendToString(&out);
  }

  bool View(std::string_view body, RecordView& record) {
    if (!Read(body, scratch_)) return false;
    record = FromProto(scratch_);
    return true;
  }

 private:
  proto::Record scratch_;
};

class JsonCodec final {
 public:
  using Value = Record;

  bool Read(std::string_view body, Record& record) { return ParseJson(body, record); }
  void Write(const RecordView& record, std::string& out) { AppendJson(record, out); }

  bool View(std::string_view body, RecordView& record) {
    if (!Read(body, scratch_)) return false;
    record = scratch_;
    return true;
  }

 private:
  Record scratch_;
};

}  // namespace rpcbench
