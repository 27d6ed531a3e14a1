#include "fanout/board/frame_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

#include "echo/error.h"
#include "fanout/encode/decoder.h"

namespace rpcbench {
namespace {

// By which chunks, not by what is in them: that is what cohorts share.
struct BySequence {
  bool operator()(const Sink::Taken* a, const Sink::Taken* b) const {
    return std::lexicographical_compare(
        a->begin(), a->end(), b->begin(), b->end(),
        [](const ChunkRef& x, const ChunkRef& y) { return x.get() < y.get(); });
  }
};

// Follows one stream through the events.
class Follower final {
 public:
  Follower(Codec codec, const std::vector<std::string>& published)
      : decoder_(MakeDecoder(TokenOf(codec))), published_(published) {}

  // Throws Error that says what is wrong.
  void Take(const Chunk& chunk) {
    text_.clear();
    decoder_->Decode(chunk.body(), text_);
    std::string_view left = text_;
    // A comment is no event: brotli's streams may begin with one.
    while (left.starts_with(kComment)) left.remove_prefix(kComment.size());
    while (!left.empty()) {
      if (next_ == kNone) next_ = First(left);
      if (next_ >= published_.size()) throw Error("decodes to more than was published");
      const std::string& expected = published_[next_];
      if (!left.starts_with(expected)) {
        throw Error(fmt::format("does not decode to event {} of {}, but to \"{}\"", next_ + 1,
                                published_.size(), left.substr(0, 40)));
      }
      left.remove_prefix(expected.size());
      ++next_;
    }
  }

  void End() const {
    if (next_ == published_.size()) return;
    throw Error(
        fmt::format("ends with event {} of {}", next_ == kNone ? 0 : next_, published_.size()));
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::string_view kComment = ":\n\n";

  std::size_t First(std::string_view text) const {
    for (std::size_t i = 0; i < published_.size(); ++i) {
      if (text.starts_with(published_[i])) return i;
    }
    throw Error(fmt::format("begins with what was never published: \"{}\"", text.substr(0, 40)));
  }

  const std::unique_ptr<Decoder> decoder_;
  const std::vector<std::string>& published_;
  std::string text_;
  std::size_t next_ = kNone;
};

void Follow(const Sink::Taken& taken, Codec codec, const std::vector<std::string>& published) {
  Follower follower(codec, published);
  std::size_t chunk = 0;
  try {
    for (; chunk < taken.size(); ++chunk) follower.Take(*taken[chunk]);
    follower.End();
  } catch (const Error& error) {
    throw Error(fmt::format("chunk {} of {} {}", chunk, taken.size(), error.what()));
  }
}

}  // namespace

FrameCheck CheckFrames(const std::vector<Sink::Taken>& streams, Codec codec,
                       const std::vector<std::string>& published) {
  FrameCheck check;
  std::set<const Sink::Taken*, BySequence> decoded;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!decoded.insert(&streams[i]).second) {
      ++check.compared_streams;
      continue;
    }
    ++check.decoded_streams;
    try {
      Follow(streams[i], codec, published);
    } catch (const Error& error) {
      if (check.problem.empty()) check.problem = fmt::format("stream {}: {}", i, error.what());
    }
  }
  return check;
}

}  // namespace rpcbench
