// A source that is counted by its coding for as long as it lives, for the panel.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "fanout/encode/source.h"

namespace rpcbench {

class CountedSource final : public Source {
 public:
  // `count` outlives it.
  CountedSource(std::unique_ptr<Source> source, std::size_t& count)
      : source_(std::move(source)), count_(count) {
    ++count_;
  }
  ~CountedSource() override { --count_; }
  CountedSource(const CountedSource&) = delete;
  CountedSource& operator=(const CountedSource&) = delete;

  ChunkRef Next() override { return source_->Next(); }
  void Sent() override { source_->Sent(); }
  ChunkRef Heartbeat() override { return source_->Heartbeat(); }
  std::string_view closing() const override { return source_->closing(); }

 private:
  const std::unique_ptr<Source> source_;
  std::size_t& count_;
};

}  // namespace rpcbench
