// SPDX-License-Identifier: Apache-2.0
#include "protect/owner/seen_from.h"

#include <utility>

#include "core/base/exact.h"
#include "core/base/rational.h"

namespace lacuna::owner {

Displacement seen_from(const TableMove& moved, const Displacement& witness) {
  std::map<std::int32_t, mpz_class> moves;
  for (std::size_t i = 0; i < witness.cells.size(); ++i)
    moves[witness.cells[i].value] = base::gmp(witness.moves[i]);
  for (const auto& [cell, move] : moved)
    moves[cell] -= base::to_integer(move) * base::gmp(witness.denominator);
  Displacement made;
  made.denominator = witness.denominator;
  for (const auto& [cell, move] : moves) {
    if (move == 0)
      continue;
    made.cells.push_back(CellId{cell});
    made.moves.emplace_back(move);
  }
  return made;
}

std::vector<Displacement> seen_from(const TableMove& moved,
                                    const std::vector<Displacement>& witnesses) {
  std::vector<Displacement> made;
  for (const Displacement& each : witnesses)
    made.push_back(seen_from(moved, each));
  return made;
}

}  // namespace lacuna::owner
