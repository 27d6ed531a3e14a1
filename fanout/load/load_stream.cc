#include "fanout/load/load_stream.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::uint64_t kToldMismatches = 10;

std::string RequestOf(const StreamLoadOptions& options, const SeenEvent* last) {
  std::string request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nCache-Control: no-store\r\n"
      "Accept-Encoding: {}\r\n",
      options.path, ToString(options.connect), options.accept_encoding);
  if (last != nullptr && !last->id.empty()) {
    request += fmt::format("Last-Event-ID: {}\r\n", last->id.text());
  }
  return request + "\r\n";
}

// What keeps a response from being a stream to check, or "".
std::string ProblemOf(const AnswerHead& head, Codec codec) {
  if (head.status != 200) return fmt::format("status {}", head.status);
  if (head.content_type.rfind("text/event-stream", 0) != 0) {
    return fmt::format("Content-Type \"{}\"", head.content_type);
  }
  if (head.content_encoding != TokenOf(codec)) {
    return fmt::format("Content-Encoding {}, where {} was asked for", head.content_encoding,
                       TokenOf(codec));
  }
  if (!head.chunked && codec != Codec::kIdentity) return "a compressed body that is not chunked";
  return "";
}

}  // namespace

LoadStream::~LoadStream() {
  Close();
}

void LoadStream::Connect() {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) {
    throw Error(
        fmt::format("cannot make a socket for stream {}: {}; raise the limit of open files "
                    "(ulimit -n)",
                    number_, std::strerror(errno)));
  }
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  state_ = State::kConnecting;
  head_ = {};
  chunks_ = {};
  const auto* const server = reinterpret_cast<const sockaddr*>(&host_.server);
  if (connect(fd_, server, sizeof host_.server) != 0 && errno != EINPROGRESS) {
    return Lose(std::string("cannot connect: ") + std::strerror(errno));
  }
  epoll_event event{.events = EPOLLOUT, .data = {.ptr = this}};
  if (epoll_ctl(host_.epoll, EPOLL_CTL_ADD, fd_, &event) != 0) {
    throw Error(fmt::format("cannot watch stream {}: {}", number_, std::strerror(errno)));
  }
}

void LoadStream::OnReady() {
  if (state_ == State::kConnecting)
    FinishConnect();
  else if (state_ != State::kIdle)
    Receive();
}

void LoadStream::FinishConnect() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return Lose(std::string("cannot connect: ") + std::strerror(error));
  const std::string request = RequestOf(host_.options, order_.last());
  if (send(fd_, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    return Lose(std::string("cannot send the request: ") + std::strerror(errno));
  }
  epoll_event event{.events = EPOLLIN, .data = {.ptr = this}};
  epoll_ctl(host_.epoll, EPOLL_CTL_MOD, fd_, &event);
  state_ = State::kHead;
}

// One read: epoll reports what is left. All streams share the buffer.
void LoadStream::Receive() {
  const ssize_t size = recv(fd_, host_.buffer.data(), host_.buffer.size(), 0);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size < 0) return Lose(std::strerror(errno));
  if (size == 0) return Lose("the server ended it");
  now_ = Clock::now().time_since_epoch();
  host_.check.tally.bytes += static_cast<std::uint64_t>(size);
  std::string_view bytes(host_.buffer.data(), static_cast<std::size_t>(size));
  if (state_ == State::kHead) TakeHead(bytes);
  if (state_ == State::kBody && !bytes.empty()) TakeBody(bytes);
}

void LoadStream::TakeHead(std::string_view& bytes) {
  try {
    const auto head = head_.Feed(bytes);
    if (!head) return;
    const std::string problem = ProblemOf(*head, host_.check.codec);
    if (!problem.empty()) return Lose("the server answers with " + problem);
    chunked_ = head->chunked;
  } catch (const Error& error) {
    return Lose(error.what());
  }
  check_ = std::make_unique<StreamCheck>(host_.check, order_);
  state_ = State::kBody;
  failures_ = 0;
  if (++connections_ > 1) ++host_.check.tally.reconnects;
}

void LoadStream::TakeBody(std::string_view bytes) {
  if (!chunked_) return TakeChunk(bytes);
  if (!chunks_.Feed(bytes, [this](std::string_view chunk) { TakeChunk(chunk); })) {
    return Lose("the body is not in chunks");
  }
  if (chunks_.ended()) Lose("the server ended it");
}

void LoadStream::TakeChunk(std::string_view chunk) {
  try {
    check_->Take(chunk, now_);
  } catch (const Error& error) {
    ++host_.check.tally.mismatches;
    host_.problem = fmt::format("stream {}: {}", number_, error.what());
    if (++host_.told <= kToldMismatches) fmt::print(stderr, "sse_load: {}\n", host_.problem);
  }
}

void LoadStream::Lose(const std::string& why) {
  host_.problem = fmt::format("stream {}: {}", number_, why);
  if (state_ == State::kBody)
    ++host_.check.tally.closed;
  else
    ++failures_;
  Close();
}

void LoadStream::Cut() {
  if (fd_ < 0) return;
  // With a linger of no time the kernel sends a reset, and the port is free at once.
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  Close();
}

void LoadStream::Close() {
  if (check_) {
    events_before_ += check_->events();
    if (const auto retry = check_->retry()) retry_ = *retry;
    check_.reset();
    order_.Reconnect();
  }
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  state_ = State::kIdle;
}

bool LoadStream::open() const {
  return state_ == State::kBody && (!host_.options.open_with_event || check_->events() > 0);
}

std::chrono::nanoseconds LoadStream::Pause() {
  std::uniform_real_distribution<double> spread(0.5, 1.5);
  const int doublings = std::clamp(failures_ - 1, 0, 4);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(retry_ * (1 << doublings) *
                                                              spread(host_.random));
}

}  // namespace rpcbench
