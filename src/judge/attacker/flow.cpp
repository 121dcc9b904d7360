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

AttackerSolver::Answer AttackerFlow::push(const Question& question,
                                          const Rooms& rooms,
                                          const RunContext&) {
  ++solves_;
  last_ = question;
  moves_.clear();
  dual_.clear();
  if (rooms.lie_ready()) {
    return push_within(question,
                       [&](std::int32_t cell, int sign) { return rooms.of(cell).toward(sign); });
  }
  listed_.resize(base::at(problem_.num_cells()));
  rooms.list(listed_);
  return push_within(
      question, [&](std::int32_t cell, int sign) { return listed_[base::at(cell)].toward(sign); });
}

template <class Room>
AttackerSolver::Answer AttackerFlow::push_within(const Question& question, const Room& room) {
  const flow::FlowEnding ending =
      search_.push(question.cell, question.sign, question.most, question.negligible, room);
  const auto add_move = [&](std::int32_t cell, double move) { moves_.emplace_back(cell, move); };
  Answer made;
  made.solved = true;
  made.value = search_.reach();
  if (ending == flow::FlowEnding::kEndless) {
    search_.ray(add_move);
    add_move(question.cell, question.sign);
    made.endless = true;
  } else {
    search_.moves(add_move);
    add_move(question.cell, question.sign * search_.reach());
    if (ending == flow::FlowEnding::kBlocked)
      search_.cut([&](std::int32_t cell, double d) { dual_.emplace_back(cell, d); });
    else
      dual_.emplace_back(question.cell, question.sign);  // the cell's own bound is what stops it
  }
  made.moves = moves_;
  made.dual = dual_;
  return made;
}

}  // namespace lacuna::attacker
