// A complete zstd frame that says a text as it is, without an encoder (RFC 8878).
#pragma once

#include <string>
#include <string_view>

namespace rpcbench {

// Appends the frame: 13 bytes and three a block of 128 KB more than `text`. For what goes to one
// stream before the shared bytes. `text` is at most 8 MB, the window that browsers decode.
void AppendRawZstdFrame(std::string_view text, std::string& out);

}  // namespace rpcbench
