// SPDX-License-Identifier: Apache-2.0
#include "protect/start/leaf_routes.h"

#include <algorithm>
#include <map>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

constexpr Wide kLargestMove = Wide{1} << 60U;

// The cell that stands alone on its side with coefficient +-1, -1 if there is none.
std::int32_t total_of(std::span<const Term> terms) {
  std::int32_t positive = 0;
  for (const Term& term : terms)
    positive += term.coefficient > 0 ? 1 : 0;
  const auto negative = static_cast<std::int32_t>(terms.size()) - positive;
  if (terms.size() < 2 || (positive != 1 && negative != 1))
    return -1;
  const bool wanted = negative != 1;  // with two cells the negative one is the total
  for (const Term& term : terms) {
    if ((term.coefficient > 0) == wanted)
      return std::abs(term.coefficient) == 1 ? term.cell.value : -1;
  }
  return -1;
}

}  // namespace

LeafRoutes::LeafRoutes(const PatternState& pattern_state) : pattern_state_(pattern_state) {
  define();
  set_depths();
  link();
}

void LeafRoutes::define() {
  const Table& table = pattern_state_.table();
  defined_by_.assign(base::at(table.num_cells()), -1);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const std::int32_t total = total_of(table.equation(EquationId{e}));
    if (total >= 0 && defined_by_[base::at(total)] < 0)
      defined_by_[base::at(total)] = e;
  }
}

// By rounds from the leaves; totals in a circle of definitions stay without and count as leaves.
void LeafRoutes::set_depths() {
  const Table& table = pattern_state_.table();
  const auto cells = base::at(table.num_cells());
  depth_.assign(cells, -1);
  std::vector<std::int32_t> open(cells, 0);  // parts without a depth
  std::vector<std::int32_t> ready;
  for (std::size_t c = 0; c < cells; ++c) {
    if (defined_by_[c] < 0)
      ready.push_back(static_cast<std::int32_t>(c));
    else
      open[c] = static_cast<std::int32_t>(table.equation(EquationId{defined_by_[c]}).size()) - 1;
  }
  for (const std::int32_t leaf : ready)
    depth_[base::at(leaf)] = 0;
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const CellId cell{ready[next]};
    for (const Incidence& incidence : table.equations_of(cell)) {
      const std::int32_t total = total_of(table.equation(incidence.equation));
      if (total < 0 || total == cell.value ||
          defined_by_[base::at(total)] != incidence.equation.value || --open[base::at(total)] > 0)
        continue;
      for (const Term& term : table.equation(incidence.equation))
        depth_[base::at(total)] =
            std::max(depth_[base::at(total)], depth_[base::at(term.cell.value)] + 1);
      ready.push_back(total);
    }
  }
  for (std::size_t c = 0; c < cells; ++c) {
    if (depth_[c] >= 0)
      continue;
    depth_[c] = 0;
    defined_by_[c] = -1;
  }
}

void LeafRoutes::link() {
  const Table& table = pattern_state_.table();
  above_.resize(base::at(table.num_cells()));
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (is_leaf(c))
      continue;
    const auto terms = table.equation(EquationId{defined_by_[base::at(c)]});
    std::int32_t own = 0;
    for (const Term& term : terms)
      own = term.cell.value == c ? term.coefficient : own;
    for (const Term& term : terms) {
      if (term.cell.value != c)
        above_[base::at(term.cell.value)].push_back({c, -own * term.coefficient});  // own is +-1
    }
  }
}

Units LeafRoutes::slack_of(std::int32_t cell, std::int32_t attacker) const {
  if (pattern_state_.place(CellId{cell}) == CellRole::kNever)
    return 0;
  const attack::Slack slack = pattern_state_.slack(CellId{cell}, attacker);
  return std::min(slack.up, slack.down);
}

std::vector<std::int32_t> LeafRoutes::carriers(std::int32_t cell, std::int32_t attacker) const {
  std::vector<std::int32_t> todo{cell};
  std::vector<std::pair<Units, std::int32_t>> leaves;
  while (!todo.empty() && leaves.size() < kTuning.leaf_routes.most_leaves) {
    const std::int32_t next = todo.back();
    todo.pop_back();
    if (is_leaf(next)) {
      leaves.emplace_back(slack_of(next, attacker), next);
      continue;
    }
    for (const Term& term :
         pattern_state_.table().equation(EquationId{defined_by_[base::at(next)]})) {
      if (term.cell.value != next)
        todo.push_back(term.cell.value);
    }
  }
  base::count_work(100 * leaves.size());
  std::sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::int32_t> chosen;
  for (const auto& [slack, leaf] : leaves) {
    if (slack <= 0 || chosen.size() >= kTuning.leaf_routes.most_carriers)
      break;
    chosen.push_back(leaf);
  }
  return chosen;
}

Wide LeafRoutes::slack_left(std::int32_t cell, std::int32_t attacker, const Moves& already) const {
  const auto before = already.find(cell);
  const Wide used = before == already.end() ? Wide{0} : before->second;
  return Wide{slack_of(cell, attacker)} - (used > 0 ? used : -used);
}

