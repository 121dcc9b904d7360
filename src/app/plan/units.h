// SPDX-License-Identifier: Apache-2.0
// Units of work of a plan: a group of tables, or some of its independent parts (split.h), as one
// self-contained problem with its options. The key of a unit is the hash of both and of the
// version, so that a unit that is finished is never done again, wherever it was done, and a changed
// input or option makes another one. Whoever works on a unit need not be trusted: what comes back
// counts only if its certificate is proven for exactly this problem.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/job/jobs.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/plan/groups.h"
#include "app/plan/plan_file.h"
#include "app/plan/split.h"
#include "data/publish/release_file.h"
#include "lacuna/audit.h"
#include "lacuna/result.h"

namespace lacuna::plan {

struct Unit {
  std::string key;
  std::string folder;                // of its files
  std::vector<std::size_t> tables;   // of the plan
  std::vector<std::string> options;  // "--method", "suppress", ...
  std::size_t group = 0;             // set by whoever has several
  std::vector<CellId> part;          // its cells in the problem of the group; empty: all of them
  std::int64_t cells = 0;

  std::string problem_file() const { return folder + "/problem.json"; }
  std::string result_file() const { return folder + "/result.json"; }
  std::string certificate_file() const { return folder + "/certificate.json"; }
  std::string log_file() const { return folder + "/log.txt"; }
  // What the worker is called with, after the name of the program.
  std::vector<std::string> arguments(int threads) const;
  // The options by name; those without a value are "true".
  std::vector<std::pair<std::string, std::string>> named_options() const;
};

// A table of the plan with what is asked of it, or why it could not be read.
struct ReadTable {
  std::shared_ptr<const load::PreparedProblem> ready;
  std::string error;
};
ReadTable read_table(const ReleasePlan& plan, std::size_t table, const RunContext& run);

// A group of tables as one problem, and the parts that it falls into.
struct GroupProblem {
  std::vector<std::size_t> tables;            // of the plan
  std::vector<std::string> options;           // of the worker
  std::shared_ptr<const Problem> problem;     // null after let_go()
  std::vector<std::vector<CellId>> places;    // by table of the group and cell: where it is in it
  std::shared_ptr<const SplitProblem> split;  // null after let_go(), and if the group stays whole
  bool in_parts = false;
  std::int64_t cells = 0;
  std::int64_t parts = 1, largest_part = 0;  // in cells
  std::int64_t num_units = 1, largest_unit = 0;

  void let_go() {  // of what takes memory and is no more needed when the units are made
    split.reset();
    problem.reset();
  }
};

// Errors: tables that cannot be one problem, options that differ within the group.
Result<GroupProblem> group_problem(const ReleasePlan& plan,
                                   const std::vector<ReadTable>& tables,
                                   const std::vector<std::size_t>& group);

// The units of a group; their problems are written unless they are there.
Result<std::vector<Unit>> make_units(const ReleasePlan& plan, const GroupProblem& group);

// What a worker has returned, proven. Errors: nothing is there, or it is not proven; whoever forged
// it, it does not count.
struct ProvenUnit {
  Draft draft;
  AuditReport report;
  publish::RunSummary summary;
  int decimals = 0;
};
Result<ProvenUnit> proven_unit(const Unit& unit, const RunContext& run);

// What the units of a group have returned, as one release of the group: costs, bounds, seconds and
// work are sums, and it is optimal if each of them is. At least one unit.
struct JoinedGroup {
  Draft draft;
  std::vector<Displacement> witnesses;
  publish::RunSummary summary;
  int decimals = 0;
};
Result<JoinedGroup> join_units(const std::vector<const Unit*>& units,
                               std::vector<ProvenUnit> proven);

// The release of one table of the group, judged by itself.
Result<AuditedRelease> table_release(const JoinedGroup& joined,
                                     const load::PreparedProblem& table,
                                     const std::vector<CellId>& places,
                                     const RunContext& run);

// Whether a result and a certificate are there, of whatever worth.
bool is_returned(const Unit& unit);

// The release of a whole group that was done in parts, judged at once; the group as group_problem()
// makes it. Errors: it does not pass, or nothing is left of it because its units were stopped.
Status check_group(const JoinedGroup& joined, const GroupProblem& group, const RunContext& run);

// Puts what a unit has returned aside, so that it is done again.
void set_aside(const Unit& unit);

}  // namespace lacuna::plan
