// SPDX-License-Identifier: Apache-2.0
// Witnesses found by cell and side: of all that are known the one whose whole multiples take a cell
// farthest, as it is or turned round. One witness often answers many cells and questions. What is
// handed out was checked in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "judge/attack/view.h"
#include "lacuna/evidence.h"

namespace lacuna::attack {

// The same move as often as s f'z >= level takes; a fraction of a table of counts is made whole
// that way, too. Nothing if the view does not admit it.
std::optional<Displacement> stretched(const AttackView& view,
                                      Displacement witness,
                                      std::span<const Term> form,
                                      Direction direction,
                                      Units level);

class WitnessStore {
 public:
  // The view must outlive the store.
  explicit WitnessStore(const AttackView& view);

  // One that the view admits; kept if it takes a cell farther than those before.
  void remember(const Displacement& witness);
  // One by which s f'z is at least the level, for a form over free cells.
  std::optional<Displacement> reaching(std::span<const Term> form,
                                       Direction direction,
                                       Units level) const;

  const std::vector<Displacement>& all() const { return witnesses_; }

 private:
  struct Stored {  // the farthest a stored witness takes a cell
    double amount = 0;
    std::int32_t witness = -1;
  };
  struct Multiples {  // how often a witness can be taken, forward and turned round
    double forward = 0, backward = 0;
  };
  Multiples multiples(const Displacement& witness) const;

  const AttackView& view_;
  std::vector<Displacement> witnesses_;
  std::vector<Stored> best_high_, best_low_;  // by free cell
};

}  // namespace lacuna::attack
