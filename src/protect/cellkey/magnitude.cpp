// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/magnitude.h"

#include <algorithm>
#include <cmath>

namespace lacuna::cellkey {
namespace {

double scale_of(const Ptable& table) {
  double scale = 1;
  for (int i = 0; i < table.decimals(); ++i)
    scale *= 10;
  return scale;
}

// The square root of the second moment of the last row, with the probabilities of the file.
double last_deviation(const Ptable& table) {
  const PtableRow& last = table.rows(PtableType::kAll).back();
  double sum = 0;
  for (const PtableEntry& entry : last.entries) {
    const double noise = static_cast<double>(entry.noise) / scale_of(table);
    sum += noise * noise * entry.probability;
  }
  return std::sqrt(sum);
}

}  // namespace

MagnitudeNoise::MagnitudeNoise(const CellKeyOptions& options, std::uint64_t modulus)
    : options_(options), modulus_(modulus) {
  if (!options.small_ptable)
    return;
  double squares = 0;
  for (const double factor : options.top)
    squares += factor * factor;
  separation_ = last_deviation(*options.small_ptable) / (options.flex.small * std::sqrt(squares));
}

MagnitudeNoise::Step MagnitudeNoise::step(double value, double contribution, std::size_t j) const {
  const double factor = options_.top[j];
  Step step;
  step.small = std::abs(contribution) < separation_;
  step.none = step.small && j > 0;
  step.delta = step.small ? 1 : contribution * factor * options_.flex.at(std::abs(contribution));
  if (step.none || std::abs(value) >= std::abs(step.delta))
    return step;
  step.delta = value;
  if (std::abs(value / (options_.flex.small * factor)) < separation_) {
    step.delta = 1;
    step.small = true;
    step.none = j > 0;
  }
  return step;
}

std::uint64_t MagnitudeNoise::rotated(std::uint64_t key) const {
  const std::uint64_t lead = modulus_ / 10;
  return key % lead * 10 + key / lead;
}

PtableType MagnitudeNoise::type_of(const MagnitudeCell& cell) const {
  if (!options_.parity)
    return PtableType::kAll;
  return cell.records % 2 == 0 ? PtableType::kEven : PtableType::kOdd;
}

double MagnitudeNoise::entry(const Ptable& table, const PtableRow& row, std::uint64_t key) const {
  return static_cast<double>(table.entry_of(row, key, modulus_).noise) / scale_of(table);
}

double MagnitudeNoise::noise(const Ptable& table,
                             PtableType type,
                             double at,
                             std::uint64_t key) const {
  const auto rows = table.rows(type);
  const auto above = std::find_if(rows.begin(), rows.end(), [&](const PtableRow& row) {
    return static_cast<double>(row.count) >= at;
  });
  if (above == rows.end())
    return entry(table, rows.back(), key);
  const auto high = static_cast<double>(above->count);
  if (high == at || above == rows.begin())
    return entry(table, *above, key);
  const PtableRow& below = *(above - 1);
  const double share =
      (at - static_cast<double>(below.count)) / (high - static_cast<double>(below.count));
  return (1 - share) * entry(table, below, key) + share * entry(table, *above, key);
}

double MagnitudeNoise::published(const MagnitudeCell& cell) const {
  double value = cell.value;
  std::uint64_t key = cell.key;
  const std::size_t count = std::min(options_.top.size(), cell.largest.size());
  for (std::size_t j = 0; j < count && value != 0; ++j) {
    const Step now = step(value, cell.largest[j], j);
    if (now.none || now.delta == 0)
      continue;
    if (j > 0 || !options_.same_key)
      key = rotated(key);
    const double row = std::abs(value / now.delta);
    const double v = now.small ? noise(*options_.small_ptable, PtableType::kAll, row, key)
                               : noise(*options_.ptable, type_of(cell), row, key);
    const double extra = cell.sensitive && j == 0 && !now.small ? options_.mu : 0;
    double move = std::abs(now.delta) * (extra + std::abs(v)) * (v < 0 ? -1 : 1);
    if (move < 0)
      move = std::max(move, -std::abs(value));
    value += value < 0 ? -move : move;
  }
  return value;
}

double MagnitudeNoise::most_relative() const {
  double most = 0;
  for (const PtableType type : {PtableType::kAll, PtableType::kEven, PtableType::kOdd}) {
    if (!options_.ptable->rows(type).empty())
      most = std::max(
          most,
          static_cast<double>(options_.ptable->largest_noise(type)) / scale_of(*options_.ptable));
  }
  double share = 0;
  for (std::size_t j = 0; j < options_.top.size(); ++j)
    share += options_.top[j] * (most + (j == 0 ? options_.mu : 0));
  return share * options_.flex.most();
}

double MagnitudeNoise::most_absolute() const {
  if (!options_.small_ptable)
    return 0;
  return static_cast<double>(options_.small_ptable->largest_noise()) /
         scale_of(*options_.small_ptable);
}

}  // namespace lacuna::cellkey
