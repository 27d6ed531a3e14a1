#include "fanout/board/sink.h"

namespace rpcbench {

void Sink::Join(int streams) {
  for (int i = 0; i < streams; ++i) {
    streams_.push_back(topic_.Join(codec_, shared_));
    taken_.emplace_back();
    Take(streams_.size() - 1);
  }
}

void Sink::TakeAll() {
  for (std::size_t stream = 0; stream < streams_.size(); ++stream) Take(stream);
}

void Sink::Take(std::size_t stream) {
  Source& source = *streams_[stream];
  while (ChunkRef chunk = source.Next()) {
    counts_.events += chunk->events();
    counts_.bytes += chunk->body().size();
    if (taken_[stream].empty()) ++open_;
    taken_[stream].push_back(std::move(chunk));
    source.Sent();
  }
  if (closed_.empty() && !source.closing().empty()) closed_ = source.closing();
}

}  // namespace rpcbench
