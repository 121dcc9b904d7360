// SPDX-License-Identifier: Apache-2.0
// What a whole-number search found, filed as an audit would and confirmed.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "judge/attack/checker.h"
#include "judge/attack/reach.h"
#include "lacuna/evidence.h"

namespace lacuna::testing {

struct FiledReach : Evidence {
  End end;

  explicit FiledReach(const attack::Reach& reach) {
    if (reach.witness && !reach.witness->cells.empty()) {
      end.witness = 0;
      end.unbounded = reach.unbounded;
      witnesses.push_back(*reach.witness);
    }
    if (reach.tree) {
      proofs = reach.tree->proofs;
      steps = reach.tree->steps;
      chains = reach.tree->chains;
      trees.push_back(reach.tree->tree);
      end.tree = 0;
    }
    if (reach.proof) {
      end.proof = static_cast<std::int32_t>(proofs.size());
      proofs.push_back(*reach.proof);
    }
    if (reach.step) {
      end.step = static_cast<std::int32_t>(steps.size());
      steps.push_back(*reach.step);
    }
    if (reach.chain) {
      end.chain = static_cast<std::int32_t>(chains.size());
      chains.push_back(*reach.chain);
    }
  }

  Status confirm(const Table& table,
                 std::span<const attack::Slack> slacks,
                 std::span<const Term> form,
                 Direction direction) {
    return attack::Checker(table, {slacks.begin(), slacks.end()}, Domain::kInteger)
        .confirm(form, direction, *this, end);
  }
};

}  // namespace lacuna::testing
