// SPDX-License-Identifier: Apache-2.0
// From what was read to what is judged, the one way: codes that are collapsed and settings by hand,
// then what is asked (levels, counts, waivers, earlier releases). Methods and auditor get the
// result and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "app/load/attacker_summary.h"
#include "app/load/inputs.h"
#include "app/load/load.h"
#include "app/load/together.h"
#include "app/load/verdict_basis.h"
#include "data/infer/shape.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::load {

struct PreparedProblem {
  Problem problem;                   // with all that is asked of it
  std::vector<LinkedTable> tables;   // of a job with several, else empty
  std::vector<std::string> reasons;  // of a job over records: per cell, why it is sensitive
  AttackerSummary attackers;         // against whom, and what they know
  VerdictBasis basis;                // what a verdict rests on
  bool knows_preferred = false;      // the preferred release is of this very table
  std::shared_ptr<const infer::TableSource> source{};  // where its numbers stand in its file
  // What is published together with the table (together.h). The problem has its cells behind those
  // of the table; `choice` is what the file of a release says of derived columns, if it has any.
  std::shared_ptr<const Together> together{};
  std::shared_ptr<const Problem> bare{};  // without them
  std::vector<DerivedColumn> columns{};
  std::optional<DerivedChoice> choice{};
  JudgedChanges changes{};                // since earlier periods
  std::optional<StoredCounts> counted{};  // of those of a store
  Inputs inputs{};                        // with the file of the release, without its derived columns
};

// The same with other numbers of the derived columns: what a release with them is judged by.
Status choose_derived(PreparedProblem& ready, DerivedChoice choice);

// Errors: settings for cells that are not there; levels, counts and earlier releases that do not
// fit. What was taken differently from what was asked goes to the log.
Result<PreparedProblem> prepare(LoadedProblem read,
                                Assessment asked,
                                const Inputs& inputs,
                                const RunContext& run);

// The same from a file, or from what the inputs hold under its name.
Result<PreparedProblem> load_prepared(const std::string& path,
                                      const RunContext& run,
                                      const Inputs& inputs = {},
                                      const Assessment& asked = {});

}  // namespace lacuna::load
