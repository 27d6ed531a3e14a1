// What the shared conformance cases cannot say: broken frames, unknown methods, lying servers.
#include <gtest/gtest.h>
TEST(Thrift, Placeholder) {}
