// SPDX-License-Identifier: Apache-2.0
#include "app/load/prepare.h"

#include "app/load/manual_overrides.h"
#include "app/load/provenance.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
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

void name_changes(PreparedProblem& ready) {
  ready.basis.changes.clear();
  for (const AskedChange& each : ready.changes.asked)
    ready.basis.changes[each.cell.value] = {each.since, each.added};
}

// The problem with what is published together with it; of a release that is there already, with the
// derived numbers that it has.
Status put_together(PreparedProblem& ready, const std::string& release) {
  ready.bare = std::make_shared<const Problem>(std::move(ready.problem));
  ready.basis.own_cells = ready.bare->table().num_cells();
  LACUNA_TRY(Attached made, attach(*ready.bare, *ready.together));
  ready.problem = std::move(made.problem);
  ready.columns = std::move(made.columns);
  ready.changes = std::move(made.changes);
  ready.counted = made.counted;
  name_changes(ready);
  if (!ready.reasons.empty())
    ready.reasons.resize(static_cast<std::size_t>(ready.problem.table().num_cells()));
  if (release.empty())
    return ok_status();
  LACUNA_TRY(auto read, read_derived(release, ready.inputs, ready.bare->table(), ready.columns));
  if (!read) {
    for (const DerivedColumn& column : ready.columns) {
      if (column.cheapest)
        return Error{ErrorCode::kMissingColumn,
                     "it is not known which numbers of the derived column " +
                         base::in_quotes(column.name) +
                         " readers have; give the public .csv file of the release, or its result "
                         "JSON",
                     release};
    }
    if (!has_variables(ready.columns))
      return ok_status();
    Problem same = *ready.bare;
    LACUNA_TRY(const Draft draft, load_release(release, same, {}, ready.tables, ready.inputs));
    DerivedChoice choice;
    choose_variables(ready.columns, draft, choice);
    return choose_derived(ready, std::move(choice));
  }
  ready.inputs.texts[release] = std::move(read->text);
  Problem same = *ready.bare;
  LACUNA_TRY(const Draft draft, load_release(release, same, {}, ready.tables, ready.inputs));
  LACUNA_TRY(DerivedChoice choice, choice_of(*read, ready.columns, same.table(), draft));
  if (!says_nothing(choice))
    LACUNA_RETURN_IF_ERROR(choose_derived(ready, std::move(choice)));
  return ok_status();
}

// With which releases of the store the table is judged, and what of their changes is asked.
std::string stored_text(const PreparedProblem& ready) {
  const Stored& stored = *ready.together->stored;
  std::string text = stored.said.folder + ": ";
  if (stored.store.entries.empty())
    return text + "the store has no release yet";
  if (stored.is_in && !stored.said.revision)
    text += "a release of " + base::in_quotes(stored.period) +
            " is in the store already, so this run is judged with those before it; ";
  if (stored.compared.empty())
    return text + "no earlier release is compared";
  if (stored.said.differences == "none")
    return text + "changes are not asked about (differences = \"none\")";
  const auto linked = stored.compared.size() - ready.counted->periods;
  if (ready.counted->periods > 0)
    text += ready.counted->text();
  if (linked > 0)
    text += std::string(ready.counted->periods > 0 ? "; " : "") + std::to_string(linked) +
            (linked == 1 ? " earlier release is" : " earlier releases are") +
            " judged as one system with the table, because readers know bounds of changes";
  return text;
}

// Such cells are listed under the codes of the cells that they belong to.
void tell_of_cells_behind(const PreparedProblem& ready, const RunContext& run) {
  if (ready.counted && run.log)
    run.log(stored_text(ready));
  const std::int32_t cells = ready.problem.table().num_cells() - ready.bare->table().num_cells();
  if (cells == 0 || !run.log)
    return;
  std::string text = "what is published together with the table makes " + std::to_string(cells) +
                     " cells behind it that nobody publishes";
  const auto asked = ready.problem.requirements().size() - ready.bare->requirements().size();
  if (asked > 0)
    text += "; " + std::to_string(asked) +
            " requirements are about these, which are cells of other variables or earlier periods, "
            "or changes since, and have the codes of the cells that they belong to";
  run.log(text);
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
  PreparedProblem ready{std::move(problem),
                        std::move(read.tables),
                        std::move(read.reasons),
                        std::move(read.attackers),
                        std::move(basis),
                        knows_preferred,
                        std::move(read.source),
                        std::move(read.together)};
  if (ready.together) {
    ready.inputs = inputs;
    LACUNA_RETURN_IF_ERROR(put_together(ready, asked.derived));
    tell_of_cells_behind(ready, run);
  }
  return ready;
}

Status choose_derived(PreparedProblem& ready, DerivedChoice choice) {
  LACUNA_TRY(Attached made, attach(*ready.bare, *ready.together, &choice));
  ready.problem = std::move(made.problem);
  ready.columns = std::move(made.columns);
  ready.changes = std::move(made.changes);
  ready.counted = made.counted;
  name_changes(ready);
  ready.choice = std::move(choice);
  if (!ready.reasons.empty())
    ready.reasons.resize(static_cast<std::size_t>(ready.problem.table().num_cells()));
  return ok_status();
}

Result<PreparedProblem> load_prepared(const std::string& path,
                                      const RunContext& run,
                                      const Inputs& inputs,
                                      const Assessment& asked) {
  LACUNA_TRY(LoadedProblem read, load_tables(path, run, inputs, asked));
  return prepare(std::move(read), asked, inputs, run);
}

}  // namespace lacuna::load
