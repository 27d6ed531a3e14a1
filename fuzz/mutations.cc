#include "fuzz/mutations.h"

#include <algorithm>
#include <random>

#include "echo/error.h"
#include "results/files.h"

namespace rpcbench {
namespace {

using Random = std::mt19937_64;

std::size_t Below(std::size_t bound, Random& random) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

// Bytes that mean something to one parser or another, and the ends of ranges.
constexpr std::string_view kSpecial{
    "\0\x01\x7f\x80\xfe\xff\r\n\t :;,\"'\\{}[]=&%+-.eE0x\xef\xbb\xbf", 34};

void Change(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const std::size_t at = Below(text.size() + 1, random);
  const std::size_t length = Below(std::min<std::size_t>(text.size() - at, 16) + 1, random);
  switch (Below(6, random)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << Below(8, random)));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text.insert(at, 1, kSpecial[Below(kSpecial.size(), random)]);
      break;
    case 4:
      if (at < text.size()) text[at] = static_cast<char>(Below(256, random));
      break;
    default: {
      const std::string& other = corpus[Below(corpus.size(), random)];
      text.replace(at, length, other.substr(Below(other.size() + 1, random)));
    }
  }
}

}  // namespace

std::vector<std::string> ReadCorpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (files.empty()) throw Error("no corpus in " + folder.string());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const auto& file : files) corpus.push_back(ReadFile(file));
  return corpus;
}

void RunMutations(const std::vector<std::string>& corpus, int rounds, std::uint64_t seed,
                  const std::function<void(std::string_view)>& run) {
  Random random(seed);
  run({});
  for (const std::string& entry : corpus) run(entry);
  for (int round = 0; round < rounds; ++round) {
    std::string text = corpus[Below(corpus.size(), random)];
    for (std::size_t changes = 1 + Below(4, random); changes > 0; --changes) {
      Change(text, corpus, random);
    }
    run(text);
  }
}

}  // namespace rpcbench
