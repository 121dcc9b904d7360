// SPDX-License-Identifier: Apache-2.0
#include "app/plan/units.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "app/job/audit_and_write.h"
#include "app/job/outcomes.h"
#include "app/load/manual_overrides.h"
#include "app/load/provenance.h"
#include "core/base/index.h"
#include "core/base/sha256.h"
#include "data/files/file.h"
#include "data/policies/policy.h"
#include "data/problems/problem_json.h"
#include "lacuna/version.h"

namespace lacuna::plan {
namespace {

namespace fs = std::filesystem;

// What is asked of a table becomes part of its problem; the worker is told of the rest. Levels are
// told as well: they say how zeros are read.
std::set<std::string> asked_names() {
  std::set<std::string> names;
  for (const OptionInfo& option : describe_options<load::Assessment>())
    names.insert(option.name);
  names.erase("levels");
  names.erase("zero-levels");
  names.insert("policy");
  return names;
}

// Names of files in a plan are from its own folder.
std::string from_folder(const std::string& folder, const std::string& path) {
  return fs::path(path).is_absolute() ? path
                                      : (fs::path(folder) / path).lexically_normal().string();
}

std::string key_of(const std::vector<std::string>& options, const std::string& problem) {
  std::string hashed = std::string(version()) + "\n";
  for (const std::string& word : options)
    hashed += word + "\n";
  return base::sha256_hex(hashed + problem).substr(0, 32);
}

Status set_all(const PlannedTable& table, const std::string& folder, job::ProtectJob& job) {
  for (const jobfile::JobOption& given : table.options) {
    bool known = false;
    for (const BoundOption& option : bind_options(job)) {
      if (option.info.name != given.name)
        continue;
      known = true;
      std::string text = given.value;
      if (option.info.shown_as == "FILE" ||
          (option.info.name == "policy" && policies::is_policy_file(text)))
        text = from_folder(folder, text);
      if (option.info.shown_as == "OUT")
        return Error{ErrorCode::kOptionConflict,
                     "the plan says itself where its files go ([plan] output, public)",
                     given.where};
      if (const Status set = option.set({&text, 1}); !set)
        return Error{ErrorCode::kOptionValue, given.name + " " + set.error().message, given.where};
    }
    if (!known && given.name != "seed" && given.name != "work" && given.name != "time-limit") {
      const Error error = unknown_option(given.name, describe_options<job::ProtectJob>());
      return Error{error.code, error.text(), given.where};
    }
  }
  return ok_status();
}

Result<std::vector<std::string>> options_for_worker(const PlannedTable& table,
                                                    const std::string& folder,
                                                    job::ProtectJob& job) {
  LACUNA_RETURN_IF_ERROR(set_all(table, folder, job));
  const std::set<std::string> asked = asked_names();
  std::vector<jobfile::JobOption> options = table.options;
  std::sort(
      options.begin(), options.end(), [](const jobfile::JobOption& a, const jobfile::JobOption& b) {
        return a.name < b.name;
      });
  const std::vector<OptionInfo> known = describe_options<job::ProtectJob>();
  std::vector<std::string> words;
  for (const jobfile::JobOption& option : options) {
    if (asked.contains(option.name))
      continue;
    const auto info = std::find_if(known.begin(), known.end(), [&](const OptionInfo& each) {
      return each.name == option.name;
    });
    const bool flag = info != known.end() && info->is_flag();
    if (flag && option.value != "true")
      continue;
    words.push_back("--" + option.name);
    if (flag)
      continue;
    const bool is_file = info != known.end() && info->shown_as == "FILE";
    words.push_back(is_file ? from_folder(folder, option.value) : option.value);
  }
  return words;
}

// What the worker says of its run: for the summary, and proof of nothing.
Result<publish::RunSummary> summary_of(const std::string& path) {
  LACUNA_TRY(auto members, load::read_run(path));
  publish::RunSummary summary;
  const auto number = [&](const char* name) { return std::strtod(members[name].c_str(), nullptr); };
  summary.method = members["method"];
  summary.status = members["status"];
  summary.verdict = to_string(Verdict::kProtected);
  summary.engine = members["engine"];
  summary.version = members["version"];
  summary.options = members["options"];
  summary.finished = members["finished"];
  summary.reproducible = members["reproducible"] == "true";
  summary.objective = number("objective");
  summary.bound = number("bound");
  summary.seconds = number("seconds");
  summary.work = static_cast<std::int64_t>(number("work"));
  summary.threads = static_cast<int>(number("threads"));
  summary.seed = static_cast<std::uint64_t>(number("seed"));
  return summary;
}

constexpr std::string_view kAcceptAll = "--accept-all-withheld";

// A group that is small enough for one unit stays whole, and so does one without sensitive cells.
void find_parts(const job::ProtectJob& job, std::int64_t unit_cells, GroupProblem& group) {
  group.cells = group.largest_part = group.largest_unit = group.problem->table().num_cells();
  if (group.cells <= unit_cells || !job.prefer.empty() || !is_separable(*group.problem, job))
    return;
  auto split = std::make_shared<const SplitProblem>(*group.problem, unit_cells);
  if (split->num_units() == 0)
    return;
  group.parts = split->num_parts();
  group.largest_part = split->largest_part();
  group.num_units = static_cast<std::int64_t>(split->num_units());
  group.largest_unit = 0;
  for (std::size_t unit = 0; unit < split->num_units(); ++unit)
    group.largest_unit =
        std::max(group.largest_unit, static_cast<std::int64_t>(split->cells(unit).size()));
  group.split = std::move(split);
  group.in_parts = true;
}

Status write_unit(const ReleasePlan& plan, const Problem& problem, Unit& unit) {
  const std::string text = problems::write_problem_json(problem);
  unit.key = key_of(unit.options, text);
  unit.folder = plan.output + "/units/" + unit.key;
  std::error_code error;
  fs::create_directories(unit.folder, error);
  if (error)
    return Error{
        ErrorCode::kFileUnwritable, "this folder cannot be made: " + error.message(), unit.folder};
  if (!fs::exists(unit.problem_file(), error))
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(unit.problem_file(), text));
  return ok_status();
}

// The cells of a unit as cells of its group.
void add_entries(Draft unit_draft, const std::vector<CellId>& part, Draft& draft) {
  for (CellEntry& entry : unit_draft.entries()) {
    entry.cell = part[base::at(entry.cell)];
    draft.set(entry);
  }
}

void add_witnesses(std::vector<Displacement> found,
                   const std::vector<CellId>& part,
                   std::vector<Displacement>& witnesses) {
  for (Displacement& witness : found) {
    for (CellId& cell : witness.cells)
      cell = part[base::at(cell)];
    witnesses.push_back(std::move(witness));
  }
}

bool stopped_early(const publish::RunSummary& run) {
  const auto reasons = {StopReason::kWork, StopReason::kLimit, StopReason::kCancelled};
  return std::any_of(
      reasons.begin(), reasons.end(), [&](StopReason why) { return run.status == to_string(why); });
}

void add_run(const publish::RunSummary& unit, publish::RunSummary& sum) {
  sum.objective += unit.objective;
  sum.bound += unit.bound;
  sum.seconds += unit.seconds;
  sum.work += unit.work;
  sum.reproducible = sum.reproducible && unit.reproducible;
  sum.finished = std::max(sum.finished, unit.finished);  // in one form, so that texts compare
  if (sum.status == to_string(StopReason::kOptimal))
    sum.status = unit.status;
}

// The entries of a table's own cells.
Draft draft_of(const Draft& whole, const std::vector<CellId>& places) {
  Draft draft;
  for (std::size_t c = 0; c < places.size(); ++c) {
    if (const auto entry = whole.find(places[c]); entry != nullptr) {
      CellEntry own = *entry;
      own.cell = CellId{static_cast<std::int32_t>(c)};
      draft.set(own);
    }
  }
  draft.set_adjusted(whole.adjusted());
  return draft;
}

// A displacement of the group moves each of its tables as well.
std::vector<Displacement> hints_of(const std::vector<Displacement>& witnesses,
                                   const std::vector<CellId>& places) {
  CellId last{-1};
  for (const CellId place : places)
    last = std::max(last, place);
  std::vector<std::int32_t> own(base::at(last) + 1, -1);
  for (std::size_t c = 0; c < places.size(); ++c)
    own[base::at(places[c])] = static_cast<std::int32_t>(c);
  std::vector<Displacement> hints;
  for (const Displacement& witness : witnesses) {
    std::map<CellId, Integer> moves;
    for (std::size_t i = 0; i < witness.cells.size(); ++i) {
      if (const std::size_t cell = base::at(witness.cells[i]); cell < own.size() && own[cell] >= 0)
        moves[CellId{own[cell]}] = witness.moves[i];
    }
    if (moves.empty())
      continue;
    Displacement& hint = hints.emplace_back();
    hint.denominator = witness.denominator;
    for (const auto& [cell, move] : moves) {
      hint.cells.push_back(cell);
      hint.moves.push_back(move);
    }
  }
  return hints;
}

}  // namespace

