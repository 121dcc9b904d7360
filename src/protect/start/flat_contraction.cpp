// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flat_contraction.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/work.h"

namespace lacuna::start {

FlatContraction::FlatContraction(const FlatGround& ground)
    : ground_(&ground),
      places_(ground.classes().size()),
      slots_(2 * std::bit_ceil(ground.classes().size() + 1)) {}

void FlatContraction::begin(const ResidueColumns& tableau,
                            std::span<const std::int32_t> columns,
                            double noise,
                            base::Random& random) {
  const std::size_t all = ground_->classes().size();
  active_.assign(columns.begin(), columns.end());
  pivots_.clear();
  entries_.resize(active_.size() + kPrints);
  std::vector<std::vector<Residue>> prints(kPrints, std::vector<Residue>(all, 0));
  for (const std::int32_t j : active_) {
    for (auto& print : prints)
      residues::subtract_multiple(print, residues::draw(random), tableau.column(std::size_t(j)));
  }
  rows_.clear();
  for (std::size_t c = 0; c < all; ++c) {
    places_[c] = {};
    if (std::all_of(prints.begin(), prints.end(), [&](const auto& p) { return p[c] == 0; }))
      continue;
    const FlatGround::Class& own = ground_->classes()[c];
    const auto number = static_cast<std::int32_t>(c);
    places_[c].number = number;
    const double spread = noise == 0 ? 0 : noise * base::fixed_noise(number, random.next());
    rows_.push_back({number, own.cost, own.cost * (1 + spread), own.needed, false});
  }
  const auto gather = [&](std::vector<Residue>& to, std::span<const Residue> from) {
    to.resize(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      to[r] = from[static_cast<std::size_t>(rows_[r].number)];
  };
  for (std::size_t j = 0; j < active_.size(); ++j)
    gather(entries_[j], tableau.column(static_cast<std::size_t>(active_[j])));
  for (std::size_t k = 0; k < kPrints; ++k)
    gather(entries_[active_.size() + k], prints[k]);
  base::count_work(all * active_.size() + 10 * all);
  merge_rows();
}

FlatContraction::Place FlatContraction::place(std::int32_t number) const {
  Place here = places_[static_cast<std::size_t>(number)];
  while (here.number >= 0) {
    const Place& next = places_[static_cast<std::size_t>(here.number)];
    if (next.number == here.number)
      break;
    here = {next.number, presolve::residue::multiply(here.factor, next.factor)};
  }
  return here;
}

std::int32_t FlatContraction::heaviest() const {
  std::int32_t best = -1;
  double most = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].needed || rows_[r].kept || !(rows_[r].rank > most))
      continue;
    most = rows_[r].rank;
    best = static_cast<std::int32_t>(r);
  }
  return best;
}

// A unit, if there is one: entries stay small.
std::size_t FlatContraction::pivot_column(std::size_t row) const {
  std::size_t best = active_.size();
  for (std::size_t j = 0; j < active_.size(); ++j) {
    const Residue value = entries_[j][row];
    if (presolve::residue::is_unit(value))
      return j;
    if (value != 0 && best == active_.size())
      best = j;
  }
  return best;
}

void FlatContraction::publish(std::size_t row) {
  const std::size_t h = pivot_column(row);
  pivots_.push_back({rows_[row].number, active_[h]});
  std::swap(entries_[h], entries_[active_.size() - 1]);
  std::swap(active_[h], active_.back());
  std::swap(entries_[active_.size() - 1], entries_.back());
  active_.pop_back();
  // The columns that are left, the prints in another order, then the column that goes.
  std::vector<Residue>& gone = entries_.back();
  const Residue inverse = presolve::residue::inverse(gone[row]);
  for (std::size_t j = 0; j + 1 < entries_.size(); ++j)
    residues::subtract_multiple(
        entries_[j], presolve::residue::multiply(entries_[j][row], inverse), gone);
  entries_.pop_back();
  base::count_work(rows_.size() * entries_.size() / 4);
  merge_rows();
}

std::size_t FlatContraction::slot_of(Residue ratio, std::int32_t row) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (std::uint64_t{ratio} * 0x9e3779b97f4a7c15ULL >> 32U) & mask;
  while (slots_[at].stamp == stamp_ && slots_[at].ratio != ratio)
    at = (at + 1) & mask;
  if (slots_[at].stamp != stamp_)
    slots_[at] = {stamp_, ratio, row};
  return at;
}

void FlatContraction::drop_unmoved() {
  const std::size_t first = entries_.size() - kPrints;
  dropped_.assign(rows_.size(), 0);
  divisors_ = entries_[first];
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (divisors_[r] != 0)
      continue;
    divisors_[r] = 1;
    if (entries_[first + 1][r] != 0 || entries_[first + 2][r] != 0)
      continue;  // an accident
    places_[static_cast<std::size_t>(rows_[r].number)].number = -1;
    dropped_[r] = 1;
  }
}

bool FlatContraction::is_parallel(std::size_t row, std::size_t other) const {
  const std::vector<Residue>& x = entries_[entries_.size() - kPrints];
  const std::vector<Residue>& z = entries_.back();
  return x[row] != 0 && x[other] != 0 &&
         presolve::residue::multiply(x[row], z[other]) ==
             presolve::residue::multiply(x[other], z[row]);
}

// Rows that are proportional become one, those that do not move any more go.
void FlatContraction::merge_rows() {
  drop_unmoved();
  residues::invert_all(divisors_, inverses_);
  base::count_work(15 * rows_.size());
  const std::vector<Residue>& y = entries_[entries_.size() - 2];
  ++stamp_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (dropped_[r] != 0)
      continue;
    Row& own = rows_[r];
    const std::size_t slot =
        slot_of(presolve::residue::multiply(y[r], inverses_[r]), static_cast<std::int32_t>(r));
    const auto first = static_cast<std::size_t>(slots_[slot].row);
    if (first == r || !is_parallel(r, first))
      continue;
    Row& kept = rows_[first];
    places_[static_cast<std::size_t>(own.number)] = {
        kept.number, presolve::residue::multiply(divisors_[r], inverses_[first])};
    kept.cost += own.cost;
    kept.rank += own.rank;
    kept.needed = kept.needed || own.needed;
    kept.kept = kept.kept || own.kept;
    dropped_[r] = 1;
  }
  drop_marked();
  forced_ = 0;
  cost_ = 0;
  for (const Row& row : rows_) {
    cost_ += row.cost;
    forced_ += row.needed ? row.cost : 0;
  }
}

// The last rows take the places of those that go: few are moved.
void FlatContraction::drop_marked() {
  moved_.clear();
  std::size_t size = rows_.size();
  for (std::size_t r = 0; r < size; ++r) {
    if (dropped_[r] == 0)
      continue;
    while (size > r + 1 && dropped_[size - 1] != 0)
      --size;
    --size;
    if (size > r)
      moved_.emplace_back(r, size);
  }
  for (const auto& [to, from] : moved_)
    rows_[to] = rows_[from];
  rows_.resize(size);
  for (auto& column : entries_) {
    for (const auto& [to, from] : moved_)
      column[to] = column[from];
    column.resize(size);
  }
  base::count_work(2 * moved_.size() * entries_.size());
}

}  // namespace lacuna::start
