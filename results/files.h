// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rpcbench {

// Makes the folder, writes a file beside `file`, syncs it and renames it. Throws Error with the
// path and the reason; what was there before is then untouched.
void WriteFile(const std::filesystem::path& file, std::string_view text);

// Whether WriteFile would work now: makes the folder and tries. Throws Error as WriteFile does.
void CheckWritable(const std::filesystem::path& file);

// Throws Error.
std::string ReadFile(const std::filesystem::path& file);

}  // namespace rpcbench
