// For tests: one request over real HTTP, and its answer.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <string>

#include "echo/client.h"

namespace rpcbench {

namespace http = boost::beast::http;

// One connection that asks once. Reads wait for as long as ctest lets them.
class HttpAsk final {
 public:
  explicit HttpAsk(const Address& server) : socket_(io_) {
    socket_.connect({boost::asio::ip::make_address(server.host), server.port});
  }

  http::response<http::string_body> Send(http::verb method, const std::string& target,
                                         const std::string& body = "",
                                         const std::string& type = "") {
    http::request<http::string_body> request(method, target, 11);
    request.set(http::field::host, "test");
    if (!type.empty()) request.set(http::field::content_type, type);
    if (!accept_encoding.empty()) request.set(http::field::accept_encoding, accept_encoding);
    request.body() = body;
    request.prepare_payload();
    http::write(socket_, request);
    http::response_parser<http::string_body> parser;
    parser.skip(method == http::verb::head);
    http::read(socket_, buffer_, parser);
    return parser.release();
  }

  std::string accept_encoding;

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
};

}  // namespace rpcbench
