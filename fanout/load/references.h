// What streams must have received: each distinct body decoded once, and shared by all alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/load/event_reader.h"

namespace rpcbench {

// Bytes between two flush boundaries, and the events in them.
struct BodyPiece {
  std::string bytes;
  Seen seen;
};
using PieceRef = std::shared_ptr<const BodyPiece>;

class BodySequence;

// Where a stream stands. Made empty at the start of a body or of a zstd frame.
struct BodyPlace {
  std::shared_ptr<BodySequence> sequence;
  std::uint64_t next = 0;  // where in it the stream goes on: a byte, or the number of a piece
};

// The stream that is first to bring new bytes has them decoded; every other one's are compared with
// them, byte for byte. So all bytes of all streams are checked, and each distinct sequence of them
// is decoded exactly once. That a stream's bytes differ from those of the others is no error yet:
// they may be legal too, and are then decoded from their start. But an event that was decoded
// before, by its name and id, must have the same data again.
//
// One thread. Outlives the places.
class References {
 public:
  virtual ~References() = default;

  // `bytes` is what a stream received next, up to a flush boundary; `place` moves behind it. Puts
  // the pieces that it is made of into `pieces`. Throws Error that says what is wrong with the
  // bytes; the place is of no use then.
  virtual void Take(BodyPlace& place, std::string_view bytes, std::vector<PieceRef>& pieces) = 0;

  // Distinct bodies that streams follow now.
  virtual std::size_t sequences() = 0;
  // How often a stream's bytes were other ones than those of the streams that had been like it.
  virtual std::uint64_t branches() const = 0;
};

std::unique_ptr<References> MakeReferences(Codec codec);

}  // namespace rpcbench
