#include "results/statistics.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "results/run.h"

namespace rpcbench {
namespace {

constexpr std::size_t kLeastValues = 3;
constexpr int kResamples = 2000;
constexpr double kConfidence = 0.95;
constexpr std::size_t kMostExactPairs = 400;
constexpr std::size_t kLeastOfBimodal = 5;
constexpr double kLeastGroup = 0.2;
constexpr double kGapToRange = 3;

// Ranks from 1 over both samples, equal values sharing the mean of theirs.
struct Ranks {
  double sum_of_a = 0;
  double ties = 0;  // the sum of t^3 - t over groups of t equal values
};

Ranks RanksOf(const std::vector<double>& a, const std::vector<double>& b) {
  struct Value {
    double value;
    bool is_a;
  };
  std::vector<Value> all;
  for (const double value : a) all.push_back({value, true});
  for (const double value : b) all.push_back({value, false});
  std::sort(all.begin(), all.end(),
            [](const Value& x, const Value& y) { return x.value < y.value; });
  Ranks ranks;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].value == all[begin].value) ++end;
    const auto size = static_cast<double>(end - begin);
    const double rank = (static_cast<double>(begin + end) + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks.sum_of_a += all[i].is_a ? rank : 0;
    ranks.ties += size * size * size - size;
    begin = end;
  }
  return ranks;
}

// How many ways there are to have each U from 0 to n * m, with n values against m: the number of
// partitions of U into at most n parts of at most m each, value by value.
std::vector<double> WaysToU(std::size_t n, std::size_t m) {
  // ways[i][u]: with i of the n values, against the j of the m values seen so far.
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(n * m + 1, 0));
  for (std::size_t i = 0; i <= n; ++i) ways[i][0] = 1;
  for (std::size_t j = 1; j <= m; ++j) {
    for (std::size_t i = 1; i <= n; ++i) {
      // The largest of i + j values is one of the n, and is above j others, or one of the m.
      std::vector<double> next = ways[i];
      for (std::size_t u = j; u <= i * j; ++u) next[u] += ways[i - 1][u - j];
      ways[i] = std::move(next);
    }
  }
  return ways[n];
}

double ExactP(double u, std::size_t n, std::size_t m) {
  const std::vector<double> ways = WaysToU(n, m);
  double all = 0;
  double as_far = 0;
  const double centre = static_cast<double>(n * m) / 2;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    all += ways[i];
    if (std::abs(static_cast<double>(i) - centre) >= std::abs(u - centre)) as_far += ways[i];
  }
  return as_far / all;
}

double NormalP(double u, double n, double m, double ties) {
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;  // all are equal
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5) / std::sqrt(variance);
  return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), distance));
}

}  // namespace

std::optional<Interval> MedianInterval(const std::vector<double>& values) {
  if (values.size() < kLeastValues) return std::nullopt;
  // A generator and a way to draw of our own choice: the standard's distributions differ between
  // libraries.
  std::mt19937_64 random(1);
  std::vector<double> medians;
  medians.reserve(kResamples);
  std::vector<double> resample(values.size());
  for (int i = 0; i < kResamples; ++i) {
    for (double& value : resample) value = values[random() % values.size()];
    medians.push_back(*Median(resample));
  }
  std::sort(medians.begin(), medians.end());
  const auto at = [&](double share) {
    return medians[static_cast<std::size_t>(share * (kResamples - 1) + 0.5)];
  };
  return Interval{at((1 - kConfidence) / 2), at((1 + kConfidence) / 2)};
}

std::optional<double> MannWhitney(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const Ranks ranks = RanksOf(a, b);
  const auto n = static_cast<double>(a.size());
  const double u = ranks.sum_of_a - n * (n + 1) / 2;
  if (ranks.ties == 0 && a.size() * b.size() <= kMostExactPairs) {
    return ExactP(u, a.size(), b.size());
  }
  return NormalP(u, n, static_cast<double>(b.size()), ranks.ties);
}

bool IsBimodal(std::vector<double> values) {
  if (values.size() < kLeastOfBimodal) return false;
  std::sort(values.begin(), values.end());
  const auto least = std::max<std::size_t>(
      2, static_cast<std::size_t>(std::ceil(kLeastGroup * static_cast<double>(values.size()))));
  for (std::size_t upper = least; upper + least <= values.size(); ++upper) {
    const double gap = values[upper] - values[upper - 1];
    const double range =
        std::max(values[upper - 1] - values.front(), values.back() - values[upper]);
    if (gap > 0 && gap > kGapToRange * range) return true;
  }
  return false;
}

}  // namespace rpcbench
