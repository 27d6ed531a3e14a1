#include "fanout/board/board_site.h"

#include "echo/error.h"
#include "fanout/sse/negotiate.h"

namespace rpcbench {

std::optional<StreamOffer> BoardSite::Open(const HttpRequest& request) {
  if (request.path != kPath) return std::nullopt;
  std::optional<std::string_view> accepted;
  if (request.has_accept_encoding) accepted = request.accept_encoding;
  if (Negotiate(accepted) != codec_) {
    throw Error("a stream that accepts \"" + request.accept_encoding + "\" came to a row of " +
                ToString(codec_));
  }
  StreamOffer offer;
  offer.codec = codec_;
  offer.source = topic_.Join(codec_, shared_);
  offer.group = group_;
  offer.one_frame = !shared_;
  return offer;
}

void BoardSite::Handle(const HttpRequest&, std::function<void(HttpResponse)> respond) {
  respond(
      {.status = 404, .type = "text/plain; charset=utf-8", .body = "not found\n", .headers = {}});
}

}  // namespace rpcbench
