// SPDX-License-Identifier: Apache-2.0
// Views of random drafts, and evidence compared with the exact oracle.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/base/exact.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/reach.h"
#include "judge/attack/view.h"
#include "support/oracle.h"

namespace lacuna::testing {

struct RandomView {
  RandomView(std::shared_ptr<const Problem> given, Draft pattern)
      : problem(std::move(given)),
        draft(std::move(pattern)),
        view(problem->table(), draft, problem->attackers().front()),
        oracle(problem->table(), draft, problem->attackers().front()) {}

  // The farthest that the cell can move; nothing: for ever.
  std::optional<Fraction> extent(CellId cell, Direction direction) {
    const OracleRange range = oracle.range(cell);
    const Fraction value(static_cast<long>(problem->table().value(cell)));
    if (direction == Direction::kHigh)
      return range.upper ? std::optional<Fraction>(*range.upper - value) : std::nullopt;
    return range.lower ? std::optional<Fraction>(value - *range.lower) : std::nullopt;
  }

  // Slacks with determined cells at rest: proofs of a part do not speak of them.
  std::vector<attack::Slack> slacks() const {
    std::vector<attack::Slack> slacks(view.slacks().begin(), view.slacks().end());
    for (const attack::AttackView::Determined& determined : view.determined())
      slacks[static_cast<std::size_t>(determined.cell.value)] = {};
    return slacks;
  }

  std::shared_ptr<const Problem> problem;
  Draft draft;
  attack::AttackView view;
  Oracle oracle;
};

// Every cell that may be withheld is, with a chance of one in `one_in`.
inline Draft random_pattern(const Problem& problem, base::Random& random, std::int64_t one_in) {
  Draft draft = Draft::withholding_primaries(problem.table());
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kFree && random.chance(1, one_in))
      draft.withhold(CellId{c});
  }
  return draft;
}

}  // namespace lacuna::testing