std::int32_t LeafRoutes::roomiest_below(std::int32_t cell,
                                        std::int32_t attacker,
                                        const Moves& already) const {
  while (!is_leaf(cell)) {
    std::int32_t best = -1;
    Wide most = 0;
    for (const Term& term :
         pattern_state_.table().equation(EquationId{defined_by_[base::at(cell)]})) {
      if (term.cell.value == cell)
        continue;
      const Wide slack = slack_left(term.cell.value, attacker, already);
      if (slack > most) {
        most = slack;
        best = term.cell.value;
      }
    }
    if (best < 0)
      return -1;
    cell = best;
  }
  return cell;
}

// By any equation, the nearest first.
std::vector<std::int32_t> LeafRoutes::totals_above(std::int32_t leaf) const {
  const Table& table = pattern_state_.table();
  std::vector<std::int32_t> found{leaf};
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const Incidence& incidence : table.equations_of(CellId{found[next]})) {
      const std::int32_t total = total_of(table.equation(incidence.equation));
      if (total >= 0 && std::find(found.begin(), found.end(), total) == found.end())
        found.push_back(total);
    }
  }
  found.erase(found.begin());
  return found;
}

void LeafRoutes::raise(Moves leaves, Moves& all) const {
  std::size_t raised = 0;
  std::map<std::pair<std::int32_t, std::int32_t>, Wide> waiting;  // by depth
  for (const auto& [cell, move] : leaves)
    waiting[{depth_[base::at(cell)], cell}] += move;
  while (!waiting.empty()) {
    const auto [key, move] = *waiting.begin();
    waiting.erase(waiting.begin());
    if (move == 0)
      continue;
    all[key.second] += move;
    raised += above_[base::at(key.second)].size();
    for (const Link& link : above_[base::at(key.second)])
      waiting[{depth_[base::at(link.cell)], link.cell}] += move * link.factor;
  }
  base::count_work(300 * (1 + raised));
}

double LeafRoutes::cost_of(const Moves& moves, const Moves& already) const {
  std::vector<std::int32_t> cells;
  for (const auto& [cell, move] : moves) {
    if (move != 0 && already.find(cell) == already.end())
      cells.push_back(cell);
  }
  std::sort(cells.begin(), cells.end());  // sums in a fixed order
  double cost = 0;
  for (const std::int32_t cell : cells) {
    switch (pattern_state_.place(CellId{cell})) {
      case CellRole::kNever:
        return std::numeric_limits<double>::infinity();
      case CellRole::kPublished:
        cost += pattern_state_.cost(CellId{cell});
        break;
      case CellRole::kWithheld:
        cost += pattern_state_.least_cost();
        break;
    }
  }
  return cost;
}

std::vector<std::int32_t> LeafRoutes::partners_at(std::int32_t cell,
                                                  std::size_t most,
                                                  const Pairing& pairing) const {
  std::vector<std::int32_t> found;
  std::vector<std::pair<double, std::int32_t>> partners;
  for (const Incidence& incidence : pattern_state_.table().equations_of(CellId{cell})) {
    base::count_work(20 * pattern_state_.table().equation(incidence.equation).size());
    partners.clear();
    for (const Term& term : pattern_state_.table().equation(incidence.equation)) {
      const std::int32_t other = term.cell.value;
      if (other != cell && depth_[base::at(other)] <= depth_[base::at(cell)] &&
          slack_left(other, pairing.goal.attacker, pairing.already) >= pairing.least)
        partners.emplace_back(pattern_state_.cost(term.cell), other);
    }
    const std::size_t tried = std::min(most, partners.size());
    std::partial_sort(
        partners.begin(), partners.begin() + static_cast<std::ptrdiff_t>(tried), partners.end());
    for (std::size_t i = 0; i < tried; ++i) {
      const std::int32_t leaf =
          roomiest_below(partners[i].second, pairing.goal.attacker, pairing.already);
      if (leaf >= 0 && leaf != pairing.leaf)
        found.push_back(leaf);
    }
  }
  return found;
}

double LeafRoutes::consider(const std::vector<std::int32_t>& along,
                            const std::vector<std::int32_t>& against,
                            Pairing& pairing) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Wide amount = pairing.wanted;
  for (const auto* side : {&along, &against}) {
    for (const std::int32_t leaf : *side)
      amount = std::min(amount, slack_left(leaf, pairing.goal.attacker, pairing.already));
  }
  if (amount < pairing.least)
    return kNever;
  const Wide signed_amount = amount * sign(pairing.goal.direction);
  Moves leaves;
  for (const std::int32_t leaf : along)
    leaves[leaf] += signed_amount;
  for (const std::int32_t leaf : against)
    leaves[leaf] -= signed_amount;
  Moves trial;
  raise(std::move(leaves), trial);
  const auto own = trial.find(pairing.goal.cell.value);
  if (own == trial.end() || own->second != signed_amount)
    return kNever;
  const double cost = cost_of(trial, pairing.already) / static_cast<double>(amount);
  if (cost < pairing.cost && fits(trial, pairing.goal, pairing.already)) {
    pairing.cost = cost;
    pairing.moves = std::move(trial);
  }
  return cost;
}