std::vector<std::string> Unit::arguments(int threads) const {
  std::vector<std::string> words{"protect", problem_file()};
  words.insert(words.end(), options.begin(), options.end());
  for (const std::string& word : {std::string("-o"),
                                  result_file(),
                                  std::string("--certificate"),
                                  certificate_file(),
                                  std::string("--threads"),
                                  std::to_string(threads),
                                  std::string("--json"),
                                  std::string("--quiet")})
    words.push_back(word);
  return words;
}

std::vector<std::pair<std::string, std::string>> Unit::named_options() const {
  std::set<std::string> flags;
  for (const OptionInfo& option : describe_options<job::ProtectJob>()) {
    if (option.is_flag())
      flags.insert("--" + option.name);
  }
  std::vector<std::pair<std::string, std::string>> named;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string name = options[i].substr(2);
    const bool flag = flags.contains(options[i]);
    named.emplace_back(name, flag ? "true" : options[++i]);
  }
  return named;
}

ReadTable read_table(const ReleasePlan& plan, std::size_t table, const RunContext& run) {
  const PlannedTable& planned = plan.tables[table];
  const auto read = [&]() -> Result<load::PreparedProblem> {
    job::ProtectJob job;
    LACUNA_RETURN_IF_ERROR(set_all(planned, plan.folder, job));
    load::Assessment asked = job::assessment_of(job);
    asked.preferred.clear();  // a wish for the pattern of the group, as every unit has it
    load::Inputs inputs;
    inputs.choices.policy = job.inputs.choices.policy;
    LACUNA_TRY(load::LoadedProblem loaded, load::load_tables(planned.input, run, inputs, asked));
    LACUNA_TRY(loaded, with_published(std::move(loaded), planned.response, plan.published));
    return load::prepare(std::move(loaded), std::move(asked), {}, run);
  };
  Result<load::PreparedProblem> ready = read();
  if (!ready)
    return {nullptr, ready.error().text()};
  return {std::make_shared<const load::PreparedProblem>(std::move(ready).value()), ""};
}

