// Seeded changes of a corpus (fuzz/mutations.h) for formats whose words rarely come about by
// chance.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutations.h"

namespace rpcbench {

struct Mutations {
  std::vector<std::string> corpus;
  std::vector<std::string> words;  // put into changed copies as parts of other entries are
  int rounds = 4000;
  unsigned seed = 1;
};

inline void RunMutations(const Mutations& mutations,
                         const std::function<void(std::string_view)>& target) {
  std::vector<std::string> entries = mutations.corpus;
  entries.insert(entries.end(), mutations.words.begin(), mutations.words.end());
  RunMutations(entries, mutations.rounds, mutations.seed, target);
}

}  // namespace rpcbench
