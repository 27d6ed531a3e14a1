#include "results/fanout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace rpcbench {
namespace {

void Append(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += ", ";
  text += part;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// "zstd 1, low memory" of "zstd_1_lowmem", "zstd 1, shared window" of "zstd_1_shared".
std::string EncoderLabel(const std::string& encoder) {
  std::string label;
  for (const std::string& part : Split(encoder, '_')) {
    if (part == "lowmem") {
      label += ", low memory";
    } else if (part == "shared") {
      label += ", shared window";
    } else {
      label += label.empty() ? part : " " + part;
    }
  }
  return label;
}

std::string BoardLabel(const Row& row) {
  const BoardTraits traits = BoardTraitsOf(row);
  std::string label = row.framework;
  // As SQLite's pragma is written.
  std::string synchronous = traits.synchronous;
  std::transform(synchronous.begin(), synchronous.end(), synchronous.begin(),
                 [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  Append(label, synchronous);
  Append(label, traits.encoders == "per_stream" ? "per stream" : traits.encoders);
  Append(label, traits.delivery);
  Append(label, traits.rest);
  return label;
}

}  // namespace

bool IsFanoutFamily(std::string_view family) {
  for (const char* own : {kBoardFamily, kLevelsFamily, kHeapFamily, kPushFamily, kConnectFamily}) {
    if (family == own) return true;
  }
  return false;
}

BoardTraits BoardTraitsOf(const Row& row) {
  BoardTraits traits;
  for (const std::string& part : Split(row.variant, '/')) {
    if (part == "full" || part == "normal") {
      traits.synchronous = part;
    } else if (part == "per_stream" || part == "cohort") {
      traits.encoders = part;
    } else if (part == "sink" || part == "wire") {
      traits.delivery = part;
    } else {
      Append(traits.rest, part);
    }
  }
  return traits;
}

std::string CodecOf(const std::string& encoder) {
  return encoder.substr(0, encoder.find('_'));
}

std::string PartnerOf(const std::string& encoder) {
  for (const auto& [published, level] : {std::pair{"zstd_fastest", "zstd_1"},
                                         {"zstd_default", "zstd_3"},
                                         {"zstd_better", "zstd_7"}}) {
    if (encoder.starts_with(published)) {
      return level + encoder.substr(std::string_view(published).size());
    }
  }
  return encoder;
}

std::string FanoutLabel(const Row& row) {
  if (row.family == kBoardFamily) return BoardLabel(row);
  if (row.family == kPushFamily || row.family == kConnectFamily) {
    std::string server = row.framework == "sse" ? "sse (this suite)" : row.framework;
    Append(server, row.variant);
    return server;
  }
  std::string label = EncoderLabel(row.framework);
  const std::int64_t window = row.Parameter("window");
  if (window > 0) Append(label, fmt::format("window 2^{}", window));
  Append(label, row.variant);
  return label;
}

}  // namespace rpcbench
