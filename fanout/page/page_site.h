// The board's routes: the page's files, the stream, commands, and what there is to ask.
#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "fanout/board/command.h"
#include "fanout/encode/topic.h"
#include "fanout/page/page_files.h"
#include "fanout/page/panel.h"
#include "fanout/sse/server.h"

namespace rpcbench {

struct PageRoutes {
  int cards = 0;
  // Starts a command; `settle` comes once, from any thread, with what the card counts now.
  std::function<void(Command command,
                     std::function<void(const Status&, std::int64_t count)> settle)>
      submit;
  // Only with it there is POST /admin/merge.
  std::function<void()> merge;
};

// GET  /, /app.js, ...   the page; nothing of it comes from elsewhere (Content-Security-Policy)
// GET  /events           a stream of the board; with ?cohort=0 by an encoder of its own
// POST /command          {"card": N} adds 1: 200 and {"card": N, "count": M} once it is committed,
//                        500 with the reason if it is not, 400, 413 or 415 for a bad body
// GET  /whoami           which coding this client would be given
// GET  /healthz          "ok"
// POST /admin/merge      the next event merges all cohorts, as each epoch does; for tests
class PageSite final : public Site {
 public:
  // `topic` outlives the site.
  PageSite(Topic& topic, PageRoutes routes);

  // Before the first request. `group` outlives all streams.
  void UseGroup(StreamGroup& group) { group_ = &group; }
  const CodecCounts& streams() const { return streams_; }

  std::optional<StreamOffer> Open(const HttpRequest& request) override;
  void Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) override;

 private:
  HttpResponse Answer(const HttpRequest& request);
  void TakeCommand(const HttpRequest& request, std::function<void(HttpResponse)> respond);

  Topic& topic_;
  const PageRoutes routes_;
  std::map<std::string_view, PageFile> files_;
  StreamGroup* group_ = nullptr;
  CodecCounts streams_;
};

}  // namespace rpcbench
