// For tests of topics: a stream that decodes all it is sent as a browser would, and judges it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fanout/encode/codec.h"
#include "fanout/encode/decoder.h"
#include "fanout/encode/source.h"

namespace rpcbench {

// The state after `number` changes as one event: a board of rows of which a few change each time,
// so that an encoder refers back to earlier events all over.
std::string BoardEvent(std::uint64_t number);

// An event for one client alone.
std::string HelloEvent(std::string_view client);

// One thread. What is wrong is kept in fault() and ends the judging.
class Watcher final {
 public:
  // `newest`: the topic's newest event, 0 if there is none.
  Watcher(std::unique_ptr<Source> source, Codec codec, std::uint64_t newest,
          bool expects_hello = false);

  // Pulls a chunk, and decodes it at once: what it says is settled then. False if there is none or
  // one is under way.
  bool Take();
  // The chunk under way is sent.
  void Finish();
  // Takes and finishes until there is nothing more.
  void CatchUp();
  void Beat();
  // Takes a chunk and says it was sent, but it never arrives: what no topic may do.
  void Lose();

  bool busy() const { return chunk_ != nullptr; }
  const ChunkRef& chunk() const { return chunk_; }
  std::string_view closing() const { return source_->closing(); }
  // How many events are pending for it, by its own reckoning.
  std::uint64_t Pending(std::uint64_t newest) const;

  std::uint64_t first() const { return first_; }  // the first event that was decoded
  std::uint64_t last() const { return last_; }    // the last one, 0 if there was none
  std::uint64_t sent() const { return sent_; }    // events of chunks that are finished
  const std::string& hello() const { return hello_; }
  const std::string& wire() const { return wire_; }  // the body as it was sent
  const std::string& text() const { return text_; }
  const std::string& fault() const { return fault_; }

 private:
  void Receive(const Chunk& chunk);
  void Judge(std::string_view event);

  const Codec codec_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Decoder> decoder_;
  ChunkRef chunk_;
  const std::uint64_t owed_from_;  // the first event that it was offered
  bool expects_hello_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t events_ = 0;  // that were decoded
  std::uint64_t sent_ = 0;
  std::string hello_;
  std::string wire_;
  std::string text_;
  std::string fault_;
};

}  // namespace rpcbench
