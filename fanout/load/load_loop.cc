#include "fanout/load/load_loop.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <tuple>

#include "echo/error.h"

namespace rpcbench {
namespace {

// Below the usual bound of a listener's queue, 4,096: beyond it the kernel drops connects, which
// come back a second later, and it is the kernel's timers that are measured.
constexpr std::size_t kMaxConnecting = 2048;
constexpr std::size_t kSpareDescriptors = 16;
// Room for 16 M samples of 8 bytes, which the kernel gives only as they are written.
constexpr std::size_t kLatencySamples = 16 << 20;

Codec CodecOf(const std::string& accept_encoding) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli, Codec::kIdentity}) {
    if (accept_encoding == TokenOf(codec)) return codec;
  }
  throw Error("--accept-encoding " + accept_encoding + ": give zstd, br or identity");
}

double Ms(std::chrono::duration<double> time) {
  return time.count() * 1e3;
}

}  // namespace

LoadLoop::LoadLoop(const StreamLoadOptions& options)
    : host_(options, CodecOf(options.accept_encoding)), next_connect_(Clock::now()) {
  host_.server.sin_family = AF_INET;
  host_.server.sin_port = htons(options.connect.port);
  if (inet_pton(AF_INET, options.connect.host.c_str(), &host_.server.sin_addr) != 1) {
    throw Error("--connect " + ToString(options.connect) + ": give an IPv4 address and a port");
  }
  const auto descriptors = static_cast<std::size_t>(RaiseDescriptorLimit());
  if (options.streams + kSpareDescriptors > descriptors) {
    throw Error(fmt::format("{} streams need as many open files, and {} are allowed (ulimit -Hn)",
                            options.streams, descriptors));
  }
  host_.epoll = epoll_create1(EPOLL_CLOEXEC);
  if (host_.epoll < 0) throw Error(std::string("cannot make an epoll: ") + std::strerror(errno));
  for (std::size_t i = 0; i < options.streams; ++i) {
    streams_.push_back(std::make_unique<LoadStream>(host_, i));
    Schedule(i, next_connect_);
  }
  Mark();
}

LoadLoop::~LoadLoop() {
  streams_.clear();
  if (host_.epoll >= 0) close(host_.epoll);
}

bool LoadLoop::Watch(int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.ptr = nullptr}};
  return epoll_ctl(host_.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void LoadLoop::Poll(std::chrono::milliseconds at_most) {
  ConnectDue(Clock::now());
  std::array<epoll_event, 512> ready;
  const int count = epoll_wait(host_.epoll, ready.data(), ready.size(), Timeout(at_most));
  if (count < 0 && errno != EINTR) {
    throw Error(std::string("cannot wait for streams: ") + std::strerror(errno));
  }
  for (int i = 0; i < count; ++i) {
    if (ready[i].data.ptr != nullptr) Handle(*static_cast<LoadStream*>(ready[i].data.ptr));
  }
}

void LoadLoop::ConnectDue(Clock::time_point now) {
  while (!waiting_.empty() && waiting_.top().first <= now && next_connect_ <= now &&
         connecting_ < kMaxConnecting) {
    const std::size_t number = waiting_.top().second;
    waiting_.pop();
    LoadStream& stream = *streams_[number];
    ++connecting_;
    stream.Connect();
    if (stream.state() == LoadStream::State::kIdle) {
      --connecting_;
      Schedule(number, now + stream.Pause());
    }
    if (host_.options.connect_rate == 0) continue;
    const std::chrono::nanoseconds step(1'000'000'000 / host_.options.connect_rate);
    // A loop that was busy for a moment catches up a little, but not in one burst.
    next_connect_ = std::max(next_connect_, now - std::chrono::milliseconds(20)) + step;
  }
}

void LoadLoop::Handle(LoadStream& stream) {
  const bool was_open = stream.open();
  const bool was_answered = stream.state() == LoadStream::State::kBody;
  const bool was_idle = stream.state() == LoadStream::State::kIdle;
  if (was_idle) return;
  stream.OnReady();
  if (!was_answered &&
      (stream.state() == LoadStream::State::kBody || stream.state() == LoadStream::State::kIdle)) {
    --connecting_;
  }
  if (was_open && !stream.open()) --open_;
  if (!was_open && stream.open()) ++open_;
  if (stream.state() != LoadStream::State::kIdle) return;
  const auto now = Clock::now();
  if (was_answered && first_lost_ == Clock::time_point{}) first_lost_ = now;
  Schedule(stream.number(), now + stream.Pause());
}

int LoadLoop::Timeout(std::chrono::milliseconds at_most) const {
  if (waiting_.empty() || connecting_ >= kMaxConnecting) return static_cast<int>(at_most.count());
  const auto due = std::max(waiting_.top().first, next_connect_);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), at_most).count());
}

