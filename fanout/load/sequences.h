// References of compressed streams: bytes mean something only behind all those before them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fanout/load/canon.h"
#include "fanout/load/references.h"

namespace rpcbench {

class Sequences final : public References {
 public:
  explicit Sequences(Codec codec) : codec_(codec) {}

  void Take(BodyPlace& place, std::string_view bytes, std::vector<PieceRef>& pieces) override;
  std::size_t sequences() override;
  std::uint64_t branches() const override { return branches_; }

 private:
  // Follow and Extend take what they dealt with from the front of `bytes`.
  void Begin(BodyPlace& place, std::string_view bytes);
  std::shared_ptr<BodySequence> Matching(std::string_view before, std::string_view bytes);
  bool Follow(BodyPlace& place, std::string_view& bytes, std::vector<PieceRef>& pieces);
  void Branch(BodyPlace& place, std::string_view bytes);
  void Extend(BodyPlace& place, std::string_view& bytes, std::vector<PieceRef>& pieces);
  void Split(BodySequence& sequence, std::size_t index, std::size_t size) const;

  const Codec codec_;
  Canon canon_;
  std::vector<std::weak_ptr<BodySequence>> all_;
  std::uint64_t branches_ = 0;
};

}  // namespace rpcbench
