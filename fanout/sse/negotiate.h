// Which content coding a client's Accept-Encoding lets a stream have.
#pragma once

#include <optional>
#include <string_view>

#include "fanout/encode/codec.h"

namespace rpcbench {

// By RFC 9110, 12.5.3: the codec with the highest weight; among equals zstd, brotli, identity.
// Nothing: the client refuses all three, and the answer is 406.
//
// - No header (`accept_encoding` is nothing) gives identity: who does not say that it decodes may
//   not. So does an empty one.
// - Identity that is not mentioned is what is left when no other codec is wanted, unless "*;q=0".
// - A member of the list that does not parse, its weight included, counts as not there.
// - Of a coding that is there twice the lower weight counts, so that a refusal holds.
std::optional<Codec> Negotiate(std::optional<std::string_view> accept_encoding);

}  // namespace rpcbench
