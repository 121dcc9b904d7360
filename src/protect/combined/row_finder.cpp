// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/row_finder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/work.h"
#include "lacuna/lp.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {

using interval::Need;

void RowFinder::find_links(const Point& point, std::vector<Row>& rows) const {
  for (std::size_t e = 0; e < columns_.widths.size(); ++e) {
    const EndId end{e};
    const std::size_t c = end.cell();
    if (columns_.width(end) < 0 || columns_.choice(c) < 0)
      continue;
    if (std::isfinite(slacks_[e]) &&
        point.width(end) >
            slacks_[e] * point.x[c] + kTuning.relaxation.violated * std::max(1.0, point.width(end)))
      rows.push_back({{{columns_.choice(c), slacks_[e]}, {columns_.width(end), -1}}, 0});
  }
}

void RowFinder::find_bridges(const Point& point, std::vector<Row>& rows) const {
  const Table& table = model_.problem->table();
  for (std::size_t c = 0; c < columns_.choices.size(); ++c) {
    if (columns_.choice(c) < 0 || point.x[c] <= kTuning.relaxation.violated ||
        table.cells()[c].status == CellStatus::kPrimary)
      continue;
    for (const Incidence& in : table.equations_of(CellId{static_cast<std::int32_t>(c)})) {
      double others = 0;
      bool free = false;  // a withheld cell may move at no price
      base::count_work(4 * table.equation(in.equation).size());
      Row row{{{columns_.choice(c), -1}}, 0};
      for (const Term& term : table.equation(in.equation)) {
        const auto k = static_cast<std::size_t>(term.cell.value);
        if (k == c || !model_.movable[k])
          continue;
        free = free || columns_.choice(k) < 0;
        if (columns_.choice(k) >= 0) {
          others += point.x[k];
          row.terms.emplace_back(columns_.choice(k), 1);
        }
      }
      if (!free && others < point.x[c] - kTuning.relaxation.bridge * kTuning.relaxation.violated)
        rows.push_back(std::move(row));
    }
  }
}

void RowFinder::add_to_pool(std::vector<interval::Cut> cuts) {
  pool_.resize(model_.needs.size());
  for (interval::Cut& cut : cuts) {
    std::erase_if(cut.terms,
                  [&](const auto& term) { return columns_.width(EndId{term.first}) < 0; });
    auto& same = pool_[static_cast<std::size_t>(cut.goal.need)].of(cut.goal.sign);
    const bool known = std::any_of(same.begin(), same.end(), [&](const interval::Cut& other) {
      return other.terms == cut.terms && other.constant == cut.constant;
    });
    if (!known)
      same.push_back(std::move(cut));
  }
}

// What the cut's left side is if each term is taken in z or x, whichever is smaller.
double RowFinder::smaller_sides(const interval::Cut& cut, const Point& point) const {
  const Need& need = model_.needs[static_cast<std::size_t>(cut.goal.need)];
  const double capacity = std::max(need.level(cut.goal.sign), need.sliding) - cut.constant;
  base::count_work(4 * cut.terms.size());
  double sum = 0;
  for (const auto& [e, d] : cut.terms) {
    const std::size_t c = EndId{e}.cell();
    const double by_z = d * point.z[e];
    sum += columns_.choice(c) >= 0 ? std::min(by_z, std::min(d * slacks_[e], capacity) * point.x[c])
                                   : by_z;
  }
  return sum;
}

void RowFinder::find_in_pool(const Point& point, std::vector<Row>& rows) const {
  for (const TwoSided<std::vector<interval::Cut>>& known : pool_) {
    TwoSided<const interval::Cut*> worst;
    for (const int sign : kSigns) {
      double least = kLpInfinity;
      for (const interval::Cut& cut : known.of(sign)) {
        const double value = cut.constant + smaller_sides(cut, point);
        if (value < least) {
          least = value;
          worst.of(sign) = &cut;
        }
      }
    }
    find_mixed(worst, point, rows);
  }
}

