#include "frameworks/codec/json_codec.h"

#include <rapidjson/reader.h>
#include <rapidjson/writer.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rpcbench {
namespace {

// Lets rapidjson's writer append to a std::string.
class StringStream {
 public:
  using Ch = char;
  explicit StringStream(std::string& out) : out_(out) {}
  void Put(char c) { out_.push_back(c); }
  void Flush() {}

 private:
  std::string& out_;
};

enum class Field { kNone, kFlag, kNumber, kReal, kText, kUnknown };

Field FieldOf(std::string_view name) {
  if (name == "flag") return Field::kFlag;
  if (name == "number") return Field::kNumber;
  if (name == "real") return Field::kReal;
  if (name == "text") return Field::kText;
  return Field::kUnknown;
}

template <class Number>
bool ParseWhole(std::string_view text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

bool ParseReal(std::string_view text, double& value) {
  if (text == "NaN")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (text == "Infinity")
    value = std::numeric_limits<double>::infinity();
  else if (text == "-Infinity")
    value = -std::numeric_limits<double>::infinity();
  else
    return ParseWhole(text, value) && std::isfinite(value);
  return true;
}

// A low surrogate that was escaped on its own: rapidjson lets it pass, as the three bytes ED A0..BF
// .., which are no UTF-8. Whatever else is bad it refuses.
bool HasLoneSurrogate(std::string_view text) {
  for (std::size_t at = text.find('\xed'); at < text.size(); at = text.find('\xed', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0) return true;
  }
  return false;
}

// Fills a Record from rapidjson's events; a nested value is allowed only under an unknown name.
class RecordHandler final {
 public:
  explicit RecordHandler(Record& record) : record_(record) {}

  bool StartObject() { return ++depth_ == 1 || field_ == Field::kUnknown; }
  bool EndObject(rapidjson::SizeType) { return Leave(); }
  bool StartArray() { return ++depth_ > 1 && field_ == Field::kUnknown; }
  bool EndArray(rapidjson::SizeType) { return Leave(); }

  bool Key(const char* name, rapidjson::SizeType size, bool) {
    if (depth_ == 1) field_ = FieldOf({name, size});
    return true;
  }

  bool Null() { return depth_ > 0; }  // proto3: the default value

  bool Bool(bool value) {
    if (Skipped()) return true;
    if (depth_ != 1 || field_ != Field::kFlag) return false;
    record_.flag = value;
    return true;
  }

  // Numbers come as text, so that 64-bit integers keep every digit.
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return Skipped() || (depth_ == 1 && Number({text, size}));
  }

  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (Skipped()) return true;
    if (depth_ != 1) return false;
    if (field_ == Field::kText) {
      if (HasLoneSurrogate({text, size})) return false;
      record_.text.assign(text, size);
      return true;
    }
    return Number({text, size});
  }

  // rapidjson asks for these too; with kParseNumbersAsStringsFlag they do not come.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  bool Skipped() const { return depth_ > 0 && field_ == Field::kUnknown; }

  bool Leave() {
    --depth_;
    return true;
  }

  bool Number(std::string_view text) {
    if (field_ == Field::kNumber) return ParseWhole(text, record_.number);
    if (field_ == Field::kReal) return ParseReal(text, record_.real);
    return false;
  }

  Record& record_;
  Field field_ = Field::kNone;
  int depth_ = 0;
};

}  // namespace

void AppendJson(const RecordView& record, std::string& out) {
  StringStream stream(out);
  rapidjson::Writer<StringStream> writer(stream);
  writer.StartObject();
  writer.Key("flag");
  writer.Bool(record.flag);
  writer.Key("number");
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, record.number).ptr;
  writer.String(digits, static_cast<rapidjson::SizeType>(end - digits));
  writer.Key("real");
  if (std::isnan(record.real))
    writer.String("NaN");
  else if (std::isinf(record.real))
    writer.String(record.real > 0 ? "Infinity" : "-Infinity");
  else
    writer.Double(record.real);
  writer.Key("text");
  writer.String(record.text.data(), static_cast<rapidjson::SizeType>(record.text.size()));
  writer.EndObject();
}

bool ParseJson(std::string_view json, Record& record) {
  record.flag = false;
  record.number = 0;
  record.real = 0;
  record.text.clear();
  constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseIterativeFlag;
  rapidjson::MemoryStream stream(json.data(), json.size());
  rapidjson::Reader reader;
  RecordHandler handler(record);
  return !reader.Parse<kFlags>(stream, handler).IsError();
}

}  // namespace rpcbench
