// SPDX-License-Identifier: Apache-2.0
// A safe pattern near a point of the master: the construction (protect/start/construct.h) at prices
// by which what the master wants withheld is cheap and what it has given up is expensive, then
// cleaned up at the true weights.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "protect/start/construct.h"
#include "protect/suppress/part_solver.h"

namespace lacuna::suppression {

class GuidedRounding {
 public:
  // `always`: withheld whatever we do, by cell.
  GuidedRounding(std::shared_ptr<const Problem> problem,
                 std::vector<bool> always,
                 std::string engine)
      : problem_(std::move(problem)), always_(std::move(always)), engine_(std::move(engine)) {}

  // `guess`: how likely each cell is withheld, by cell of the table; negative: it should not be.
  std::optional<PartPattern> round(const std::vector<CellId>& part,
                                   const std::vector<double>& guess,
                                   const RunContext& run) const;

  // What a draft withholds in a part, with the cost of that.
  PartPattern pattern_of(const std::vector<CellId>& part, const Draft& draft) const;

 private:
  std::optional<start::Constructed> improved(const start::Constructed& rough,
                                             const RunContext& run) const;

  std::shared_ptr<const Problem> problem_;
  std::vector<bool> always_;
  std::string engine_;
};

}  // namespace lacuna::suppression
