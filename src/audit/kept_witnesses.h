// SPDX-License-Identifier: Apache-2.0
// Witnesses of a report, each kept once: one often serves many cells and questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "lacuna/evidence.h"

namespace lacuna::inline audit {

class KeptWitnesses {
 public:
  // The index in `all`, to which the witness is added unless it was kept here before.
  std::int32_t keep(std::vector<Displacement>& all, Displacement witness) {
    std::size_t hash = witness.cells.size();
    for (std::size_t i = 0; i < witness.cells.size(); ++i) {
      const auto move = low_bits(witness.moves[i]);
      hash = hash * 1'000'003 + static_cast<std::size_t>(witness.cells[i].value) * 31 + move;
    }
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      if (all[static_cast<std::size_t>(it->second)] == witness)
        return it->second;
    }
    const auto index = static_cast<std::int32_t>(all.size());
    by_hash_.emplace(hash, index);
    all.push_back(std::move(witness));
    return index;
  }

 private:
  std::unordered_multimap<std::size_t, std::int32_t> by_hash_;
};

}  // namespace lacuna::inline audit
