// SPDX-License-Identifier: Apache-2.0
// Other tables on which the program makes the very same release (docs/owner.md). A reader who owns
// the program keeps, of the tables that fit, those that replay: each one that is found widens what
// such a reader must think possible. What is found is a range from inside, "at least this wide".
//
// A witness of the audit is a displacement z of the true table t. Tried are the whole tables
//   t + s d,  d = z without a common factor,  s falling from the whole of z to 1,               (1)
// and t + z' + z'' with z' and z'' that replayed for other cells. F_A has holes, so that a table
// between two that replay need not. Witnesses are those of the release and those of the tables that
// safe_tables.h leaves; of several tables those come first of which stored inequalities
// (stored_bound.h) say that they replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job/rerun.h"
#include "core/base/json_writer.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::job {

struct ReplayedRange {
  std::int32_t requirement = 0;
  CellId cell;
  Units low = 0, high = 0;  // how far from the truth tables were found that replay
  bool as_asked = false;    // both levels, or the width; of a count, as many other values
};

struct ReplayOutcome {
  std::vector<ReplayedRange> ranges;           // of the outsider's requirements
  std::vector<Displacement> witnesses;         // that replay
  std::vector<certificate::Replay> replays;    // by number of these
  std::int64_t runs = 0;
  std::int64_t ruled_out = 0;            // tables that could not have the release (safe_tables.h)
  std::int64_t told = 0;       // tables of which stored inequalities say that they replay,
  std::int64_t told_run = 0;   // those of them that were run,
  std::int64_t told_true = 0;  // and that did
  std::string follows;
  std::int64_t kept() const;  // as far as asked
};

// `most`: runs per end. Errors: those of an audit.
Result<ReplayOutcome> find_replays(const Problem& problem,
                                   const Draft& release,
                                   const AuditReport& report,
                                   std::int64_t most,
                                   Rerun& rerun);

// The same displacements as evidence: behind the others, and named by their numbers there.
std::vector<certificate::Replay> add_witnesses(const ReplayOutcome& found, AuditReport& report);

std::string replay_text(const Problem& problem, const ReplayOutcome& found);
// The members of an object "replay".
void write_replays(base::JsonWriter& json, const Problem& problem, const ReplayOutcome& found);

// Runs the program on every table that the certificate names. Errors: one of which it makes
// another release.
Result<std::int64_t> verify_replays(const certificate::Certificate& certificate,
                                    const std::string& where,
                                    const Problem& problem,
                                    Rerun& rerun);

}  // namespace lacuna::job
