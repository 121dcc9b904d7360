// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/exact_witness.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "protect/interval/tuning.h"

namespace lacuna::inline interval {
namespace {

using Whole = std::vector<std::pair<std::int32_t, Units>>;  // moves by cell

class Exactly {
 public:
  Exactly(const Table& table,
          const Move& units,
          std::span<const double> slack,
          CellId own,
          Units own_move)
      : table_(table), units_(units), slack_(slack), own_(own.value), own_move_(own_move) {}

  std::optional<Displacement> run() {
    for (const Units denominator : std::array<Units, 6>{1, 2, 3, 4, 6, 12}) {
      if (const auto whole = rounded(denominator); balanced(whole))
        return displacement(whole, denominator);
    }
    if (units_.size() > kTuning.publish.most_cells)
      return std::nullopt;
    const auto solved = eliminated();
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
    result.denominator = static_cast<long>(denominator);
    for (const auto& [cell, move] : whole) {
      if (move == 0)
        continue;
      result.cells.push_back(CellId{cell});
      result.moves.emplace_back(static_cast<long>(move));
    }
    return result;
  }

  // The equations through the cells that move, over these cells.
  std::vector<std::vector<std::int64_t>> matrix() const {
    std::vector<EquationId> equations;
    for (const auto& [cell, amount] : units_) {
      for (const Incidence& in : table_.equations_of(CellId{cell}))
        equations.push_back(in.equation);
    }
    std::sort(equations.begin(), equations.end());
    equations.erase(std::unique(equations.begin(), equations.end()), equations.end());
    std::vector<std::vector<std::int64_t>> rows(equations.size(),
                                                std::vector<std::int64_t>(units_.size(), 0));
    for (std::size_t c = 0; c < units_.size(); ++c) {
      for (const Incidence& in : table_.equations_of(CellId{units_[c].first})) {
        const auto at = std::lower_bound(equations.begin(), equations.end(), in.equation);
        rows[static_cast<std::size_t>(at - equations.begin())][c] = in.coefficient;
      }
    }
    return rows;
  }

  // The column with entry 1 or -1 that can give way most, not of the own cell.
  std::optional<std::size_t> pivot_of(const std::vector<std::int64_t>& row) const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if ((row[c] == 1 || row[c] == -1) && units_[c].first != own_ &&
          (!best || slack_[c] > slack_[*best]))
        best = c;
    }
    return best;
  }

  std::optional<Whole> eliminated() const {
    std::vector<std::vector<std::int64_t>> rows = matrix();
    std::vector<std::optional<std::size_t>> pivots(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      pivots[r] = pivot_of(rows[r]);
      if (!pivots[r])
        continue;
      const std::size_t column = *pivots[r];
      for (std::size_t other = 0; other < rows.size(); ++other) {
        const std::int64_t factor = rows[other][column] * rows[r][column];
        for (std::size_t c = 0; other != r && factor != 0 && c < units_.size(); ++c) {
          rows[other][c] -= factor * rows[r][c];
          if (std::abs(rows[other][c]) > kTuning.publish.largest_entry)
            return std::nullopt;
        }
      }
    }
    return completed(rows, pivots);
  }

  std::optional<Whole> completed(const std::vector<std::vector<std::int64_t>>& rows,
                                 const std::vector<std::optional<std::size_t>>& pivots) const {
    Whole whole = rounded(1);
    for (const auto& pivot : pivots) {
      if (pivot)
        whole[*pivot].second = 0;
    }
    Whole result = whole;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Wide sum = 0;
      for (std::size_t c = 0; c < whole.size(); ++c)
        sum += Wide{rows[r][c]} * whole[c].second;
      if (!pivots[r] && sum != 0)
        return std::nullopt;
      if (sum > kMaxUnits || sum < -kMaxUnits)
        return std::nullopt;
      if (pivots[r])
        result[*pivots[r]].second = static_cast<Units>(-sum * rows[r][*pivots[r]]);
    }
    return result;
  }

  const Table& table_;
  const Move& units_;
  std::span<const double> slack_;
  std::int32_t own_;
  Units own_move_;
};

// What the demand has to show; the direction down of a sliding level carries what is left.
Units level_of(const Model& model, const Demand& demand, const Point& safe) {
  const auto g = static_cast<std::size_t>(demand.goal);
  const Goal& goal = model.goals[g];
  const Requirement& need = model.problem->requirements[static_cast<std::size_t>(goal.requirement)];
  if (goal.sliding == 0)
    return demand.sign > 0 ? need.upper : need.lower;
  const Units up =
      std::max(need.upper, static_cast<Units>(std::llround(safe.h[2 * g] * model.scale)));
  return demand.sign > 0 ? up : std::max({Units{0}, need.lower, need.sliding - up});
}

}  // namespace

std::optional<Displacement> exact_witness(const Table& table,
                                          const Move& units,
                                          std::span<const double> slack,
                                          CellId own,
                                          Units own_move) {
  return Exactly(table, units, slack, own, own_move).run();
}

std::vector<Displacement> exact_witnesses(const Model& model,
                                          std::span<const Demand> demands,
                                          std::span<const Move> moves,
                                          const Point& safe,
                                          const RunContext& run) {
  std::vector<std::optional<Displacement>> found(moves.size());
  std::vector<std::vector<double>> largest;  // rooms by attacker
  for (std::size_t k = 0; k < model.limits.size(); ++k)
    largest.push_back(model.rooms(static_cast<std::int32_t>(k), model.most));
  const auto workers = static_cast<std::size_t>(std::max(1, run.threads));
  share_among(run, workers, moves.size(), [&](std::size_t, std::size_t d) {
    const Goal& goal = model.goals[static_cast<std::size_t>(demands[d].goal)];
    const std::vector<double>& most = largest[static_cast<std::size_t>(goal.attacker)];
    Move units = moves[d];
    std::vector<double> slack;
    for (auto& [cell, amount] : units) {
      slack.push_back(most[end_of(cell, amount > 0 ? 1 : -1)] - std::abs(amount));
      amount *= model.scale;
    }
    if (!units.empty()) {
      found[d] = exact_witness(model.problem->table,
                               units,
                               slack,
                               CellId{goal.cell},
                               demands[d].sign * level_of(model, demands[d], safe));
    }
  });
  std::vector<Displacement> result;
  for (auto& each : found) {
    if (each)
      result.push_back(*std::move(each));
  }
  return result;
}

Ends holding(std::span<const Displacement> displacements, const Model& model, Ends ends) {
  for (const Displacement& each : displacements) {
    for (std::size_t i = 0; i < each.cells.size(); ++i) {
      const std::size_t end = end_of(each.cells[i].value, each.moves[i] > 0 ? 1 : -1);
      const Integer size = abs(each.moves[i]) + each.denominator - 1;
      const Integer room = size / each.denominator;
      if (model.role[end] != EndRole::kClosed && room.fits_slong_p())
        ends.room[end] =
            std::max(ends.room[end], std::min<Units>(room.get_si(), prior_room(model, end)));
    }
  }
  return ends;
}

}  // namespace lacuna::inline interval
