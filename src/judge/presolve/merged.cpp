// SPDX-License-Identifier: Apache-2.0
#include "judge/presolve/merged.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/table/network.h"
#include "judge/attack/view.h"
#include "judge/presolve/parallel.h"
#include "judge/presolve/ties.h"

namespace lacuna::presolve {
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

attack::Slack turned(attack::Slack slack, int sense) {
  return sense > 0 ? slack : attack::Slack{slack.up, slack.down};
}

attack::Slack common(attack::Slack a, attack::Slack b) {
  return {std::min(a.down, b.down), std::min(a.up, b.up)};
}

Bounds bounds_around(Units value, attack::Slack slack) {
  const Wide lower = Wide{value} - slack.down;
  const Wide upper = Wide{value} + slack.up;
  return {slack.down == kUnboundedAbove || lower < -kMaxUnits ? kUnboundedBelow
                                                              : static_cast<Units>(lower),
          slack.up == kUnboundedAbove || upper > kMaxUnits ? kUnboundedAbove
                                                           : static_cast<Units>(upper)};
}

// The evidence of a need whose cell is in no equation.
void add_moves(const Problem& problem, const Requirement& need, std::vector<Displacement>& moves) {
  const attack::Slack slack = attack::slack_within(
      problem.table().value(need.cell),
      known_bounds(problem.table(), problem.attackers()[base::at(need.attacker)], need.cell));
  const Units more = std::max<Units>(0, need.sliding - need.upper - need.lower);
  const Units up = need.upper + std::min(more, slack.up - need.upper);
  const Units down = std::max(need.lower, need.sliding - up);
  for (const Units move : {up, -down}) {
    if (move != 0)
      moves.push_back({{need.cell}, {base::to_integer(move)}, 1});
  }
}

// A class in no equation moves as far as its slack goes, which make_problem() has compared with its
// levels: they are met as soon as it is withheld.
std::vector<Displacement> take_sure_needs(Problem& merged) {
  std::vector<Displacement> moves;
  merged.drop_requirements([&](const Requirement& need) {
    const bool sure = merged.table().equations_of(need.cell).empty();
    if (sure)
      add_moves(merged, need, moves);
    return sure;
  });
  return moves;
}

}  // namespace

