// Every framework of this build.
#pragma once

#include <string>
#include <vector>

#include "echo/framework.h"

namespace rpcbench {

// In the order of tables, legends and colours. Each call makes the list anew; in-process frameworks
// find their servers only through the list that started them.
std::vector<Framework> AllFrameworks();

// What this build lacks, and why.
std::vector<NotBuilt> FrameworksNotBuilt();

// Names, versions and settings on standard output, for --list.
void PrintFrameworks();

// The framework of that name. Throws Error that lists the names there are.
const Framework& FindFramework(const std::vector<Framework>& all, const std::string& name);

}  // namespace rpcbench
