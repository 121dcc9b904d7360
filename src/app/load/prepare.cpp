// SPDX-License-Identifier: Apache-2.0
#include "app/load/prepare.h"

#include "app/load/manual_overrides.h"
#include "app/load/provenance.h"
#include "core/table/digest.h"

namespace lacuna::load {
namespace {

// A list of indices is no release of anything: it only says what is preferred.
bool is_of_this_table(const std::string& earlier, const Table& table, const Inputs& inputs) {
  if (earlier.empty())
    return false;
  const auto run = read_run(earlier, inputs);
  return run && run->contains("table_sha256") &&
         run->at("table_sha256") == table::table_digest(table);
}

}  // namespace

Result<PreparedProblem> prepare(LoadedProblem read,
                                Assessment asked,
                                const Inputs& inputs,
                                const RunContext& run) {
  LACUNA_TRY(read, with_changes(std::move(read), asked, inputs));
  const bool knows_preferred = is_of_this_table(asked.preferred, read.problem.table(), inputs);
  if (knows_preferred) {
    asked.released.push_back(asked.preferred);
    if (run.log)
      run.log(asked.preferred +
              " is a release of this very table: what it published counts as known");
  }
  LACUNA_TRY(Problem problem,
             with_assessment(std::move(read.problem).take(), asked, inputs, read.counts));
  VerdictBasis basis = basis_of(read, problem, asked.counts);
  return PreparedProblem{std::move(problem),
                         std::move(read.tables),
                         std::move(read.reasons),
                         std::move(read.attackers),
                         std::move(basis),
                         knows_preferred,
                         std::move(read.source)};
}

Result<PreparedProblem> load_prepared(const std::string& path,
                                      const RunContext& run,
                                      const Inputs& inputs,
                                      const Assessment& asked) {
  LACUNA_TRY(LoadedProblem read, load_tables(path, run, inputs, asked));
  return prepare(std::move(read), asked, inputs, run);
}

}  // namespace lacuna::load
