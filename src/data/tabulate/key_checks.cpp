// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/key_checks.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "lacuna/units.h"

namespace lacuna::tabulation {
namespace {

constexpr std::uint64_t kClasses = 256;
constexpr std::uint64_t kBuckets = 4096;  // small enough for a bucket of millions to stay in cache

std::size_t part_of(std::uint64_t key, std::uint64_t parts, std::uint64_t modulus) {
  return static_cast<std::size_t>(static_cast<Wide>(key) * static_cast<Wide>(parts) /
                                  static_cast<Wide>(modulus));
}

double chi_square(const std::vector<std::int64_t>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double off = static_cast<double>(counts[i]) - expected[i];
    sum += off * off / expected[i];
  }
  return sum;
}

std::int64_t longest_run(std::vector<std::uint64_t>& keys, std::size_t begin, std::size_t end) {
  std::sort(keys.begin() + static_cast<std::ptrdiff_t>(begin),
            keys.begin() + static_cast<std::ptrdiff_t>(end));
  std::int64_t longest = 0;
  std::int64_t run = 0;
  for (std::size_t i = begin; i < end; ++i) {
    run = i > begin && keys[i] == keys[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

KeyChecks check_record_keys(std::vector<std::vector<std::uint64_t>> lists, std::uint64_t modulus) {
  const std::uint64_t buckets = std::min(kBuckets, modulus);
  std::vector<std::size_t> start(buckets + 2, 0);
  for (const auto& list : lists) {
    for (const std::uint64_t key : list)
      ++start[part_of(key, buckets, modulus) + 2];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint64_t> sorted(start.back());
  for (auto& list : lists) {
    for (const std::uint64_t key : list)
      sorted[start[part_of(key, buckets, modulus) + 1]++] = key;
    std::vector<std::uint64_t>().swap(list);
  }
  KeyChecks checks;
  checks.records = static_cast<std::int64_t>(sorted.size());
  for (std::size_t b = 0; b < buckets; ++b)
    checks.commonest = std::max(checks.commonest, longest_run(sorted, start[b], start[b + 1]));

  const std::uint64_t classes = std::min(kClasses, modulus);
  checks.classes = static_cast<int>(classes);
  std::vector<std::int64_t> counts(classes, 0);
  for (const std::uint64_t key : sorted)
    ++counts[part_of(key, classes, modulus)];
  std::vector<double> expected(classes);
  for (std::uint64_t c = 0; c < classes; ++c) {  // keys k with k classes / m in [c, c+1)
    const auto first = [&](std::uint64_t part) {
      return static_cast<double>(
          (static_cast<Wide>(part) * static_cast<Wide>(modulus) + static_cast<Wide>(classes - 1)) /
          static_cast<Wide>(classes));
    };
    expected[c] = static_cast<double>(checks.records) * (first(c + 1) - first(c)) /
                  static_cast<double>(modulus);
  }
  checks.chi_square = checks.records > 0 ? chi_square(counts, expected) : 0;
  return checks;
}

}  // namespace lacuna::tabulation
