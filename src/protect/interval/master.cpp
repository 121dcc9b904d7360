// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/master.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {

Result<std::unique_ptr<Master>> Master::make(const Model& model, const std::string& engine) {
  LACUNA_TRY(std::unique_ptr<LpSolver> solver, make_lp_solver(engine));
  std::unique_ptr<Master> master(new Master(model, std::move(solver)));
  LACUNA_RETURN_IF_ERROR(master->load());
  return master;
}

Status Master::load() {
  // Between the lightest and the heaviest weight, which may be far apart.
  double heaviest = 0;
  double lightest = kLpInfinity;
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] == EndRole::kPriced && model_.weight[e] > 0) {
      heaviest = std::max(heaviest, model_.weight[e]);
      lightest = std::min(lightest, model_.weight[e]);
    }
  }
  price_ = heaviest > 0 ? std::sqrt(heaviest * lightest) : 1;
  LpModel lp;
  base::Random random(1);
  column_of_end_.assign(model_.num_ends(), -1);
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] != EndRole::kPriced)
      continue;
    const double noise = kTuning.master.noise *
                         static_cast<double>(random.between(0, kTuning.master.noise_steps)) /
                         kTuning.master.noise_steps;
    column_of_end_[e] = lp.add_column(model_.least[e],
                                      std::max(model_.least[e], model_.most[e]),
                                      model_.weight[e] / price_ * (1 - noise));
  }
  column_of_share_.assign(2 * model_.needs.size(), -1);
  for (std::size_t g = 0; g < model_.needs.size(); ++g) {
    const Need& need = model_.needs[g];
    if (need.sliding == 0)
      continue;
    column_of_share_[2 * g] = lp.add_column(need.upper, std::max(need.upper, need.sliding));
    column_of_share_[2 * g + 1] = lp.add_column(need.lower, std::max(need.lower, need.sliding));
    const std::int32_t both[] = {column_of_share_[2 * g], column_of_share_[2 * g + 1]};
    const double ones[] = {1, 1};
    lp.add_row(need.sliding, kLpInfinity, both, ones);
  }
  fixed_rows_ = lp.num_rows();
  return solver_->load(lp);
}

void Master::set_true_prices() {
  true_prices_ = true;
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (column_of_end_[e] >= 0)
      solver_->set_cost(column_of_end_[e], model_.weight[e] / price_);
  }
}

void Master::add_cuts(std::span<const Cut> cuts) {
  LpModel rows;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const Cut& cut : cuts) {
    columns.clear();
    values.clear();
    for (const auto& [end, coefficient] : cut.terms) {
      columns.push_back(column_of_end_[end]);
      values.push_back(coefficient);
    }
    const auto g = static_cast<std::size_t>(cut.goal.need);
    const Need& need = model_.needs[g];
    const std::int32_t share = column_of_share_[2 * g + (cut.goal.sign > 0 ? 0 : 1)];
    double level = need.level(cut.goal.sign);
    if (share >= 0) {
      columns.push_back(share);
      values.push_back(-1);
      level = 0;
    }
    rows.add_row(level - cut.constant, kLpInfinity, columns, values);
    base::count_work(kTuning.work.rise * columns.size());  // until the engine has them
    idle_.add();
  }
  if (rows.num_rows() > 0)
    solver_->add_rows(rows);
}

LpStatus Master::solve(const RunContext& run, Point& point, double& cost) {
  const LpSolution found = solver_->minimize(run);
  if (found.status != LpStatus::kOptimal)
    return found.status;
  point.z.assign(model_.num_ends(), 0);
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (column_of_end_[e] >= 0)
      point.z[e] = model_.tidied(found.primal[static_cast<std::size_t>(column_of_end_[e])]);
  }
  point.h.assign(2 * model_.needs.size(), 0);
  for (std::size_t i = 0; i < point.h.size(); ++i) {
    point.h[i] = column_of_share_[i] >= 0
                     ? found.primal[static_cast<std::size_t>(column_of_share_[i])]
                     : model_.needs[i / 2].level(i % 2 == 0 ? 1 : -1);
  }
  base::count_work(8 * kTuning.work.end * model_.num_ends());  // slacks are tidied
  cost = found.objective * price_ * model_.price_unit + model_.forced;
  idle_.age(found.dual, fixed_rows_);
  return LpStatus::kOptimal;
}

void Master::forget_idle() {
  idle_.drop(*solver_, fixed_rows_);
}

}  // namespace lacuna::interval
