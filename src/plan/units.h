// SPDX-License-Identifier: Apache-2.0
// Units of work of a plan: a group of tables as one self-contained problem with its options. The
// key of a unit is the hash of both and of the version, so that a unit that is finished is never
// done again, wherever it was done, and a changed input or option makes another one. Whoever works
// on a unit need not be trusted: what comes back counts only if its certificate is proven for
// exactly this problem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/release_file.h"
#include "job/jobs.h"
#include "job/load.h"
#include "lacuna/audit.h"
#include "lacuna/result.h"
#include "plan/groups.h"
#include "plan/plan_file.h"

namespace lacuna::inline plan {

struct Unit {
  std::string key;
  std::string folder;                // of its files
  std::vector<std::size_t> tables;   // of the plan
  std::vector<std::string> options;  // "--method", "suppress", ...
  std::vector<std::vector<CellId>> places;
  std::int64_t cells = 0;

  std::string problem_file() const { return folder + "/problem.json"; }
  std::string result_file() const { return folder + "/result.json"; }
  std::string certificate_file() const { return folder + "/certificate.json"; }
  std::string log_file() const { return folder + "/log.txt"; }
  // What the worker is called with, after the name of the program.
  std::vector<std::string> arguments(int threads) const;
};

// A table of the plan as it was read, or why it could not be.
struct ReadTable {
  std::shared_ptr<const LoadedProblem> loaded;
  std::string error;
};
ReadTable read_table(const ReleasePlan& plan, std::size_t table, const RunContext& run);

// The unit of a group; its problem is written unless it is there. Errors: tables that cannot be one
// problem, options that differ within the group.
Result<Unit> make_unit(const ReleasePlan& plan,
                       const std::vector<ReadTable>& tables,
                       const std::vector<std::size_t>& group);

// What a worker has returned, proven. Errors: nothing is there, or it is not proven; whoever forged
// it, it does not count.
struct ProvenUnit {
  Draft draft;
  AuditReport report;
  RunSummary summary;
  int decimals = 0;
};
Result<ProvenUnit> proven_unit(const Unit& unit, const RunContext& run);

// The release of one table of the unit, judged by itself.
Result<AuditedRelease> table_release(const Unit& unit,
                                     const ProvenUnit& proven,
                                     const LoadedProblem& table,
                                     std::size_t place,
                                     const RunContext& run);

// Puts what a unit has returned aside, so that it is done again.
void set_aside(const Unit& unit);

}  // namespace lacuna::inline plan
