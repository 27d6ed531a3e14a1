// What random streams were sent, as the commands of people decode it: zstd, brotli and curl. Those
// that are not installed are left out.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "fanout/encode/topic_world.h"

namespace rpcbench {
namespace {

constexpr int kSteps = 3000;

// What `command` writes, or nothing if it fails.
std::string OutputOf(const std::string& command) {
  std::string text;
  FILE* const output = ::popen(command.c_str(), "r");
  std::array<char, 1 << 16> piece;
  std::size_t size = 0;
  while ((size = std::fread(piece.data(), 1, piece.size(), output)) > 0) {
    text.append(piece.data(), size);
  }
  return ::pclose(output) == 0 ? text : std::string();
}

bool IsInstalled(const std::string& command) {
  return std::system(fmt::format("command -v {} > /dev/null", command).c_str()) == 0;
}

// The recorded body as a whole one: its frame or stream is ended.
std::string WholeBody(const Recording& recording) {
  std::string bytes = recording.wire;
  if (recording.codec == Codec::kZstd) {
    AppendEndOfZstdFrame(bytes);
  } else if (recording.codec == Codec::kBrotli) {
    bytes += '\x03';  // an empty last block
  }
  return bytes;
}

// Answers one request on loopback with one body.
class OneShotServer final {
 public:
  OneShotServer(std::string_view coding, std::string_view body)
      : response_(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                              "Content-Encoding: {}\r\nConnection: close\r\n\r\n{}",
                              coding, body)),
        listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_, generic, size), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~OneShotServer() {
    ::shutdown(listener_, SHUT_RDWR);  // wakes an accept that nobody came for
    thread_.join();
    ::close(listener_);
  }
  OneShotServer(const OneShotServer&) = delete;
  OneShotServer& operator=(const OneShotServer&) = delete;

  int port() const { return port_; }

 private:
  void Serve() {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) {
      return;
    }
    std::string request;
    std::array<char, 1024> piece;
    ssize_t got = 1;
    while (request.find("\r\n\r\n") == std::string::npos &&
           (got = ::recv(socket, piece.data(), piece.size(), 0)) > 0) {
      request.append(piece.data(), static_cast<std::size_t>(got));
    }
    for (std::string_view left = response_; !left.empty() && got > 0;) {
      got = ::send(socket, left.data(), left.size(), MSG_NOSIGNAL);
      left.remove_prefix(got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    ::close(socket);
  }

  const std::string response_;
  const int listener_;
  int port_ = 0;
  std::thread thread_;
};

class SpliceCommandsTest : public testing::Test {
 protected:
  // Of two worlds; nothing is asserted of those but that they are sound.
  static void SetUpTestSuite() {
    for (std::uint64_t seed = 100; seed < 102; ++seed) {
      TopicWorld world(seed);
      for (int step = 0; step < kSteps; ++step) {
        world.Step();
      }
      world.Close();
      ASSERT_EQ(world.fault(), "");
      recordings_.insert(recordings_.end(), world.recordings().begin(), world.recordings().end());
    }
  }

  // Returns how many streams of the codec were read.
  static int ReadAll(Codec codec, const std::string& command) {
    const std::string path =
        testing::TempDir() + fmt::format("splice_commands_test.{}.{}", command, ::getpid());
    int read = 0;
    for (const Recording& recording : recordings_) {
      if (recording.codec == codec) {
        std::ofstream(path, std::ios::binary) << WholeBody(recording);
        EXPECT_EQ(OutputOf(fmt::format("{} -dc < '{}'", command, path)), recording.text);
        ++read;
      }
    }
    std::remove(path.c_str());
    return read;
  }

  static inline std::vector<Recording> recordings_;
};

TEST_F(SpliceCommandsTest, Zstd) {
  if (!IsInstalled("zstd")) {
    GTEST_SKIP() << "zstd is not installed";
  }
  EXPECT_GT(ReadAll(Codec::kZstd, "zstd"), 3);
}

TEST_F(SpliceCommandsTest, Brotli) {
  if (!IsInstalled("brotli")) {
    GTEST_SKIP() << "brotli is not installed";
  }
  EXPECT_GT(ReadAll(Codec::kBrotli, "brotli"), 0);
}

TEST_F(SpliceCommandsTest, Curl) {
  if (!IsInstalled("curl")) {
    GTEST_SKIP() << "curl is not installed";
  }
  for (const Recording& recording : recordings_) {
    const OneShotServer server(TokenOf(recording.codec), WholeBody(recording));
    EXPECT_EQ(OutputOf(fmt::format("curl --silent --noproxy '*' --max-time 20 --compressed "
                                   "http://127.0.0.1:{}/",
                                   server.port())),
              recording.text)
        << ToString(recording.codec);
  }
}

}  // namespace
}  // namespace rpcbench
