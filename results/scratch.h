// A folder of a test's own, gone with its scope. For tests only.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "echo/error.h"

namespace rpcbench {

class Scratch final {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "rpcbench_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a folder like " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// What the Error that `action` throws says; "" if it throws none.
template <class Action>
std::string ErrorOf(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rpcbench
