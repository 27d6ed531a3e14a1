// libFuzzer's entry to one target: RPCBENCH_FUZZ_TARGET is the function's name.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rpcbench {
void RPCBENCH_FUZZ_TARGET(std::string_view bytes);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rpcbench::RPCBENCH_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
