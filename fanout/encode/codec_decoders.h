// One decoder a content coding, for decoder.cc.
#pragma once

#include <memory>

#include "fanout/encode/decoder.h"

namespace rpcbench {

std::unique_ptr<Decoder> MakeGzipDecoder();
std::unique_ptr<Decoder> MakeBrotliDecoder();
std::unique_ptr<Decoder> MakeZstdDecoder();

}  // namespace rpcbench
