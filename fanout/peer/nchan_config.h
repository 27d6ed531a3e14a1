// The configuration that nginx with nchan is measured with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rpcbench {

// One worker on one port of loopback, one channel. Everything nginx writes is below `folder`.
std::string NchanConfig(const std::filesystem::path& module, const std::filesystem::path& folder,
                        std::uint16_t port, const std::vector<int>& cpus);

}  // namespace rpcbench
