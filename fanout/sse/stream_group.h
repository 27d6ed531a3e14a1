// The streams that are kicked together: those of one topic.
#pragma once

#include <cstddef>
#include <vector>

namespace rpcbench {

class Stream;

// Made by SseServer::MakeGroup and filled by the server. Loop thread only. A group that is
// destroyed before its streams leaves them open, but nothing kicks them any more.
class StreamGroup final {
 public:
  StreamGroup() = default;
  ~StreamGroup();
  StreamGroup(const StreamGroup&) = delete;
  StreamGroup& operator=(const StreamGroup&) = delete;

  std::size_t size() const { return streams_.size(); }

 private:
  friend class StreamSet;

  std::vector<Stream*> streams_;  // each knows its index here
};

}  // namespace rpcbench
