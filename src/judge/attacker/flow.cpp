// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/flow.h"

#include <limits>

#include "core/base/check.h"
#include "core/base/index.h"

namespace lacuna::attacker {
namespace {

const table::Network& network_of(const AttackerProblem& problem) {
  LACUNA_CHECK(problem.network() != nullptr);
  return *problem.network();
}

}  // namespace

AttackerFlow::AttackerFlow(const AttackerProblem& problem)
    : problem_(problem),
      search_(
          network_of(problem),
          base::at(problem.num_cells()),
          [&](CellId cell) { return problem.local(cell); },
          std::numeric_limits<double>::infinity()) {}

AttackerSolver::Answer AttackerFlow::push(const Query& query,
                                          const Slacks& slacks,
                                          const RunContext&) {
  ++solves_;
  last_ = query;
  moves_.clear();
  dual_.clear();
  if (slacks.lie_ready()) {
    return push_within(query,
                       [&](std::int32_t cell, int sign) { return slacks.of(cell).toward(sign); });
  }
  listed_.resize(base::at(problem_.num_cells()));
  slacks.list(listed_);
  return push_within(
      query, [&](std::int32_t cell, int sign) { return listed_[base::at(cell)].toward(sign); });
}

template <class Slack>
AttackerSolver::Answer AttackerFlow::push_within(const Query& query, const Slack& slack) {
  const flow::FlowEnding ending =
      search_.push(query.cell, query.sign, query.most, query.negligible, slack);
  const auto add_move = [&](std::int32_t cell, double move) { moves_.emplace_back(cell, move); };
  Answer made;
  made.solved = true;
  made.value = search_.reach();
  if (ending == flow::FlowEnding::kEndless) {
    search_.ray(add_move);
    add_move(query.cell, query.sign);
    made.endless = true;
  } else {
    search_.moves(add_move);
    add_move(query.cell, query.sign * search_.reach());
    if (ending == flow::FlowEnding::kBlocked)
      search_.cut([&](std::int32_t cell, double d) { dual_.emplace_back(cell, d); });
    else
      dual_.emplace_back(query.cell, query.sign);  // the cell's own bound is what stops it
  }
  made.moves = moves_;
  made.dual = dual_;
  return made;
}

}  // namespace lacuna::attacker
