// V3: Accept-Encoding.
#include "fanout/sse/negotiate.h"

#include <gtest/gtest.h>

#include <string>

namespace rpcbench {
namespace {

// The name of what was chosen, or "406".
std::string Chosen(std::optional<std::string_view> header) {
  const auto codec = Negotiate(header);
  return codec ? ToString(*codec) : "406";
}

TEST(NegotiateTest, NothingSaidGetsIdentity) {
  EXPECT_EQ(Chosen(std::nullopt), "identity");
  EXPECT_EQ(Chosen(""), "identity");
  EXPECT_EQ(Chosen(" \t "), "identity");
  EXPECT_EQ(Chosen(",,"), "identity");
}

TEST(NegotiateTest, WhatBrowsersSend) {
  EXPECT_EQ(Chosen("gzip, deflate"), "identity");
  EXPECT_EQ(Chosen("gzip, deflate, br"), "brotli");
  EXPECT_EQ(Chosen("gzip, deflate, br, zstd"), "zstd");
  EXPECT_EQ(Chosen("deflate, gzip, br, zstd"), "zstd");
}

TEST(NegotiateTest, AmongEqualsOurOrderCounts) {
  EXPECT_EQ(Chosen("identity, br, zstd"), "zstd");
  EXPECT_EQ(Chosen("identity, br"), "brotli");
  EXPECT_EQ(Chosen("br;q=0.5, zstd;q=0.5"), "zstd");
  EXPECT_EQ(Chosen("*"), "zstd");
  EXPECT_EQ(Chosen("*;q=0.1"), "zstd");
}

TEST(NegotiateTest, AHigherWeightWins) {
  EXPECT_EQ(Chosen("zstd;q=0.5, br"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0.8, br;q=0.9, identity;q=0.7"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0.998, br;q=0.999"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0.5, identity"), "identity");
  EXPECT_EQ(Chosen("zstd;q=0.5, *"), "brotli");
  EXPECT_EQ(Chosen("*;q=0.5, br"), "brotli");
}

TEST(NegotiateTest, IdentityUnmentionedIsTheLast) {
  EXPECT_EQ(Chosen("zstd;q=0.001"), "zstd");
  EXPECT_EQ(Chosen("zstd;q=0"), "identity");
  EXPECT_EQ(Chosen("zstd;q=0, br;q=0"), "identity");
  EXPECT_EQ(Chosen("gzip;q=1.0"), "identity");
}

TEST(NegotiateTest, ZeroRefuses) {
  EXPECT_EQ(Chosen("zstd;q=0, *"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0, br;q=0, *"), "identity");
  EXPECT_EQ(Chosen("identity;q=0, *"), "zstd");
  EXPECT_EQ(Chosen("identity;q=0, br"), "brotli");
  EXPECT_EQ(Chosen("*;q=0, identity"), "identity");
  EXPECT_EQ(Chosen("*;q=0, br;q=0.1"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0.0, br;q=0.00, *;q=0.5"), "identity");
}

TEST(NegotiateTest, NothingLeft) {
  EXPECT_EQ(Chosen("identity;q=0"), "406");
  EXPECT_EQ(Chosen("*;q=0"), "406");
  EXPECT_EQ(Chosen("gzip, identity;q=0"), "406");
  EXPECT_EQ(Chosen("gzip, *;q=0"), "406");
  EXPECT_EQ(Chosen("zstd;q=0, br;q=0, identity;q=0.000, *"), "406");
}

TEST(NegotiateTest, CaseAndSpaceDoNotMatter) {
  EXPECT_EQ(Chosen("ZSTD"), "zstd");
  EXPECT_EQ(Chosen("Br ; Q=1.000"), "brotli");
  EXPECT_EQ(Chosen("  zstd\t;\tq=0.3\t,\tbr ;q=0.4"), "brotli");
  EXPECT_EQ(Chosen("IDENTITY;q=0"), "406");
}

TEST(NegotiateTest, MembersThatDoNotParseAreNotThere) {
  for (const char* bad : {"q=", "q=2", "q=1.001", "q=-0", "q=.5", "q=0,5", "q=0.1234", "q=x", "q",
                          "", "p=1", "q =1", "q= 1", "q=1;q=1", "q=0x1", "q=1."}) {
    const std::string header = std::string("zstd;") + bad + ", br;q=0.1";
    // "1." is in RFC 9110's grammar.
    EXPECT_EQ(Chosen(header), std::string(bad) == "q=1." ? "zstd" : "brotli") << header;
  }
  EXPECT_EQ(Chosen("z std, zst, zstd2, x-br"), "identity");
  EXPECT_EQ(Chosen("\xFF\x01;;;=,\"br\""), "identity");
  EXPECT_EQ(Chosen("identity;q=junk"), "identity");
}

TEST(NegotiateTest, OfTwoTheLowerWeightCounts) {
  EXPECT_EQ(Chosen("zstd, br;q=0.5, zstd;q=0"), "brotli");
  EXPECT_EQ(Chosen("zstd;q=0, br;q=0.5, zstd"), "brotli");
  EXPECT_EQ(Chosen("*;q=0, *"), "406");
}

}  // namespace
}  // namespace rpcbench
