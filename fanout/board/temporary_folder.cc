#include "fanout/board/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "echo/error.h"

namespace rpcbench {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  const auto where = parent.empty() ? std::filesystem::temp_directory_path() : parent;
  std::string name = (where / "rpcbench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error("cannot make a folder in " + where.string() + ": " + std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // nothing to be done about it, and nothing depends on it
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace rpcbench
