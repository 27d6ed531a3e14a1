// One keep-alive connection that makes small HTTP requests, one after the other.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "echo/client.h"

namespace rpcbench {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// One thread. Every member throws Error that names the server and what went wrong.
class HttpCaller final {
 public:
  // Connects, to an IPv4 address.
  HttpCaller(const Address& server, std::chrono::nanoseconds patience);
  ~HttpCaller();
  HttpCaller(const HttpCaller&) = delete;
  HttpCaller& operator=(const HttpCaller&) = delete;

  HttpAnswer Get(std::string_view path) { return Call("GET", path, ""); }
  HttpAnswer Post(std::string_view path, std::string_view body) { return Call("POST", path, body); }

 private:
  HttpAnswer Call(std::string_view method, std::string_view path, std::string_view body);
  void Send(std::string_view bytes, std::chrono::steady_clock::time_point deadline);
  // Some bytes, at least one.
  std::string Receive(std::chrono::steady_clock::time_point deadline);
  void Await(short events, std::chrono::steady_clock::time_point deadline);
  [[noreturn]] void Fail(const std::string& why) const;

  const Address server_;
  const std::chrono::nanoseconds patience_;
  int fd_ = -1;
};

}  // namespace rpcbench
