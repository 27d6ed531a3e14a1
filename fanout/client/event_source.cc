#include "fanout/client/event_source.h"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cctype>
#include <optional>
#include <random>
#include <vector>

#include "echo/error.h"
#include "fanout/client/back_off.h"
#include "fanout/client/exchange.h"
#include "fanout/client/url.h"
#include "fanout/encode/decoder.h"

namespace rpcbench {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

asio::ssl::context MakeTls(const EventSourceOptions& options) {
  asio::ssl::context tls(asio::ssl::context::tls_client);
  boost::system::error_code error;
  if (!options.verify_tls) return tls;
  if (options.ca_file.empty()) {
    tls.set_default_verify_paths(error);
  } else {
    tls.load_verify_file(options.ca_file, error);
  }
  if (error) {
    throw Error("cannot read the certificates of " +
                (options.ca_file.empty() ? "the system" : options.ca_file) + ": " +
                error.message());
  }
  return tls;
}

std::function<double()> RandomOr(std::function<double()> random) {
  if (random) return random;
  return [generator = std::minstd_rand(std::random_device{}())]() mutable {
    return std::generate_canonical<double, 32>(generator);
  };
}

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// "text/event-stream", parameters and case aside.
bool IsEventStream(std::string_view type) {
  static constexpr std::string_view kWanted = "text/event-stream";
  type = type.substr(0, type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  if (type.size() != kWanted.size()) return false;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(type[i])) != kWanted[i]) return false;
  }
  return true;
}

}  // namespace

class EventSource::Impl final : public ExchangeSink,
                                public EventSink,
                                public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& loop, const EventSourceOptions& options, EventSourceSink& sink)
      : loop_(loop),
        options_(options),
        url_(ParseUrl(options.url)),
        sink_(&sink),
        back_off_({.retry = options.retry,
                   .limit = options.back_off_limit,
                   .random = RandomOr(options.random)}),
        timer_(loop),
        last_event_id_(options.last_event_id) {
    if (url_.tls) tls_.emplace(MakeTls(options));
  }

  // An attempt, from the address that was given: redirects are not remembered.
  void Connect() {
    state_ = SourceState::kConnecting;
    redirects_ = 0;
    Request(url_);
  }

  void Close() {
    sink_ = nullptr;
    state_ = SourceState::kClosed;
    timer_.cancel();
    Drop();
  }

  SourceState state() const { return state_; }
  const std::string& last_event_id() const { return last_event_id_; }

 private:
  void Request(const Url& url) {
    at_ = url;
    ExchangeRequest request{
        .url = url,
        .headers = {{"Accept", "text/event-stream"}, {"Cache-Control", "no-store"}},
        .verify_tls = options_.verify_tls,
        .deadline = options_.deadline,
        .silence = options_.silence};
    if (!options_.accept_encoding.empty()) {
      request.headers.emplace_back("Accept-Encoding", options_.accept_encoding);
    }
    if (!last_event_id_.empty()) request.headers.emplace_back("Last-Event-ID", last_event_id_);
    if (url.tls && !tls_) tls_.emplace(MakeTls(options_));  // a redirect from http
    exchange_ = StartExchange(loop_, tls_ ? &*tls_ : nullptr, request, *this);
  }

  void OnHead(const ResponseHead& head) override {
    const auto self = shared_from_this();  // the sink may let go of the source
    if (IsRedirect(head.status) && !head.location.empty()) return Redirect(head);
    if (head.status != 200) return Fail("status " + std::to_string(head.status));
    if (!IsEventStream(head.content_type)) return Fail("the type is \"" + head.content_type + "\"");
    try {
      decoder_ = MakeDecoder(head.content_encoding);
    } catch (const Error& error) {
      return Fail(error.what());
    }
    ParserOptions bounds = options_.parser;
    bounds.last_event_id = last_event_id_;
    parser_.emplace(*this, bounds);
    state_ = SourceState::kOpen;
    back_off_.Opened();
    sink_->OnOpen(head.content_encoding);
  }

  void Redirect(const ResponseHead& head) {
    if (++redirects_ > options_.max_redirects) {
      return Fail("more than " + std::to_string(options_.max_redirects) + " redirects");
    }
    Drop();
    try {
      const Url to = ResolveUrl(at_, head.location);
      if (at_.tls && !to.tls) return Fail("redirected from https to " + ToString(to));
      Request(to);
    } catch (const Error& error) {
      Fail(error.what());
    }
  }

  void OnBody(std::string_view bytes) override {
    const auto self = shared_from_this();
    try {
      text_.clear();
      decoder_->Decode(bytes, text_);
      parser_->Feed(text_);
    } catch (const Error& error) {
      return Fail(error.what());
    }
    // A block with an id and no data is no event, but counts.
    if (sink_ != nullptr) last_event_id_ = parser_->last_event_id();
  }

  void OnEvent(const ReceivedEvent& event) override {
    if (sink_ == nullptr) return;  // closed by an event before, in the same piece
    last_event_id_ = event.id;
    sink_->OnEvent(event);
  }

  void OnRetry(milliseconds retry) override { back_off_.SetRetry(retry); }

  void OnEnd(const ExchangeEnd& end) override {
    const auto self = shared_from_this();
    if (end.untrusted) return Fail(end.why);
    const bool was_open = state_ == SourceState::kOpen;
    Drop();
    state_ = SourceState::kConnecting;
    const milliseconds delay = was_open ? back_off_.AfterEnd() : back_off_.AfterFailure();
    Wait(delay);
    sink_->OnLost(end.why, delay);
  }

  void Wait(milliseconds delay) {
    auto again = [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->sink_ != nullptr) self->Connect();
    };
    if (options_.wait) return options_.wait(delay, std::move(again));
    timer_.expires_after(delay);
    timer_.async_wait([again](boost::system::error_code cancelled) {
      if (!cancelled) again();
    });
  }

  void Fail(const std::string& why) {
    EventSourceSink* const sink = sink_;
    if (sink == nullptr) return;
    Close();
    sink->OnFailed(ToString(at_) + ": " + why);
  }

  void Drop() {
    if (exchange_) std::exchange(exchange_, nullptr)->Cancel();
  }

  asio::io_context& loop_;
  const EventSourceOptions options_;
  const Url url_;
  std::optional<asio::ssl::context> tls_;  // once needed: to read the certificates takes a while
  EventSourceSink* sink_;                  // null once closed
  BackOff back_off_;
  asio::steady_timer timer_;
  SourceState state_ = SourceState::kConnecting;
  std::string last_event_id_;

  // Of the attempt under way.
  Url at_;
  int redirects_ = 0;
  std::shared_ptr<Exchange> exchange_;
  std::unique_ptr<Decoder> decoder_;
  std::optional<EventParser> parser_;
  std::string text_;  // kept for its memory
};

EventSource::EventSource(asio::io_context& loop, const EventSourceOptions& options,
                         EventSourceSink& sink)
    : impl_(std::make_shared<Impl>(loop, options, sink)) {
  impl_->Connect();
}

EventSource::~EventSource() {
  impl_->Close();
}

void EventSource::Close() {
  impl_->Close();
}

SourceState EventSource::state() const {
  return impl_->state();
}

const std::string& EventSource::last_event_id() const {
  return impl_->last_event_id();
}

}  // namespace rpcbench
