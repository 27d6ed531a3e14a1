#include "fanout/load/references.h"

#include "fanout/load/plain_references.h"
#include "fanout/load/sequences.h"

namespace rpcbench {

std::unique_ptr<References> MakeReferences(Codec codec) {
  if (codec == Codec::kIdentity) return std::make_unique<PlainReferences>();
  return std::make_unique<Sequences>(codec);
}

}  // namespace rpcbench
