// SPDX-License-Identifier: Apache-2.0
// Other tables on which the program makes the very same release (docs/owner.md). A reader who owns
// the program keeps, of the tables that fit, those that replay: each one that is found widens what
// such a reader must think possible. What is found is a range from inside, "at least this wide".
//
// A witness of the audit is a displacement z of the true table t. Tried are the whole tables
//   t + s d,  d = z without a common factor,  s falling from the whole of z to 1,               (1)
// and t + z' + z'' with z' and z'' that replayed for other cells. F_A has holes, so that a table
// between two that replay need not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

// The program as a function of the table: what is public and what was asked stay as they are, and
// what follows from values is made of the new ones.
class Rerun {
 public:
  // `office`: the result file of the run, which names its options. Errors: a result of another
  // table or of options that cannot be repeated here.
  static Result<Rerun> make(std::shared_ptr<const Problem> problem,
                            const Draft& release,
                            const std::string& table,
                            const std::string& office,
                            const load::Assessment& asked,
                            const load::Inputs& inputs,
                            const RunContext& run);

  // Whether it makes the very same release of the table that lies so far from the true one. No
  // where the program has an error or is stopped.
  bool replays(const std::map<std::int32_t, Units>& moved);

  std::int64_t runs() const { return runs_; }
  // "levels of 10% of the value, weights by value": what follows from values.
  const std::string& follows() const { return follows_; }

 private:
  Rerun() = default;
  Result<Problem> problem_at(const std::vector<Units>& values) const;
  Result<Draft> release_of(const std::shared_ptr<const Problem>& problem);

  std::shared_ptr<const Problem> problem_;
  Draft release_;
  ProtectJob job_;
  RunContext run_;
  std::map<std::string, Draft> first_;  // against the owner: choices by the public parts
  std::int32_t percent_ = 0;            // of the value, which levels are; 0: as stated
  double per_unit_ = 0;                 // weight per unit of the value; 0: as stated
  std::string follows_;
  std::int64_t runs_ = 0;
};

struct ReplayedRange {
  std::int32_t requirement = 0;
  CellId cell;
  Units low = 0, high = 0;  // how far from the truth tables were found that replay
};

struct ReplayOutcome {
  std::vector<ReplayedRange> ranges;           // of the outsider's requirements
  std::vector<Displacement> witnesses;         // that replay
  std::vector<certificate::Replay> replays;    // by number of these
  std::int64_t runs = 0;
  std::string follows;
  // Both sides, or the width of a sliding level.
  std::int64_t kept(const Problem& problem) const;
};

// `most`: runs per end.
ReplayOutcome find_replays(const Problem& problem,
                           const Draft& release,
                           const AuditReport& report,
                           std::int64_t most,
                           Rerun& rerun);

// The same displacements as evidence: behind the others, and named by their numbers there.
std::vector<certificate::Replay> add_witnesses(const ReplayOutcome& found, AuditReport& report);

std::string replay_text(const Problem& problem, const ReplayOutcome& found);
void write_replays(base::JsonWriter& json, const Problem& problem, const ReplayOutcome& found);

// Runs the program on every table that the certificate names. Errors: one of which it makes
// another release.
Result<std::int64_t> verify_replays(const certificate::Certificate& certificate,
                                    const std::string& where,
                                    const Problem& problem,
                                    Rerun& rerun);

}  // namespace lacuna::job
