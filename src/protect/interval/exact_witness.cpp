// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/exact_witness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>

#include "core/base/parallel.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {
namespace {

using Whole = std::vector<std::pair<std::int32_t, Units>>;  // moves by cell

class Exactly {
 public:
  Exactly(const Table& table,
          const attacker::Move& units,
          std::span<const double> slack,
          CellId own,
          Units own_move)
      : table_(table), units_(units), slack_(slack), own_(own.value), own_move_(own_move) {}

  std::optional<Displacement> run() {
    for (const Units denominator : std::array<Units, 6>{1, 2, 3, 4, 6, 12}) {
      touches_ += kTuning.publish.check_touches * units_.size();
      if (const auto whole = rounded(denominator); balanced(whole)) {
        base::count_work(touches_);
        return displacement(whole, denominator);
      }
    }
    const auto solved = eliminated();
    base::count_work(touches_);
    return solved && balanced(*solved) ? std::optional(displacement(*solved, 1)) : std::nullopt;
  }

 private:
  Whole rounded(Units denominator) const {
    Whole whole;
    for (const auto& [cell, amount] : units_) {
      const double exact = amount * static_cast<double>(denominator);
      whole.emplace_back(cell, cell == own_ ? own_move_ * denominator : std::llround(exact));
    }
    return whole;
  }

  bool balanced(const Whole& whole) const {
    std::vector<std::pair<EquationId, Wide>> terms;
    for (const auto& [cell, move] : whole) {
      for (const Incidence& in : table_.equations_of(CellId{cell}))
        terms.emplace_back(in.equation, Wide{in.coefficient} * move);
    }
    std::sort(terms.begin(), terms.end(), [](auto& a, auto& b) { return a.first < b.first; });
    Wide sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      sum += terms[i].second;
      const bool last = i + 1 == terms.size() || terms[i + 1].first != terms[i].first;
      if (last && sum != 0)
        return false;
    }
    return true;
  }

  static Displacement displacement(const Whole& whole, Units denominator) {
    Displacement result;
    result.denominator = base::to_integer(denominator);
    for (const auto& [cell, move] : whole) {
      if (move == 0)
        continue;
      result.cells.push_back(CellId{cell});
      result.moves.emplace_back(base::to_integer(move));
    }
    return result;
  }

  using Row = std::vector<std::pair<std::size_t, std::int64_t>>;  // by place in units_, ascending

  // The equations through the cells that move, over these cells.
  std::vector<Row> matrix() const {
    std::vector<EquationId> equations;
    for (const auto& [cell, amount] : units_) {
      for (const Incidence& in : table_.equations_of(CellId{cell}))
        equations.push_back(in.equation);
    }
    std::sort(equations.begin(), equations.end());
    equations.erase(std::unique(equations.begin(), equations.end()), equations.end());
    std::vector<Row> rows(equations.size());
    for (std::size_t c = 0; c < units_.size(); ++c) {
      for (const Incidence& in : table_.equations_of(CellId{units_[c].first})) {
        const auto at = std::lower_bound(equations.begin(), equations.end(), in.equation);
        rows[static_cast<std::size_t>(at - equations.begin())].emplace_back(c, in.coefficient);
      }
    }
    return rows;
  }

  // The entry 1 or -1 of the cell that can give way most, not the own one.
  std::optional<std::size_t> pivot_of(const Row& row) const {
    std::optional<std::size_t> best;
    for (const auto& [c, entry] : row) {
      if ((entry == 1 || entry == -1) && units_[c].first != own_ &&
          (!best || slack_[c] > slack_[*best]))
        best = c;
    }
    return best;
  }

  // The row without the pivots of earlier ones, which are taken out in their order: each may bring
  // back later ones, never earlier ones. Nothing if entries or the work grow too large.
  std::optional<Row> reduced(const Row& row, std::span<const Row> before) {
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> open;  // pivots
    std::vector<std::size_t> used;  // columns that may have an entry
    bool small = true;
    const auto add = [&](const Row& other, std::int64_t factor) {
      for (const auto& [c, entry] : other) {
        if (dense_[c] == 0)
          used.push_back(c);
        dense_[c] -= factor * entry;
        small = small && std::abs(dense_[c]) <= kTuning.publish.largest_entry;
        if (row_of_[c] >= 0)
          open.push(row_of_[c]);
      }
      touches_ += kTuning.publish.entry_touches * other.size();
    };
    add(row, -1);
    while (small && !open.empty()) {
      const auto r = static_cast<std::size_t>(open.top());
      open.pop();
      const std::size_t column = *pivots_[r];
      if (dense_[column] != 0)
        add(before[r], dense_[column] * pivot_entry_[r]);
      small = small && touches_ <= kTuning.publish.most_touches;
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    Row result;
    for (const std::size_t c : used) {
      if (dense_[c] != 0)
        result.emplace_back(c, dense_[c]);
      dense_[c] = 0;
    }
    return small ? std::optional(std::move(result)) : std::nullopt;
  }

  std::optional<Whole> eliminated() {
    std::vector<Row> rows = matrix();
    dense_.assign(units_.size(), 0);
    row_of_.assign(units_.size(), -1);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      auto row = reduced(rows[r], std::span(rows).first(r));
      if (!row)
        return std::nullopt;
      rows[r] = *std::move(row);
      pivots_.push_back(pivot_of(rows[r]));
      pivot_entry_.push_back(0);
      for (const auto& [c, entry] : rows[r]) {
        if (c == pivots_[r])
          pivot_entry_[r] = entry;
      }
      if (pivots_[r])
        row_of_[*pivots_[r]] = static_cast<std::int32_t>(r);
    }
    return completed(rows);
  }

