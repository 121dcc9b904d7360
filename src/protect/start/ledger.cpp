// SPDX-License-Identifier: Apache-2.0
#include "protect/start/ledger.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/rational.h"

namespace lacuna::start {
namespace {

// Raises the two levels until they add up to the sliding one, evenly as far as the rooms allow.
void share_sliding(const attack::Room& room, Units sliding, Units& lower, Units& upper) {
  const Wide missing = Wide{sliding} - lower - upper;
  if (missing <= 0)
    return;
  const auto spare = [](Units side, Units level) {
    return side == kUnboundedAbove ? Wide{kMaxUnits} - level : Wide{side} - level;
  };
  const Wide above = std::min(spare(room.up, upper), (missing + 1) / 2);
  const Wide below = std::min(spare(room.down, lower), missing - above);
  const Wide rest = std::min(spare(room.up, upper), missing - below);
  upper += static_cast<Units>(rest);
  lower += static_cast<Units>(below);
}

}  // namespace

std::vector<Need> list_needs(const Board& board) {
  std::vector<Need> needs;
  const auto& requirements = board.problem().requirements();
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const Requirement& asked = requirements[i];
    Units lower = asked.lower;
    Units upper = asked.upper;
    share_sliding(board.room(asked.cell, asked.attacker), asked.sliding, lower, upper);
    const auto index = static_cast<std::int32_t>(i);
    if (upper > 0)
      needs.push_back({asked.cell, Direction::kHigh, upper, asked.attacker, index, -1});
    if (lower > 0)
      needs.push_back({asked.cell, Direction::kLow, lower, asked.attacker, index, -1});
  }
  const auto level = [&](const Need& need) { return need.level; };
  std::vector<Units> largest(requirements.size(), 0);
  for (const Need& need : needs) {
    Units& most = largest[static_cast<std::size_t>(need.requirement)];
    most = std::max(most, level(need));
  }
  std::stable_sort(needs.begin(), needs.end(), [&](const Need& a, const Need& b) {
    if (a.requirement == b.requirement)
      return a.level > b.level;
    const Units la = largest[static_cast<std::size_t>(a.requirement)];
    const Units lb = largest[static_cast<std::size_t>(b.requirement)];
    return la != lb ? la > lb : a.requirement < b.requirement;
  });
  for (std::size_t i = 1; i < needs.size(); ++i) {
    if (needs[i].requirement != needs[i - 1].requirement)
      continue;
    needs[i].twin = static_cast<std::int32_t>(i - 1);
    needs[i - 1].twin = static_cast<std::int32_t>(i);
  }
  return needs;
}

std::optional<Steps> steps_of(const Displacement& displacement) {
  constexpr std::size_t kMaxBits = 60;
  Steps steps;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    const Integer& move = displacement.moves[i];
    if (mpz_sizeinbase(base::gmp(move).get_mpz_t(), 2) > kMaxBits)
      return std::nullopt;
    if (move != 0)
      steps.push_back({displacement.cells[i], base::to_units(move)});
  }
  return steps;
}

Ledger::Ledger(Board& board, std::vector<Need> needs)
    : board_(board),
      needs_(std::move(needs)),
      used_(needs_.size(), -1),
      through_(static_cast<std::size_t>(board.table().num_cells())),
      uses_(static_cast<std::size_t>(board.table().num_cells()), 0) {}

bool fits(const Board& board, const Steps& steps, const Need& need) {
  const Units own = move_of(steps, need.cell);
  if (own == 0)
    return false;
  const int turn = (own > 0 ? 1 : -1) * sign(need.direction);
  const Wide size = own > 0 ? Wide{own} : -Wide{own};
  for (const RouteStep& step : steps) {
    const attack::Room room = board.room(step.cell, need.attacker);
    const Units side = room.toward(step.move > 0 ? turn : -turn);
    if (side == kUnboundedAbove)
      continue;
    const Wide move = step.move > 0 ? Wide{step.move} : -Wide{step.move};
    if (move * need.level > Wide{side} * size)
      return false;
  }
  return true;
}

