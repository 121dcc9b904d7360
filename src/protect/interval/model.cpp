// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/model.h"

#include <algorithm>
#include <cmath>

#include "core/table/leaf_form.h"
#include "core/table/parts.h"
#include "judge/attack/view.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna {

Status IntervalOptions::validate(const Table& table) const {
  const auto bad = [](std::string message, std::string where) {
    return Error{ErrorCode::kOptionValue, std::move(message), std::move(where)};
  };
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  LACUNA_RETURN_IF_ERROR(check_ranges(static_cast<const IntervalSettings&>(*this)));
  for (const CellId cell : allowed) {
    if (cell.value < 0 || cell.value >= table.num_cells())
      return bad("the table has no cell " + std::to_string(cell.value), "allowed");
  }
  for (const auto* weights : {&weight_up, &weight_down}) {
    if (!weights->empty() && weights->size() != table.cells().size())
      return bad("there must be one weight per cell", "weights");
    for (const double weight : *weights) {
      if (!std::isfinite(weight) || weight < 0)
        return bad("weights must be finite and not negative", "weights");
    }
  }
  return ok_status();
}

}  // namespace lacuna

namespace lacuna::interval {
namespace {

double largest_level(const Problem& problem) {
  Units most = 1;
  for (const Requirement& requirement : problem.requirements())
    most = std::max({most, requirement.lower, requirement.upper, requirement.sliding});
  return static_cast<double>(most);
}

class Builder {
 public:
  Builder(const Problem& problem, const IntervalOptions& options, bool price_all)
      : problem_(problem), table_(problem.table()), options_(options), price_all_(price_all) {
    // A power of two, so that dividing and multiplying is exact.
    model_.problem = &problem;
    model_.scale = std::max(
        1.0, std::exp2(std::ceil(std::log2(largest_level(problem) / kTuning.model.largest_level))));
    model_.price_unit = model_.scale / std::pow(10.0, table_.decimals());
  }

  Model run() {
    choose_roles();
    close_determined();
    add_limits();
    add_goals();
    model_.equations = table::independent_equations(table_, model_.movable);
    model_.attacked = std::make_shared<attacker::AttackerProblem>(table_, model_.movable);
    model_.network = model_.attacked->network();
    return std::move(model_);
  }

 private:
  double scaled(Units slack) const {
    return slack == kUnboundedAbove ? kLpInfinity : static_cast<double>(slack) / model_.scale;
  }

  void choose_roles() {
    const auto cells = static_cast<std::size_t>(table_.num_cells());
    std::vector<bool> allowed(cells, options_.allowed.empty());
    for (const CellId cell : options_.allowed)
      allowed[static_cast<std::size_t>(cell.value)] = true;
    model_.role.assign(2 * cells, EndRole::kClosed);
    model_.weight.assign(2 * cells, 0);
    model_.most.assign(2 * cells, 0);
    model_.movable.assign(cells, false);
    for (std::size_t c = 0; c < cells; ++c) {
      const Cell& cell = table_.cells()[c];
      const bool primary = cell.status == CellStatus::kPrimary;
      const bool hidden = cell.status == CellStatus::kSecondary;
      const bool candidate = primary || (cell.status == CellStatus::kFree && allowed[c]);
      if (!hidden && !candidate)
        continue;
      const attack::Slack slack = attack::slack_within(cell.value, cell.prior);
      set_end(c, 1, slack.up, hidden, options_.weight_up);
      set_end(c, -1, slack.down, hidden, options_.weight_down);
      model_.movable[c] = !slack.none();
    }
  }

  void set_end(std::size_t c, int sign, Units slack, bool hidden, std::span<const double> weights) {
    if (slack == 0)
      return;
    const std::size_t e = attacker::end_of(static_cast<std::int32_t>(c), sign);
    model_.most[e] = scaled(slack);
    const double weight = weights.empty() ? table_.cells()[c].weight : weights[c];
    model_.weight[e] = hidden ? 0 : weight;
    const bool priced = model_.weight[e] > 0 || (price_all_ && !hidden);
    model_.role[e] = priced ? EndRole::kPriced : EndRole::kFree;
  }

  // What the equations fix however wide the intervals are cannot help anybody.
  void close_determined() {
    for (const table::FixedBy& fixed : table::determined_cells(table_, model_.movable)) {
      model_.movable[static_cast<std::size_t>(fixed.cell.value)] = false;
      for (const int sign : {1, -1}) {
        const std::size_t e = attacker::end_of(fixed.cell.value, sign);
        model_.role[e] = EndRole::kClosed;
        model_.most[e] = 0;
      }
    }
  }

