// Figures of the fan-out that others published, as rows like those of a run, to be set beside a
// run's and never as the same run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/run.h"

namespace rpcbench {

struct FanoutPublished {
  std::string machine;  // one line: on what, and with what, they measured
  // One repeat each, with the counters that they gave; the file is the table's, "board.csv". Names
  // are of our families; what they did not say is not in a name, and so the rows of a run may say
  // more.
  std::vector<Row> rows;
};

// Reads every CSV file in `folder`, in the order of their names, and the first line of its
// machine.txt. Throws Error if the folder, machine.txt or all CSV files are missing, one is
// damaged, or a row is not of the fan-out.
FanoutPublished ReadFanoutPublished(const std::filesystem::path& folder);

struct Beside {
  const Row* row = nullptr;
  bool published = false;
};

// `own` in its order, and the published rows of `family` (`published` may be null): each after the
// last row that it is to be read beside (PartnerOf), those beside none at the end. Nothing if `own`
// is empty. All rows must outlive what is returned.
std::vector<Beside> SetBeside(const std::vector<const Row*>& own, const FanoutPublished* published,
                              const std::string& family);

// The folder `suite` ("fanout", "go-suite") of published figures: the first that is there of
// published/ beside the run, beside the folder that the run is in, and results/published/.
std::optional<std::filesystem::path> FindPublished(const std::filesystem::path& run,
                                                   const std::string& suite);

}  // namespace rpcbench
