// The routes of sse_server: the page, commands and what is none, over real HTTP.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "fanout/page/site_fixture.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SiteTest : public BoardFixture {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(SiteTest, ThePageNeedsNothingFromElsewhere) {
  const auto page = Get("/");
  EXPECT_EQ(page.result_int(), 200u);
  EXPECT_EQ(page[http::field::content_type], "text/html; charset=utf-8");
  EXPECT_THAT(std::string(page["Content-Security-Policy"]), StartsWith("default-src 'none';"));
  for (const char* file : {"/", "/app.js", "/cards.js", "/chart.js", "/style.css"}) {
    const auto answer = Get(file);
    EXPECT_EQ(answer.result_int(), 200u) << file;
    EXPECT_FALSE(answer.body().empty()) << file;
    EXPECT_EQ(answer.body().find("://"), std::string::npos) << file;
  }
  EXPECT_EQ(Get("/icon.svg")[http::field::content_type], "image/svg+xml");
}

TEST_F(SiteTest, SaysThatItIsWell) {
  EXPECT_EQ(Get("/healthz").body(), "ok\n");
}

TEST_F(SiteTest, TellsAClientWhatItWouldBeGiven) {
  const auto asked = [&](const std::string& accept) {
    HttpAsk ask(address());
    ask.accept_encoding = accept;
    return nlohmann::json::parse(ask.Send(http::verb::get, "/whoami").body())["coding"];
  };
  EXPECT_EQ(asked("gzip, br, zstd"), "zstd");
  EXPECT_EQ(asked("gzip, br"), "br");
  EXPECT_EQ(asked(""), "identity");
  EXPECT_EQ(asked("identity;q=0, gzip"), nullptr);
}

TEST_F(SiteTest, RefusesAClientThatTakesNoCoding) {
  HttpAsk ask(address());
  ask.accept_encoding = "gzip, identity;q=0";
  EXPECT_EQ(ask.Send(http::verb::get, "/events").result_int(), 406u);
}

TEST_F(SiteTest, KnowsItsRoutesAndTheirMethods) {
  EXPECT_EQ(Get("/nothing").result_int(), 404u);
  EXPECT_EQ(Get("/../page.html").result_int() / 100, 4u);
  const auto command = Get("/command");
  EXPECT_EQ(command.result_int(), 405u);
  EXPECT_EQ(command[http::field::allow], "POST");
  EXPECT_EQ(HttpAsk(address()).Send(http::verb::post, "/").result_int(), 405u);
  const auto head = HttpAsk(address()).Send(http::verb::head, "/style.css");
  EXPECT_EQ(head.result_int(), 200u);
  EXPECT_TRUE(head.body().empty());
}

TEST_F(SiteTest, AnswersACommandWithTheCountOnceItIsCommitted) {
  EXPECT_EQ(nlohmann::json::parse(Command(R"({"card": 7})").body()),
            (nlohmann::json{{"card", 7}, {"count", 1}}));
  const auto second = Command(R"({"card":7})", "application/json; charset=utf-8");
  EXPECT_EQ(nlohmann::json::parse(second.body())["count"], 2);
  StopServer();
  StartServer();
  BoardStream stream(address(), "/events", "identity");
  EXPECT_EQ(CountOf(7, stream.Next("board").data), "2") << "what was answered is in the database";
}

TEST_F(SiteTest, RefusesWhatIsNoCommandAndSaysWhy) {
  for (const char* body :
       {"", "{", "7", "[]", "null", "{}", R"({"card":"7"})", R"({"card":1.5})", R"({"card":null})",
        R"({"Card":7})", R"({"card":7,"by":2})", "\xff\xfe", R"({"card":7}x)"}) {
    const auto answer = Command(body);
    EXPECT_EQ(answer.result_int(), 400u) << body;
    EXPECT_THAT(answer.body(), HasSubstr("{\"card\": N} with N from 0 to 199")) << body;
  }
  for (const char* body : {R"({"card":200})", R"({"card":-1})", R"({"card":18446744073709551615})",
                           R"({"card":4294967296})"}) {
    const auto answer = Command(body);
    EXPECT_EQ(answer.result_int(), 400u) << body;
    EXPECT_THAT(answer.body(), StartsWith("there is no card ")) << body;
  }
  EXPECT_EQ(Command(R"({"card":7})", "text/plain").result_int(), 415u);
  EXPECT_EQ(Command(R"({"card":7})", "application/jsonx").result_int(), 415u);
  EXPECT_EQ(Command(R"({"card":7})", "").result_int(), 415u);
  EXPECT_EQ(Command(R"({"card":7})" + std::string(2000, ' ')).result_int(), 413u);
  BoardStream stream(address(), "/events", "identity");
  EXPECT_EQ(CountOf(7, stream.Next("board").data), "0");
}

}  // namespace
}  // namespace rpcbench
