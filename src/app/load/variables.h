// SPDX-License-Identifier: Apache-2.0
// Several variables of the same units as one system: turnover, employees, wages of the same firms.
// A [[shadow]] is a second table y behind that of the job, which adds up by itself and whose cells
// are published exactly where the table's own x are. A [[known_ratio]] is what readers know of the
// quotient of two of them in every cell, such as wages per head:
//   least n <= x <= most n,                                                                    (1)
// two inequalities with whole coefficients, as of derived columns (core/table/appendix.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/table/appendix.h"
#include "data/spec/job_spec.h"
#include "lacuna/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

struct ShadowVariable {
  JobSpec::Shadow said;
  std::string where;       // of its section
  Problem problem;         // its table; of records with what the rules ask of it
  bool by_records = false;
  bool by_rules = false;   // what is asked is that of its own problem
};

struct RatioOfVariables {
  JobSpec::KnownRatio said;
  std::string where;
};

using VariableCells = std::map<std::string, std::vector<CellId>>;  // by name and cell of the table

// The cells of the variable by cell of the table, free to be published or withheld. Errors: a cell
// that one of the two tables does not have.
Result<std::vector<CellId>> add_variable(table::Appendix& to,
                                         const Problem& problem,
                                         const ShadowVariable& variable);

// (1) for every cell of the table that has both numbers. Errors: unknown names; what is not true.
Status add_known_ratio(table::Appendix& to,
                       const Problem& problem,
                       const RatioOfVariables& ratio,
                       const VariableCells& variables);

}  // namespace lacuna::load
