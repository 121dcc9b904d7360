// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/counts.h"

#include <algorithm>

namespace lacuna::cellkey {
namespace {

double share_without_noise(const Ptable& table, const PtableRow& row) {
  double share = 0;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (row.entries[e].noise == 0)
      share +=
          static_cast<double>(table.length_of(row, e)) / static_cast<double>(table.denominator());
  }
  return share;
}

}  // namespace

CountNoise::CountNoise(const Ptable& table, std::uint64_t modulus)
    : table_(table), modulus_(modulus) {
  std::int64_t scale = 1;
  for (int i = 0; i < table.decimals(); ++i)
    scale *= 10;
  largest_ = table.largest_noise() / scale;
  for (const PtableRow& row : table.rows())
    stays_.push_back(share_without_noise(table, row));
}

bool CountNoise::reaches(std::int64_t count, std::int64_t published) const {
  const PtableRow& row = table_.row_of(count);
  std::int64_t scale = 1;
  for (int i = 0; i < table_.decimals(); ++i)
    scale *= 10;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (row.entries[e].noise == (published - count) * scale && table_.is_reached(row, e, modulus_))
      return true;
  }
  return false;
}

const std::vector<std::int64_t>& CountNoise::candidates(std::int64_t published) {
  const auto [at, is_new] = candidates_.try_emplace(published);
  if (!is_new)
    return at->second;
  for (std::int64_t count = std::max<std::int64_t>(0, published - largest_);
       count <= published + largest_;
       ++count) {
    if (reaches(count, published))
      at->second.push_back(count);
  }
  return at->second;
}

std::vector<std::int64_t> CountNoise::candidates_below(std::int64_t least) const {
  std::vector<std::int64_t> found;
  for (std::int64_t count = 0; count < least + largest_; ++count) {
    bool reached = false;
    for (std::int64_t shown = std::max<std::int64_t>(0, count - largest_);
         shown < least && shown <= count + largest_ && !reached;
         ++shown)
      reached = reaches(count, shown);
    if (reached)
      found.push_back(count);
  }
  return found;
}

// Every row is taken for the first time by one of the first counts; the others show where a ratio
// below 1 leaves a whole number.
void CountNoise::find_ratios() {
  constexpr std::int64_t kMore = 200;
  const RowCycle& cycle = table_.cycle();
  const std::int64_t last =
      table_.rows(PtableType::kAll).back().count + cycle.plain + cycle.length + kMore;
  for (std::int64_t count = 1; count <= last; ++count) {
    for (std::int64_t shown = std::max<std::int64_t>(1, count - largest_);
         shown <= count + largest_;
         ++shown) {
      if (reaches(count, shown))
        ratios_.push_back({count, shown});
    }
  }
  beyond_ = {last + 1, last + 1 + largest_};
  std::sort(ratios_.begin(), ratios_.end());
}

Bounds CountNoise::weighted_range(Units published) {
  if (ratios_.empty())
    find_ratios();
  if (published < 0) {
    const Bounds mirrored = weighted_range(-published);
    return {-mirrored.upper, -mirrored.lower};
  }
  const Wide below = 2 * Wide{published} - 1;
  const Wide above = 2 * Wide{published} + 1;
  const auto least = [&](const Ratio& ratio) {  // rounded up
    return (below * ratio.count + 2 * Wide{ratio.shown} - 1) / (2 * Wide{ratio.shown});
  };
  const auto most = [&](const Ratio& ratio) {
    return above * ratio.count / (2 * Wide{ratio.shown});
  };
  const auto first = std::find_if(ratios_.begin(), ratios_.end(), [&](const Ratio& ratio) {
    return least(ratio) <= most(ratio);
  });
  Wide lower = first == ratios_.end() ? least(beyond_) : least(*first);
  if (first == ratios_.end() || beyond_ < *first)
    lower = std::min(lower, least(beyond_));
  const Wide upper = std::max<Wide>(published, most(ratios_.back()));
  return {static_cast<Units>(std::min<Wide>(published, lower)),
          static_cast<Units>(std::min<Wide>(upper, kMaxUnits))};
}

double CountNoise::stays(std::int64_t count) const {
  return stays_[static_cast<std::size_t>(&table_.row_of(count) - table_.rows().data())];
}

std::vector<Posterior> CountNoise::posteriors() {
  constexpr std::int64_t kMostListed = 30;
  const std::int64_t last = table_.rows(PtableType::kAll).back().count + largest_ + 1;
  std::vector<Posterior> all;
  for (std::int64_t shown = 0; shown <= std::min(last, kMostListed); ++shown) {
    Posterior made{shown, candidates(shown), {}};
    double sum = 0;
    for (const std::int64_t count : made.counts) {
      made.shares.push_back(probability(count, shown));
      sum += made.shares.back();
    }
    for (double& share : made.shares)
      share /= sum;
    if (sum > 0)
      all.push_back(std::move(made));
  }
  return all;
}

double CountNoise::probability(std::int64_t count, std::int64_t published) const {
  const PtableRow& row = table_.row_of(count);
  std::int64_t scale = 1;
  for (int i = 0; i < table_.decimals(); ++i)
    scale *= 10;
  double share = 0;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (row.entries[e].noise == (published - count) * scale)
      share +=
          static_cast<double>(table_.length_of(row, e)) / static_cast<double>(table_.denominator());
  }
  return share;
}

}  // namespace lacuna::cellkey
