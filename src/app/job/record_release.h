// SPDX-License-Identifier: Apache-2.0
// A release goes into the store of its job (data/store/period_store.h): what was read, every cell
// with its true value and the ends between which it lies for readers, and the release. The ends are
// those of the audit, confirmed in exact arithmetic and rounded toward the truth: a later period
// rests on them (app/load/stored_periods.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/load/inputs.h"
#include "app/load/together.h"
#include "data/store/period_store.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct ReleaseToRecord {
  const std::string& input;  // of the run: the job
  const load::Inputs& inputs;
  const load::Together* together;          // of the job; null: it names no store
  std::shared_ptr<const Problem> problem;  // with all that is published together with the table
  std::int32_t own_cells = 0;              // of it, those of the table
  const Draft& draft;
  Verdict verdict = Verdict::kUndecided;
  std::string method;                     // empty: from elsewhere
  std::vector<store::NewFile> published;  // as readers get it
};

// Before any work. Errors: the job has no store; the store has a release of this period already.
Status check_record(const load::Together* together);

// Returns a line that says it. Errors: a release that gives no ends; files that cannot be read or
// written.
Result<std::string> record_release(const ReleaseToRecord& what,
                                   const std::string& engine,
                                   const RunContext& run);

}  // namespace lacuna::job
