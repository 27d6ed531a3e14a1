#include "fanout/encode/text_ring.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace rpcbench {
namespace {

constexpr std::size_t kTextsThatFit = 4;
constexpr std::size_t kGrowth = 8;  // the larger ring, in texts of the size that did not fit

}  // namespace

// Not std::make_unique, which would write every byte.
TextRing::TextRing(std::size_t capacity) : capacity_(capacity), bytes_(new char[capacity]) {}

std::string_view TextRing::Append(std::string_view text) {
  if (text.size() > capacity_ / kTextsThatFit) Grow(kGrowth * text.size());
  if (text.size() > capacity_ - place_) {
    lap_ += capacity_;
    place_ = 0;
  }
  char* const place = bytes_.get() + place_;
  std::memcpy(place, text.data(), text.size());
  place_ += text.size();
  return {place, text.size()};
}

std::optional<std::uint64_t> TextRing::OffsetOf(std::string_view text) const {
  const std::less<> before;  // of pointers into different arrays, which < leaves open
  if (before(text.data(), bytes_.get()) ||
      !before(text.data() + text.size(), bytes_.get() + capacity_ + 1)) {
    return std::nullopt;
  }
  const auto place = static_cast<std::size_t>(text.data() - bytes_.get());
  return place < place_ ? lap_ + place : lap_ + place - capacity_;
}

std::uint64_t TextRing::oldest() const {
  const std::uint64_t end = lap_ + place_;
  return std::max(floor_, end > capacity_ ? end - capacity_ : 0);
}

void TextRing::Grow(std::size_t capacity) {
  bytes_.reset(new char[capacity]);
  lap_ += place_;
  floor_ = lap_;
  place_ = 0;
  capacity_ = capacity;
}

}  // namespace rpcbench
