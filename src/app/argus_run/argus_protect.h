// SPDX-License-Identifier: Apache-2.0
// <SUPPRESS> of a tau-ARGUS job by a method of ours, audited. OPT is suppression with the minutes
// of the job; GH, MOD and NET are suppression with effort `fast` on the whole system, their
// singleton switches being attackers; RND is rounding, CTA adjustment in the norm L1, CKM the cell
// key method.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/argus_run/argus_cellkey.h"
#include "app/job/audit_and_write.h"
#include "data/argus/batch.h"
#include "data/argus/table.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

// What "//lacuna:" lines ask for beyond the old commands.
struct ArgusWishes {
  std::optional<Method> method;
  std::vector<std::pair<std::string, std::string>> options;  // of protect, by name
  std::string attackers;                                     // outsider, respondents; empty: as
                                                             // the command says
};

// Which of the sole contributors' needs count: those of cells with one contributor, with several.
struct ArgusSingletons {
  bool single = false, multiple = false;
  bool any() const { return single || multiple; }
  ArgusSingletons operator|(const ArgusSingletons& other) const {
    return {single || other.single, multiple || other.multiple};
  }
};

struct ArgusRequest {
  argus::Suppress command;
  std::vector<const argus::Table*> tables;  // all of them are protected together
  std::vector<std::string> names;
  ArgusWishes wishes;
  std::string input;             // the job, for the summary
  load::VerdictBasis basis{};    // the command that states rules, and what <APRIORI> calls safe
  ArgusSingletons singletons{};  // of tables protected before, whose attackers see these as well
  std::optional<ArgusCellKeys> cell_keys{};  // of CKM
};

// Tables that are protected together, as one problem.
struct ArgusTogether {
  std::vector<std::vector<std::int32_t>> cells;  // by table and cell: of the problem; -1: empty
  std::vector<LinkedTable> tables;
  std::vector<std::string> reasons;  // by cell of the problem
  load::AttackerSummary attackers;
  ArgusSingletons singletons;
  std::vector<std::string> notes;  // what was done instead of what; what was assumed
  load::VerdictBasis basis{};      // as of the request
};

struct ArgusRelease : ArgusTogether {
  std::shared_ptr<const Problem> problem;
  job::PassedRelease judged;
};

// How a job ends that is refused: the code of the program, and what the audit has said if there was
// one, or that nothing was asked. An error of the job or its files has no verdict.
struct ArgusEnding {
  job::ExitCode code = job::ExitCode::kBadInput;
  std::optional<Verdict> verdict{};
};

struct ArgusOutcome {
  std::optional<ArgusRelease> release;
  std::string refusal{};  // why there is none
  ArgusEnding ending{};   // ... and how a job ends there
};

// What the command becomes, in one sentence for the log.
std::string mapping_text(const argus::Suppress& command, const ArgusWishes& wishes);

// What the command allows itself; 0: no limit.
double minutes_of(const argus::Suppress& command);

// The problem of the tables and its attackers, without protecting them.
struct ArgusProblem : ArgusTogether {
  Problem problem;
};
Result<ArgusProblem> problem_of(const ArgusRequest& request, const RunContext& run);
// The options that the command stands for.
Result<job::ProtectJob> protect_job_of(const ArgusRequest& request);

// Errors: tables that cannot be linked, options that no method knows.
Result<ArgusOutcome> protect_tables(const ArgusRequest& request, const RunContext& run);

// The tables as they are, unsafe cells and secondaries withheld: a release if the audit passes it.
Result<ArgusOutcome> audit_tables(const ArgusRequest& request, const RunContext& run);

// What the release makes of the cells of one of its tables. Numbers that need more decimals than
// the table has make it finer: what is printed is what was audited.
void take_release(const ArgusRelease& release, std::size_t which, argus::Table& table);

// The exact intervals that readers can infer, into the cells of all tables (AR+, reports) that are
// not null.
Status take_intervals(ArgusRelease& release,
                      const std::vector<argus::Table*>& tables,
                      const RunContext& run);

}  // namespace lacuna::argus_run
