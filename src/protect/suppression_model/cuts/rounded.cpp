// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/cuts/rounded.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::suppression_model {
namespace {

constexpr double kLargest = 1000;  // coefficient of a row that takes part
constexpr int kMultiples = 2;      // of a row that is not whole

struct IntegerRow {
  const Cut* source = nullptr;
  int multiple = 0;                  // of the source's right-hand side; 0: the source as it is
  std::vector<std::int64_t> values;  // by entry of the source
  std::int64_t rhs = 0;
};

bool is_exactly_integer(double value) {
  return value == std::floor(value) && std::abs(value) <= kLargest;
}

// k times the row, every coefficient rounded up, and none above the right-hand side.
IntegerRow multiple_of(const Cut& cut, int k) {
  IntegerRow row{&cut, k, {}, k};
  for (const double value : cut.values) {
    const double share = value / cut.rhs * (1 + tol::kNegligible);
    row.values.push_back(static_cast<std::int64_t>(std::min<double>(std::ceil(share * k), k)));
  }
  return row;
}

void add_integer_rows(const Cut& cut, std::vector<IntegerRow>& rows) {
  if (cut.family == CutFamily::kLimit)
    return;
  if (is_exactly_integer(cut.rhs) &&
      std::all_of(cut.values.begin(), cut.values.end(), is_exactly_integer)) {
    IntegerRow row{&cut, 0, {}, static_cast<std::int64_t>(cut.rhs)};
    for (const double value : cut.values)
      row.values.push_back(static_cast<std::int64_t>(value));
    rows.push_back(std::move(row));
    return;
  }
  const bool positive =
      cut.rhs > tol::kViolation &&
      std::all_of(cut.values.begin(), cut.values.end(), [](double value) { return value > 0; });
  for (int k = 1; positive && k <= kMultiples; ++k)
    rows.push_back(multiple_of(cut, k));
}

double slack_of(const IntegerRow& row, std::span<const double> x) {
  double sum = -static_cast<double>(row.rhs);
  for (std::size_t k = 0; k < row.values.size(); ++k)
    sum += static_cast<double>(row.values[k]) * x[base::at(row.source->columns[k])];
  return std::max(sum, 0.0);
}

using Bits = std::vector<std::uint64_t>;

bool has(const Bits& bits, std::size_t i) {
  return (bits[i / 64] >> (i % 64) & 1U) != 0;
}

void flip(Bits& bits, std::size_t i) {
  bits[i / 64] ^= std::uint64_t{1} << (i % 64);
}

void add(Bits& bits, const Bits& other) {
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] ^= other[i];
}

// A sum of rows, modulo 2. Columns nearer to 1 count as 1 - x.
struct Sum {
  Bits odd;  // open columns, the most expensive first
  Bits rows;
  bool odd_rhs = false;
  double slack = 0;
  bool active = true;
};

class HalfSearch {
 public:
  HalfSearch(std::span<const SharedCut> cuts, std::span<const double> x, bool keeps_origins)
      : x_(x), keeps_origins_(keeps_origins) {
    for (const SharedCut& cut : cuts)
      add_integer_rows(*cut, rows_);
    std::erase_if(rows_, [&](const IntegerRow& row) { return slack_of(row, x) >= kMostSlack; });
    list_columns();
    list_sums();
  }

  std::vector<Cut> search(std::size_t most) {
    for (const Sum& sum : sums_)
      take(sum);
    for (std::size_t column = 0; column < columns_.size() && found_.size() < 4 * most; ++column)
      eliminate(column);
    std::stable_sort(found_.begin(), found_.end(), [&](const Cut& a, const Cut& b) {
      return a.violation(x_) > b.violation(x_);
    });
    if (found_.size() > most)
      found_.resize(most);
    return std::move(found_);
  }

 private:
  static constexpr double kMostSlack = 1 - 2 * tol::kViolation;

  double price(std::int32_t column) const {
    return std::min(x_[base::at(column)], 1 - x_[base::at(column)]);
  }

