// SPDX-License-Identifier: Apache-2.0
// The program as a function of the table: what is public and what was asked stay as they are, and
// what follows from values is made anew of every table (docs/owner.md, section 5).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/job/jobs.h"
#include "lacuna/count_rules.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/owner/seen_from.h"

namespace lacuna::job {

using owner::TableMove;

class Rerun {
 public:
  // The run as the job states it. Errors: options that cannot be repeated here.
  static Result<Rerun> of_job(std::shared_ptr<const Problem> problem,
                              const Draft& release,
                              const ProtectJob& job,
                              const RunContext& run);
  // `office`: the result file of the run, which names its options. Errors: also a result of another
  // table.
  static Result<Rerun> make(std::shared_ptr<const Problem> problem,
                            const Draft& release,
                            const std::string& table,
                            const std::string& office,
                            const load::Assessment& asked,
                            const load::Inputs& inputs,
                            const RunContext& run);

  // Whether it makes the very same release of the table that lies so far from the true one. No
  // where the program has an error or is stopped.
  bool replays(const TableMove& moved);
  // What it is given there.
  Result<Problem> problem_at(const TableMove& moved) const;
  // The levels of a requirement, were this the value of its cell.
  Requirement asked_at(const Requirement& need, Units value) const;
  // Displacements of the true table that are evidence there, and help on others.
  void know(std::vector<Displacement> witnesses) { known_ = std::move(witnesses); }

  std::int64_t runs() const { return runs_; }
  // "levels of 10% of the value, weights by value": what follows from values.
  const std::string& follows() const { return follows_; }
  const ProtectJob& job() const { return job_; }
  const RunContext& run() const { return run_; }
  bool weights_follow() const;  // whether some weight is another one in another table

 private:
  Rerun() = default;
  Status look_at_values();
  Status look_at_counts();
  Result<Problem> counts_of(Table table) const;
  Result<Draft> release_of(const std::shared_ptr<const Problem>& problem, const TableMove& moved);
  bool is_ruled(const Cell& cell) const;

  std::shared_ptr<const Problem> problem_;
  Draft release_;
  ProtectJob job_;
  RunContext run_;
  std::map<std::string, Draft> first_;  // against the owner: choices by the public parts
  std::vector<Displacement> known_;
  std::optional<CountOptions> counts_;  // of a table of counts: what makes some of them sensitive
  std::int32_t percent_ = 0;            // of the value, which levels are; 0: as stated
  double per_unit_ = 0;                 // weight per unit of the value; 0: as stated
  std::string follows_;
  std::int64_t runs_ = 0;
};

}  // namespace lacuna::job
