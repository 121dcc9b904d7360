// SPDX-License-Identifier: Apache-2.0
#include "protect/round/witnesses.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/view.h"
#include "protect/round/tuning.h"

namespace lacuna::rounding {
namespace {

// The cell of each equation that stands alone on its side, -1 if none does with coefficient 1.
std::vector<std::int32_t> totals_of(const Table& table) {
  std::vector<std::int32_t> totals(static_cast<std::size_t>(table.num_equations()), -1);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::int32_t plus = 0, minus = 0, last_plus = -1, last_minus = -1;
    for (const Term& term : table.equation(EquationId{e})) {
      ++(term.coefficient > 0 ? plus : minus);
      (term.coefficient > 0 ? last_plus : last_minus) = term.cell.value;
    }
    if (minus == 1)
      totals[static_cast<std::size_t>(e)] = last_minus;
    else if (plus == 1)
      totals[static_cast<std::size_t>(e)] = last_plus;
  }
  return totals;
}

class LeafWitnesses {
 public:
  LeafWitnesses(const Problem& problem, const Draft& draft)
      : problem_(problem), table_(problem.table()), draft_(draft), totals_(totals_of(table_)) {
    mark_.assign(static_cast<std::size_t>(table_.num_cells()), -1);
  }

  std::vector<Displacement> find() {
    std::int32_t attacker = -1;
    for (const auto& [who, index] : by_attacker()) {
      if (who != attacker) {
        attacker = who;
        slacks_ = attack::attacker_slacks(
            table_, draft_, problem_.attackers()[static_cast<std::size_t>(attacker)]);
      }
      serve(problem_.requirements()[index]);
    }
    return std::move(found_);
  }

 private:
  std::vector<std::pair<std::int32_t, std::size_t>> by_attacker() const {
    std::vector<std::pair<std::int32_t, std::size_t>> order;
    for (std::size_t i = 0; i < problem_.requirements().size(); ++i)
      order.emplace_back(problem_.requirements()[i].attacker, i);
    std::sort(order.begin(), order.end());
    return order;
  }

  void serve(const Requirement& need) {
    const Units up = std::max(need.upper, need.sliding);
    const Units down = std::max(need.lower, need.sliding);
    if (up > 0)
      move(need, 1, up);
    if (down > 0)
      move(need, -1, down);
  }

  // The leaf below the cell with the most slack in the direction at each step down.
  std::int32_t leaf_below(CellId cell, int sign) const {
    std::int32_t now = cell.value;
    while (true) {
      std::int32_t next = -1;
      Units most = -1;
      for (const Incidence& in : table_.equations_of(CellId{now})) {
        if (totals_[static_cast<std::size_t>(in.equation.value)] != now)
          continue;
        for (const Term& term : table_.equation(in.equation)) {
          const Units slack = slacks_[base::at(term.cell)].toward(sign);
          if (term.cell.value != now && slack > most) {
            most = slack;
            next = term.cell.value;
          }
        }
        break;
      }
      if (next < 0)
        return now;
      now = next;
    }
  }

  // One leaf and its sums; if that falls short, a leaf and a sibling in opposite directions, so
  // that the sums of both stay as they are.
  void move(const Requirement& need, int sign, Units wanted) {
    const std::int32_t leaf = leaf_below(need.cell, sign);
    const std::vector<std::int32_t> own = with_sums(leaf, sign);
    Moves best = moves_of(own, {}, sign);
    Units reached = amount_of(best, need.cell, sign, wanted);
    for (const std::int32_t other : siblings(leaf, sign)) {
      if (reached >= wanted)
        break;
      Moves pair = moves_of(own, with_sums(other, -sign), sign);
      const Units amount = amount_of(pair, need.cell, sign, wanted);
      if (amount > reached) {
        reached = amount;
        best = std::move(pair);
      }
    }
    if (reached <= 0)
      return;
    Displacement witness;
    for (const auto& [cell, direction] : best) {
      witness.cells.push_back(CellId{cell});
      witness.moves.emplace_back(base::to_integer(direction * reached));
    }
    found_.push_back(std::move(witness));
  }

  using Moves = std::vector<std::pair<std::int32_t, int>>;  // cells ascending, direction

