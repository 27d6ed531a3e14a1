// One stream of a load: its socket, the request, the response.
#pragma once

#include <netinet/in.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/load/answer_head.h"
#include "fanout/load/chunk_reader.h"
#include "fanout/load/protocol.h"
#include "fanout/load/stream_check.h"

namespace rpcbench {

// What all streams of a load share. One thread; outlives them.
struct StreamHost {
  StreamHost(const StreamLoadOptions& load_options, Codec codec)
      : options(load_options), check(codec, load_options.decode_share, load_options.late) {}

  const StreamLoadOptions options;
  sockaddr_in server{};
  int epoll = -1;
  CheckContext check;
  std::vector<char> buffer = std::vector<char>(64 << 10);
  std::string problem;          // the last one, for the error when a wait's deadline passes
  std::uint64_t told = 0;       // mismatches that were printed
  std::minstd_rand random{42};  // of the pauses before a reconnect
};

class LoadStream final {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State { kIdle, kConnecting, kHead, kBody };

  LoadStream(StreamHost& host, std::size_t number) : host_(host), number_(number) {}
  ~LoadStream();
  LoadStream(const LoadStream&) = delete;
  LoadStream& operator=(const LoadStream&) = delete;

  // Begins to connect an idle stream. Throws Error if there is no descriptor for it; else it goes
  // on in OnReady, or is idle again if it was refused.
  void Connect();
  // The socket is ready. The stream is idle afterwards if it was lost.
  void OnReady();
  // Resets the connection, as a crash would.
  void Cut();

  State state() const { return state_; }
  std::size_t number() const { return number_; }
  // Whether it counts as open: with the headers, or with an event, as the options say.
  bool open() const;
  // How long an EventSource would wait now before it connects again, spread by half.
  std::chrono::nanoseconds Pause();

  std::uint64_t events() const { return events_before_ + (check_ ? check_->events() : 0); }
  std::uint64_t connections() const { return connections_; }  // that were answered with a stream
  const SeenEvent* last() const { return order_.last(); }

 private:
  void FinishConnect();
  void Receive();
  void TakeHead(std::string_view& bytes);
  void TakeBody(std::string_view bytes);
  void TakeChunk(std::string_view chunk);
  void Lose(const std::string& why);
  void Close();

  StreamHost& host_;
  const std::size_t number_;
  State state_ = State::kIdle;
  int fd_ = -1;
  AnswerHeadReader head_;
  ChunkReader chunks_;
  bool chunked_ = true;
  EventOrder order_;
  std::unique_ptr<StreamCheck> check_;  // while there is a body
  std::uint64_t events_before_ = 0;     // of earlier connections
  std::uint64_t connections_ = 0;
  int failures_ = 0;  // since a connection was answered
  std::chrono::nanoseconds retry_ = std::chrono::seconds(1);
  std::chrono::nanoseconds now_{0};  // when the bytes at hand were received
};

}  // namespace rpcbench
