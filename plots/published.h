// Figures that others published, laid over our charts as what they are: another machine's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plots/chart.h"
#include "plots/selection.h"

namespace rpcbench {

// Which of the published suite's tables ("fixed/sec") has the meaning of which chart.
struct PublishedTable {
  std::string chart;
  std::string table;
};

// Their p99 is the 99.9th percentile, so that it belongs to fixed_p999 and nothing to fixed_p99.
// Their QPS of frameworks that carry one call at a time are of another load, and belong to
// qps_one_at_a_time.
std::vector<PublishedTable> PublishedTables();

// Adds the tables of `folder` to the charts of ClientCharts that have series of our own. Numbers of
// clients that the run has not are passed over. Throws Error if no table is there or one is
// damaged.
void OverlayPublished(std::vector<Chart>& charts, const Selection& selection,
                      const std::filesystem::path& folder);

}  // namespace rpcbench
