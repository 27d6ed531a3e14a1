// The palette and the shapes.
#include "plots/style.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace rpcbench {
namespace {

// Neighbours differ in lightness as well as in hue, so that the common forms of colour blindness
// and a grey print still tell them apart.
constexpr std::array<const char*, 18> kColours = {
    "#0072b2", "#e69f00", "#009e73", "#882255", "#56b4e9", "#d55e00",
    "#332288", "#cc79a7", "#117733", "#a58b00", "#aa4499", "#5ad1c8",
    "#661100", "#7f7f7f", "#000000", "#9999dd", "#cc6677", "#7a9a01"};

// Circle, square, triangles, diamond and pentagon: filled, then open.
constexpr std::array<int, 12> kPoints = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};

}  // namespace

Style StyleOf(std::size_t index) {
  return {.colour = kColours[index % kColours.size()],
          .point = kPoints[index % kPoints.size()],
          .dash = index < kColours.size() ? 1 : 5};
}

Style FanoutStyle(const std::string& name, bool own_encoder) {
  Style style{.colour = "#000000", .point = own_encoder ? 4 : 7, .dash = own_encoder ? 4 : 1};
  for (const auto& [known, colour] : {std::pair{"zstd", "#0072b2"},
                                      {"brotli", "#d55e00"},
                                      {"identity", "#7f7f7f"},
                                      {"sse", "#009e73"},
                                      {"nchan", "#882255"}}) {
    if (name == known) style.colour = colour;
  }
  return style;
}

std::string Lighter(const std::string& colour, double share) {
  std::string mixed = "#";
  for (std::size_t at = 1; at + 1 < colour.size(); at += 2) {
    const double part = std::stoi(colour.substr(at, 2), nullptr, 16);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned>(std::lround(part + (255.0 - part) * share)) & 0xffU);
    mixed += digits;
  }
  return mixed;
}

}  // namespace rpcbench
