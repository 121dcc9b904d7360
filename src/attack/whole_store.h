// SPDX-License-Identifier: Apache-2.0
// Whole witnesses, found by cell and side: of all that are known the one that takes a cell
// farthest, as it is or turned round. One witness often answers many cells and questions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attack/view.h"
#include "lacuna/evidence.h"

namespace lacuna::inline attack {

class WitnessStore {
 public:
  // The view must outlive the store.
  explicit WitnessStore(const AttackView& view);

  // Whole, within the rooms and in no hole; others are left out.
  void remember(const Displacement& witness);
  // Of a free cell, upwards (1) or downwards (-1).
  std::optional<Displacement> farthest(std::int32_t free, int side) const;

  const std::vector<Displacement>& all() const { return witnesses_; }

 private:
  struct Stored {  // the farthest a stored witness takes a cell
    Integer amount = 0;
    std::int32_t witness = -1;
    int turn = 1;  // -1: turned round
  };
  void list(const Displacement& witness, std::int32_t index, int turn);

  const AttackView& view_;
  std::vector<Displacement> witnesses_;
  std::vector<Stored> best_high_, best_low_;  // by free cell
};

}  // namespace lacuna::inline attack