  // Later rows know no earlier pivots, so the last one comes first.
  std::optional<Whole> completed(const std::vector<Row>& rows) const {
    Whole whole = rounded(1);
    for (std::size_t r = rows.size(); r-- > 0;) {
      if (pivots_[r])
        whole[*pivots_[r]].second = 0;
      Wide sum = 0;
      for (const auto& [c, entry] : rows[r])
        sum += Wide{entry} * whole[c].second;
      if ((!pivots_[r] && sum != 0) || sum > kMaxUnits || sum < -kMaxUnits)
        return std::nullopt;
      if (pivots_[r])
        whole[*pivots_[r]].second = static_cast<Units>(-sum * pivot_entry_[r]);
    }
    return whole;
  }

  const Table& table_;
  const attacker::Move& units_;
  std::span<const double> slack_;
  std::int32_t own_;
  Units own_move_;
  std::vector<std::int64_t> dense_;                 // the row at hand
  std::vector<std::int32_t> row_of_;                // by column: whose pivot it is, -1: none
  std::vector<std::optional<std::size_t>> pivots_;  // by row
  std::vector<std::int64_t> pivot_entry_;           // by row: 1 or -1
  std::size_t touches_ = 0;
};

// What the goal has to show; the direction down of a sliding level carries what is left.
Units level_of(const Model& model, const Goal& goal, const Point& safe) {
  const auto g = static_cast<std::size_t>(goal.need);
  const Need& need = model.needs[g];
  const Requirement& requirement =
      model.problem->requirements()[static_cast<std::size_t>(need.requirement)];
  if (need.sliding == 0)
    return goal.sign > 0 ? requirement.upper : requirement.lower;
  const Units up =
      std::max(requirement.upper, static_cast<Units>(std::llround(safe.h[2 * g] * model.scale)));
  return goal.sign > 0 ? up : std::max({Units{0}, requirement.lower, requirement.sliding - up});
}

}  // namespace

std::optional<Displacement> exact_witness(const Table& table,
                                          const attacker::Move& units,
                                          std::span<const double> slack,
                                          CellId own,
                                          Units own_move) {
  return Exactly(table, units, slack, own, own_move).run();
}

std::vector<Displacement> exact_witnesses(const Model& model,
                                          std::span<const Goal> goals,
                                          std::span<const attacker::Move> moves,
                                          const Point& safe,
                                          const RunContext& run) {
  std::vector<std::optional<Displacement>> found(moves.size());
  std::vector<std::vector<double>> largest;  // slacks by attacker
  for (std::size_t k = 0; k < model.limits.size(); ++k)
    largest.push_back(model.slacks(static_cast<std::int32_t>(k), model.most));
  const auto make_exact = [&](std::size_t d) {
    const Need& need = model.needs[static_cast<std::size_t>(goals[d].need)];
    const std::vector<double>& most = largest[static_cast<std::size_t>(need.attacker)];
    attacker::Move units = moves[d];
    std::vector<double> slack;
    for (auto& [cell, amount] : units) {
      slack.push_back(most[attacker::end_of(cell, amount > 0 ? 1 : -1)] - std::abs(amount));
      amount *= model.scale;
    }
    const Units level = goals[d].sign * level_of(model, goals[d], safe);
    found[d] = exact_witness(model.problem->table(), units, slack, CellId{need.cell}, level);
  };
  // The work of a block is known when it has ended, on any number of threads.
  for (std::size_t begin = 0; begin < moves.size(); begin += kTuning.publish.block) {
    if (run.should_stop())
      break;
    const std::size_t size = std::min(kTuning.publish.block, moves.size() - begin);
    base::for_each_lane(run, size, [&](std::size_t i) {
      if (!moves[begin + i].empty() && !run.braked())
        make_exact(begin + i);
    });
  }
  std::vector<Displacement> result;
  for (auto& each : found) {
    if (each)
      result.push_back(*std::move(each));
  }
  return result;
}

}  // namespace lacuna::interval
