#include "fanout/client/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(UrlTest, Parts) {
  EXPECT_EQ(ParseUrl("http://127.0.0.1:8080/board?cohort=0#top"),
            (Url{.host = "127.0.0.1", .port = 8080, .target = "/board?cohort=0"}));
  EXPECT_EQ(ParseUrl("HTTPS://localhost"), (Url{.tls = true, .host = "localhost", .port = 443}));
  EXPECT_EQ(ParseUrl("http://[::1]:81?q"), (Url{.host = "::1", .port = 81, .target = "/?q"}));
  EXPECT_EQ(ParseUrl("http://a:/"), (Url{.host = "a"}));
}

TEST(UrlTest, Authority) {
  EXPECT_EQ(ParseUrl("http://a:80/").authority(), "a");
  EXPECT_EQ(ParseUrl("https://a:80/").authority(), "a:80");
  EXPECT_EQ(ParseUrl("http://[::1]/").authority(), "[::1]");
  EXPECT_EQ(ToString(ParseUrl("https://[::1]:444/x?y#z")), "https://[::1]:444/x?y");
}

TEST(UrlTest, Refused) {
  for (const char* text :
       {"", "a", "ftp://a/", "http:/a", "http://", "http:///x", "http://:80/", "http://u@a/",
        "http://a:0/", "http://a:65536/", "http://a:x/", "http://[::1/", "http://[::1]x/",
        "http://a/b c", "http://a/\r\nX: y", "http://a/\x7f", "http://a:-1/"}) {
    EXPECT_THAT([&] { ParseUrl(text); }, ThrowsMessage<Error>(HasSubstr(std::string(text))));
  }
}

TEST(UrlTest, Redirects) {
  const Url base = ParseUrl("https://a:444/dir/page?q");
  const auto to = [&](const char* location) { return ToString(ResolveUrl(base, location)); };
  EXPECT_EQ(to("http://b/x"), "http://b/x");
  EXPECT_EQ(to("//b/x"), "https://b/x");
  EXPECT_EQ(to("/x?y"), "https://a:444/x?y");
  EXPECT_EQ(to("?y"), "https://a:444/dir/page?y");
  EXPECT_EQ(to("x"), "https://a:444/dir/x");
  EXPECT_EQ(to("x/y:z"), "https://a:444/dir/x/y:z");
  EXPECT_EQ(to("#z"), "https://a:444/dir/page?q");
  EXPECT_THROW(ResolveUrl(base, "javascript:alert(1)"), Error);
  EXPECT_THROW(ResolveUrl(base, "/a b"), Error);
}

}  // namespace
}  // namespace rpcbench
