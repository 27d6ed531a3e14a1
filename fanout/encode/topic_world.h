// For the property test: a topic with streams of all kinds, to which random things happen.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fanout/encode/topic_rig.h"

namespace rpcbench {

// What one stream received in its life, for decoders outside of this program.
struct Recording {
  Codec codec;
  std::string wire;
  std::string text;
};

// After each step fault() says what is wrong, if anything: with a stream's text, with the ledger,
// or with what may be shown after a seal.
class TopicWorld final {
 public:
  explicit TopicWorld(std::uint64_t seed);
  ~TopicWorld();

  void Step();
  // No more trouble: all that are not to be closed catch up, and must end at the newest event.
  void CalmDown();
  // All leave; nothing may be pending then.
  void Close();
  // One chunk is lost on its way to a stream of this codec, and more follow. False if there is no
  // stream to do it to.
  bool LoseOneChunk(Codec codec);

  const std::string& fault() const { return fault_; }
  TopicCounts counts() const { return rig_.counts(); }
  // Of streams that left, a sample of the longer ones.
  const std::vector<Recording>& recordings() const { return recordings_; }

 private:
  struct Stream {
    std::unique_ptr<Watcher> watcher;
    Codec codec;
    bool shared;
    std::uint64_t stalls_until;  // an event
  };

  void Join();
  void Leave(std::size_t index);
  void Publish();
  void Pull(Stream& stream);
  void Trouble();
  void Check();
  void CheckStream(const Stream& stream);
  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }

  std::mt19937_64 random_;
  TopicRig rig_;
  std::vector<Stream> streams_;
  std::uint64_t floor_ = 0;
  std::uint64_t sent_by_those_gone_ = 0;
  std::vector<Recording> recordings_;
  std::string fault_;
};

}  // namespace rpcbench
