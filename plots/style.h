// How a framework looks on every chart of a run: one colour and one point shape, by its position in
// the manifest. Knows nothing of gnuplot's commands, only of its numbers for shapes.
#pragma once

#include <cstddef>
#include <string>

namespace rpcbench {

struct Style {
  std::string colour;  // "#0072b2"
  int point = 7;       // gnuplot's point type
  int dash = 1;        // gnuplot's dash type; 1 is solid
};

// Colour and shape together repeat only after 36 indexes, and from 18 on the line is dashed too.
Style StyleOf(std::size_t index);

// Of a fan-out row: one colour a codec ("zstd", "brotli", "identity") or a server ("sse", "nchan")
// on every chart, black for any other. Where each stream has an encoder of its own the line is
// dashed and the points are open.
Style FanoutStyle(const std::string& name, bool own_encoder);

// Mixes the colour with white: 0 leaves it, 1 is white.
std::string Lighter(const std::string& colour, double share);

}  // namespace rpcbench
