// SPDX-License-Identifier: Apache-2.0
// What a person says of single cells, applied to a problem: status, cost, levels and bounds, one
// entry after the other, later ones over earlier ones. It goes before the rules; a cell that
// becomes sensitive gets levels (manual_levels.h), those of the entry before all.
#pragma once

#include <set>
#include <vector>

#include "lacuna/apriori.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::sensitivity {

class ManualChanges {
 public:
  // `levels`: how cells that are called unsafe by hand are protected.
  ManualChanges(Problem problem, const SensitivityOptions& levels);

  // Errors: levels for a cell that is not sensitive, a sensitive cell that is to be published.
  Status apply(CellId cell, const AprioriEntry& entry);
  // Errors: what make_problem() refuses.
  Result<Problem> finished() &&;

 private:
  Result<Problem> asked_again(Problem made) const;
  Status added(TableBuilder& builder, CellId cell) const;
  Status set_status(CellId id, Cell& cell, AprioriStatus status);
  Status set_levels(CellId id, const Cell& cell, const AprioriEntry& entry);
  bool has_levels(CellId id) const;
  std::vector<Requirement>::iterator requirement_of(CellId id);

  Problem problem_;
  const SensitivityOptions& levels_;
  std::vector<Cell> cells_;
  std::vector<Requirement> needs_;   // as they are by now
  std::set<CellId> made_sensitive_;  // which no rule and no row did
  bool changes_status_ = false;
};

}  // namespace lacuna::sensitivity
