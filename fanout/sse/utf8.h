// UTF-8 as browsers decode it: what is bad becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace rpcbench {

// Appends `bytes` to `out`, each maximal bad part replaced by one U+FFFD, by the WHATWG decoder's
// rules (surrogates, overlong forms and what is above U+10FFFF are bad). ASCII is never part of a
// bad sequence, so that a stream may be cut at line ends first and decoded afterwards.
void AppendUtf8(std::string_view bytes, std::string& out);

}  // namespace rpcbench
