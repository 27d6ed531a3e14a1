// The folder of the database: one that stays, or one for as long as the program runs.
#pragma once

#include <filesystem>

namespace rpcbench {

class DataFolder final {
 public:
  // Empty: a new folder among the temporary files, removed with this object. Otherwise `folder` is
  // made if it is not there, and left. Throws Error that names it.
  explicit DataFolder(const std::filesystem::path& folder);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  const bool temporary_;
};

}  // namespace rpcbench
