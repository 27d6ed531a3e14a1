// The client over TLS: whom it trusts, and how a stream ends there.
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <boost/asio/ssl/stream.hpp>
#include <cstdio>

#include "fanout/client/client_fixture.h"
#include "fanout/sse/certificate.h"

namespace rpcbench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::ElementsAre;
using testing::HasSubstr;

// Says the same to everyone, then closes without TLS's goodbye, or holds.
class TlsServer final {
 public:
  TlsServer(asio::io_context& loop, const std::string& address, std::string text, bool hold)
      : acceptor_(loop, tcp::endpoint(asio::ip::make_address(address), 0)),
        text_(std::move(text)),
        hold_(hold) {
    SSL_CTX_use_certificate(tls_.native_handle(), certificate_.certificate.get());
    SSL_CTX_use_PrivateKey(tls_.native_handle(), certificate_.key.get());
    Accept();
  }

  std::string Url() const {
    const auto endpoint = acceptor_.local_endpoint();
    return "https://" + endpoint.address().to_string() + ":" + std::to_string(endpoint.port()) +
           "/stream";
  }
  int accepted() const { return accepted_; }

  // A PEM file that makes the certificate trusted.
  std::string CaFile() const {
    const std::string path = testing::TempDir() + "rpcbench_ca_" +
                             std::to_string(acceptor_.local_endpoint().port()) + ".pem";
    std::FILE* const file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate_.certificate.get());
    std::fclose(file);
    return path;
  }

 private:
  struct Peer {
    explicit Peer(tcp::socket socket, asio::ssl::context& tls) : stream(std::move(socket), tls) {}
    asio::ssl::stream<tcp::socket> stream;
    std::string request;
  };

  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
      if (failed) return;
      ++accepted_;
      Serve(std::make_shared<Peer>(std::move(socket), tls_));
      Accept();
    });
  }

  void Serve(const std::shared_ptr<Peer>& peer) {
    peer->stream.async_handshake(
        asio::ssl::stream_base::server, [this, peer](boost::system::error_code failed) {
          if (failed) return;
          asio::async_read_until(peer->stream, asio::dynamic_buffer(peer->request), "\r\n\r\n",
                                 [this, peer](boost::system::error_code unread, std::size_t) {
                                   if (!unread) Say(peer);
                                 });
        });
  }

  void Say(const std::shared_ptr<Peer>& peer) {
    asio::async_write(peer->stream, asio::buffer(text_),
                      [this, peer](boost::system::error_code, std::size_t) {
                        if (hold_) held_.push_back(peer);
                      });
  }

  const Certificate certificate_ = MakeCertificate("127.0.0.1");
  asio::ssl::context tls_{asio::ssl::context::tls_server};
  tcp::acceptor acceptor_;
  const std::string text_;
  const bool hold_;
  int accepted_ = 0;
  std::vector<std::shared_ptr<Peer>> held_;
};

class ClientTlsTest : public ClientFixture {
 protected:
  TlsServer& Serve(const std::string& text, bool hold = true,
                   const std::string& address = "127.0.0.1") {
    tls_server_ = std::make_unique<TlsServer>(loop_, address, text, hold);
    return *tls_server_;
  }

  std::unique_ptr<TlsServer> tls_server_;
};

TEST_F(ClientTlsTest, ACertificateThatIsTrustedOpens) {
  const TlsServer& server = Serve(Head() + "data: x\n\n");
  options_.ca_file = server.CaFile();
  Connect(server.Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open", "message:x")) << why_;
  std::remove(options_.ca_file.c_str());
}

TEST_F(ClientTlsTest, OneOfItsOwnOpensIfAsked) {
  options_.verify_tls = false;
  Connect(Serve(Head() + "data: x\n\n").Url());
  RunTo(2);
  EXPECT_THAT(log_, ElementsAre("open", "message:x")) << why_;
}

TEST_F(ClientTlsTest, OneThatNobodyVouchesForEndsForGood) {
  const TlsServer& server = Serve(Head());
  Connect(server.Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("failed"));
  EXPECT_THAT(why_, HasSubstr("TLS handshake failed"));
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(ClientTlsTest, OneOfAnotherNameEndsForGood) {
  const TlsServer& server = Serve(Head(), true, "127.0.0.2");
  options_.ca_file = server.CaFile();
  Connect(server.Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("failed")) << why_;
  std::remove(options_.ca_file.c_str());
}

TEST_F(ClientTlsTest, AConnectionCutWithoutGoodbyeIsAnEnd) {
  options_.verify_tls = false;
  forever_ = true;
  Connect(Serve(Head() + "data: x\n\n", false).Url());
  RunTo(3);
  EXPECT_THAT(log_, ElementsAre("open", "message:x", "lost"));
}

TEST_F(ClientTlsTest, AServerThatDoesNotAnswerTlsIsTriedAgain) {
  options_.verify_tls = false;
  options_.deadline = std::chrono::milliseconds(20);
  forever_ = true;
  std::string url = server_.Url();
  Connect(url.replace(0, 4, "https"));
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("lost"));
}

TEST_F(ClientTlsTest, ARedirectOutOfTlsEndsForGood) {
  options_.verify_tls = false;
  Connect(Serve("HTTP/1.1 302 X\r\nLocation: " + server_.Url() + "\r\n\r\n").Url());
  RunTo(1);
  EXPECT_THAT(log_, ElementsAre("failed"));
  EXPECT_THAT(why_, HasSubstr("redirected from https to http://"));
}

}  // namespace
}  // namespace rpcbench
