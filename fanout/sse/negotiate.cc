#include "fanout/sse/negotiate.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rpcbench {
namespace {

constexpr int kFull = 1000;  // a weight of 1; weights have three decimals

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ), in thousandths.
std::optional<int> ParseQvalue(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  int value = (text[0] - '0') * kFull;
  if (text.size() == 1) return value;
  if (text[1] != '.' || text.size() > 5) return std::nullopt;
  int unit = 100;
  for (const char c : text.substr(2)) {
    if (c < '0' || c > '9') return std::nullopt;
    value += (c - '0') * unit;
    unit /= 10;
  }
  return value <= kFull ? std::optional(value) : std::nullopt;
}

struct Member {
  std::string_view coding;
  int weight = kFull;
};

std::optional<Member> ParseMember(std::string_view text) {
  const auto semicolon = text.find(';');
  Member member{.coding = Trimmed(text.substr(0, semicolon))};
  if (semicolon == std::string_view::npos) return member;
  const std::string_view parameter = Trimmed(text.substr(semicolon + 1));
  if (!SameWord(parameter.substr(0, 2), "q=")) return std::nullopt;
  const auto weight = ParseQvalue(parameter.substr(2));
  if (!weight) return std::nullopt;
  member.weight = *weight;
  return member;
}

void Lower(std::optional<int>& weight, int to) {
  weight = std::min(weight.value_or(kFull), to);
}

}  // namespace

std::optional<Codec> Negotiate(std::optional<std::string_view> accept_encoding) {
  static constexpr std::array kPreferred{Codec::kZstd, Codec::kBrotli, Codec::kIdentity};
  std::array<std::optional<int>, kPreferred.size()> named;
  std::optional<int> any;
  std::string_view rest = accept_encoding.value_or("");
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const auto member = ParseMember(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    if (!member) continue;
    if (member->coding == "*") Lower(any, member->weight);
    for (std::size_t i = 0; i < kPreferred.size(); ++i) {
      if (SameWord(member->coding, TokenOf(kPreferred[i]))) Lower(named[i], member->weight);
    }
  }
  std::optional<Codec> best;
  int best_weight = 0;
  for (std::size_t i = 0; i < kPreferred.size(); ++i) {
    const int weight = named[i].value_or(any.value_or(0));
    if (weight > best_weight) {
      best = kPreferred[i];
      best_weight = weight;
    }
  }
  // Identity that neither its name nor "*" refuses is always there to fall back on.
  if (!best && !named.back() && !any) best = Codec::kIdentity;
  return best;
}

}  // namespace rpcbench
