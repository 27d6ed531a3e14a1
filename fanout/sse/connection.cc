#include "fanout/sse/connection.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "echo/error.h"
#include "fanout/sse/connection_set.h"

namespace rpcbench {
namespace {

using ErrorCode = boost::system::error_code;

// How long a closed connection's input is still read, so that the last answer is not lost to the
// RST that unread bytes would cause.
constexpr std::chrono::seconds kLinger{2};

constexpr HttpRefusal kNotPost{405, "Allow: GET, HEAD\r\n", "a stream is asked for with GET\n"};

}  // namespace

Connection::Connection(PeerSocket socket, ConnectionSet& set)
    : set_(set),
      socket_(std::move(socket)),
      reader_(RequestLimits{.body = set.serving_.options.max_body}),
      deadline_(Clock::now() + set.serving_.options.request_deadline) {}

void Connection::Start() {
  Advance();
}

void Connection::Advance() {
  bool moved = true;
  while (moved && !closed_) {
    switch (state_) {
      case State::kReading:
        moved = Read();
        break;
      case State::kWriting:
        moved = Write();
        break;
      case State::kLingering:
        moved = Linger();
        break;
      case State::kHandling:
        return;  // Answer goes on
    }
  }
}

void Connection::WhenReady(PeerSocket::Wait wait) {
  socket_.WhenReady(wait, [self = shared_from_this()](const ErrorCode& error) {
    if (self->closed_) return;
    if (error) return self->Leave(false);
    self->Advance();
  });
}

bool Connection::Read() {
  if (!input_.empty()) {
    const std::string behind = std::exchange(input_, {});
    return Parse(behind);
  }
  const std::ptrdiff_t got = socket_.Receive(set_.input_.data(), set_.input_.size());
  if (got == PeerSocket::kOver) {
    Leave(false);
    return false;
  }
  if (got == PeerSocket::kBlocked) {
    WhenReady(socket_.wanted());
    return false;
  }
  return Parse({set_.input_.data(), static_cast<std::size_t>(got)});
}

bool Connection::Parse(std::string_view bytes) {
  const std::size_t taken = reader_.Feed(bytes);
  if (reader_.refusal()) {
    Refuse(*reader_.refusal());
  } else if (reader_.done()) {
    input_ = bytes.substr(taken);
    Dispatch();
  } else if (reader_.expects_continue() && !std::exchange(continued_, true)) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    // It is the first thing that this connection sends since its last answer was taken.
    if (socket_.Send(kContinue) != std::ptrdiff_t{kContinue.size()}) Leave(false);
  }
  return true;
}

void Connection::Dispatch() {
  ++turn_;
  const HttpRequest& request = reader_.request();
  std::optional<StreamOffer> offer;
  try {
    if (request.method == "GET") {
      offer = set_.serving_.site.Open(request);
    } else {
      HttpRequest as_get = request;
      as_get.method = "GET";
      offer = set_.serving_.site.Open(as_get);
    }
  } catch (const Error&) {  // the site's own counts say why
    ++set_.serving_.counts.refused;
    return Leave(true);
  }
  if (!offer) return Handle();
  if (request.method != "GET") return Refuse(kNotPost);
  if (!reader_.head()) return OpenStream(std::move(*offer));
  std::string head;
  AppendStreamHead(offer->codec, reader_.version() == 11, head);
  Respond(std::move(head), reader_.keep_alive() && reader_.version() == 11);
}

// Never 503: an EventSource would stop for good, while a refused connection makes it come back.
void Connection::OpenStream(StreamOffer offer) {
  if (set_.serving_.streams.size() >= set_.serving_.max_streams || set_.draining_) {
    ++set_.serving_.counts.refused;
    return Leave(true);
  }
  const auto self = shared_from_this();
  closed_ = true;
  const bool chunked = reader_.version() == 11;
  set_.serving_.streams.Open(std::move(socket_), std::move(offer), chunked);
  set_.Remove(*this);
}

void Connection::Handle() {
  state_ = State::kHandling;
  deadline_ = Clock::time_point::max();  // the site's time, not the client's
  set_.serving_.site.Handle(reader_.request(), [weak = weak_from_this(), &loop = set_.serving_.loop,
                                                turn = turn_](HttpResponse response) {
    boost::asio::post(loop, [weak, turn, response = std::move(response)] {
      if (const auto self = weak.lock()) self->Answer(turn, response);
    });
  });
}

void Connection::Answer(std::uint64_t turn, const HttpResponse& response) {
  if (closed_ || state_ != State::kHandling || turn != turn_) return;
  const bool keep = reader_.keep_alive() && !set_.draining_;
  const HttpPersistence persistence = !keep                    ? HttpPersistence::kClose
                                      : reader_.version() < 11 ? HttpPersistence::kKeepAlive
                                                               : HttpPersistence::kDefault;
  std::string bytes;
  AppendResponse(response, persistence, reader_.head(), bytes);
  Respond(std::move(bytes), keep);
  Advance();
}

void Connection::Refuse(const HttpRefusal& refusal) {
  ++set_.serving_.counts.bad_requests;
  std::string bytes;
  AppendHttpRefusal(refusal, bytes);
  Respond(std::move(bytes), false);
}

void Connection::Respond(std::string bytes, bool keep) {
  out_ = std::move(bytes);
  written_ = 0;
  keep_ = keep;
  state_ = State::kWriting;
  deadline_ = Clock::now() + set_.serving_.options.write_deadline;
}

bool Connection::Write() {
  while (written_ < out_.size()) {
    const std::ptrdiff_t sent = socket_.Send(std::string_view(out_).substr(written_));
    if (sent == PeerSocket::kOver) {
      Leave(false);
      return false;
    }
    if (sent == PeerSocket::kBlocked) {
      WhenReady(socket_.wanted());
      return false;
    }
    written_ += static_cast<std::size_t>(sent);
    deadline_ = Clock::now() + set_.serving_.options.write_deadline;
  }
  out_ = {};
  if (keep_) {
    reader_ = RequestReader(RequestLimits{.body = set_.serving_.options.max_body});
    continued_ = false;
    state_ = State::kReading;
    deadline_ = Clock::now() + set_.serving_.options.request_deadline;
  } else {
    socket_.Finish();
    state_ = State::kLingering;
    deadline_ = Clock::now() + kLinger;
  }
  return true;
}

bool Connection::Linger() {
  // Once a turn: who sends without end must not have the loop for itself.
  if (socket_.Receive(set_.input_.data(), set_.input_.size()) == PeerSocket::kOver) {
    Leave(false);
  } else {
    WhenReady(PeerSocket::Wait::wait_read);
  }
  return false;
}

void Connection::Leave(bool abort) {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  abort ? socket_.Abort() : socket_.Close();
  set_.Remove(*this);
}

}  // namespace rpcbench
