// References of streams that are not compressed: a piece means the same wherever it stands.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fanout/load/canon.h"
#include "fanout/load/references.h"

namespace rpcbench {

// Pieces begin and end between events, so none needs those before it; which order they come in is
// checked stream by stream. Keeps the newest 16 MB.
class PlainReferences final : public References {
 public:
  void Take(BodyPlace& place, std::string_view bytes, std::vector<PieceRef>& pieces) override;
  std::size_t sequences() override { return pieces_.empty() ? 0 : 1; }
  std::uint64_t branches() const override { return 0; }

 private:
  PieceRef Find(BodyPlace& place, std::string_view bytes) const;
  PieceRef Add(BodyPlace& place, std::string_view bytes);
  void Trim();

  Canon canon_;
  std::deque<PieceRef> pieces_;
  std::uint64_t first_ = 0;  // the number of pieces_.front()
  std::size_t bytes_ = 0;
  std::unordered_multimap<std::uint64_t, std::uint64_t> by_hash_;  // to the piece's number
};

}  // namespace rpcbench
