// SPDX-License-Identifier: Apache-2.0
#include "core/table/least_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

// As much of the requirement as what the attacker knows leaves room for.
Requirement fitted(const Table& table, const Attacker& who, Requirement need) {
  const Bounds known = known_bounds(table, who, need.cell);
  need.sliding = need.given_sliding();
  if (known.has_lower())
    need.lower =
        static_cast<Units>(std::min(Wide{need.lower}, Wide{table.value(need.cell)} - known.lower));
  if (known.has_lower() && known.has_upper())
    need.sliding =
        static_cast<Units>(std::min(Wide{need.sliding}, Wide{known.upper} - known.lower));
  return need;
}

// What an equation total = sum of parts tells of its total, where all parts have a lower bound; the
// total is the one cell with -1.
struct LeastSum {
  CellId total;
  Wide least = 0;
};

std::optional<LeastSum> least_sum(const Table& table,
                                  EquationId equation,
                                  const std::vector<Bounds>& priors) {
  LeastSum sum{CellId{-1}, 0};
  if (table.rhs(equation) != 0)
    return std::nullopt;
  for (const Term& term : table.equation(equation)) {
    const Bounds& prior = priors[static_cast<std::size_t>(term.cell.value)];
    if (term.coefficient == -1 && sum.total.value < 0)
      sum.total = term.cell;
    else if (term.coefficient == 1 && prior.has_lower())
      sum.least += prior.lower;
    else
      return std::nullopt;
  }
  return sum.total.value < 0 ? std::nullopt : std::optional(sum);
}

// A sum is at least what its parts are together. Sums of sums take another round.
void raise_sums(const Table& table, std::vector<Bounds>& priors) {
  for (bool again = true; again;) {
    again = false;
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const auto sum = least_sum(table, EquationId{e}, priors);
      if (!sum)
        continue;
      Bounds& own = priors[static_cast<std::size_t>(sum->total.value)];
      if (sum->least <= own.lower)
        continue;
      own.lower = static_cast<Units>(sum->least);
      again = true;
    }
  }
}

// Into which rows a table is divided: those of equal levels in every dimension.
using Level = std::int32_t (*)(const Dimension&, std::int32_t);

std::int32_t of_any(const Dimension&, std::int32_t) {
  return 0;
}

std::int32_t at_total(const Dimension& dimension, std::int32_t code) {
  return code == dimension.total() ? 0 : 1;
}

// Leaves are a level of their own, at whatever depth.
std::int32_t of_hierarchy(const Dimension& dimension, std::int32_t code) {
  return 2 * dimension.depth(code) + (dimension.is_leaf(code) ? 1 : 0);
}

// What the rows of one kind show: a zero, and that a combination has no row.
struct Shown {
  bool empty = false;
  bool lacks = false;
};

class RowsByLevel {
 public:
  RowsByLevel(const Table& table, std::span<const LinkedTable> tables, Level level)
      : table_(table), level_(level) {
    for (const Dimension& dimension : table.dimensions()) {
      std::map<std::int32_t, double>& codes = codes_.emplace_back();
      for (std::int32_t code = 0; code < dimension.num_codes(); ++code)
        ++codes[level(dimension, code)];
    }
    for (const LinkedTable& one : tables)
      read(one);
  }

  const Shown* shown(CellId cell) const {
    const auto found = shown_.find(levels(cell));
    return found == shown_.end() ? nullptr : &found->second;
  }

 private:
  using Levels = std::vector<std::int32_t>;

  Levels levels(CellId cell) const {
    Levels levels;
    const auto codes = table_.codes(cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      levels.push_back(level_(table_.dimensions()[d], codes[d]));
    return levels;
  }

  void read(const LinkedTable& one) {
    std::map<Levels, std::int64_t> rows;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (!holds(one, table_.dimensions(), table_.codes(CellId{c})))
        continue;
      const Levels here = levels(CellId{c});
      ++rows[here];
      Shown& shown = shown_[here];
      shown.empty = shown.empty || table_.value(CellId{c}) <= 0;
    }
    for (const auto& [levels, listed] : rows) {
      Shown& shown = shown_[levels];
      shown.lacks = shown.lacks || (!one.stops_above_leaves &&
                                    static_cast<double>(listed) < combinations(one, levels));
    }
  }

  // Only compared, and there may be many.
  double combinations(const LinkedTable& one, const Levels& levels) const {
    double all = 1;
    for (const std::int32_t d : one.dimensions) {
      const auto dimension = static_cast<std::size_t>(d);
      all *= codes_[dimension].at(levels[dimension]);
    }
    return all;
  }

  const Table& table_;
  Level level_;
  std::vector<std::map<std::int32_t, double>> codes_;  // of a dimension: how many of each level
  std::map<Levels, Shown> shown_;
};

// The cells whose kind of rows shows no zero, and that zeros have no row there.
void raise_to_one(const RowsByLevel& rows, EmptyRows empty, std::vector<Units>& least) {
  for (std::size_t c = 0; c < least.size(); ++c) {
    const Shown* shown = rows.shown(CellId{static_cast<std::int32_t>(c)});
    if (shown != nullptr && !shown->empty && (shown->lacks || empty == EmptyRows::kLeftOut))
      least[c] = 1;
  }
}

std::vector<Units> one_where_listed(const Table& table) {
  std::vector<Units> least;
  for (const Cell& cell : table.cells())
    least.push_back(is_unpublished(cell) || cell.value < 1 ? kUnboundedBelow : 1);
  return least;
}

}  // namespace

Result<Problem> with_least(const Problem& problem, std::span<const Units> least) {
  std::vector<Bounds> priors;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const Cell& cell = problem.table().cell(CellId{c});
    priors.push_back(intersect(cell.prior, {least[static_cast<std::size_t>(c)], kUnboundedAbove}));
  }
  raise_sums(problem.table(), priors);
  Table table = problem.table().with_priors(priors);
  std::vector<Requirement> needs;
  for (const Requirement& need : problem.requirements())
    needs.push_back(
        fitted(table, problem.attackers()[static_cast<std::size_t>(need.attacker)], need));
  LACUNA_TRY(Problem made, make_problem(std::move(table), problem.attackers(), std::move(needs)));
  if (problem.counts())
    LACUNA_RETURN_IF_ERROR(made.set_counts(*problem.counts()));
  LACUNA_RETURN_IF_ERROR(made.set_keys(problem.keys()));
  made.set_waiver(problem.waiver());
  return made;
}

Result<Problem> knowing_rows(Problem problem, std::span<const Units> least) {
  if (least.empty())
    return problem;
  return with_least(problem, least);
}

Result<Problem> knowing_none_is_empty(const Problem& problem) {
  return with_least(problem, one_where_listed(problem.table()));
}

std::vector<Units> least_by_rows(const Table& table,
                                 std::span<const LinkedTable> tables,
                                 EmptyRows empty) {
  const RowsByLevel all(table, tables, of_any);
  const Shown* shown = table.num_cells() > 0 ? all.shown(CellId{0}) : nullptr;
  if (shown == nullptr)
    return {};
  if (!shown->empty)
    return shown->lacks || empty == EmptyRows::kLeftOut ? one_where_listed(table)
                                                        : std::vector<Units>{};
  std::vector<Units> least(static_cast<std::size_t>(table.num_cells()), kUnboundedBelow);
  for (const Level level : {at_total, of_hierarchy})
    raise_to_one(RowsByLevel(table, tables, level), empty, least);
  const bool tells = std::find(least.begin(), least.end(), 1) != least.end();
  return tells ? least : std::vector<Units>{};
}

}  // namespace lacuna::table