  void add_limits() {
    model_.limits.resize(problem_.attackers().size());
    for (std::size_t k = 0; k < problem_.attackers().size(); ++k) {
      for (const Knowledge& known : problem_.attackers()[k].known) {
        const attack::Slack slack = attack::slack_within(table_.value(known.cell), known.bounds);
        for (const int sign : {1, -1}) {
          const std::size_t e = attacker::end_of(known.cell.value, sign);
          const double most = scaled(slack.toward(sign));
          if (most < model_.most[e])
            model_.limits[k].push_back({e, most});
        }
      }
    }
  }

  // Sensitive without a level: one unit on the cheaper side, so that it is not published as it is.
  void force_unit(std::int32_t cell) {
    const std::size_t up = attacker::end_of(cell, 1);
    const std::size_t down = attacker::end_of(cell, -1);
    const bool upward =
        model_.most[up] > 0 && (model_.most[down] == 0 || model_.weight[up] <= model_.weight[down]);
    const std::size_t e = upward ? up : down;
    if (model_.role[e] != EndRole::kClosed) {
      model_.least[e] = std::max(model_.least[e], scaled(1));
      return;
    }
    const Cell& closed = table_.cell(CellId{cell});  // as publish.cpp does it
    const attack::Slack slack = attack::slack_within(closed.value, closed.prior);
    if (!slack.none() && !forced_[static_cast<std::size_t>(cell)])
      model_.forced += model_.weight[slack.up > 0 ? up : down] * scaled(1) * model_.price_unit;
    forced_[static_cast<std::size_t>(cell)] = true;
  }

  void add_goals() {
    model_.least.assign(model_.num_ends(), 0);
    forced_.assign(model_.movable.size(), false);
    for (std::size_t r = 0; r < problem_.requirements().size(); ++r) {
      const Requirement& requirement = problem_.requirements()[r];
      if (requirement.upper == 0 && requirement.lower == 0 && requirement.sliding == 0) {
        force_unit(requirement.cell.value);
        continue;
      }
      Need need;
      need.requirement = static_cast<std::int32_t>(r);
      need.cell = requirement.cell.value;
      need.attacker = requirement.attacker;
      need.upper = scaled(requirement.upper);
      need.lower = scaled(requirement.lower);
      const bool more = Wide{requirement.sliding} > Wide{requirement.upper} + requirement.lower;
      need.sliding = more ? scaled(requirement.sliding) : 0;
      for (const int sign : {1, -1}) {
        double& least = model_.least[attacker::end_of(need.cell, sign)];
        least = std::max(least, need.level(sign));
      }
      model_.needs.push_back(need);
    }
  }

  const Problem& problem_;
  const Table& table_;
  const IntervalOptions& options_;
  bool price_all_;
  std::vector<bool> forced_;  // by cell: its unit is counted
  Model model_;
};

}  // namespace

Result<Model> make_model(const Problem& problem, const IntervalOptions& options, bool price_all) {
  LACUNA_RETURN_IF_ERROR(options.validate(problem.table()));
  return Builder(problem, options, price_all).run();
}

std::vector<double> Model::slacks(std::int32_t attacker, std::span<const double> z) const {
  std::vector<double> seen(z.begin(), z.end());
  for (std::size_t e = 0; e < seen.size(); ++e) {
    if (role[e] == EndRole::kFree)
      seen[e] = most[e];
  }
  for (const Limit& limit : limits[static_cast<std::size_t>(attacker)])
    seen[limit.end] = std::min(seen[limit.end], limit.most);
  return seen;
}

double Model::cost(std::span<const double> z) const {
  double total = 0;
  for (std::size_t e = 0; e < z.size(); ++e) {
    if (role[e] == EndRole::kPriced && weight[e] > 0)  // slack without end may be free
      total += weight[e] * z[e];
  }
  return total * price_unit + forced;
}

double Model::tidied(double slack) const {
  if (!std::isfinite(slack))
    return slack;
  const double units = slack * scale;
  const double near = attacker::snapped(units);
  return std::abs(near - units) <= tol::kDual * std::max(1.0, units) ? near / scale : slack;
}

bool fits(const attacker::Move& move, std::span<const double> slacks, double tolerance) {
  for (const auto& [cell, amount] : move) {
    if (std::abs(amount) > slacks[attacker::end_of(cell, amount > 0 ? 1 : -1)] + tolerance)
      return false;
  }
  return true;
}

std::vector<Goal> goals_of(const Model& model) {
  std::vector<Goal> goals;
  for (std::size_t g = 0; g < model.needs.size(); ++g) {
    const Need& need = model.needs[g];
    for (const int sign : {1, -1}) {
      if (need.level(sign) > 0 || need.sliding > 0)
        goals.push_back({static_cast<std::int32_t>(g), sign});
    }
  }
  return goals;
}

}  // namespace lacuna::interval
