// What is fuzzed of the format and the negotiation: by libFuzzer, and over the corpus in each test
// run.
#pragma once

#include <string_view>

namespace rpcbench {

// P21: any bytes parse without a fault, and to the same events whole as in pieces; what comes out
// is good UTF-8 and, written as an event, arrives again. Aborts with a message if not.
void FuzzParser(std::string_view bytes);

// Any header negotiates without a fault, and to nothing that it refuses outright. Aborts if not.
void FuzzNegotiate(std::string_view header);

}  // namespace rpcbench