std::vector<bool> always_withheld(const Problem& problem) {
  std::vector<bool> withheld(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (std::size_t c = 0; c < withheld.size(); ++c) {
    const CellStatus status = problem.table().cells()[c].status;
    withheld[c] = status == CellStatus::kPrimary || status == CellStatus::kSecondary;
  }
  for (const Requirement& need : problem.requirements())
    withheld[base::at(need.cell)] = true;
  return withheld;
}

std::vector<CellId> MergedProblem::classes_of(const std::vector<CellId>& cells) const {
  std::vector<CellId> classes;
  for (const CellId cell : cells) {
    if (class_of_[base::at(cell)] >= 0)
      classes.push_back(CellId{class_of_[base::at(cell)]});
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// Step by step: classes, their cells, the equations over them, what attackers know, what is asked.
class MergedProblem::Maker {
 public:
  Maker(const Problem& problem, const MergeTask& task, const RunContext& run)
      : problem_(problem),
        table_(problem.table()),
        task_(task),
        run_(run),
        anyway_(always_withheld(problem)),
        ties_(tied()),
        builder_(problem.table().decimals()) {}

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
    Problem smaller = std::move(made).value();
    std::vector<Displacement> sure;
    if (!task_.keep_sure_needs)
      sure = take_sure_needs(smaller);
    MergedProblem merged(std::move(smaller));
    merged.sure_ = std::move(sure);
    merged.costs_ = std::move(class_costs_);
    merged.sizes_ = std::move(sizes_);
    merged.class_of_ = std::move(class_of_);
    merged.members_ = std::move(members_);
    return merged;
  }

 private:
  // Networks stay networks if cells are tied by single equations; tied across the table they would
  // lose their flows for little.
  Ties tied() {
    std::vector<bool> movable(static_cast<std::size_t>(table_.num_cells()), false);
    for (std::size_t c = 0; c < movable.size(); ++c) {
      const Cell& cell = table_.cells()[c];
      movable[c] = may_be_withheld(cell) && !cell.prior.is_point() &&
                   !is_published(CellId{static_cast<std::int32_t>(c)});
    }
    Ties ties(table_, movable);
    if (task_.by_kernel && !table::network_form(table_, movable))
      tie_parallel(ties, run_);
    return ties;
  }

  void list_classes() {
    class_of_.assign(static_cast<std::size_t>(table_.num_cells()), -1);
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const auto [root, sense] = ties_.find(c);
      if (ties_.is_fixed(root))
        continue;
      // The root may come after its members.
      std::int32_t& index = class_of_[base::at(root)];
      if (index < 0) {
        index = static_cast<std::int32_t>(members_.size());
        members_.emplace_back();
      }
      class_of_[base::at(c)] = index;
      members_[base::at(index)].push_back({CellId{c}, sense});
    }
  }

  bool is_published(CellId cell) const {
    return !task_.published.empty() && task_.published[base::at(cell)];
  }

  bool all_needs_can_move() {
    asked_.assign(members_.size(), false);
    for (const Requirement& need : problem_.requirements()) {
      if (need.asks_nothing() || is_published(need.cell))
        continue;
      const std::int32_t index = class_of_[base::at(need.cell)];
      if (index < 0)
        return false;
      asked_[base::at(index)] = true;
    }
    return true;
  }

  bool add_cells() {
    for (std::size_t index = 0; index < members_.size(); ++index) {
      if (!add_cell(members_[index], asked_[index]))
        return false;
    }
    return true;
  }

  // The value of a class is the first member's, and the senses are in relation to it.
  bool add_cell(std::vector<Member>& members, bool asked) {
    const int first = members.front().sense;
    Cell merged;
    merged.value = table_.value(members.front().cell);
    merged.weight = 0;
    attack::Slack slack{kUnboundedAbove, kUnboundedAbove};
    std::int32_t size = 0;
    bool wanted = false;
    for (Member& member : members) {
      member.sense *= first;
      const Cell& cell = table_.cell(member.cell);
      slack = common(slack, turned(attack::slack_within(cell.value, cell.prior), member.sense));
      wanted = wanted || (!task_.withheld.empty() && task_.withheld[base::at(member.cell)]);
      if (anyway_[base::at(member.cell)])
        continue;
      merged.weight += task_.costs.empty() ? cell.weight : task_.costs[base::at(member.cell)];
      ++size;
    }
    merged.prior = bounds_around(merged.value, slack);
    merged.status = asked                 ? CellStatus::kPrimary
                    : size == 0 || wanted ? CellStatus::kSecondary
                                          : CellStatus::kFree;
    class_costs_.push_back(merged.weight);
    sizes_.push_back(size);
    return builder_.add_cell(merged).has_value();
  }

  int sense_of(CellId cell) const {
    return sense_in(members_[base::at(class_of_[base::at(cell)])], cell);
  }

  // Those that follow from others stay: cuts of single equations come from them.
  bool add_equations() {
    const std::vector<ClassEquation> equations = ties_.equations();
    return std::all_of(equations.begin(), equations.end(), [&](const ClassEquation& equation) {
      return add_equation(equation);
    });
  }

  bool add_equation(const ClassEquation& equation) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::vector<Term> terms;
    Wide rhs = 0;
    for (const auto& [root, coefficient] : equation) {
      const CellId merged{class_of_[base::at(root)]};
      const std::int64_t own = coefficient * sense_of(CellId{root});
      if (std::abs(own) > kMost)
        return false;
      terms.push_back({merged, static_cast<std::int32_t>(own)});
      rhs += Wide{own} * builder_.cell(merged).value;
    }
    return rhs <= kMaxUnits && rhs >= -kMaxUnits &&
           builder_.add_equation(terms, static_cast<Units>(rhs)).has_value();
  }

  std::vector<Attacker> merged_attackers(const Table& merged) const {
    std::vector<Attacker> attackers;
    for (const Attacker& attacker : problem_.attackers()) {
      std::map<CellId, attack::Slack> slacks;
      for (const Knowledge& known : attacker.known) {
        const std::int32_t index = class_of_[base::at(known.cell)];
        if (index < 0)
          continue;
        const attack::Slack slack = turned(
            attack::slack_within(table_.value(known.cell), known.bounds), sense_of(known.cell));
        const auto [place, fresh] = slacks.emplace(CellId{index}, slack);
        if (!fresh)
          place->second = common(place->second, slack);
      }
      attackers.push_back({attacker.name, {}});
      for (const auto& [cell, slack] : slacks)
        attackers.back().known.push_back({cell, bounds_around(merged.value(cell), slack)});
    }
    return attackers;
  }

  std::vector<Requirement> merged_requirements() const {
    std::map<std::pair<CellId, std::int32_t>, Requirement> levels;
    for (const Requirement& need : problem_.requirements()) {
      const CellId cell{class_of_[base::at(need.cell)]};
      if (need.asks_nothing() || is_published(need.cell))
        continue;
      Requirement& level = levels[{cell, need.attacker}];
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
  const MergeTask& task_;
  const RunContext& run_;
  std::vector<bool> anyway_;  // by cell
  Ties ties_;
  TableBuilder builder_;
  std::vector<std::int32_t> class_of_;
  std::vector<std::vector<Member>> members_;
  std::vector<bool> asked_;  // by class
  std::vector<double> class_costs_;
  std::vector<std::int32_t> sizes_;
};

std::optional<MergedProblem> MergedProblem::make(const Problem& problem,
                                                 const MergeTask& task,
                                                 const RunContext& run) {
  return Maker(problem, task, run).make();
}

int MergedProblem::sense_in(const std::vector<Member>& members, CellId cell) {
  return std::lower_bound(members.begin(),
                          members.end(),
                          cell,
                          [](const Member& member, CellId c) { return member.cell < c; })
      ->sense;
}

int MergedProblem::sense_of(CellId cell) const {
  return sense_in(members_[base::at(class_of_[base::at(cell)])], cell);
}

std::vector<CellId> MergedProblem::members_of(CellId merged) const {
  std::vector<CellId> cells;
  for (const Member& member : members_[base::at(merged)])
    cells.push_back(member.cell);
  return cells;
}

Draft MergedProblem::expand(const Problem& given, const Draft& draft) const {
  Draft expanded = Draft::withholding_primaries(given.table());
  for (const Requirement& need : given.requirements())
    expanded.withhold(need.cell);
  for (const CellEntry& entry : draft.each()) {
    for (const Member& member : members_[base::at(entry.cell)])
      expanded.withhold(member.cell);
  }
  return expanded;
}

Displacement MergedProblem::expand(const Displacement& displacement) const {
  std::vector<std::pair<CellId, Integer>> moves;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    for (const Member& member : members_[base::at(displacement.cells[i])])
      moves.emplace_back(member.cell, displacement.moves[i] * member.sense);
  }
  return in_order(std::move(moves), displacement.denominator);
}

Displacement MergedProblem::reduce(const Displacement& displacement) const {
  std::vector<std::pair<CellId, Integer>> moves;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    const std::int32_t index = class_of_[base::at(displacement.cells[i])];
    if (index < 0)
      return {};
    const Member& first = members_[static_cast<std::size_t>(index)].front();
    if (first.cell == displacement.cells[i])
      moves.emplace_back(CellId{index}, displacement.moves[i]);
  }
  return in_order(std::move(moves), displacement.denominator);
}

