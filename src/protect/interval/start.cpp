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
          std::span<const Demand> demands,
          std::span<const Displacement> displacements)
      : model_(model),
        demands_(demands),
        displacements_(displacements),
        through_(model.movable.size()),
        z_(model.least) {
    for (const Displacement& each : displacements)
      add(each);
  }

  StartMoves run() {
    result_.moves.resize(demands_.size());
    result_.shown.assign(demands_.size(), 0);
    served_.assign(demands_.size(), false);
    const std::size_t attackers = model_.limits.size();
    for (std::size_t k = 0; k < attackers; ++k)
      most_.push_back(model_.rooms(static_cast<std::int32_t>(k), model_.most));
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

  const Goal& goal_of(std::size_t demand) const {
    return model_.goals[static_cast<std::size_t>(demands_[demand].goal)];
  }

  // What costs most is routed first, so that the rest may use its room.
  std::vector<std::size_t> by_importance() const {
    std::vector<std::size_t> order(demands_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto price = [&](std::size_t d) {
      const Goal& goal = goal_of(d);
      const int sign = demands_[d].sign;
      return std::max(goal.level(sign), goal.sliding) *
             model_.weight[attacker::end_of(goal.cell, sign)];
    };
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return price(a) > price(b); });
    return order;
  }

  // The other direction of a goal with a sliding level, if it has its move already.
  std::optional<std::size_t> other_served(std::size_t demand) const {
    for (const std::size_t near : {demand - 1, demand + 1}) {
      if (near < demands_.size() && demands_[near].goal == demands_[demand].goal && served_[near])
        return near;
    }
    return std::nullopt;
  }

  bool serve(std::size_t demand) {
    const Goal& goal = goal_of(demand);
    // With a sliding level the first direction takes all that it can get, the other one the rest.
    const double own = goal.level(demands_[demand].sign);
    const auto other = other_served(demand);
    const double level = std::max(own, goal.sliding - (other ? result_.shown[*other] : 0));
    const double needed = other ? level : own;
    Choice best;
    for (const std::size_t m : through_[static_cast<std::size_t>(goal.cell)]) {
      Choice choice = scaled(demand, moves_[m], level);
      choice.index = m;
      if (choice.reach > best.reach || (choice.reach == best.reach && choice.cost < best.cost))
        best = std::move(choice);
    }
    for (const auto& [cell, amount] : best.move) {
      double& room = z_[attacker::end_of(cell, amount > 0 ? 1 : -1)];
      room = std::max(room, std::abs(amount));
    }
    if (best.reach > 0)
      result_.exact.push_back(exactly(demand, best));
    result_.moves[demand] = std::move(best.move);
    result_.shown[demand] = best.reach;
    served_[demand] = true;
    return best.reach >= needed;
  }

  // The displacement or its negative, so that the cell moves the right way and not beyond `level`.
  Choice scaled(std::size_t demand, const attacker::Move& whole, double level) const {
    const Goal& goal = goal_of(demand);
    const auto own = std::lower_bound(
        whole.begin(), whole.end(), goal.cell, [](const auto& a, std::int32_t cell) {
          return a.first < cell;
        });
    const double toward = own->second * demands_[demand].sign;
    base::count_work(kTuning.work.move_cell * whole.size());
    const double factor = (toward > 0 ? 1 : -1) * std::min(1.0, level / std::abs(toward));
    Choice choice;
    choice.reach = std::min(level, std::abs(toward));
    for (const auto& [cell, amount] : whole) {
      const double step = factor * amount;
      const std::size_t end = attacker::end_of(cell, step > 0 ? 1 : -1);
      if (std::abs(step) > most_[static_cast<std::size_t>(goal.attacker)][end])
        return {};
      choice.cost += model_.weight[end] * std::max(0.0, std::abs(step) - z_[end]);
      choice.move.emplace_back(cell, step);
    }
    return choice;
  }

  // The displacement m scaled to L / |m_p| if it takes the cell p farther than the level L, in
  // units rounded up.
  Displacement exactly(std::size_t demand, const Choice& choice) const {
    Displacement result = displacements_[choice.index];
    const CellId cell{goal_of(demand).cell};
    const auto own = std::lower_bound(result.cells.begin(), result.cells.end(), cell);
    const Integer toward =
        result.moves[static_cast<std::size_t>(own - result.cells.begin())] * demands_[demand].sign;
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
  std::span<const Demand> demands_;
  std::span<const Displacement> displacements_;
  std::vector<attacker::Move> moves_;
  std::vector<std::vector<std::size_t>> through_;  // by cell: moves through it
  std::vector<std::vector<double>> most_;          // by attacker: his largest rooms
  std::vector<double> z_;
  std::vector<bool> served_;
  StartMoves result_;
};

}  // namespace

StartMoves moves_from(const Model& model,
                      std::span<const Demand> demands,
                      std::span<const Displacement> displacements) {
  return Chooser(model, demands, displacements).run();
}

Result<StartMoves> start_from_pattern(const Model& model,
                                      std::span<const Demand> demands,
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
  return moves_from(model, demands, found.witnesses);
}

}  // namespace lacuna::interval
