// A server's site for tests.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "fanout/sse/server.h"

namespace rpcbench {

// A site that is what its two functions are; without them it has no streams and answers 404.
class TestSite final : public Site {
 public:
  using Respond = std::function<void(HttpResponse)>;

  std::optional<StreamOffer> Open(const HttpRequest& request) override {
    return open ? open(request) : std::nullopt;
  }
  void Handle(const HttpRequest& request, Respond respond) override {
    if (handle) return handle(request, std::move(respond));
    respond({.status = 404, .body = "not here: " + request.path + "\n"});
  }

  std::function<std::optional<StreamOffer>(const HttpRequest&)> open;
  std::function<void(const HttpRequest&, Respond)> handle;
};

}  // namespace rpcbench
