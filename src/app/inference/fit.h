// SPDX-License-Identifier: Apache-2.0
// A table that fits what is published: any one, because what a reader can infer does not depend on
// which. Where none fits, because numbers were rounded or revised one by one, the least correction
// of what is published,
//   minimize sum of e_i   subject to   M x = 0,  lower_i - e_i <= x_i <= upper_i + e_i,
// where [lower_i, upper_i] is what is told of cell i.
#pragma once

#include <string>
#include <vector>

#include "app/inference/system.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inference {

struct Correction {
  std::int32_t cell = 0;
  Bounds told;      // a point for a number
  Units value = 0;  // that fits, outside of it
};

struct Fit {
  bool found = true;          // false: none of whole units, which says nothing of others
  std::vector<Units> values;  // by cell; every sum holds exactly
  std::vector<Correction> corrections;
  Units total = 0;    // how far all of them are from what was told
  bool least = true;  // no correction has a smaller total
};

// `everywhere`: bounds of the truth that are not corrected. Errors: an unknown engine.
Result<Fit> fit(const System& system,
                Bounds everywhere,
                const std::string& engine,
                const RunContext& run);

}  // namespace lacuna::inference