  void list_columns() {
    place_.assign(x_.size(), -1);
    std::vector<bool> used(x_.size(), false);
    for (const IntegerRow& row : rows_) {
      for (const std::int32_t column : row.source->columns)
        used[base::at(column)] = true;
    }
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (used[j] && price(static_cast<std::int32_t>(j)) > tol::kIntegrality)
        columns_.push_back(static_cast<std::int32_t>(j));
    }
    std::stable_sort(columns_.begin(), columns_.end(), [&](std::int32_t a, std::int32_t b) {
      return price(a) > price(b);
    });
    for (std::size_t k = 0; k < columns_.size(); ++k)
      place_[base::at(columns_[k])] = static_cast<std::int32_t>(k);
  }

  void list_sums() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const IntegerRow& row = rows_[r];
      Sum sum{Bits(columns_.size() / 64 + 1),
              Bits(rows_.size() / 64 + 1),
              row.rhs % 2 != 0,
              slack_of(row, x_),
              true};
      flip(sum.rows, r);
      base::count_work(20 * row.values.size());
      for (std::size_t k = 0; k < row.values.size(); ++k) {
        if (row.values[k] % 2 == 0)
          continue;
        const std::int32_t column = row.source->columns[k];
        if (x_[base::at(column)] > 0.5)
          sum.odd_rhs = !sum.odd_rhs;
        if (place_[base::at(column)] >= 0)
          flip(sum.odd, base::at(place_[base::at(column)]));
      }
      sums_.push_back(std::move(sum));
    }
  }

  void eliminate(std::size_t column) {
    std::size_t pivot = sums_.size();
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      if (sums_[s].active && has(sums_[s].odd, column) &&
          (pivot == sums_.size() || sums_[s].slack < sums_[pivot].slack))
        pivot = s;
    }
    base::count_work(2 * sums_.size());
    if (pivot == sums_.size())
      return;
    Sum& own = sums_[pivot];
    own.active = false;
    for (Sum& sum : sums_) {
      if (!sum.active || !has(sum.odd, column))
        continue;
      base::count_work(2 * (own.odd.size() + own.rows.size()));
      add(sum.odd, own.odd);
      add(sum.rows, own.rows);
      sum.odd_rhs = sum.odd_rhs != own.odd_rhs;
      sum.slack += own.slack;
      sum.active = sum.slack < kMostSlack;
      take(sum);
    }
  }

  // Its inequality, if that is violated.
  void take(const Sum& sum) {
    if (!sum.active || !sum.odd_rhs)
      return;
    double slack = sum.slack;
    for (std::size_t k = 0; k < columns_.size() && slack < kMostSlack; ++k) {
      if (sum.odd[k / 64] == 0)
        k |= 63U;
      else if (has(sum.odd, k))
        slack += price(columns_[k]);
    }
    base::count_work(columns_.size());
    if (slack >= kMostSlack)
      return;
    if (auto cut = half_of(sum))
      found_.push_back(*std::move(cut));
  }

  std::optional<Cut> half_of(const Sum& sum) const {
    std::map<std::int32_t, std::int64_t> values;
    std::int64_t rhs = 0;
    bool known = true;
    Cut cut;
    cut.family = CutFamily::kRounded;
    CutOrigin origin;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!has(sum.rows, r))
        continue;
      const Cut& source = *rows_[r].source;
      base::count_work(100 * source.columns.size());
      rhs += rows_[r].rhs;
      if (keeps_origins_)
        origin.sources.emplace_back(&source, rows_[r].multiple);
      for (std::size_t k = 0; k < source.columns.size(); ++k)
        values[source.columns[k]] += rows_[r].values[k];
      known = known && (source.family == CutFamily::kBridgeless || !source.speaks_for.empty());
      cut.speaks_for.insert(
          cut.speaks_for.end(), source.speaks_for.begin(), source.speaks_for.end());
    }
    for (auto& [column, value] : values) {
      if (value % 2 == 0)
        continue;
      const bool near_one = x_[base::at(column)] > 0.5;
      value += near_one ? -1 : 1;
      rhs -= near_one ? 1 : 0;
      if (near_one)
        origin.near_one.push_back(column);
    }
    if (rhs % 2 == 0)
      return std::nullopt;
    for (const auto& [column, value] : values) {
      if (value == 0)
        continue;
      cut.columns.push_back(column);
      cut.values.push_back(static_cast<double>(value / 2));
    }
    cut.rhs = static_cast<double>((rhs + 1) / 2);
    std::sort(cut.speaks_for.begin(), cut.speaks_for.end());
    cut.speaks_for.erase(std::unique(cut.speaks_for.begin(), cut.speaks_for.end()),
                         cut.speaks_for.end());
    if (!known)
      cut.speaks_for.clear();
    if (keeps_origins_)
      cut.origin = std::make_shared<const CutOrigin>(std::move(origin));
    return cut.violation(x_) > tol::kViolation ? std::optional(std::move(cut)) : std::nullopt;
  }

  std::span<const double> x_;
  bool keeps_origins_;
  std::vector<IntegerRow> rows_;
  std::vector<std::int32_t> columns_;  // open ones, the most expensive first
  std::vector<std::int32_t> place_;    // by column, in columns_; -1: it costs nothing
  std::vector<Sum> sums_;
  std::vector<Cut> found_;
};

}  // namespace

std::vector<Cut> rounded_cuts(std::span<const SharedCut> rows,
                              std::span<const double> x,
                              std::size_t most,
                              bool keeps_origins) {
  return HalfSearch(rows, x, keeps_origins).search(most);
}

}  // namespace lacuna::suppression_model
