// The program: what it says of itself, and how it ends.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "process/child.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};

class BoardProgramTest : public testing::Test {
 protected:
  // On free ports, with what it says first.
  struct Running {
    explicit Running(std::vector<std::string> flags = {"--listen", "127.0.0.1:0"})
        : child(RPCBENCH_SSE_SERVER, With(std::move(flags))),
          hello(nlohmann::json::parse(child.ReadLine(kPatience))) {}

    static std::vector<std::string> With(std::vector<std::string> flags) {
      for (const char* flag : {"--json", "--listen-tls", "127.0.0.1:0"}) flags.push_back(flag);
      return flags;
    }

    Child child;
    nlohmann::json hello;
  };

  static std::string Ending(Child& child) {
    try {
      return "goes on: " + child.ReadLine(kPatience);
    } catch (const Error& error) {
      return error.what();
    }
  }
  static std::string EndingWith(const std::vector<std::string>& flags) {
    Child child(RPCBENCH_SSE_SERVER, flags);
    return Ending(child);
  }
};

TEST_F(BoardProgramTest, NamesBothAddressesAndEndsWellOnSigterm) {
  Running server;
  EXPECT_THAT(server.hello["http"].get<std::string>(), HasSubstr("http://127.0.0.1:"));
  EXPECT_THAT(server.hello["https"].get<std::string>(), HasSubstr("https://127.0.0.1:"));
  const std::filesystem::path data = server.hello["data"].get<std::string>();
  EXPECT_TRUE(std::filesystem::exists(data / "board.sqlite"));
  kill(server.child.pid(), SIGTERM);
  EXPECT_THAT(Ending(server.child), HasSubstr("ended with status 0"));
  EXPECT_FALSE(std::filesystem::exists(data)) << "a temporary database is removed";
}

TEST_F(BoardProgramTest, EndsWith1WhereItCannotListenOrStore) {
  Running server;
  const std::string taken = server.hello["http"].get<std::string>().substr(7);
  EXPECT_THAT(EndingWith({"--listen", taken, "--listen-tls", "none"}),
              HasSubstr("ended with status 1"));
  EXPECT_THAT(EndingWith({"--data", "/proc/none"}), HasSubstr("ended with status 1"));
}

TEST_F(BoardProgramTest, EndsWith2OnNonsense) {
  const std::vector<std::vector<std::string>> nonsense = {
      {"--rate", "-1"},       {"--tick", "0"},      {"--epoch", "soon"}, {"--synchronous", "maybe"},
      {"--listen", "nobody"}, {"--producers", "0"}, {"--nothing"},       {"extra"}};
  for (const auto& flags : nonsense) {
    EXPECT_THAT(EndingWith(flags), HasSubstr("ended with status 2")) << flags.front();
  }
}

}  // namespace
}  // namespace rpcbench