std::vector<Displacement> MergedProblem::expand(
    const std::vector<Displacement>& displacements) const {
  std::vector<Displacement> expanded;
  for (const auto* list : {&sure_, &displacements}) {
    for (const Displacement& displacement : *list)
      expanded.push_back(expand(displacement));
  }
  return expanded;
}

// Without those that are none of this problem.
std::vector<Displacement> MergedProblem::reduce(
    const std::vector<Displacement>& displacements) const {
  std::vector<Displacement> reduced;
  for (const Displacement& displacement : displacements) {
    Displacement own = reduce(displacement);
    if (!own.cells.empty())
      reduced.push_back(std::move(own));
  }
  return reduced;
}

std::vector<std::int32_t> MergedProblem::requirements_behind(
    const Problem& given, const std::vector<std::int32_t>& merged) const {
  std::set<std::pair<std::int32_t, std::int32_t>> wanted;
  for (const std::int32_t index : merged) {
    const Requirement& need = merged_->requirements()[base::at(index)];
    wanted.emplace(need.cell.value, need.attacker);
  }
  std::vector<std::int32_t> behind;
  for (std::size_t i = 0; i < given.requirements().size(); ++i) {
    const Requirement& need = given.requirements()[i];
    if (!need.asks_nothing() && wanted.contains({class_of_[base::at(need.cell)], need.attacker}))
      behind.push_back(static_cast<std::int32_t>(i));
  }
  return behind;
}

}  // namespace lacuna::presolve
