#include "fanout/page/panel.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace rpcbench {
namespace {

constexpr std::size_t kHistory = 61;  // both ends of a minute

double OneDecimal(double value) {
  return std::round(value * 10) / 10;
}

// As encoded: what a stream of a cohort that stands is sent. Without encoders (identity) it is what
// was written.
std::optional<double> BytesOfFrame(const PanelTotals& now, const PanelTotals& before) {
  const auto encodes = now.topic.encodes - before.topic.encodes;
  if (encodes > 0) {
    return std::round(static_cast<double>(now.topic.encoded_bytes - before.topic.encoded_bytes) /
                      static_cast<double>(encodes));
  }
  const auto delivered = now.topic.ledger.delivered - before.topic.ledger.delivered;
  if (delivered == 0) return std::nullopt;
  return std::round(static_cast<double>(now.server.bytes_sent - before.server.bytes_sent) /
                    static_cast<double>(delivered));
}

nlohmann::json ListOf(const std::deque<std::optional<double>>& values) {
  auto list = nlohmann::json::array();
  for (const auto& value : values) {
    if (value)
      list.push_back(*value);
    else
      list.push_back(nullptr);
  }
  return list;
}

nlohmann::json Standing(const PanelTotals& totals) {
  const auto& topic = totals.topic;
  return {{"streams", totals.server.streams},
          {"streams_identity", totals.streams.identity},
          {"streams_zstd", totals.streams.zstd},
          {"streams_brotli", totals.streams.brotli},
          {"cohorts", topic.cohorts},
          {"privates", topic.privates},
          {"merges", topic.merges},
          {"splices", topic.laggard_moves + topic.first_frames},
          {"coalesced", topic.ledger.coalesced},
          {"failures", topic.failures},
          {"heap_kb", topic.encoder_heap / 1024},
          {"commands_failed", totals.failed}};
}

}  // namespace

std::size_t& CodecCounts::Of(Codec codec) {
  switch (codec) {
    case Codec::kZstd:
      return zstd;
    case Codec::kBrotli:
      return brotli;
    case Codec::kIdentity:
      break;
  }
  return identity;
}

void Panel::Remember(std::optional<double> ticks, std::optional<double> bytes) {
  ticks_.push_back(ticks);
  bytes_.push_back(bytes);
  if (ticks_.size() > kHistory) ticks_.pop_front();
  if (bytes_.size() > kHistory) bytes_.pop_front();
}

void Panel::Sample(Clock::time_point now, const PanelTotals& totals) {
  // Two samples at once would divide by nothing.
  const double seconds = std::max(std::chrono::duration<double>(now - sampled_at_).count(), 0.001);
  const double ticks = OneDecimal(static_cast<double>(totals.ticks - last_.ticks) / seconds);
  const auto bytes = BytesOfFrame(totals, last_);
  Remember(ticks, bytes);

  const auto percent = [seconds](std::chrono::duration<double> spent) {
    return OneDecimal(100 * spent.count() / seconds);
  };
  auto panel = Standing(totals);
  panel["ticks_s"] = ticks;
  panel["bytes_frame"] = bytes ? nlohmann::json(*bytes) : nlohmann::json();
  panel["commands_s"] = OneDecimal(static_cast<double>(totals.commands - last_.commands) / seconds);
  panel["cpu_percent"] = percent(totals.cpu - last_.cpu);
  panel["encode_percent"] = percent(totals.topic.encode_cpu - last_.topic.encode_cpu);
  panel["history"] = {{"ticks_s", ListOf(ticks_)}, {"bytes_frame", ListOf(bytes_)}};
  json_ = panel.dump();
  sampled_at_ = now;
  last_ = totals;
}

}  // namespace rpcbench
