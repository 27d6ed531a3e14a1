#include "fanout/peer/events_site.h"

#include <malloc.h>

#include <nlohmann/json.hpp>

namespace rpcbench {
namespace {

constexpr char kTopic[] = "events";
// As many as nchan's buffer: a stream that lags for five seconds loses none.
constexpr std::size_t kQueue = 100;

}  // namespace

EventsSite::EventsSite() {
  topics_.Add(kTopic);
}

EventsSite::~EventsSite() = default;

void EventsSite::Serve(SseServer& server) {
  server_ = &server;
  group_ = server.MakeGroup();
}

std::optional<StreamOffer> EventsSite::Open(const HttpRequest& request) {
  if (request.path != "/events") return std::nullopt;
  EventStreamOptions options;
  options.topics = {kTopic};
  options.codec = Codec::kIdentity;
  options.overflow = OverflowPolicy::kDropAndCount;
  options.queue_events = kQueue;
  options.last_event_id = request.last_event_id;
  return StreamOffer{Codec::kIdentity, topics_.Join(options), group_.get()};
}

void EventsSite::Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) {
  const bool post = request.method == "POST";
  if (post && request.path == "/pub") {
    respond(Publish(request.body));
  } else if (post && request.path == "/cut") {
    server_->CutAll();
    respond({});
  } else if (!post && request.path == "/counts") {
    respond(Counts());
  } else {
    respond({.status = 404, .body = "there are /events, /pub, /cut and /counts\n"});
  }
}

HttpResponse EventsSite::Publish(const std::string& data) {
  topics_.Publish(kTopic, {.name = {}, .data = data, .key = {}});
  server_->Kick(*group_);
  return {.status = 202};
}

HttpResponse EventsSite::Counts() const {
  const EventTopicCounts topics = topics_.counts();
  const SseServerCounts server = server_->counts();
  // glibc keeps what was freed; who asks after all have left looks for what the server still holds.
  if (server.streams == 0) malloc_trim(0);
  const nlohmann::json counts = {{"offered", topics.ledger.offered},
                                 {"delivered", topics.ledger.delivered},
                                 {"coalesced", topics.ledger.coalesced},
                                 {"dropped", topics.ledger.dropped},
                                 {"evicted", topics.ledger.evicted},
                                 {"pending", topics.pending},
                                 {"published", topics.published},
                                 {"streams", server.streams},
                                 {"connections", server.connections},
                                 {"closed_slow", server.closed_slow},
                                 {"refused", server.refused}};
  return {.type = "application/json", .body = counts.dump()};
}

}  // namespace rpcbench
