// SPDX-License-Identifier: Apache-2.0
#include "protect/start/pattern_state.h"

#include <algorithm>
#include <utility>

#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

double typical(std::vector<double> costs) {
  std::erase_if(costs, [](double cost) { return !(cost > 0); });
  if (costs.empty())
    return 1;
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  return *middle;
}

}  // namespace

PatternState::PatternState(const Problem& problem, std::span<const double> costs)
    : problem_(problem) {
  const Table& table = problem.table();
  const auto cells = static_cast<std::size_t>(table.num_cells());
  place_.assign(cells, CellRole::kPublished);
  permanent_.assign(cells, 0);
  cost_.resize(cells);
  slack_.resize(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const Cell& cell = table.cells()[c];
    cost_[c] = costs.empty() ? cell.weight : costs[c];
    slack_[c] = attack::slack_within(cell.value, cell.prior);
    const bool always =
        cell.status == CellStatus::kPrimary || cell.status == CellStatus::kSecondary;
    if (always) {
      place_[c] = CellRole::kWithheld;
      permanent_[c] = 1;
    } else if (cell.status != CellStatus::kFree || slack_[c].none()) {
      place_[c] = CellRole::kNever;
    }
  }
  for (const Requirement& goal : problem.requirements()) {
    place_[index(goal.cell)] = CellRole::kWithheld;
    permanent_[index(goal.cell)] = 1;
  }
  list_own_slacks();
  least_cost_ = typical(cost_) * kTuning.pattern_state.step_share;
}

void PatternState::list_own_slacks() {
  for (const Attacker& who : problem_.attackers()) {
    std::vector<CellSlack> own;
    for (const Knowledge& known : who.known) {
      const attack::Slack slack = attack::slack_within(
          table().value(known.cell), known_bounds(table(), who, known.cell));
      const attack::Slack& base = slack_[index(known.cell)];
      if (slack.down != base.down || slack.up != base.up)
        own.push_back({known.cell, slack});
    }
    own_slacks_.push_back(std::make_shared<const std::vector<CellSlack>>(std::move(own)));
  }
}

attack::Slack PatternState::slack(CellId cell, std::int32_t attacker) const {
  const std::vector<CellSlack>& own = *own_slacks_[static_cast<std::size_t>(attacker)];
  const auto place =
      std::lower_bound(own.begin(), own.end(), cell, [](const CellSlack& each, CellId wanted) {
        return each.cell < wanted;
      });
  return place == own.end() || place->cell != cell ? slack_[index(cell)] : place->slack;
}

std::int32_t PatternState::add_joint_attacker(std::vector<CellSlack> slacks) {
  own_slacks_.push_back(std::make_shared<const std::vector<CellSlack>>(std::move(slacks)));
  return static_cast<std::int32_t>(own_slacks_.size()) - 1;
}

Draft PatternState::draft() const {
  std::vector<CellId> cells;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    if (place_[c] == CellRole::kWithheld)
      cells.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  return Draft::withholding(cells);
}

Draft PatternState::draft_up_to(Units slack) const {
  std::vector<CellId> cells;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    const bool fits =
        place_[c] == CellRole::kPublished && std::min(slack_[c].down, slack_[c].up) <= slack;
    if (fits || place_[c] == CellRole::kWithheld)
      cells.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  return Draft::withholding(cells);
}

double PatternState::total_cost() const {
  double total = 0;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    if (place_[c] == CellRole::kWithheld)
      total += cost_[c];
  }
  return total;
}

}  // namespace lacuna::start