void LeafRoutes::add_second_pair(std::int32_t other, Pairing& pairing) const {
  const std::vector<std::int32_t> next_to_other =
      partners_at(other, kTuning.leaf_routes.most_partners, pairing);
  for (const std::int32_t against :
       partners_at(pairing.leaf, kTuning.leaf_routes.most_second, pairing)) {
    for (const std::int32_t along : next_to_other) {
      if (against != other && along != against)
        consider({pairing.leaf, along}, {other, against}, pairing);
    }
  }
}

// Finds the moves of the leaf and of the partners whose cells cost least; none if there is no
// partner.
void LeafRoutes::pair_up(Pairing& pairing) const {
  const LeafRoutesTuning& tuning = kTuning.leaf_routes;
  const bool hasty = pairing.care == Care::kHasty;
  for (const std::int32_t other :
       partners_at(pairing.leaf, hasty ? tuning.hasty_partners : tuning.most_partners, pairing))
    consider({pairing.leaf}, {other}, pairing);
  if (hasty && !pairing.moves.empty())
    return;
  std::vector<std::pair<double, std::int32_t>> distant;
  for (const std::int32_t total : totals_above(pairing.leaf)) {
    for (const std::int32_t other :
         partners_at(total, hasty ? tuning.hasty_distant : tuning.most_distant, pairing))
      distant.emplace_back(consider({pairing.leaf}, {other}, pairing), other);
    if (hasty && !pairing.moves.empty())
      return;
  }
  std::sort(distant.begin(), distant.end());
  distant.erase(std::unique(distant.begin(), distant.end()), distant.end());
  const std::size_t doubled = hasty ? tuning.hasty_doubled : tuning.most_doubled;
  for (std::size_t i = 0; i < std::min(doubled, distant.size()); ++i)
    add_second_pair(distant[i].second, pairing);
}

// Within the slacks together with what moves already, and every equation balances.
bool LeafRoutes::fits(const Moves& moves, const RouteGoal& goal, const Moves& already) const {
  std::map<std::int32_t, Wide> sums;
  for (const auto& [cell, own] : moves) {
    const auto before = already.find(cell);
    const Wide move = own + (before == already.end() ? Wide{0} : before->second);
    const attack::Slack slack = pattern_state_.slack(CellId{cell}, goal.attacker);
    const Units side = slack.toward(move > 0 ? 1 : -1);
    const Wide length = move > 0 ? move : -move;
    if (length >= kLargestMove || (side != kUnboundedAbove && length > side))
      return false;
    for (const Incidence& incidence : pattern_state_.table().equations_of(CellId{cell}))
      sums[incidence.equation.value] += own * incidence.coefficient;
  }
  return std::all_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second == 0; });
}

std::optional<Route> LeafRoutes::find(const RouteGoal& goal, Care care) const {
  if (goal.joint < 0)
    return find_for(goal, care);
  RouteGoal all = goal;  // of the bundle
  all.attacker = goal.joint;
  std::optional<Route> steps = find_for(all, care);
  return steps && start::fits(pattern_state_, *steps, goal) ? std::move(steps)
                                                            : find_for(goal, care);
}

std::optional<Route> LeafRoutes::find_for(const RouteGoal& goal, Care care) const {
  Moves all;
  const int turn = sign(goal.direction);
  Wide left = goal.level;
  for (const std::int32_t leaf : carriers(goal.cell.value, goal.attacker)) {
    for (std::size_t share = 0; share < kTuning.leaf_routes.most_shares && left > 0; ++share) {
      const Wide most = std::min(left, slack_left(leaf, goal.attacker, all));
      const Wide least = std::max(Wide{1}, most / kTuning.leaf_routes.smallest_share);
      Pairing pairing{leaf, most, least, goal, all, care};
      pair_up(pairing);
      const auto own = pairing.moves.find(goal.cell.value);
      if (own == pairing.moves.end())
        break;
      left -= own->second * turn;
      for (const auto& [cell, move] : pairing.moves)
        all[cell] += move;
    }
    if (left == 0)
      break;
  }
  const auto own = all.find(goal.cell.value);
  if (own == all.end() || own->second != Wide{goal.level} * turn || !fits(all, goal, {}))
    return std::nullopt;
  Route steps;
  for (const auto& [cell, move] : all) {
    if (move != 0)
      steps.push_back({CellId{cell}, static_cast<Units>(move)});
  }
  std::sort(steps.begin(), steps.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  const bool usable = std::all_of(steps.begin(), steps.end(), [&](const RouteStep& step) {
    return pattern_state_.place(step.cell) != CellRole::kNever;
  });
  if (!usable)
    return std::nullopt;
  return steps;
}

}  // namespace lacuna::start
