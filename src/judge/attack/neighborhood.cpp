// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/neighborhood.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "core/base/work.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

constexpr std::size_t kClasses = 4;

// How ill a cell can carry a displacement of the level: 0 if it has that much slack on both sides,
// one more for every quarter, up to kClasses - 1.
std::size_t room_class(const AttackView& view, std::int32_t free, Units level) {
  const Slack& slack = view.free_cell(free).slack;
  const Units both = std::min(slack.up, slack.down);
  std::size_t result = 0;
  while (result + 1 < kClasses && both < level) {
    level /= 4;
    ++result;
  }
  return result;
}

}  // namespace

Neighborhood neighborhood(const AttackView& view,
                          std::span<const std::int32_t> around,
                          Units level,
                          std::size_t wanted,
                          std::size_t per_equation) {
  const Table& table = view.table();
  Neighborhood near;
  std::unordered_set<std::int32_t> in(around.begin(), around.end());
  std::unordered_set<std::int32_t> seen;  // equations looked at
  std::array<std::vector<std::int32_t>, kClasses> queue;
  std::array<std::size_t, kClasses> head{};
  near.cells.assign(around.begin(), around.end());
  queue[0].assign(around.begin(), around.end());
  std::vector<std::pair<std::size_t, std::int32_t>> others;
  std::int64_t terms = 0;
  const auto expand = [&](std::int32_t cell) {
    for (const Incidence& incidence : table.equations_of(view.free_cell(cell).cell)) {
      if (!seen.insert(incidence.equation.value).second)
        continue;
      others.clear();
      terms += std::ssize(table.equation(incidence.equation));
      for (const Term& term : table.equation(incidence.equation)) {
        const std::int32_t other = view.free_index(term.cell);
        if (other >= 0 && !in.contains(other))
          others.emplace_back(room_class(view, other, level), other);
      }
      if (others.size() > per_equation) {
        std::sort(others.begin(), others.end());
        others.resize(per_equation);
      } else {
        near.complete.push_back(incidence.equation);
      }
      for (const auto& [slack, other] : others) {
        in.insert(other);
        near.cells.push_back(other);
        queue[slack].push_back(other);
      }
    }
  };
  for (std::size_t slack = 0; slack < kClasses && near.cells.size() < wanted;) {
    if (head[slack] == queue[slack].size()) {
      ++slack;
      continue;
    }
    expand(queue[slack][head[slack]++]);
    slack = 0;
  }
  base::count_work(kAttackTouches.look_term * terms);
  near.entire = near.cells.size() == view.part(view.free_cell(around.front()).part).size();
  return near;
}

Core movable(const AttackView& view, const std::vector<std::int32_t>& cells) {
  const Table& table = view.table();
  const std::unordered_set<std::int32_t> all(cells.begin(), cells.end());
  std::unordered_set<std::int32_t> out;
  std::unordered_map<std::int32_t, std::int32_t> count;  // cells still in, by equation
  std::vector<std::int32_t> alone;
  std::int64_t terms = 0;
  for (const std::int32_t free : cells) {
    terms += std::ssize(table.equations_of(view.free_cell(free).cell));
    for (const Incidence& incidence : table.equations_of(view.free_cell(free).cell))
      ++count[incidence.equation.value];
  }
  base::count_work(kAttackTouches.look_term * terms * 2);
  for (const auto& [equation, number] : count) {
    if (number == 1)
      alone.push_back(equation);
  }
  while (!alone.empty()) {
    const EquationId equation{alone.back()};
    alone.pop_back();
    for (const Term& term : table.equation(equation)) {
      const std::int32_t free = view.free_index(term.cell);
      if (free < 0 || !all.contains(free) || !out.insert(free).second)
        continue;
      for (const Incidence& incidence : table.equations_of(term.cell)) {
        if (--count[incidence.equation.value] == 1)
          alone.push_back(incidence.equation.value);
      }
      break;
    }
  }
  Core core;
  for (const std::int32_t free : cells) {
    if (!out.contains(free))
      core.cells.push_back(free);
  }
  for (const auto& [equation, number] : count) {
    if (number > 0)
      core.equations.push_back(EquationId{equation});
  }
  return core;
}

}  // namespace lacuna::attack
