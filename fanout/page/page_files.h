// The page's files, which embed.cmake puts into the program.
#pragma once

#include <string_view>
#include <vector>

namespace rpcbench {

struct PageFile {
  std::string_view path;  // as requested: "/", "/app.js"
  std::string_view type;  // of media
  std::string_view body;
};

std::vector<PageFile> PageFiles();

}  // namespace rpcbench
