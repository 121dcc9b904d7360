// SPDX-License-Identifier: Apache-2.0
// The slacks of the attacker's problem (judge/attacker/solver.h) at a point x of the master. All
// displacements are divided by the level that is asked for:
//
//   up_i = min(UB_i / L, 1) x_i, and down_i likewise
//
// The capacity constraint is made of d (cuts/capacity.h); capping the slack at the level makes its
// violation that of the strengthened constraint where d is 0, 1 or -1. Answers are hints: cuts are
// made from d with the true slacks. Any multipliers g make a valid constraint: a search that was
// cut off answers with those it has come to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "judge/attacker/slacks.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

class Capacities final : public attacker::Slacks {
 public:
  // In units of the level, at most one. With `least` > 0 never quite nothing: then the dual tells
  // also what a cell that is published now would be good for.
  Capacities(const SuppressModel& model,
             std::int32_t attacker,
             double level,
             double least,
             std::span<const double> x)
      : Capacities(model, model.own_slacks(attacker), level, least, x) {}
  // Of somebody who differs from the outsider in these slacks, which outlive this.
  Capacities(const SuppressModel& model,
             std::span<const SuppressModel::OwnSlack> own,
             double level,
             double least,
             std::span<const double> x)
      : model_(model), own_(own), level_(level), least_(least), x_(x) {}
  // x_i on either side of every cell, whatever its slack.
  static Capacities without_slacks(const SuppressModel& model,
                                   double least,
                                   std::span<const double> x) {
    Capacities capacities(model, 0, 1, least, x);
    capacities.without_slacks_ = true;
    return capacities;
  }

  attacker::RealSlack of(std::int32_t cell) const override;
  bool has_slack(std::int32_t cell) const override { return share(cell) > 0; }
  void list(std::span<attacker::RealSlack> slacks) const override;

 private:
  double share(std::int32_t cell) const {
    const std::int32_t column = model_.column_of(cell);
    const double x = column < 0 ? 1 : x_[static_cast<std::size_t>(column)];
    return x > least_ ? x : least_;
  }

  attacker::RealSlack within(attacker::RealSlack slack, double share) const {
    return {std::min(slack.down / level_, 1.0) * share, std::min(slack.up / level_, 1.0) * share};
  }

  const SuppressModel& model_;
  std::span<const SuppressModel::OwnSlack> own_;
  double level_, least_;
  std::span<const double> x_;
  bool without_slacks_ = false;
};

}  // namespace lacuna::suppression_model