std::int32_t Ledger::add_shape(Steps steps) {
  std::int32_t index = static_cast<std::int32_t>(shapes_.size());
  if (!spare_.empty()) {
    index = spare_.back();
    spare_.pop_back();
  } else {
    shapes_.emplace_back();
  }
  Shape& shape = shapes_[static_cast<std::size_t>(index)];
  shape.steps = std::move(steps);
  shape.users.clear();
  shape.alive = true;
  for (const RouteStep& step : shape.steps) {
    through_[static_cast<std::size_t>(step.cell.value)].push_back(index);
    if (board_.place(step.cell) == Place::kOpen)
      take(step.cell);
  }
  return index;
}

void Ledger::take(CellId cell) {
  LACUNA_CHECK(board_.place(cell) == Place::kOpen);
  board_.take(cell);
  changes_.push_back(cell);
  idle_.push_back(cell);  // until something uses it
}

void Ledger::assign(std::int32_t need, std::int32_t index) {
  LACUNA_CHECK(used_[static_cast<std::size_t>(need)] < 0);
  Shape& shape = shapes_[static_cast<std::size_t>(index)];
  LACUNA_CHECK(shape.alive);
  used_[static_cast<std::size_t>(need)] = index;
  shape.users.push_back(need);
  if (shape.users.size() > 1)
    return;
  for (const RouteStep& step : shape.steps)
    ++uses_[static_cast<std::size_t>(step.cell.value)];
}

void Ledger::release(std::int32_t need) {
  std::int32_t& index = used_[static_cast<std::size_t>(need)];
  LACUNA_CHECK(index >= 0);
  Shape& shape = shapes_[static_cast<std::size_t>(index)];
  index = -1;
  std::erase(shape.users, need);
  if (!shape.users.empty())
    return;
  for (const RouteStep& step : shape.steps) {
    if (--uses_[static_cast<std::size_t>(step.cell.value)] == 0 && !board_.permanent(step.cell))
      idle_.push_back(step.cell);
  }
}

std::vector<CellId> Ledger::idle() {
  std::vector<CellId> cells;
  std::sort(idle_.begin(), idle_.end());
  idle_.erase(std::unique(idle_.begin(), idle_.end()), idle_.end());
  for (const CellId cell : idle_) {
    if (uses(cell) == 0 && board_.place(cell) == Place::kTaken && !board_.permanent(cell))
      cells.push_back(cell);
  }
  idle_.clear();
  return cells;
}

void Ledger::open(CellId cell) {
  LACUNA_CHECK(uses(cell) == 0 && !board_.permanent(cell));
  board_.open(cell);
  changes_.push_back(cell);
  auto& list = through_[static_cast<std::size_t>(cell.value)];
  for (const std::int32_t index : list) {
    Shape& shape = shapes_[static_cast<std::size_t>(index)];
    LACUNA_CHECK(shape.users.empty());
    shape.alive = false;
  }
}

void Ledger::forget_dead() {
  for (auto& list : through_) {
    std::erase_if(
        list, [&](std::int32_t index) { return !shapes_[static_cast<std::size_t>(index)].alive; });
  }
  spare_.clear();
  for (std::size_t s = shapes_.size(); s-- > 0;) {
    if (shapes_[s].alive)
      continue;
    shapes_[s].steps = Steps{};
    spare_.push_back(static_cast<std::int32_t>(s));
  }
}

std::vector<Displacement> Ledger::displacements() const {
  std::vector<Displacement> result;
  for (const Shape& shape : shapes_) {
    for (const int turn : {1, -1}) {
      // The factor level / |move of the user's cell| that reaches all users of this sign.
      Wide level = 0;
      Wide size = 1;
      for (const std::int32_t user : shape.users) {
        const Need& need = this->need(user);
        const Units own = move_of(shape.steps, need.cell);
        if ((own > 0 ? 1 : -1) * sign(need.direction) != turn)
          continue;
        const Wide own_size = own > 0 ? own : -own;
        if (Wide{need.level} * size > level * own_size) {
          level = need.level;
          size = own_size;
        }
      }
      if (level == 0)
        continue;
      const Wide divisor = base::gcd(level, size);
      level /= divisor;
      size /= divisor;
      Displacement displacement;
      displacement.denominator = base::to_integer(size);
      for (const RouteStep& step : shape.steps) {
        displacement.cells.push_back(step.cell);
        displacement.moves.push_back(base::to_integer(Wide{step.move} * turn) *
                                     base::to_integer(level));
      }
      result.push_back(std::move(displacement));
    }
  }
  return result;
}

}  // namespace lacuna::start
