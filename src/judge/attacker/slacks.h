// SPDX-License-Identifier: Apache-2.0
// How far each cell may move on either side, as the caller has it: asked for cell by cell, because
// a search looks at few cells of a large table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "judge/attacker/problem.h"

namespace lacuna::attacker {

// In numbers of the question, infinite where there is no bound.
struct RealSlack {
  double down = 0;
  double up = 0;
  double toward(double direction) const { return direction > 0 ? up : down; }
};

class Slacks {
 public:
  virtual ~Slacks() = default;
  virtual RealSlack of(std::int32_t cell) const = 0;  // local
  // False only if there is no slack on either side; cheaper than the slack.
  virtual bool has_slack(std::int32_t cell) const = 0;
  // Nothing has to be computed: a search may ask for the same cell again and again.
  virtual bool lie_ready() const { return false; }
  // Of all cells at once, as many as there is space for.
  virtual void list(std::span<RealSlack> slacks) const {
    for (std::size_t i = 0; i < slacks.size(); ++i)
      slacks[i] = of(static_cast<std::int32_t>(i));
  }
};

// Cells of a table have two ends: slack above, then slack below.
inline std::size_t end_of(std::int32_t cell, int sign) {
  return 2 * static_cast<std::size_t>(cell) + (sign > 0 ? 0 : 1);
}

class SlacksByEnd final : public Slacks {
 public:
  // By end of the table's cells, and no more than `most` of each.
  SlacksByEnd(const AttackerProblem& problem,
              std::span<const double> slacks,
              std::span<const double> most)
      : problem_(problem), slacks_(slacks), most_(most) {}
  SlacksByEnd(const AttackerProblem& problem, std::span<const double> slacks)
      : SlacksByEnd(problem, slacks, slacks) {}

  RealSlack of(std::int32_t cell) const override {
    const std::size_t up = end_of(problem_.cell(cell).value, 1);
    return {std::min(slacks_[up + 1], most_[up + 1]), std::min(slacks_[up], most_[up])};
  }
  bool has_slack(std::int32_t cell) const override {
    const RealSlack slack = of(cell);
    return slack.down > 0 || slack.up > 0;
  }
  bool lie_ready() const override { return true; }

 private:
  const AttackerProblem& problem_;
  std::span<const double> slacks_, most_;
};

}  // namespace lacuna::attacker
