// SPDX-License-Identifier: Apache-2.0
#include "heuristic/merged.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "attack/view.h"
#include "base/index.h"

namespace lacuna::inline heuristic {
namespace {

Displacement in_order(std::vector<std::pair<CellId, Integer>> moves, const Integer& denominator) {
  std::sort(
      moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Displacement displacement;
  displacement.denominator = denominator;
  for (auto& [cell, move] : moves) {
    displacement.cells.push_back(cell);
    displacement.moves.push_back(std::move(move));
  }
  return displacement;
}

using Sums = std::vector<std::pair<std::int32_t, std::int64_t>>;  // root, coefficient

// Classes of cells with z_i = sense_i z_root, and the class of those that cannot move.
class Ties {
 public:
  explicit Ties(const Problem& problem) : table_(problem.table) {
    const auto cells = static_cast<std::size_t>(table_.num_cells());
    parent_.resize(cells);
    std::iota(parent_.begin(), parent_.end(), 0);
    sense_.assign(cells, 1);
    fixed_.assign(cells, false);
    for (std::size_t c = 0; c < cells; ++c) {
      const Cell& cell = table_.cells()[c];
      fixed_[c] = !may_be_withheld(cell) || cell.prior.is_point();
    }
    while (pass()) {
    }
  }

  struct Place {
    std::int32_t root = -1;
    int sense = 1;
  };
  Place find(std::int32_t cell) {
    const auto c = static_cast<std::size_t>(cell);
    if (parent_[c] == cell)
      return {cell, 1};
    const Place above = find(parent_[c]);
    parent_[c] = above.root;
    sense_[c] = static_cast<std::int8_t>(sense_[c] * above.sense);
    return {above.root, sense_[c]};
  }
  bool is_fixed(std::int32_t cell) { return fixed_[static_cast<std::size_t>(find(cell).root)]; }

  // The equation over roots that may move; by root, no zero coefficients.
  void collect(EquationId equation, Sums& sums) {
    sums.clear();
    for (const Term& term : table_.equation(equation)) {
      const Place place = find(term.cell.value);
      if (fixed_[static_cast<std::size_t>(place.root)])
        continue;
      sums.emplace_back(place.root, std::int64_t{term.coefficient} * place.sense);
    }
    std::sort(sums.begin(), sums.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sums.size();) {
      auto sum = sums[i];
      for (++i; i < sums.size() && sums[i].first == sum.first; ++i)
        sum.second += sums[i].second;
      if (sum.second != 0)
        sums[kept++] = sum;
    }
    sums.resize(kept);
  }

 private:
  bool pass() {
    bool changed = false;
    Sums sums;
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      collect(EquationId{e}, sums);
      if (sums.size() == 1) {
        fixed_[static_cast<std::size_t>(sums[0].first)] = true;
        changed = true;
      } else if (sums.size() == 2 && std::abs(sums[0].second) == std::abs(sums[1].second)) {
        const auto child = static_cast<std::size_t>(sums[1].first);
        parent_[child] = sums[0].first;
        sense_[child] = sums[0].second == sums[1].second ? -1 : 1;
        changed = true;
      }
    }
    return changed;
  }

  const Table& table_;
  std::vector<std::int32_t> parent_;
  std::vector<std::int8_t> sense_;
  std::vector<bool> fixed_;  // by root
};

Room turned(Room room, int sense) {
  return sense > 0 ? room : Room{room.up, room.down};
}

Room common(Room a, Room b) {
  return {std::min(a.down, b.down), std::min(a.up, b.up)};
}

Bounds bounds_around(Units value, Room room) {
  const Wide lower = Wide{value} - room.down;
  const Wide upper = Wide{value} + room.up;
  return {room.down == kUnboundedAbove || lower < -kMaxUnits ? kUnboundedBelow
                                                             : static_cast<Units>(lower),
          room.up == kUnboundedAbove || upper > kMaxUnits ? kUnboundedAbove
                                                          : static_cast<Units>(upper)};
}

bool asks(const Requirement& need) {
  return need.lower > 0 || need.upper > 0 || need.sliding > 0;
}

}  // namespace

std::vector<CellId> MergedProblem::classes_of(const std::vector<CellId>& cells) const {
  std::vector<CellId> classes;
  for (const CellId cell : cells) {
    if (class_of_[at(cell)] >= 0)
      classes.push_back(CellId{class_of_[at(cell)]});
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// Step by step: classes, their cells, the equations over them, what attackers know, what is asked.
class MergedProblem::Maker {
 public:
  Maker(const Problem& problem, const std::vector<double>& costs)
      : problem_(problem),
        table_(problem.table),
        costs_(costs),
        ties_(problem),
        builder_(problem.table.decimals()) {}

  std::optional<MergedProblem> make() {
    list_classes();
    if (std::ssize(members_) == table_.num_cells() || members_.empty())
      return std::nullopt;
    if (!all_needs_can_move() || !add_cells() || !add_equations())
      return std::nullopt;
    auto table = std::move(builder_).build();
    if (!table)
      return std::nullopt;
    std::vector<Attacker> attackers = merged_attackers(*table);
    auto made = make_problem(std::move(*table), std::move(attackers), merged_requirements());
    if (!made)
      return std::nullopt;
    MergedProblem merged(std::move(made).value());
    merged.costs_ = std::move(class_costs_);
    merged.class_of_ = std::move(class_of_);
    merged.members_ = std::move(members_);
    return merged;
  }

 private:
  void list_classes() {
    class_of_.assign(static_cast<std::size_t>(table_.num_cells()), -1);
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const auto [root, sense] = ties_.find(c);
      if (ties_.is_fixed(root))
        continue;
      // The root may come after its members.
      std::int32_t& index = class_of_[static_cast<std::size_t>(root)];
      if (index < 0) {
        index = static_cast<std::int32_t>(members_.size());
        members_.emplace_back();
      }
      class_of_[static_cast<std::size_t>(c)] = index;
      members_[static_cast<std::size_t>(index)].push_back({CellId{c}, sense});
    }
  }

  bool all_needs_can_move() {
    asked_.assign(static_cast<std::size_t>(table_.num_cells()), false);
    for (const Requirement& need : problem_.requirements) {
      if (!asks(need))
        continue;
      if (class_of_[at(need.cell)] < 0)
        return false;
      asked_[at(need.cell)] = true;
    }
    return true;
  }

  bool is_always_withheld(CellId cell) const {
    const CellStatus status = table_.cell(cell).status;
    return status == CellStatus::kPrimary || status == CellStatus::kWithheld;
  }

  // The value of a class is the first member's, and the senses are in relation to it.
  bool add_cells() {
    for (auto& list : members_) {
      const int first = list.front().sense;
      Cell merged;
      merged.value = table_.value(list.front().cell);
      merged.weight = 0;
      Room room{kUnboundedAbove, kUnboundedAbove};
      bool needed = false;
      double cost = 0;
      for (Member& member : list) {
        member.sense *= first;
        const Cell& cell = table_.cell(member.cell);
        room = common(room, turned(room_within(cell.value, cell.prior), member.sense));
        needed = needed || asked_[at(member.cell)];
        if (!is_always_withheld(member.cell))
          cost += costs_[at(member.cell)];
        merged.weight += cell.weight;
      }
      const bool all = std::all_of(list.begin(), list.end(), [&](const Member& member) {
        return is_always_withheld(member.cell);
      });
      merged.prior = bounds_around(merged.value, room);
      merged.status = needed ? CellStatus::kPrimary
                      : all  ? CellStatus::kWithheld
                             : CellStatus::kFree;
      if (!builder_.add_cell(merged))
        return false;
      class_costs_.push_back(cost);
    }
    return true;
  }

  int sense_of(CellId cell) const {
    const auto& list = members_[static_cast<std::size_t>(class_of_[at(cell)])];
    return std::lower_bound(
               list.begin(), list.end(), cell, [](const Member& m, CellId c) { return m.cell < c; })
        ->sense;
  }

  // Equations that are the same over classes, up to sign, once.
  bool add_equations() {
    std::set<Sums> seen;
    Sums sums;
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      ties_.collect(EquationId{e}, sums);
      if (sums.empty())
        continue;
      const bool turn = sums.front().second < 0;
      for (auto& sum : sums)
        sum.second = turn ? -sum.second : sum.second;
      if (seen.insert(sums).second && !add_equation(sums))
        return false;
    }
    return true;
  }

  bool add_equation(const Sums& sums) {
    std::vector<Term> terms;
    Wide rhs = 0;
    for (const auto& [root, coefficient] : sums) {
      const std::int32_t index = class_of_[static_cast<std::size_t>(root)];
      const std::int64_t own = coefficient * sense_of(CellId{root});
      terms.push_back({CellId{index}, static_cast<std::int32_t>(own)});
      rhs += Wide{own} * builder_.cell(CellId{index}).value;
    }
    return rhs <= kMaxUnits && rhs >= -kMaxUnits &&
           builder_.add_equation(terms, static_cast<Units>(rhs)).has_value();
  }

  std::vector<Attacker> merged_attackers(const Table& merged) const {
    std::vector<Attacker> attackers;
    for (const Attacker& attacker : problem_.attackers) {
      std::map<CellId, Room> rooms;
      for (const Knowledge& known : attacker.known) {
        const std::int32_t index = class_of_[at(known.cell)];
        if (index < 0)
          continue;
        const Room room =
            turned(room_within(table_.value(known.cell), known.bounds), sense_of(known.cell));
        const auto [place, fresh] = rooms.emplace(CellId{index}, room);
        if (!fresh)
          place->second = common(place->second, room);
      }
      attackers.push_back({attacker.name, {}});
      for (const auto& [cell, room] : rooms)
        attackers.back().known.push_back({cell, bounds_around(merged.value(cell), room)});
    }
    return attackers;
  }

  std::vector<Requirement> merged_requirements() const {
    std::map<std::pair<CellId, std::int32_t>, Requirement> levels;
    for (const Requirement& need : problem_.requirements) {
      const CellId cell{class_of_[at(need.cell)]};
      if (cell.value < 0)
        continue;
      Requirement& level = levels[{cell, need.attacker}];
      level.origin = LevelOrigin::kStated;  // zeros that are left are meant
      level.cell = cell;
      level.attacker = need.attacker;
      const bool same = sense_of(need.cell) > 0;
      level.lower = std::max(level.lower, same ? need.lower : need.upper);
      level.upper = std::max(level.upper, same ? need.upper : need.lower);
      level.sliding = std::max(level.sliding, need.sliding);
    }
    std::vector<Requirement> requirements;
    for (const auto& [key, level] : levels)
      requirements.push_back(level);
    return requirements;
  }

  const Problem& problem_;
  const Table& table_;
  const std::vector<double>& costs_;
  Ties ties_;
  TableBuilder builder_;
  std::vector<std::int32_t> class_of_;
  std::vector<std::vector<Member>> members_;
  std::vector<bool> asked_;  // by cell
  std::vector<double> class_costs_;
};

std::optional<MergedProblem> MergedProblem::make(const Problem& problem,
                                                 std::vector<double> costs) {
  return Maker(problem, costs).make();
}

Draft MergedProblem::expand(const Problem& given, const Draft& draft) const {
  Draft expanded = Draft::withholding_primaries(given.table);
  for (const Requirement& need : given.requirements)
    expanded.withhold(need.cell);
  for (const CellEntry& entry : draft.entries()) {
    for (const Member& member : members_[at(entry.cell)])
      expanded.withhold(member.cell);
  }
  return expanded;
}

Displacement MergedProblem::expand(const Displacement& displacement) const {
  std::vector<std::pair<CellId, Integer>> moves;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    for (const Member& member : members_[at(displacement.cells[i])])
      moves.emplace_back(member.cell, displacement.moves[i] * member.sense);
  }
  return in_order(std::move(moves), displacement.denominator);
}

Displacement MergedProblem::reduce(const Displacement& displacement) const {
  std::vector<std::pair<CellId, Integer>> moves;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    const std::int32_t index = class_of_[at(displacement.cells[i])];
    if (index < 0)
      return {};
    const Member& first = members_[static_cast<std::size_t>(index)].front();
    if (first.cell == displacement.cells[i])
      moves.emplace_back(CellId{index}, displacement.moves[i]);
  }
  return in_order(std::move(moves), displacement.denominator);
}

std::vector<std::int32_t> MergedProblem::requirements_behind(
    const Problem& given, const std::vector<std::int32_t>& merged) const {
  std::set<std::pair<std::int32_t, std::int32_t>> wanted;
  for (const std::int32_t index : merged) {
    const Requirement& need = merged_.requirements[static_cast<std::size_t>(index)];
    wanted.emplace(need.cell.value, need.attacker);
  }
  std::vector<std::int32_t> behind;
  for (std::size_t i = 0; i < given.requirements.size(); ++i) {
    const Requirement& need = given.requirements[i];
    if (asks(need) && wanted.contains({class_of_[at(need.cell)], need.attacker}))
      behind.push_back(static_cast<std::int32_t>(i));
  }
  return behind;
}

}  // namespace lacuna::inline heuristic
