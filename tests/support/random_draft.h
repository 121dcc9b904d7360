// SPDX-License-Identifier: Apache-2.0
// Random releases of a problem, of every kind that the table of docs/audit.md, section 1, has.
#pragma once

#include <algorithm>

#include "core/base/random.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// A range around the value that is narrow, wide or very wide, and sometimes the value itself.
inline Bounds random_bounds(Units value, base::Random& random) {
  const auto reach = [&] {
    switch (random.between(0, 3)) {
      case 0:
        return Units{0};
      case 1:
        return Units{random.between(1, 5)};
      case 2:
        return Units{random.between(1, std::max<Units>(1, value))};
      default:
        return Units{1'000'000};
    }
  };
  const Units down = reach();
  const Units up = reach();
  return {value - down, value + up};
}

inline void publish_changed(Draft& draft, CellId cell, Units value, base::Random& random) {
  switch (random.between(0, 2)) {
    case 0: {
      const Units base = random.between(2, 12);
      const Units below = value - ((value % base) + base) % base;
      const auto steps = static_cast<std::int32_t>(random.between(0, 2));
      draft.publish_rounded(cell, random.chance(1, 2) ? below : below + base, base, steps);
      break;
    }
    case 1: {
      const Units told = value + random.between(-4, 4);
      const Units range = random.between(4, 9);
      draft.publish_altered(cell, told, {told - range, told + range});
      break;
    }
    default:  // the truth itself, with a range around it or with none left
      draft.publish_altered(cell, value, random_bounds(value, random));
  }
}

// Sensitive cells are nearly always hidden, of the others a share that varies from draft to draft.
inline Draft random_draft(const Problem& problem, base::Random& random) {
  const Table& table = problem.table();
  Draft draft = Draft::withholding_primaries(table);
  const std::int64_t hidden = random.between(0, 90);
  const bool only_withhold = random.chance(1, 3);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId cell{c};
    const Cell& content = table.cell(cell);
    const bool sensitive = content.status == CellStatus::kPrimary;
    if (content.status == CellStatus::kKnown || !random.chance(sensitive ? 20 : hidden, 100))
      continue;
    if (content.status == CellStatus::kMustPublish) {
      publish_changed(draft, cell, content.value, random);
    } else if (only_withhold || random.chance(1, 2)) {
      draft.withhold(cell);
    } else if (random.chance(1, 2)) {
      draft.publish_interval(cell, random_bounds(content.value, random));
    } else if (sensitive && random.chance(1, 5)) {
      draft.publish_exact(cell);
    } else {
      publish_changed(draft, cell, content.value, random);
    }
  }
  return draft;
}

}  // namespace lacuna::testing
