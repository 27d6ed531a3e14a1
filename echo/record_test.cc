#include "echo/record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace rpcbench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RecordTest, ComparesEveryField) {
  const Record record{true, 7, 1.5, "text"};
  EXPECT_TRUE(SameRecord(record, record, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(record, Record{false, 7, 1.5, "text"}, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(record, Record{true, 8, 1.5, "text"}, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(record, Record{true, 7, 1.25, "text"}, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(record, Record{true, 7, 1.5, "texT"}, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(record, Record{true, 7, 1.5, "text "}, NanRule::kSameBits));
}

TEST(RecordTest, NegativeZeroIsNotZero) {
  EXPECT_FALSE(SameRecord(Record{false, 0, 0.0, ""}, Record{false, 0, -0.0, ""}, NanRule::kAnyNan));
}

TEST(RecordTest, NanHasBitsUnlessTheRuleSaysOtherwise) {
  double payload = 0;
  const std::uint64_t bits = 0x7ff8000000000123;
  std::memcpy(&payload, &bits, sizeof payload);
  const Record plain{false, 0, kNan, ""};
  const Record other{false, 0, payload, ""};
  EXPECT_TRUE(SameRecord(plain, plain, NanRule::kSameBits));
  EXPECT_FALSE(SameRecord(plain, other, NanRule::kSameBits));
  EXPECT_TRUE(SameRecord(plain, other, NanRule::kAnyNan));
  EXPECT_FALSE(SameRecord(plain, Record{}, NanRule::kAnyNan));
}

}  // namespace
}  // namespace rpcbench
