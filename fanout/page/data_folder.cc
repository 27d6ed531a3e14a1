#include "fanout/page/data_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "echo/error.h"

namespace rpcbench {

DataFolder::DataFolder(const std::filesystem::path& folder)
    : path_(folder), temporary_(folder.empty()) {
  if (temporary_) {
    std::string name = (std::filesystem::temp_directory_path() / "rpcbench-board-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error("cannot make a folder " + name + ": " + std::strerror(errno));
    path_ = name;
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw Error("cannot make the folder " + path_.string() + ": " + error.message());
}

DataFolder::~DataFolder() {
  std::error_code ignored;  // nobody is left to tell
  if (temporary_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace rpcbench
