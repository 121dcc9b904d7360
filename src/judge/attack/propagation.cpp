// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/propagation.h"

#include <algorithm>
#include <array>
#include <queue>
#include <set>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "judge/attack/equation_line.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

constexpr std::size_t kLinesPerCell = 16;  // on average; far more than tables need

Wide size(std::int32_t coefficient) {
  return coefficient > 0 ? Wide{coefficient} : -Wide{coefficient};
}

// The largest value of sigma * m'z over the slacks, sigma = -1 and 1: a finite part and how many
// cells have no end.
struct Activity {
  std::array<Wide, 2> sum{};
  std::array<std::int32_t, 2> endless{};

  static std::size_t index(int sigma) { return sigma > 0 ? 1 : 0; }
  void add(const Term& term, const Slack& slack, int sigma, int sense) {
    const Units toward = slack.toward(term.coefficient > 0 ? sigma : -sigma);
    if (toward == kUnboundedAbove) {
      endless[index(sigma)] += sense;
    } else {
      sum[index(sigma)] += sense * size(term.coefficient) * toward;
    }
  }
  void add(const Term& term, const Slack& slack, int sense) {
    add(term, slack, 1, sense);
    add(term, slack, -1, sense);
  }
};

}  // namespace

Propagation::Propagation(const Table& table, std::vector<Slack> slacks, const Holes* holes)
    : table_(table),
      slacks_(std::move(slacks)),
      holes_(holes),
      last_(2 * slacks_.size(), -1),
      queued_(static_cast<std::size_t>(table.num_equations()), false) {
  LACUNA_CHECK(slacks_.size() == static_cast<std::size_t>(table.num_cells()));
}

void Propagation::queue(EquationId equation) {
  if (queued_[base::at(equation)])
    return;
  queued_[base::at(equation)] = true;
  queue_.push_back(equation);
}

void Propagation::run() {
  for (std::int32_t e = 0; e < table_.num_equations(); ++e)
    queue(EquationId{e});
  work_off();
}

void Propagation::run_from(std::span<const CellId> changed) {
  for (const CellId cell : changed) {
    if (is_empty(slacks_[base::at(cell)]))
      empty_ = cell;
    for (const Incidence& incidence : table_.equations_of(cell))
      queue(incidence.equation);
  }
  work_off();
}

void Propagation::work_off() {
  const std::size_t limit = lines_.size() + kLinesPerCell * slacks_.size();
  std::size_t head = 0;
  while (head < queue_.size() && empty_.value < 0 && lines_.size() < limit) {
    const EquationId equation = queue_[head++];
    queued_[base::at(equation)] = false;
    narrow_cells_of(equation);
  }
  for (; head < queue_.size(); ++head)
    queued_[base::at(queue_[head])] = false;
  queue_.clear();
}

void Propagation::narrow_cells_of(EquationId equation) {
  const auto terms = table_.equation(equation);
  base::count_work(kAttackTouches.chain_term * std::ssize(terms));
  Activity all;
  for (const Term& term : terms)
    all.add(term, slacks_[base::at(term.cell)], 1);
  if (all.endless[0] > 1 && all.endless[1] > 1)
    return;
  for (const Term& term : terms) {
    if (term.coefficient == 0)
      continue;
    for (const Direction side : {Direction::kLow, Direction::kHigh}) {
      // The others are taken to sigma m'z, which is the opposite of where p is to go.
      const int sigma = term.coefficient > 0 ? -sign(side) : sign(side);
      Activity others = all;
      others.add(term, slacks_[base::at(term.cell)], sigma, -1);
      if (others.endless[Activity::index(sigma)] > 0)
        continue;
      const Wide slack = divided_down(others.sum[Activity::index(sigma)], size(term.coefficient));
      if (slack >= Wide{slacks_[base::at(term.cell)].toward(sign(side))} ||
          slack < -Wide{kMaxUnits})
        continue;
      all.add(term, slacks_[base::at(term.cell)], -1);
      const bool left = add_line(equation, term.cell, side, slack);
      all.add(term, slacks_[base::at(term.cell)], 1);
      if (!left)
        return;
    }
  }
}

// False if the cell has no number left.
bool Propagation::add_line(EquationId equation, CellId cell, Direction side, Wide slack) {
  const Wide value = Wide{table_.value(cell)} + sign(side) * slack;
  if (value > kMaxUnits || value < -Wide{kMaxUnits} || slack > kMaxUnits)
    return true;  // such an end cannot be written, and nobody needs it
  (side == Direction::kHigh ? slacks_[base::at(cell)].up : slacks_[base::at(cell)].down) =
      static_cast<Units>(slack);
  if (holes_ != nullptr)
    slacks_[base::at(cell)] = holes_->snapped(cell, slacks_[base::at(cell)]);
  const bool past_hole = Wide{slacks_[base::at(cell)].toward(sign(side))} != slack;
  std::int32_t& last = last_[place({cell, side})];
  lines_.push_back({{cell, side, equation, static_cast<Units>(value)}, last});
  last = static_cast<std::int32_t>(lines_.size()) - 1;
  if (is_empty(slacks_[base::at(cell)])) {
    empty_ = cell;
    return false;
  }
  for (const Incidence& incidence : table_.equations_of(cell)) {
    if (incidence.equation != equation || past_hole)  // what it gave itself tells it nothing new
      queue(incidence.equation);
  }
  return true;
}

bool Propagation::narrowed(CellSide end) const {
  return last_[place(end)] >= 0;
}

std::int32_t Propagation::line_before(CellSide end, std::int32_t line) const {
  std::int32_t found = last_[place(end)];
  while (found >= line)
    found = lines_[base::at(found)].before;
  return found;
}

Chain Propagation::behind(std::span<const CellSide> ends) const {
  std::set<std::int32_t> needed;
  std::priority_queue<std::int32_t> open;
  const auto need = [&](std::int32_t line) {
    if (line >= 0 && needed.insert(line).second)
      open.push(line);
  };
  for (const CellSide& end : ends)
    need(last_[place(end)]);
  std::int64_t terms = 0;
  while (!open.empty()) {
    const std::int32_t line = open.top();
    open.pop();
    const ChainLine& made = lines_[base::at(line)].line;
    std::int32_t own = 0;
    terms += std::ssize(table_.equation(made.equation));
    for (const Term& term : table_.equation(made.equation))
      own = term.cell == made.cell ? term.coefficient : own;
    for (const Term& term : table_.equation(made.equation)) {
      if (term.cell == made.cell || term.coefficient == 0)
        continue;
      const int side = side_of_other(sign(made.side), own, term.coefficient);
      need(line_before({term.cell, side > 0 ? Direction::kHigh : Direction::kLow}, line));
    }
  }
  base::count_work(kAttackTouches.chain_term * terms);
  Chain chain;
  for (const std::int32_t line : needed)
    chain.push_back(lines_[base::at(line)].line);
  return chain;
}

}  // namespace lacuna::attack
