// What sse_events serves: one topic of small events that each count, published by POST.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fanout/sse/event_topic.h"
#include "fanout/sse/server.h"

namespace rpcbench {

//   GET  /events   a stream, without compression as nchan's
//   POST /pub      the body is the data of an event for every stream
//   POST /cut      cuts every stream at once, as a crash would
//   GET  /counts   the ledger and what the server counts, as JSON
// Loop thread only.
class EventsSite final : public Site {
 public:
  EventsSite();
  ~EventsSite() override;

  // Before the loop runs. The server outlives the last request.
  void Serve(SseServer& server);

  std::optional<StreamOffer> Open(const HttpRequest& request) override;
  void Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) override;

 private:
  HttpResponse Publish(const std::string& data);
  HttpResponse Counts() const;

  EventTopics topics_;
  SseServer* server_ = nullptr;
  std::unique_ptr<StreamGroup> group_;
};

}  // namespace rpcbench
