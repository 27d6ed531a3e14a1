#include "echo/dataset.h"

#include <random>
#include <string_view>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

Record Draw(std::mt19937_64& random, const DatasetOptions& options) {
  Record record;
  record.flag = (random() & 1) != 0;
  record.number = static_cast<std::int64_t>(random());
  // 53 random bits in [-1, 1): finite, and with a full mantissa so that text codecs have digits to
  // write.
  record.real = static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
  record.text.resize(options.min_text + random() % (options.max_text - options.min_text + 1));
  for (char& letter : record.text) letter = kAlphabet[random() % kAlphabet.size()];
  return record;
}

}  // namespace

Dataset::Dataset(const DatasetOptions& options) {
  if (options.records == 0 || options.min_text > options.max_text) {
    throw Error("data set: needs at least one record and min_text <= max_text");
  }
  std::mt19937_64 random(options.seed);
  records_.reserve(options.records);
  for (std::size_t i = 0; i < options.records; ++i) records_.push_back(Draw(random, options));
}

Dataset Dataset::Of(std::vector<Record> records) {
  if (records.empty()) throw Error("data set: needs at least one record");
  Dataset dataset;
  dataset.records_ = std::move(records);
  return dataset;
}

}  // namespace rpcbench