Result<GroupProblem> group_problem(const ReleasePlan& plan,
                                   const std::vector<ReadTable>& tables,
                                   const std::vector<std::size_t>& group) {
  GroupProblem found;
  found.tables = group;
  job::ProtectJob job;
  LACUNA_TRY(found.options, options_for_worker(plan.tables[group[0]], plan.folder, job));
  std::vector<const Problem*> problems;
  std::vector<std::string> names;
  for (const std::size_t table : group) {
    job::ProtectJob own;
    LACUNA_TRY(const auto options, options_for_worker(plan.tables[table], plan.folder, own));
    if (options != found.options)
      return Error{ErrorCode::kOptionConflict,
                   "'" + plan.tables[table].name + "' and '" + plan.tables[group[0]].name +
                       "' share cells, so they are protected together; give them the same options",
                   plan.tables[table].where};
    problems.push_back(&tables[table].ready->problem);
    names.push_back(plan.tables[table].name);
  }
  if (group.size() == 1) {
    found.problem = {tables[group[0]].ready, problems[0]};  // one owner, no copy
    found.places.resize(1);
    for (std::int32_t c = 0; c < found.problem->table().num_cells(); ++c)
      found.places[0].push_back(CellId{c});
  } else {
    LACUNA_TRY(MergedGroup merged, merge_group(problems, names));
    merged.problem.set_waiver(waiver_of(job));
    found.problem = std::make_shared<const Problem>(std::move(merged.problem));
    found.places = std::move(merged.places);
  }
  find_parts(job, plan.unit_cells, found);
  return found;
}

Result<std::vector<Unit>> make_units(const ReleasePlan& plan, const GroupProblem& group) {
  std::vector<Unit> units;
  Unit unit;
  unit.tables = group.tables;
  unit.options = group.options;
  if (!group.split) {
    unit.cells = group.cells;
    LACUNA_RETURN_IF_ERROR(write_unit(plan, *group.problem, unit));
    return std::vector<Unit>{std::move(unit)};
  }
  // A part of which nothing is left may be as good as it gets; the driver looks at the whole.
  if (std::find(unit.options.begin(), unit.options.end(), kAcceptAll) == unit.options.end())
    unit.options.emplace_back(kAcceptAll);
  for (std::size_t u = 0; u < group.split->num_units(); ++u) {
    unit.part = group.split->cells(u);
    unit.cells = static_cast<std::int64_t>(unit.part.size());
    LACUNA_TRY(const Problem problem, group.split->problem(u));
    LACUNA_RETURN_IF_ERROR(write_unit(plan, problem, unit));
    units.push_back(unit);
  }
  return units;
}

