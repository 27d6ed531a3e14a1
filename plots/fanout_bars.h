// What the fan-out's bar charts have in common: a bar of a row, ours or a published one.
#pragma once

#include <optional>
#include <string>

#include "plots/chart.h"
#include "plots/selection.h"
#include "results/fanout_published.h"

namespace rpcbench {

// What a chart shows before it has rows.
struct FanoutTitle {
  std::string name;
  std::string title;
  std::string missing;  // what would have to be run
};

Chart BeginFanout(const FanoutTitle& title);

// The colour of the row's codec or server.
std::string FanoutColour(const Row& row);

// FanoutLabel, with "published: " before it where it is, and ", 5,000 streams" after it if asked.
std::string BarLabel(const Beside& beside, bool with_streams = false);

// From the axis' lower end to the quantity; nothing if the row does not have it.
std::optional<Bar> BarOf(const Beside& beside, const Quantity& quantity);

// The lesser in the row's colour over the greater in a lighter one, as "p50 / p99". A row that has
// only one of them is drawn with that alone.
std::optional<Bar> PairOf(const Beside& beside, const Quantity& p50, const Quantity& p99);

// The legend of PairOf's bars.
std::vector<LegendEntry> PairLegend();

// Says whose the published bars are, if any is drawn.
void NamePublished(Chart& chart, const FanoutPublished* published);

}  // namespace rpcbench
