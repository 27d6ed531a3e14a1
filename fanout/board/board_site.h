// The site of a wire row: one path, one codec.
#pragma once

#include <functional>
#include <optional>

#include "fanout/encode/topic.h"
#include "fanout/sse/server.h"

namespace rpcbench {

// Loop thread. A client that does not accept the row's codec is an error in the set-up, and is
// refused instead of being given another: its row would claim what it did not measure.
class BoardSite final : public Site {
 public:
  static constexpr char kPath[] = "/board";

  // `topic` outlives the streams. `shared`: members of cohorts.
  BoardSite(Topic& topic, Codec codec, bool shared)
      : topic_(topic), codec_(codec), shared_(shared) {}

  // Streams are kicked with this group from now on. Before the first of them.
  void Join(StreamGroup& group) { group_ = &group; }

  std::optional<StreamOffer> Open(const HttpRequest& request) override;
  void Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) override;

 private:
  Topic& topic_;
  const Codec codec_;
  const bool shared_;
  StreamGroup* group_ = nullptr;
};

}  // namespace rpcbench