Result<ProvenUnit> proven_unit(const Unit& unit, const RunContext& run) {
  if (!is_returned(unit))
    return Error{ErrorCode::kFileMissing, "the unit is not finished", unit.folder};
  LACUNA_TRY(const std::string text, files::read_file(unit.problem_file()));
  if (key_of(unit.options, text) != unit.key)
    return Error{ErrorCode::kOtherTable, "the problem of the unit was changed", unit.folder};
  job::VerifyJob job;
  job.input = unit.problem_file();
  job.certificate = unit.certificate_file();
  job.pattern = unit.result_file();
  for (std::size_t i = 0; i + 1 < unit.options.size(); ++i) {
    for (const char* name : {"levels", "zero-levels"}) {
      if (unit.options[i] == std::string("--") + name)
        LACUNA_RETURN_IF_ERROR(set_option(job.asked, name, unit.options[i + 1]));
    }
    if (unit.options[i] == "--exposed" && unit.options[i + 1] == "report")
      job.asked.waiver = Waiver::kExposed;
  }
  LACUNA_TRY(AuditReport report, job::run_verify(job, run));
  if (!passes(report.verdict))
    return Error{ErrorCode::kNotProtected,
                 "the result of the unit is not proven: " + refusal_text(report),
                 unit.folder};
  LACUNA_TRY(Problem problem, problems::read_problem_json(text, unit.problem_file()));
  ProvenUnit proven;
  LACUNA_TRY(proven.draft, load::load_release(unit.result_file(), problem, {}));
  proven.decimals = problem.table().decimals();
  proven.report = std::move(report);
  LACUNA_TRY(proven.summary, summary_of(unit.result_file()));
  return proven;
}

Result<JoinedGroup> join_units(const std::vector<const Unit*>& units,
                               std::vector<ProvenUnit> proven) {
  JoinedGroup joined;
  joined.summary = proven[0].summary;
  joined.decimals = proven[0].decimals;
  if (units[0]->part.empty()) {
    joined.draft = std::move(proven[0].draft);
    joined.witnesses = std::move(proven[0].report.evidence.witnesses);
    return joined;
  }
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (proven[u].decimals != joined.decimals)
      return Error{ErrorCode::kContradiction,
                   "the units of the group have returned numbers with different decimals",
                   units[u]->folder};
    if (u > 0)
      add_run(proven[u].summary, joined.summary);
    add_entries(std::move(proven[u].draft), units[u]->part, joined.draft);
    add_witnesses(std::move(proven[u].report.evidence.witnesses), units[u]->part, joined.witnesses);
  }
  return joined;
}

Result<AuditedRelease> table_release(const JoinedGroup& joined,
                                     const load::PreparedProblem& table,
                                     const std::vector<CellId>& places,
                                     const RunContext& run) {
  LACUNA_TRY(Problem problem, with_decimals(table.problem, joined.decimals));
  AuditOptions options;
  options.intervals = false;
  options.hints = hints_of(joined.witnesses, places);
  const Auditor auditor(std::make_shared<const Problem>(std::move(problem)));
  return auditor.release(draft_of(joined.draft, places), options, run);
}

Status check_group(const JoinedGroup& joined, const GroupProblem& group, const RunContext& run) {
  if (stopped_early(joined.summary) && job::withholds_all(group.problem->table(), joined.draft) &&
      std::find(group.options.begin(), group.options.end(), kAcceptAll) == group.options.end())
    return Error{ErrorCode::kNotProtected,
                 "the run was stopped when its only safe pattern still withheld all cells; allow "
                 "more time or work, or take accept-all-withheld = true",
                 ""};
  if (group.tables.size() == 1)
    return ok_status();  // its only table is judged as a whole before it is written
  AuditOptions options;
  options.intervals = false;
  options.hints = joined.witnesses;
  const Auditor auditor(group.problem);
  LACUNA_TRY([[maybe_unused]] const auto release, auditor.release(joined.draft, options, run));
  return ok_status();
}

bool is_returned(const Unit& unit) {
  std::error_code error;
  return fs::exists(unit.result_file(), error) && fs::exists(unit.certificate_file(), error);
}

void set_aside(const Unit& unit) {
  std::error_code ignored;
  for (const std::string& file : {unit.result_file(), unit.certificate_file()})
    fs::rename(file, file + ".refused", ignored);
}

}  // namespace lacuna::plan
