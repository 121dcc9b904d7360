// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/program.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <unordered_map>

#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/small_counts/tuning.h"

namespace lacuna::small_counts {
namespace {

// Whether no reader who takes the cell to be within the range, and knows something of it already,
// knows too much of it.
bool keeps_levels(const Problem& problem, CellId cell, Bounds range) {
  const Units value = problem.table().value(cell);
  auto need = std::ranges::lower_bound(problem.requirements(), cell, {}, &Requirement::cell);
  for (; need != problem.requirements().end() && need->cell == cell; ++need) {
    const Attacker& who = problem.attackers()[static_cast<std::size_t>(need->attacker)];
    const Bounds left = intersect(range, known_bounds(problem.table(), who, cell));
    if (left.upper < value + need->upper || left.lower > value - need->lower ||
        left.upper - left.lower < need->sliding)
      return false;
  }
  return true;
}

// Levels that one of the two choices cannot give leave the other; where none can, the audit says
// so of whatever is published.
void keep_levels(const Problem& problem, CellId cell, Units base, Small& small) {
  const bool drop = small.may_drop && keeps_levels(problem, cell, {0, base - 1});
  const bool rise = small.may_rise && keeps_levels(problem, cell, {1, base});
  if (!drop && !rise)
    return;
  small.may_drop = drop;
  small.may_rise = rise;
}

// What everyone knows of a cell limits what it may become; where nothing is left it stays.
bool has_choice(
    const Problem& problem, const Inner& inner, std::size_t i, Units base, Small& small) {
  small.inner = static_cast<std::int32_t>(i);
  small.value = inner.value[i];
  if (small.value <= 0 || small.value >= base)
    return false;
  if (inner.cell[i].value < 0)
    return true;
  const Cell& cell = problem.table().cell(inner.cell[i]);
  if (cell.status == CellStatus::kKnown)
    return false;
  small.may_drop = cell.prior.contains(0);
  small.may_rise = cell.prior.contains(base);
  keep_levels(problem, inner.cell[i], base, small);
  return small.may_drop || small.may_rise;
}

class Builder {
 public:
  Builder(const Problem& problem, const Inner& inner, const std::vector<bool>& seen, Units base)
      : table_(problem.table()), inner_(inner), index_(inner.size(), -1) {
    program_.base = base;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      Small small;
      if (!has_choice(problem, inner, i, base, small))
        continue;
      small.must = seen[i];
      index_[i] = static_cast<std::int32_t>(program_.small.size());
      program_.small.push_back(small);
    }
  }

  Program build() {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c)
      add(CellId{c});
    base::count_work(kTuning.touches.inner_entry * inner_.members.size());
    transpose();
    return std::move(program_);
  }

 private:
  void add(CellId cell) {
    if (table_.cell(cell).status == CellStatus::kSecondary)
      return;
    std::vector<std::int32_t> members;
    Row row{table_.cell(cell).weight};
    bool alone = true, may_stay = false;
    std::uint64_t digest = 0;
    for (const std::int32_t i : inner_.of(cell)) {
      const std::int32_t small = index_[base::at(i)];
      if (small < 0) {
        alone = alone && inner_.value[base::at(i)] == 0;
        continue;
      }
      members.push_back(small);
      row.target += inner_.value[base::at(i)];
      may_stay = may_stay || !program_.small[base::at(small)].must;
      digest =
          base::scrambled(digest + (static_cast<std::uint64_t>(small) + 1) * base::kGoldenStep);
    }
    if (members.empty())
      return;
    row.guarded = alone && may_stay;
    put(row, members, digest);
  }

  void put(const Row& row, const std::vector<std::int32_t>& members, std::uint64_t digest) {
    for (auto [at_digest, end] = same_.equal_range(digest); at_digest != end; ++at_digest) {
      const std::size_t other = at_digest->second;
      if (!std::ranges::equal(program_.members(other), members))
        continue;
      program_.rows[other].weight += row.weight;
      program_.rows[other].guarded = program_.rows[other].guarded || row.guarded;
      return;
    }
    same_.emplace(digest, program_.rows.size());
    program_.rows.push_back(row);
    program_.row_small.insert(program_.row_small.end(), members.begin(), members.end());
    program_.row_start.push_back(program_.row_small.size());
  }

  void transpose() {
    std::vector<std::size_t> count(program_.small.size() + 1, 0);
    for (const std::int32_t i : program_.row_small)
      ++count[base::at(i) + 1];
    std::partial_sum(count.begin(), count.end(), count.begin());
    program_.start = count;
    program_.small_rows.resize(program_.row_small.size());
    for (std::size_t r = 0; r < program_.rows.size(); ++r) {
      for (const std::int32_t i : program_.members(r))
        program_.small_rows[count[base::at(i)]++] = static_cast<std::int32_t>(r);
    }
  }

  const Table& table_;
  const Inner& inner_;
  std::vector<std::int32_t> index_;  // by inner cell: of Program::small
  std::unordered_multimap<std::uint64_t, std::size_t> same_;
  Program program_;
};

Units sum_of(const Program& program, std::span<const Units> x, std::size_t row) {
  Units sum = 0;
  for (const std::int32_t i : program.members(row))
    sum += x[base::at(i)];
  return sum;
}

bool is_choice(const Small& small, Units x, Units base) {
  return (x == 0 && small.may_drop) || (x == base && small.may_rise) ||
         (x == small.value && !small.must);
}

}  // namespace

Program make_program(const Problem& problem,
                     const Inner& inner,
                     const std::vector<bool>& seen,
                     Units base) {
  return Builder(problem, inner, seen, base).build();
}

double cost_of(const Program& program, std::span<const Units> x) {
  double cost = 0;
  for (std::size_t r = 0; r < program.rows.size(); ++r)
    cost += program.rows[r].weight *
            static_cast<double>(std::abs(sum_of(program, x, r) - program.rows[r].target));
  return cost;
}

bool is_feasible(const Program& program, std::span<const Units> x) {
  for (std::size_t i = 0; i < program.small.size(); ++i) {
    if (!is_choice(program.small[i], x[i], program.base))
      return false;
  }
  for (std::size_t r = 0; r < program.rows.size(); ++r) {
    if (program.rows[r].guarded && program.is_small(sum_of(program, x, r)))
      return false;
  }
  return true;
}

double quick_bound(const Program& program) {
  double bound = 0;
  for (std::size_t r = 0; r < program.rows.size(); ++r) {
    const std::span<const std::int32_t> members = program.members(r);
    const bool may_stay = std::ranges::any_of(
        members, [&](std::int32_t i) { return !program.small[base::at(i)].must; });
    const Units target = program.rows[r].target;
    const Units above = target % program.base;
    if (may_stay && !(program.rows[r].guarded && program.is_small(target)))
      continue;
    bound += program.rows[r].weight * static_cast<double>(std::min(above, program.base - above));
  }
  return bound;
}

double sharpened(const Program& program, double bound) {
  const bool whole = std::ranges::all_of(
      program.rows, [](const Row& row) { return row.weight == std::floor(row.weight); });
  return whole ? std::ceil(bound - tol::kObjective * std::max(1.0, std::abs(bound))) : bound;
}

}  // namespace lacuna::small_counts
