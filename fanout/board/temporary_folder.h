// A folder that is there for as long as the object.
#pragma once

#include <filesystem>

namespace rpcbench {

class TemporaryFolder final {
 public:
  // In `parent`, or where the system keeps such folders. Throws Error that names it.
  explicit TemporaryFolder(const std::filesystem::path& parent = {});
  ~TemporaryFolder();  // removes it with all that is in it
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rpcbench