  std::vector<std::int32_t> with_sums(std::int32_t leaf, int sign) {
    ++round_;
    std::vector<std::int32_t> cells{leaf};
    mark_[static_cast<std::size_t>(leaf)] = round_;
    for (std::size_t i = 0; i < cells.size(); ++i)
      add_sums(cells[i], cells);
    // Linked tables split a sum in several ways: one part of each has to move with it, and what
    // that part goes into, before the next larger sum is looked at.
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (std::int32_t part = missing_part(cells[i], sign); part >= 0;
           part = missing_part(cells[i], sign)) {
        std::size_t next = cells.size();
        add(leaf_below(CellId{part}, sign), cells);
        if (next == cells.size())
          break;  // it moves already: these are no plain sums
        for (; next < cells.size(); ++next)
          add_sums(cells[next], cells);
      }
    }
    std::sort(cells.begin(), cells.end());
    base::count_work(kTuning.touches.witness + kTuning.touches.witness_entry * cells.size());
    return cells;
  }

  void add(std::int32_t cell, std::vector<std::int32_t>& cells) {
    std::int64_t& mark = mark_[static_cast<std::size_t>(cell)];
    if (mark != round_)
      cells.push_back(cell);
    mark = round_;
  }

  void add_sums(std::int32_t cell, std::vector<std::int32_t>& cells) {
    for (const Incidence& in : table_.equations_of(CellId{cell})) {
      const std::int32_t total = totals_[static_cast<std::size_t>(in.equation.value)];
      if (total >= 0)
        add(total, cells);
    }
  }

  // A part of the cell in an equation in which no part moves yet; -1 if there is none.
  std::int32_t missing_part(std::int32_t cell, int sign) const {
    for (const Incidence& in : table_.equations_of(CellId{cell})) {
      if (totals_[static_cast<std::size_t>(in.equation.value)] != cell)
        continue;
      std::int32_t widest = -1;
      Units most = -1;
      bool moved = false;
      for (const Term& term : table_.equation(in.equation)) {
        if (term.cell.value == cell)
          continue;
        moved = moved || mark_[base::at(term.cell)] == round_;
        if (slacks_[base::at(term.cell)].toward(sign) > most) {
          most = slacks_[base::at(term.cell)].toward(sign);
          widest = term.cell.value;
        }
      }
      if (!moved)
        return widest;
    }
    return -1;
  }

  static Moves moves_of(const std::vector<std::int32_t>& forth,
                        const std::vector<std::int32_t>& back,
                        int sign) {
    Moves moves;
    std::size_t f = 0, b = 0;
    while (f < forth.size() || b < back.size()) {
      if (b == back.size() || (f < forth.size() && forth[f] < back[b])) {
        moves.emplace_back(forth[f++], sign);
      } else if (f == forth.size() || back[b] < forth[f]) {
        moves.emplace_back(back[b++], -sign);
      } else {  // in both: stays
        ++f;
        ++b;
      }
    }
    return moves;
  }

  // How far the slacks let these moves go, if they move the cell at all.
  Units amount_of(const Moves& moves, CellId cell, int sign, Units wanted) const {
    Units amount = wanted;
    bool moves_cell = false;
    for (const auto& [moved, direction] : moves) {
      amount = std::min(amount, slacks_[static_cast<std::size_t>(moved)].toward(direction));
      moves_cell = moves_cell || (moved == cell.value && direction == sign);
    }
    return moves_cell ? amount : 0;
  }

  // Leaves that share an equation with the leaf, those with the most slack the other way first.
  std::vector<std::int32_t> siblings(std::int32_t leaf, int sign) const {
    std::vector<std::pair<Units, std::int32_t>> found;
    for (const Incidence& in : table_.equations_of(CellId{leaf})) {
      const std::int32_t total = totals_[static_cast<std::size_t>(in.equation.value)];
      for (const Term& term : table_.equation(in.equation)) {
        const Units slack = slacks_[base::at(term.cell)].toward(-sign);
        if (term.cell.value != leaf && term.cell.value != total && slack > 0)
          found.emplace_back(-slack, term.cell.value);
      }
    }
    const std::size_t most = std::min(kTuning.witness.most_siblings, found.size());
    std::partial_sort(
        found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
    std::vector<std::int32_t> cells;
    for (std::size_t i = 0; i < most; ++i)
      cells.push_back(found[i].second);
    return cells;
  }

  const Problem& problem_;
  const Table& table_;
  const Draft& draft_;
  std::vector<std::int32_t> totals_;
  std::vector<attack::Slack> slacks_;
  std::vector<std::int64_t> mark_;
  std::int64_t round_ = 0;
  std::vector<Displacement> found_;
};

}  // namespace

std::vector<Displacement> leaf_witnesses(const Problem& problem, const Draft& draft) {
  return LeafWitnesses(problem, draft).find();
}

}  // namespace lacuna::rounding
