// What the conformance test does not ask of Cap'n Proto: absurd messages, cut connections, and the
// batching stream by itself.
#include <gtest/gtest.h>
