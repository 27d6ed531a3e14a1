// The payload that every framework echoes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

// Longest text of the benchmark's records, in bytes. With flag, number and real (1 + 8 + 8 bytes) a
// record is 17 to 1,023 bytes in the raw codec.
inline constexpr std::size_t kMaxText = 1006;

struct Record {
  bool flag = false;
  std::int64_t number = 0;
  double real = 0;
  std::string text;  // valid UTF-8; the benchmark's own are letters and digits
};

// A record whose text belongs to someone else; valid as long as that owner says.
struct RecordView {
  RecordView() = default;
  RecordView(bool flag_in, std::int64_t number_in, double real_in, std::string_view text_in)
      : flag(flag_in), number(number_in), real(real_in), text(text_in) {}
  RecordView(const Record& record)  // implicit: a Record is passed wherever a view is asked for
      : flag(record.flag), number(record.number), real(record.real), text(record.text) {}

  bool flag = false;
  std::int64_t number = 0;
  double real = 0;
  std::string_view text;
};

// How doubles are compared. A text codec has one NaN and no payload bits for it.
enum class NanRule { kSameBits, kAnyNan };

// True if all four fields are equal. `real` is compared by its bits, so -0.0 differs from 0.0;
// under kAnyNan two NaNs are equal whatever their bits.
bool SameRecord(const RecordView& a, const RecordView& b, NanRule rule);

}  // namespace rpcbench