void LoadLoop::CutAll() {
  const auto now = Clock::now();
  waiting_ = {};
  for (const auto& stream : streams_) {
    stream->Cut();
    Schedule(stream->number(), now);
  }
  connecting_ = 0;
  open_ = 0;
}

void LoadLoop::Mark() {
  host_.check.tally = {};
  host_.check.tally.latency.Reset(kLatencySamples);
  marked_.clear();
  for (const auto& stream : streams_) marked_.push_back({stream->events(), stream->connections()});
  marked_branches_ = host_.check.references->branches();
  first_lost_ = {};
  marked_usage_ = UsageNow();
  marked_at_ = Clock::now();
}

StreamLoadReport LoadLoop::Report() const {
  const StreamTally& tally = host_.check.tally;
  StreamLoadReport report;
  report.elapsed = Clock::now() - marked_at_;
  const ProcessUsage usage = UsageNow();
  report.user = usage.user - marked_usage_.user;
  report.system = usage.system - marked_usage_.system;
  report.rss_kb = usage.rss_kb;
  report.events = tally.events;
  report.bytes = tally.bytes;
  report.mismatches = tally.mismatches;
  report.gaps = tally.gaps;
  report.disorder = tally.disorder;
  report.branches = host_.check.references->branches() - marked_branches_;
  report.resets = tally.resets;
  report.heartbeats = tally.heartbeats;
  report.reconnects = tally.reconnects;
  report.closed = tally.closed;
  report.late_events = tally.late_events;
  LatencySet latencies;
  latencies.Merge(tally.latency);
  latencies.Sort();
  report.timed_events = latencies.count();
  report.latency_p50_ms = Ms(latencies.Percentile(0.50));
  report.latency_p99_ms = Ms(latencies.Percentile(0.99));
  report.latency_max_ms = Ms(latencies.Max());
  AddState(report);
  return report;
}

void LoadLoop::AddState(StreamLoadReport& report) const {
  report.open = open_;
  report.decoded_streams = std::min(host_.check.budget.streams(), open_);
  report.compared_streams = open_ - report.decoded_streams;
  report.sequences = host_.check.references->sequences();
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> shown;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const std::uint64_t events = streams_[i]->events() - marked_[i].events;
    report.events_least = i == 0 ? events : std::min(report.events_least, events);
    report.events_most = std::max(report.events_most, events);
    const SeenEvent* const last = streams_[i]->last();
    ++shown[last == nullptr ? std::pair(std::string(), std::uint64_t{0})
                            : std::pair(last->id.text(), last->hash)];
  }
  for (const auto& [state, streams] : shown) {
    report.state.push_back({state.first, state.second, streams});
  }
  std::stable_sort(report.state.begin(), report.state.end(),
                   [](const auto& a, const auto& b) { return a.streams > b.streams; });
}

std::size_t LoadLoop::Behind(const SeenId& id) const {
  return static_cast<std::size_t>(
      std::count_if(streams_.begin(), streams_.end(), [&](const auto& stream) {
        const SeenEvent* const last = stream->last();
        return last == nullptr || !(last->id.Compare(id) >= 0);
      }));
}

std::size_t LoadLoop::NotReconnected() const {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    missing += streams_[i]->connections() == marked_[i].connections || !streams_[i]->open() ? 1 : 0;
  }
  return missing;
}

}  // namespace rpcbench