void RowFinder::find_mixed(const TwoSided<const interval::Cut*>& cuts,
                           const Point& point,
                           std::vector<Row>& rows) const {
  std::optional<MixedCut> both;
  if (cuts.up != nullptr && cuts.down != nullptr)
    both = of_both(*cuts.up, *cuts.down);
  for (const int sign : kSigns) {
    if (cuts.of(sign) == nullptr)
      continue;
    if (auto row = row_if_violated(of_direction(*cuts.of(sign)), point))
      rows.push_back(*std::move(row));
  }
  if (!both)
    return;
  if (auto row = row_if_violated(*std::move(both), point))
    rows.push_back(*std::move(row));
}

RowFinder::MixedCut RowFinder::of_direction(const interval::Cut& cut) const {
  const auto g = static_cast<std::size_t>(cut.goal.need);
  const Need& need = model_.needs[g];
  const double level = need.level(cut.goal.sign);
  if (need.sliding == 0)
    return {g, cut.terms, cut.constant, level, {}, level};
  return {g, cut.terms, cut.constant, 0, {ShareId::of(cut.goal)}, std::max(level, need.sliding)};
}

// Only of a sliding level; a conditional one is C x of its own cell, so the shares stand for it.
std::optional<RowFinder::MixedCut> RowFinder::of_both(const interval::Cut& up,
                                                      const interval::Cut& down) const {
  const auto g = static_cast<std::size_t>(up.goal.need);
  const Need& need = model_.needs[g];
  if (need.sliding == 0)
    return std::nullopt;
  MixedCut both{g, up.terms, up.constant + down.constant, need.sliding, {}, need.sliding};
  both.terms.insert(both.terms.end(), down.terms.begin(), down.terms.end());
  if (need.requirement < 0) {
    both.level = 0;
    both.shares = {ShareId::of(g, 1), ShareId::of(g, -1)};
  }
  return both;
}

double RowFinder::add_cell(
    const MixedCut& cut, std::size_t first, std::size_t last, const Point& point, Row& row) const {
  const std::size_t c = EndId{cut.terms[first].first}.cell();
  std::map<std::size_t, double> own;
  for (std::size_t i = first; i < last; ++i)
    own[cut.terms[i].first] += cut.terms[i].second;
  double by_z = 0;
  double by_slack = 0;
  for (const auto& [e, d] : own) {
    by_z += d * point.z[e];
    by_slack += d * slacks_[e];
  }
  const double factor = std::min(by_slack, cut.cap - cut.constant);
  if (columns_.choice(c) >= 0 && factor * point.x[c] < by_z) {
    row.terms.emplace_back(columns_.choice(c), factor);
    return factor * point.x[c];
  }
  for (const auto& [e, d] : own)
    row.terms.emplace_back(columns_.width(EndId{e}), d);
  return by_z;
}

// (4c) and (4d): z or x for every cell, whichever the point makes smaller.
std::optional<Row> RowFinder::row_if_violated(MixedCut cut, const Point& point) const {
  base::count_work(kTuning.relaxation.row_entry * cut.terms.size());
  std::sort(cut.terms.begin(), cut.terms.end());
  if (cut.cap - cut.constant <= 0)
    return std::nullopt;
  Row row;
  double sum = cut.constant;
  for (std::size_t i = 0; i < cut.terms.size();) {
    const std::size_t first = i;
    while (i < cut.terms.size() &&
           EndId{cut.terms[i].first}.cell() == EndId{cut.terms[first].first}.cell())
      ++i;
    sum += add_cell(cut, first, i, point, row);
  }
  double requirement = cut.level;
  for (const ShareId share : cut.shares) {
    row.terms.emplace_back(columns_.share(share), -1);
    requirement += point.share(share);
  }
  row.lower = cut.level - cut.constant;
  const Need& need = model_.needs[cut.need];
  const double size = std::max({need.upper, need.lower, need.sliding});
  if (sum >= requirement - kTuning.relaxation.violated * size)
    return std::nullopt;
  return row;
}

}  // namespace lacuna::combined
