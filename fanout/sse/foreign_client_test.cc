// curl and OpenSSL as clients that know nothing of this code: over plain TCP and TLS, in each
// codec, through joins, merges and the end.
#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "fanout/encode/topic.h"
#include "fanout/sse/event.h"
#include "fanout/sse/live_server.h"
#include "fanout/sse/negotiate.h"
#include "process/shell.h"

namespace rpcbench {
namespace {

bool CurlDecodes(const std::string& feature) {
  return RunShell("curl -V 2>/dev/null").output.find(feature) != std::string::npos;
}

class ForeignClientTest : public LiveServerTest {
 protected:
  ForeignClientTest() {
    site_.open = [this](const HttpRequest& request) -> std::optional<StreamOffer> {
      if (request.path != "/events") return std::nullopt;
      const auto codec = Negotiate(request.has_accept_encoding
                                       ? std::optional<std::string_view>(request.accept_encoding)
                                       : std::nullopt);
      return StreamOffer{codec.value(), topic_.Join(codec.value(), true), group_.get()};
    };
  }
  void TearDown() override {
    Stop();
    if (curl_.joinable()) curl_.join();
  }
  // Begins a curl that reads until the stream ends; ~20 s at most.
  void Curl(const std::string& options) {
    curl_ = std::thread([this, command = "curl -sSN --max-time 20 " + options + " 2>&1"] {
      curl_said_ = RunShell(command);
    });
  }
  void PublishState(int i) {
    std::string event;
    AppendEvent({.data = State(i)}, event);
    OnLoop([&] {
      topic_.Publish(event);
      server_->Kick(*group_);
    });
  }
  static std::string State(int i) {
    return "state " + std::to_string(i) + " " + std::string(2000, static_cast<char>('a' + i % 20));
  }
  // What curl printed, as events, once the server ended the stream.
  std::vector<std::string> Printed() {
    Drain(std::chrono::milliseconds(50));
    curl_.join();
    EventRecorder recorder;
    EventParser(recorder).Feed(curl_said_.output);
    std::vector<std::string> data;
    for (const RecordedEvent& event : recorder.events()) data.push_back(event.data);
    return data;
  }
  // Twelve states, a second stream that joins, and a merge in the middle.
  std::vector<std::string> WatchMerges(const std::string& coding) {
    WaitForStreams(1);
    std::vector<std::string> published;
    std::vector<StreamPeer> others;
    for (int i = 0; i < 12; ++i) {
      published.push_back(State(i));
      PublishState(i);
      if (i % 4 == 1) {
        others.emplace_back(address_, StreamRequest{.accept_encoding = coding});
        WaitForStreams(1 + others.size());
        OnLoop([this] { topic_.Seal(); });
      }
      if (i % 4 == 3) OnLoop([this] { topic_.Merge(); });
    }
    return published;
  }

  Topic topic_{TopicOptions{}};
  std::thread curl_;
  ShellResult curl_said_;
};

TEST_F(ForeignClientTest, CurlReadsIdentity) {
  Start();
  Curl("http://" + ToString(address_) + "/events");
  const auto published = WatchMerges("identity");
  EXPECT_EQ(Printed(), published);
  EXPECT_EQ(curl_said_.status, 0) << curl_said_.output;
}

TEST_F(ForeignClientTest, CurlDecodesZstdOverSplicesAndMerges) {
  if (!CurlDecodes("zstd")) GTEST_SKIP() << "this curl has no zstd";
  Start();
  Curl("--compressed -H 'Accept-Encoding: zstd' http://" + ToString(address_) + "/events");
  const auto published = WatchMerges("zstd");
  EXPECT_EQ(Printed(), published);
  EXPECT_EQ(curl_said_.status, 0) << curl_said_.output;
  EXPECT_GT(OnLoop([this] { return topic_.counts().merges; }), 0u);
}

TEST_F(ForeignClientTest, CurlDecodesBrotli) {
  if (!CurlDecodes("brotli")) GTEST_SKIP() << "this curl has no brotli";
  Start();
  Curl("--compressed -H 'Accept-Encoding: br' http://" + ToString(address_) + "/events");
  WaitForStreams(1);
  std::vector<std::string> published;
  for (int i = 0; i < 12; ++i) {
    published.push_back(State(i));
    PublishState(i);
  }
  EXPECT_EQ(Printed(), published);
  EXPECT_EQ(curl_said_.status, 0) << curl_said_.output;
}

TEST_F(ForeignClientTest, CurlReadsOverTlsAndChecksTheCertificatesNames) {
  Start({.listen_tls = Address{"127.0.0.1", 0}});
  const std::string url = "https://" + ToString(server_->tls_address().value()) + "/events";
  Curl("-k --compressed -H 'Accept-Encoding: zstd' -w 'version %{http_version}' " + url);
  const auto published = WatchMerges("zstd");
  const auto printed = Printed();
  EXPECT_EQ(printed, published);
  EXPECT_THAT(curl_said_.output, testing::EndsWith("version 1.1"));
  EXPECT_EQ(curl_said_.status, 0) << curl_said_.output;
}

TEST_F(ForeignClientTest, OldTlsIsRefusedAndTheNamesAreThere) {
  Start({.listen_tls = Address{"127.0.0.1", 0}});
  const std::string address = ToString(server_->tls_address().value());
  EXPECT_NE(RunShell("curl -sk --tls-max 1.1 https://" + address + "/none 2>&1").status, 0);
  const std::string certificate = RunShell("openssl s_client -connect " + address +
                                           " -alpn http/1.1 </dev/null 2>/dev/null"
                                           " | openssl x509 -noout -ext subjectAltName -text")
                                      .output;
  EXPECT_THAT(certificate, testing::HasSubstr("DNS:localhost, IP Address:127.0.0.1"));
  EXPECT_THAT(certificate, testing::HasSubstr("NIST CURVE: P-256"));
}

TEST_F(ForeignClientTest, PlainHttpOnTheTlsPortHarmsNobody) {
  Start({.listen_tls = Address{"127.0.0.1", 0}});
  RawPeer confused(server_->tls_address().value());
  confused.Send(ToText({}));
  confused.ReadToEnd();
  RawPeer other(address_);
  other.Send("\x16\x03\x01 TLS on the plain port");
  EXPECT_THAT(other.ReadToEnd(), testing::StartsWith("HTTP/1.1 400"));
  confused.Leave();
  other.Leave();
  WaitUntil("all gone", [](const SseServerCounts& c) { return c.connections == 0; });
}

// A large state over TLS to a reader that is slower than the server.
TEST_F(ForeignClientTest, TlsGoesOnWhereTheKernelStopped) {
  Start({.listen_tls = Address{"127.0.0.1", 0}, .send_buffer = 4096});
  Curl("-k --limit-rate 4M https://" + ToString(server_->tls_address().value()) + "/events");
  WaitForStreams(1);
  const std::string large(1 << 20, 'x');
  OnLoop([&] {
    topic_.Publish("data: " + large + "\n\n");
    server_->Kick(*group_);
  });
  EXPECT_THAT(Printed(), testing::ElementsAre(large));
  EXPECT_EQ(curl_said_.status, 0);
}

}  // namespace
}  // namespace rpcbench
