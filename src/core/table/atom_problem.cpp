// SPDX-License-Identifier: Apache-2.0
#include "core/table/atom_problem.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace lacuna::table {

Result<Problem> problem_of_atoms(const Problem& problem, AtomSystem system) {
  std::map<std::vector<std::int32_t>, CellId> atoms;
  std::vector<CellId> now(static_cast<std::size_t>(problem.table().num_cells()), CellId{-1});
  for (std::int32_t c = 0; c < system.table.num_cells(); ++c) {
    const CellId given = system.given[static_cast<std::size_t>(c)];
    const auto codes = system.table.codes(CellId{c});
    if (given.value >= 0)
      now[static_cast<std::size_t>(given.value)] = CellId{c};
    else
      atoms.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
  }
  std::vector<Requirement> requirements;
  for (Requirement need : problem.requirements()) {
    need.cell = now[static_cast<std::size_t>(need.cell.value)];
    if (need.cell.value >= 0)
      requirements.push_back(need);
  }
  std::vector<Attacker> attackers;
  for (const Attacker& attacker : problem.attackers()) {
    Attacker& same = attackers.emplace_back(Attacker{attacker.name, {}});
    for (Knowledge known : attacker.known) {
      const auto codes = problem.table().codes(known.cell);
      const auto atom = atoms.find({codes.begin(), codes.end()});
      const CellId kept = now[static_cast<std::size_t>(known.cell.value)];
      known.cell = kept.value >= 0 ? kept : atom != atoms.end() ? atom->second : CellId{-1};
      if (known.cell.value >= 0 && known.bounds.contains(system.table.value(known.cell)))
        same.known.push_back(known);
    }
    std::sort(same.known.begin(), same.known.end(), [](const Knowledge& a, const Knowledge& b) {
      return a.cell < b.cell;
    });
  }
  return make_problem(std::move(system.table), std::move(attackers), std::move(requirements));
}

std::shared_ptr<const CellKeys> keys_of_atoms(const std::shared_ptr<const CellKeys>& given,
                                              const AtomSystem& system) {
  if (!given)
    return nullptr;
  CellKeys keys;
  keys.modulus = given->modulus;
  const auto take = [&](const auto& from, auto none) {
    auto to = from;
    to.clear();
    for (const CellId cell : system.given)
      to.push_back(cell.value >= 0 ? from[static_cast<std::size_t>(cell.value)] : none);
    return to;
  };
  keys.keys = take(given->keys, std::uint64_t{0});
  keys.records = take(given->records, std::int64_t{-1});
  if (given->is_magnitude()) {
    keys.largest = take(given->largest, std::vector<Units>{});
    keys.spread = take(given->spread, Units{0});
  }
  if (!given->weights.empty())
    keys.weights = take(given->weights, 0.0);
  return std::make_shared<const CellKeys>(std::move(keys));
}

Result<Problem> with_known_cells(Problem problem, std::span<const KnownCell> known) {
  std::map<std::vector<std::int32_t>, CellId> cells;
  std::vector<Bounds> priors;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const auto codes = problem.table().codes(CellId{c});
    cells.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
    priors.push_back(problem.table().cell(CellId{c}).prior);
  }
  for (const KnownCell& each : known) {
    const auto found = cells.find(each.codes);
    if (found == cells.end() && each.bounds.contains(0))
      continue;  // a cell that is not listed is empty, which everyone knows
    if (found == cells.end())
      return Error{ErrorCode::kNoSuchCell,
                   "the cell is in none of the tables; name the dimensions that are areas in "
                   "[differencing] of the job",
                   each.where};
    if (!each.bounds.contains(problem.table().value(found->second)))
      return Error{ErrorCode::kOtherTable,
                   "what the release says about " + problem.table().label(found->second) +
                       " is not true for this table: it is a release about other units",
                   each.where};
    Bounds& prior = priors[static_cast<std::size_t>(found->second.value)];
    prior = intersect(prior, each.bounds);
  }
  problem.set_priors(priors);
  return problem;
}

}  // namespace lacuna::table
