// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/base/exact.h"
#include "core/base/work.h"
#include "lacuna/method.h"
#include "protect/interval/tuning.h"
#include "protect/start/construct.h"

namespace lacuna::interval {
namespace {

class Chooser {
 public:
  Chooser(const Model& model,
          std::span<const Goal> goals,
          std::span<const Displacement> displacements)
      : model_(model),
        goals_(goals),
        displacements_(displacements),
        through_(model.movable.size()),
        z_(model.least) {
    for (const Displacement& each : displacements)
      add(each);
  }

  StartMoves run() {
    result_.moves.resize(goals_.size());
    result_.shown.assign(goals_.size(), 0);
    served_.assign(goals_.size(), false);
    const std::size_t attackers = model_.limits.size();
    for (std::size_t k = 0; k < attackers; ++k)
      most_.push_back(model_.slacks(static_cast<std::int32_t>(k), model_.most));
    result_.complete = true;
    for (const std::size_t d : by_importance())
      result_.complete = serve(d) && result_.complete;
    return std::move(result_);
  }

 private:
  struct Choice {
    std::size_t index = 0;
    attacker::Move move;
    double reach = 0;
    double cost = 0;
  };

  void add(const Displacement& given) {
    const double unit = given.denominator.to_double() * model_.scale;
    attacker::Move move;
    for (std::size_t i = 0; i < given.cells.size(); ++i)
      move.emplace_back(given.cells[i].value, given.moves[i].to_double() / unit);
    for (const auto& [cell, amount] : move)
      through_[static_cast<std::size_t>(cell)].push_back(moves_.size());
    moves_.push_back(std::move(move));
  }

  const Need& need_of(std::size_t goal) const {
    return model_.needs[static_cast<std::size_t>(goals_[goal].need)];
  }

  // What costs most is routed first, so that the rest may use its slack.
  std::vector<std::size_t> by_importance() const {
    std::vector<std::size_t> order(goals_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto price = [&](std::size_t d) {
      const Need& need = need_of(d);
      const int sign = goals_[d].sign;
      return std::max(need.level(sign), need.sliding) *
             model_.weight[attacker::end_of(need.cell, sign)];
    };
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return price(a) > price(b); });
    return order;
  }

  // The other direction of a need with a sliding level, if it has its move already.
  std::optional<std::size_t> other_served(std::size_t goal) const {
    for (const std::size_t near : {goal - 1, goal + 1}) {
      if (near < goals_.size() && goals_[near].need == goals_[goal].need && served_[near])
        return near;
    }
    return std::nullopt;
  }

  bool serve(std::size_t goal) {
    const Need& need = need_of(goal);
    // With a sliding level the first direction takes all that it can get, the other one the rest.
    const double own = need.level(goals_[goal].sign);
    const auto other = other_served(goal);
    const double level = std::max(own, need.sliding - (other ? result_.shown[*other] : 0));
    const double needed = other ? level : own;
    Choice best;
    for (const std::size_t m : through_[static_cast<std::size_t>(need.cell)]) {
      Choice choice = scaled(goal, moves_[m], level);
      choice.index = m;
      if (choice.reach > best.reach || (choice.reach == best.reach && choice.cost < best.cost))
        best = std::move(choice);
    }
    for (const auto& [cell, amount] : best.move) {
      double& slack = z_[attacker::end_of(cell, amount > 0 ? 1 : -1)];
      slack = std::max(slack, std::abs(amount));
    }
    if (best.reach > 0)
      result_.exact.push_back(exactly(goal, best));
    result_.moves[goal] = std::move(best.move);
    result_.shown[goal] = best.reach;
    served_[goal] = true;
    return best.reach >= needed;
  }

  // The displacement or its negative, so that the cell moves the right way and not beyond `level`.
  Choice scaled(std::size_t goal, const attacker::Move& whole, double level) const {
    const Need& need = need_of(goal);
    const auto own = std::lower_bound(
        whole.begin(), whole.end(), need.cell, [](const auto& a, std::int32_t cell) {
          return a.first < cell;
        });
    const double toward = own->second * goals_[goal].sign;
    base::count_work(kTuning.work.move_cell * whole.size());
    const double factor = (toward > 0 ? 1 : -1) * std::min(1.0, level / std::abs(toward));
    Choice choice;
    choice.reach = std::min(level, std::abs(toward));
    for (const auto& [cell, amount] : whole) {
      const double step = factor * amount;
      const std::size_t end = attacker::end_of(cell, step > 0 ? 1 : -1);
      if (std::abs(step) > most_[static_cast<std::size_t>(need.attacker)][end])
        return {};
      choice.cost += model_.weight[end] * std::max(0.0, std::abs(step) - z_[end]);
      choice.move.emplace_back(cell, step);
    }
    return choice;
  }

  // The displacement m scaled to L / |m_p| if it takes the cell p farther than the level L, in
  // units rounded up.
  Displacement exactly(std::size_t goal, const Choice& choice) const {
    Displacement result = displacements_[choice.index];
    const CellId cell{need_of(goal).cell};
    const auto own = std::lower_bound(result.cells.begin(), result.cells.end(), cell);
    const Integer toward =
        result.moves[static_cast<std::size_t>(own - result.cells.begin())] * goals_[goal].sign;
    const mpz_class level(std::ceil(choice.reach * model_.scale));
    const bool farther = abs(toward) > level * result.denominator;
    mpz_class factor = farther ? level : mpz_class(1);
    if (farther)
      result.denominator = abs(toward);
    if (toward < 0)
      factor = -factor;
    base::count_work(4 * kTuning.work.cut_cell * result.moves.size());  // of any size
    Integer common = result.denominator;
    for (Integer& move : result.moves) {
      move *= factor;
      common = gcd(common, move);
    }
    result.denominator /= common;
    for (Integer& move : result.moves)
      move /= common;
    return result;
  }

  const Model& model_;
  std::span<const Goal> goals_;
  std::span<const Displacement> displacements_;
  std::vector<attacker::Move> moves_;
  std::vector<std::vector<std::size_t>> through_;  // by cell: moves through it
  std::vector<std::vector<double>> most_;          // by attacker: his largest slacks
  std::vector<double> z_;
  std::vector<bool> served_;
  StartMoves result_;
};

}  // namespace

StartMoves moves_from(const Model& model,
                      std::span<const Goal> goals,
                      std::span<const Displacement> displacements) {
  return Chooser(model, goals, displacements).run();
}

Result<StartMoves> start_from_pattern(const Model& model,
                                      std::span<const Goal> goals,
                                      const std::string& engine,
                                      const RunContext& run) {
  start::ConstructOptions options;
  options.improve = false;
  options.engine = engine;
  // The pattern is a means, not a result, and the same one for any effort.
  RunContext silent =
      with_work(run, effort_work(Effort::kFast, model.problem->table().num_cells()) / 2);
  silent.log = {};
  silent.on_progress = {};
  LACUNA_TRY(const start::Constructed found,
             start::construct_pattern(*model.problem, options, silent));
  return moves_from(model, goals, found.witnesses);
}

}  // namespace lacuna::interval
