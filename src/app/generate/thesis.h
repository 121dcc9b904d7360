// SPDX-License-Identifier: Apache-2.0
// Tables shaped like the instances of the thesis, made of individual contributions.
#pragma once

#include <vector>

#include "app/generate/dress.h"
#include "app/generate/grid.h"

namespace lacuna::generation {

struct ThesisTables {
  CellList cells;
  std::vector<Sensitive> sensitive;
};
Result<ThesisTables> draw_thesis_tables(const GenerateOptions& options);

}  // namespace lacuna::generation
