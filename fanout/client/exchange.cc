#include "fanout/client/exchange.h"

#include <openssl/ssl.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace rpcbench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

http::request<http::empty_body> MakeRequest(const ExchangeRequest& request) {
  http::request<http::empty_body> made(http::verb::get, request.url.target, 11);
  made.set(http::field::host, request.url.authority());
  for (const auto& [name, value] : request.headers) made.insert(name, value);
  return made;
}

// Keeps itself alive while a step is under way; each step's handler does nothing once cancelled.
template <class Stream>
class HttpExchange final : public Exchange,
                           public std::enable_shared_from_this<HttpExchange<Stream>> {
 public:
  HttpExchange(asio::io_context& loop, Stream stream, const ExchangeRequest& request,
               ExchangeSink& sink)
      : resolver_(loop),
        stream_(std::move(stream)),
        request_(request),
        message_(MakeRequest(request)),
        sink_(&sink) {
    // A stream has no length. (With none at all Boost 1.74 refuses each Content-Length.)
    parser_.body_limit(std::numeric_limits<std::uint64_t>::max());
    parser_.header_limit(32 << 10);
  }

  void Start() {
    // An address is not worth a resolver's thread.
    error_code error;
    const auto address = asio::ip::make_address(request_.url.host, error);
    if (!error) return Connect(std::vector{tcp::endpoint(address, request_.url.port)});
    resolver_.async_resolve(
        request_.url.host, std::to_string(request_.url.port),
        Step([](HttpExchange& self, error_code failed, const tcp::resolver::results_type& found) {
          if (failed) return self.End("cannot resolve its name", failed);
          self.Connect(found);
        }));
  }

  void Cancel() override {
    sink_ = nullptr;
    resolver_.cancel();
    beast::get_lowest_layer(stream_).close();
  }

 private:
  static constexpr bool kTls = !std::is_same_v<Stream, beast::tcp_stream>;

  // A handler that keeps this alive, and drops what comes after Cancel.
  template <class Then>
  auto Step(Then then) {
    // Constrained, because Asio asks of a handler which signatures it has.
    return [ self = this->shared_from_this(),
             then ](auto&&... results) requires std::is_invocable_v<const Then&, HttpExchange&,
                                                                    decltype(results)...> {
      if (self->sink_ != nullptr) then(*self, std::forward<decltype(results)>(results)...);
    };
  }

  template <class Endpoints>
  void Connect(const Endpoints& endpoints) {
    Deadline(request_.deadline);
    beast::get_lowest_layer(stream_).async_connect(
        endpoints, Step([](HttpExchange& self, error_code failed, const tcp::endpoint&) {
          if (failed) return self.End("cannot connect", failed);
          error_code ignored;  // slower without it, not wrong
          beast::get_lowest_layer(self.stream_).socket().set_option(tcp::no_delay(true), ignored);
          self.Handshake();
        }));
  }

  void Handshake() {
    if constexpr (kTls) {
      error_code not_an_address;
      asio::ip::make_address(request_.url.host, not_an_address);
      if (not_an_address) {
        SSL_set_tlsext_host_name(stream_.native_handle(), request_.url.host.c_str());
      }
      stream_.set_verify_mode(request_.verify_tls ? asio::ssl::verify_peer
                                                  : asio::ssl::verify_none);
      if (request_.verify_tls) {
        stream_.set_verify_callback(asio::ssl::host_name_verification(request_.url.host));
      }
      Deadline(request_.deadline);
      stream_.async_handshake(asio::ssl::stream_base::client,
                              Step([](HttpExchange& self, error_code failed) {
                                if (failed) return self.EndHandshake(failed);
                                self.Send();
                              }));
    } else {
      Send();
    }
  }

  void EndHandshake(error_code failed) {
    if constexpr (kTls) {
      const bool untrusted =
          request_.verify_tls && SSL_get_verify_result(stream_.native_handle()) != X509_V_OK;
      End("TLS handshake failed", failed, untrusted);
    }
  }

  void Send() {
    Deadline(request_.deadline);
    http::async_write(stream_, message_, Step([](HttpExchange& self, error_code failed, auto) {
                        if (failed) return self.End("cannot send the request", failed);
                        self.ReadHead();
                      }));
  }

  void ReadHead() {
    Deadline(request_.deadline);
    http::async_read_header(stream_, buffer_, parser_,
                            Step([](HttpExchange& self, error_code failed, auto) {
                              if (failed) return self.End("no response", failed);
                              self.OnHead();
                            }));
  }

  void OnHead() {
    const auto& head = parser_.get();
    const auto text = [&head](http::field field) {
      const auto value = head[field];
      return std::string(value.data(), value.size());
    };
    sink_->OnHead({.status = static_cast<int>(head.result_int()),
                   .content_type = text(http::field::content_type),
                   .content_encoding = text(http::field::content_encoding),
                   .location = text(http::field::location)});
    ReadBody();
  }

  void ReadBody() {
    if (sink_ == nullptr) return;
    if (parser_.is_done()) return End("end of the stream", {});
    parser_.get().body().data = piece_.data();
    parser_.get().body().size = piece_.size();
    Deadline(request_.silence);
    http::async_read_some(
        stream_, buffer_, parser_,
        Step([](HttpExchange& self, error_code failed, auto) { self.OnPiece(failed); }));
  }

  void OnPiece(error_code failed) {
    const std::size_t size = piece_.size() - parser_.get().body().size;
    if (size > 0) sink_->OnBody({piece_.data(), size});
    if (sink_ == nullptr) return;
    // The buffer was just full; what is left comes with the next piece.
    if (failed && failed != http::error::need_buffer) return End("the stream broke", failed);
    ReadBody();
  }

  void Deadline(std::chrono::nanoseconds deadline) {
    beast::get_lowest_layer(stream_).expires_after(deadline);
  }

  void End(const std::string& what, error_code failed, bool untrusted = false) {
    ExchangeSink* const sink = sink_;
    Cancel();
    const std::string reason = failed ? ": " + failed.message() : "";
    sink->OnEnd({.why = ToString(request_.url) + ": " + what + reason, .untrusted = untrusted});
  }

  tcp::resolver resolver_;
  Stream stream_;
  const ExchangeRequest request_;
  const http::request<http::empty_body> message_;
  ExchangeSink* sink_;  // null once cancelled or ended
  beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
  std::array<char, 16 << 10> piece_;
};

}  // namespace

std::shared_ptr<Exchange> StartExchange(asio::io_context& loop, asio::ssl::context* tls,
                                        const ExchangeRequest& request, ExchangeSink& sink) {
  const auto start = [&](auto stream) -> std::shared_ptr<Exchange> {
    const auto exchange =
        std::make_shared<HttpExchange<decltype(stream)>>(loop, std::move(stream), request, sink);
    exchange->Start();
    return exchange;
  };
  if (!request.url.tls) return start(beast::tcp_stream(loop));
  return start(beast::ssl_stream<beast::tcp_stream>(beast::tcp_stream(loop), *tls));
}

}  // namespace rpcbench
