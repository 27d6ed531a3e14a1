#include "fanout/load/event_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fanout/load/hash.h"

namespace rpcbench {
namespace {

// Takes "<key>=<digits> " from the front of `data`, or nothing.
template <class Number>
std::optional<Number> TakeMark(std::string_view& data, std::string_view key) {
  if (data.substr(0, key.size()) != key) return std::nullopt;
  Number value{};
  const char* const end = data.data() + data.size();
  const auto result = std::from_chars(data.data() + key.size(), end, value);
  if (result.ec != std::errc{} || result.ptr == end || *result.ptr != ' ') return std::nullopt;
  data.remove_prefix(static_cast<std::size_t>(result.ptr + 1 - data.data()));
  return value;
}

}  // namespace

EventReader::EventReader(Codec codec)
    : decoder_(codec == Codec::kIdentity ? nullptr : MakeDecoder(TokenOf(codec))), parser_(*this) {}

Seen EventReader::Read(std::string_view bytes) {
  seen_ = {};
  if (!decoder_) {
    parser_.Feed(bytes);
  } else {
    text_.clear();
    decoder_->Decode(bytes, text_);
    parser_.Feed(text_);
  }
  return std::exchange(seen_, {});
}

void EventReader::OnEvent(const ReceivedEvent& event) {
  SeenEvent seen;
  seen.id = SeenId(event.id);
  seen.name_hash = HashOf(event.name);
  seen.hash = HashOf(event.data);
  seen.reset = event.name == "reset";
  std::string_view data = event.data;
  seen.sent_ns = TakeMark<std::int64_t>(data, "t=");
  seen.number = TakeMark<std::uint64_t>(data, "n=");
  seen_.events.push_back(std::move(seen));
}

bool SameEvent(const SeenEvent& one, const SeenEvent& other) {
  const bool same_id = one.id.empty() || other.id.empty() || one.id.text() == other.id.text();
  return same_id && one.name_hash == other.name_hash && one.hash == other.hash;
}

}  // namespace rpcbench
