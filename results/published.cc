#include "results/published.h"

#include "echo/error.h"
#include "results/files.h"

namespace rpcbench {

std::string ReadMachine(const std::filesystem::path& folder) {
  const std::string text = ReadFile(folder / "machine.txt");
  const std::string machine = text.substr(0, text.find_first_of("\r\n"));
  if (machine.empty()) {
    throw Error((folder / "machine.txt").string() + ":1: no description of the machine");
  }
  return machine;
}

Published ReadPublished(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  Published published;
  published.machine = ReadMachine(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const fs::path name = entry.path().lexically_relative(folder).replace_extension();
    published.tables.emplace(name.generic_string(), ReadCsv(entry.path()));
  }
  if (published.tables.empty()) throw Error("no CSV file under " + folder.string());
  return published;
}

}  // namespace rpcbench
