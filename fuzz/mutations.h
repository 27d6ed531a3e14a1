// What a fuzzer does, for tests: a corpus, and seeded changes of it. Finds no new paths as
// libFuzzer does, but runs everywhere and the same each time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rpcbench {

// Every file of the folder, by name. Throws Error if there is none.
std::vector<std::string> ReadCorpus(const std::filesystem::path& folder);

// Calls `run` with each entry, with nothing, and with `rounds` changed ones: bytes flipped, cut
// out, doubled, taken from another entry, or replaced by ones that parsers stumble over.
void RunMutations(const std::vector<std::string>& corpus, int rounds, std::uint64_t seed,
                  const std::function<void(std::string_view)>& run);

}  // namespace rpcbench
