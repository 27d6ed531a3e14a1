// The name of a row, taken apart: Family/framework/clients:4/in_flight:2000/more. Knows names only.
#pragma once

#include <string>

#include "results/run.h"

namespace rpcbench {

// Fills name, family, framework, parameters and variant. Parts that Google Benchmark adds of its
// own ("manual_time", "repeats:10", ...) are left out of the name. Throws Error that says what is
// wrong with the name.
Row ParseRowName(const std::string& name);

}  // namespace rpcbench
