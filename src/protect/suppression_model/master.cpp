// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/master.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/base/check.h"
#include "protect/suppression_model/tuning.h"

namespace lacuna::suppression_model {

Master::Master(const SuppressModel& model, const std::string& engine)
    : model_(model),
      lower_(static_cast<std::size_t>(model.num_columns()), 0),
      upper_(static_cast<std::size_t>(model.num_columns()), 1) {
  auto made = make_lp_solver(engine);
  LACUNA_CHECK(made.has_value());
  solver_ = std::move(made).value();
  for (const double weight : model.weights())
    scale_ = std::max(scale_, weight / kTuning.master.largest_cost);
  LpModel lp;
  for (std::int32_t j = 0; j < model.num_columns(); ++j)
    lp.add_column(0, 1, model.weight(j) / scale_);
  LACUNA_CHECK(solver_->load(lp).has_value());
}

void Master::add(std::span<const SharedCut> cuts) {
  if (cuts.empty())
    return;
  LpModel rows;
  for (const SharedCut& cut : cuts) {
    rows.add_row(cut->rhs, kLpInfinity, cut->columns, cut->values);
    rows_.push_back(cut);
  }
  solver_->add_rows(rows);
}

void Master::match(std::span<const SharedCut> keep) {
  std::unordered_set<const Cut*> wanted;
  for (const SharedCut& cut : keep)
    wanted.insert(cut.get());
  std::vector<std::int32_t> out;
  std::vector<SharedCut> kept;
  std::unordered_set<const Cut*> present;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (wanted.contains(rows_[r].get())) {
      present.insert(rows_[r].get());
      kept.push_back(rows_[r]);
    } else {
      out.push_back(static_cast<std::int32_t>(r));
    }
  }
  if (!out.empty()) {
    solver_->delete_rows(out);
    rows_ = std::move(kept);
  }
  std::vector<SharedCut> missing;
  for (const SharedCut& cut : keep) {
    if (!present.contains(cut.get()))
      missing.push_back(cut);
  }
  add(missing);
}

void Master::set_bounds(std::int32_t column, double lower, double upper) {
  const auto j = static_cast<std::size_t>(column);
  if (lower_[j] == lower && upper_[j] == upper)
    return;
  lower_[j] = lower;
  upper_[j] = upper;
  solver_->set_column_bounds(column, lower, upper);
}

Master::Start Master::start() const {
  return {solver_->basis(), rows_};
}

// Rows that the basis does not know come in basic, as rows just added do.
void Master::begin_at(const Start& start) {
  if (start.basis.empty())
    return;
  std::unordered_map<const Cut*, BasisStatus> status;
  for (std::size_t r = 0; r < start.rows.size(); ++r)
    status.emplace(start.rows[r].get(), start.basis.rows[r]);
  LpBasis basis;
  basis.columns = start.basis.columns;
  for (const SharedCut& row : rows_) {
    const auto known = status.find(row.get());
    basis.rows.push_back(known == status.end() ? BasisStatus::kBasic : known->second);
  }
  solver_->set_basis(basis);
}

Master::Outcome Master::solve(const RunContext& run) {
  ++solves_;
  solution_ = solver_->minimize(run);
  if (solution_.status == LpStatus::kInfeasible)
    return Outcome::kInfeasible;
  if (solution_.status != LpStatus::kOptimal)
    return Outcome::kStopped;
  for (double& value : solution_.primal)
    value = std::clamp(value, 0.0, 1.0);
  evaluate_bound();
  return Outcome::kSolved;
}

void Master::add_tight_rows(std::unordered_set<const Cut*>& tight) const {
  for (std::size_t r = 0; r < std::min(rows_.size(), solution_.dual.size()); ++r) {
    if (solution_.dual[r] > 0)
      tight.insert(rows_[r].get());
  }
}

std::vector<double> Master::row_prices() const {
  std::vector<double> prices(std::min(rows_.size(), solution_.dual.size()));
  for (std::size_t r = 0; r < prices.size(); ++r)
    prices[r] = std::max(solution_.dual[r], 0.0) * scale_;
  return prices;
}

std::vector<double> Master::infeasible_rows() const {
  std::vector<double> rows(std::min(rows_.size(), solution_.ray.size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    rows[r] = std::max(solution_.ray[r], 0.0);
  return rows;
}

void Master::evaluate_bound() {
  reduced_ = model_.weights();
  bound_ = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double y = std::max(solution_.dual[r], 0.0) * scale_;
    if (y == 0)
      continue;
    bound_ += y * rows_[r]->rhs;
    for (std::size_t k = 0; k < rows_[r]->columns.size(); ++k)
      reduced_[static_cast<std::size_t>(rows_[r]->columns[k])] -= y * rows_[r]->values[k];
  }
  for (std::size_t j = 0; j < reduced_.size(); ++j)
    bound_ += std::min(lower_[j] * reduced_[j], upper_[j] * reduced_[j]);
}

}  // namespace lacuna::suppression_model
