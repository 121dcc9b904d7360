// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_protect.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "app/load/assessment.h"
#include "app/load/table_rules.h"
#include "app/load/verdict_basis.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "data/argus/linked.h"

namespace lacuna::argus_run {
namespace {

using argus::Suppress;
using argus::SuppressMethod;

constexpr double kOptimalMinutes = 10;  // of OPT and RND, as in tau-ARGUS

ArgusSingletons singletons_of(const ArgusRequest& request) {
  if (request.wishes.attackers == "outsider")
    return request.singletons;
  if (request.wishes.attackers == "respondents")
    return {true, true};
  const Suppress& command = request.command;
  if (command.method == SuppressMethod::kGh)
    return request.singletons | ArgusSingletons{command.singletons, command.singletons};
  if (command.method == SuppressMethod::kMod)
    return request.singletons | ArgusSingletons{command.single_single, command.single_multiple};
  return request.singletons;
}

// Requirements of cells that a switch leaves out do not count; attackers without any go, too.
Problem with_switches(Problem problem, const ArgusSingletons& switches) {
  if (switches.single && switches.multiple)
    return problem;
  problem.drop_requirements([&](const Requirement& one) {
    if (one.attacker == 0)
      return false;
    return problem.table().cell(one.cell).frequency == 1 ? !switches.single : !switches.multiple;
  });
  ProblemParts parts = std::move(problem).parts();
  std::vector<std::int32_t> place(parts.attackers.size(), -1);
  place[0] = 0;
  for (const Requirement& one : parts.requirements)
    place[static_cast<std::size_t>(one.attacker)] = 0;
  std::vector<Attacker> kept;
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (place[a] < 0)
      continue;
    place[a] = static_cast<std::int32_t>(kept.size());
    kept.push_back(std::move(parts.attackers[a]));
  }
  parts.attackers = std::move(kept);
  for (Requirement& one : parts.requirements)
    one.attacker = place[static_cast<std::size_t>(one.attacker)];
  return assemble_problem(std::move(parts)).value();  // less of what was together before
}

std::vector<std::string> reasons_of(const ArgusRequest& request,
                                    const std::vector<std::vector<std::int32_t>>& cells,
                                    std::int32_t num_cells) {
  std::vector<std::string> reasons(static_cast<std::size_t>(num_cells));
  for (std::size_t t = 0; t < cells.size(); ++t) {
    for (std::size_t c = 0; c < cells[t].size(); ++c) {
      const argus::CellStatus status = request.tables[t]->cells[c].status;
      if (cells[t][c] >= 0 && argus::is_unsafe(status))
        reasons[static_cast<std::size_t>(cells[t][c])] = std::string(argus::words_for(status));
    }
  }
  return reasons;
}

RunContext with_minutes(RunContext run, double minutes) {
  if (minutes <= 0)
    return run;
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(minutes * 60));
  run.deadline = std::min(run.deadline, limit);
  return run;
}

std::string wishes_text(const ArgusWishes& wishes) {
  std::string text;
  for (const auto& [name, value] : wishes.options)
    text += (text.empty() ? "" : ", ") + name + " " + value;
  if (!wishes.attackers.empty())
    text += (text.empty() ? "" : ", ") + ("attackers " + wishes.attackers);
  return text;
}

std::optional<mpq_class> inferred(const End& end, Units value, int sign, int decimals) {
  if (end.unbounded)
    return std::nullopt;
  const Fraction& distance = end.has_bound ? end.bound : end.reached;
  return mpq_class((base::to_integer(value) + sign * distance) / base::ten_to_the(decimals));
}

}  // namespace

double minutes_of(const Suppress& command) {
  const bool has_limit =
      command.method == SuppressMethod::kOpt || command.method == SuppressMethod::kRnd;
  if (!has_limit)
    return 0;
  return command.minutes > 0 ? command.minutes : kOptimalMinutes;
}

std::string mapping_text(const Suppress& command, const ArgusWishes& wishes) {
  const std::string name(argus::to_string(command.method));
  if (wishes.method)
    return fmt::format("{}: {} instead, as the job asks", name, to_string(*wishes.method));
  const std::string wished = wishes_text(wishes);
  if (!wished.empty())
    return mapping_text(command, {}) + "; the job asks for " + wished;
  switch (command.method) {
    case SuppressMethod::kOpt:
      return fmt::format(
          "OPT: suppression of least cost, proven where {} minutes suffice (effort best)",
          base::format_double(minutes_of(command)));
    case SuppressMethod::kMod:
      return "MOD: instead of subtable by subtable, the whole system at once (suppression, effort "
             "fast); singleton switches are attackers who know their own cells; minutes per "
             "subtable, scaled cost and margins have no effect";
    case SuppressMethod::kGh:
      return fmt::format(
          "GH: instead of the hypercube, suppression of the whole system (effort fast) against "
          "readers who know every cell to {} percent; the singleton switch is an attacker who "
          "knows its own cells; the size has no effect",
          base::format_double(command.bound_percent));
    case SuppressMethod::kNet:
      return "NET: instead of the network, suppression of the whole system (effort fast)";
    case SuppressMethod::kRnd:
      return fmt::format("RND: controlled rounding to base {}, at most {} minutes",
                         command.base.text,
                         base::format_double(minutes_of(command)));
    case SuppressMethod::kCta:
      return "CTA: adjustment of small weighted distance (L1, effort fast)";
    case SuppressMethod::kCkm:
      return "CKM: the cell key method with exact keys; what readers who know the perturbation "
             "table can infer for certain is audited";
  }
  return name;
}

Result<job::ProtectJob> protect_job_of(const ArgusRequest& request) {
  const Suppress& command = request.command;
  job::ProtectJob job;
  job.input = request.input;
  switch (command.method) {
    case SuppressMethod::kOpt:
      job.effort = Effort::kBest;
      break;
    case SuppressMethod::kMod:
    case SuppressMethod::kGh:
    case SuppressMethod::kNet:
      job.effort = Effort::kFast;
      break;
    case SuppressMethod::kRnd:
      job.method = Method::kRound;
      LACUNA_RETURN_IF_ERROR(set_option<ProtectOptions>(job, "base", command.base.text));
      job.round.steps = command.steps;
      job.weights = command.unit_cost ? "unity" : "";
      job.effort = command.stop_rule == 1 ? Effort::kFast : Effort::kDefault;
      break;
    case SuppressMethod::kCta:
      job.method = Method::kAdjust;
      job.adjust.norm = AdjustNorm::kL1;
      job.effort = Effort::kFast;
      job.adjust.decimals = request.tables.front()->decimals;
      break;
    case SuppressMethod::kCkm:
      if (request.cell_keys)
        set_cell_key_options(*request.cell_keys, job);
      else if (!request.wishes.method)
        return Error{
            ErrorCode::kUnsupported,
            "CKM: keys are those of records, which no table has; a job of ours names their "
            "column in [columns] and is run by protect --method cellkey",
            ""};
  }
  if (request.wishes.method)
    job.method = *request.wishes.method;
  for (const auto& [name, value] : request.wishes.options)
    LACUNA_RETURN_IF_ERROR(set_option<ProtectOptions>(job, name, value));
  if (job.method == Method::kMixed)
    return Error{ErrorCode::kUnsupported,
                 "method mixed: files of tau-ARGUS hold numbers or an x, but no ranges",
                 ""};
  LACUNA_RETURN_IF_ERROR(job.validate());
  return job;
}

namespace {

// Whether anything can be hidden from readers who know so much: with all cells withheld, every
// requirement of the outsider holds.
Result<bool> leaves_slack(const Problem& problem, const RunContext& run) {
  Draft all;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (may_be_withheld(problem.table().cell(CellId{c})))
      all.withhold(CellId{c});
  }
  AuditOptions options;
  options.intervals = false;
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    if (problem.requirements()[i].attacker == 0)
      options.only.push_back(static_cast<std::int32_t>(i));
  }
  if (options.only.empty())
    return true;
  const Auditor auditor(std::make_shared<const Problem>(problem));
  LACUNA_TRY(const AuditReport report, auditor.audit(all, options, run));
  return passes(report.verdict);
}

Result<ArgusProblem> linked_problem(const ArgusRequest& request,
                                    const ArgusSingletons& switches,
                                    std::optional<double> bound_percent) {
  argus::LinkOptions options;
  options.contributors_attack = switches.any();
  options.bound_percent = bound_percent;
  options.open_bounds = request.cell_keys.has_value();
  LACUNA_TRY(argus::LinkedTables linked,
             argus::link_tables(request.tables, request.names, options));
  LACUNA_TRY(load::RuledTable ruled, load::apply_rules(linked.job));
  ArgusProblem made;
  made.problem = with_switches(std::move(ruled.problem), switches);
  made.singletons = switches;
  made.attackers = load::summarize_attackers(made.problem, ruled.report.attackers);
  made.cells = std::move(linked.cells);
  made.tables = std::move(linked.job.tables);
  made.reasons = reasons_of(request, made.cells, made.problem.table().num_cells());
  made.notes = std::move(ruled.notes);
  made.basis = request.basis;
  if (made.basis.lifted > 0)
    made.notes.push_back(load::lifted_text(made.basis.lifted));
  return made;
}

}  // namespace

namespace {

Result<ArgusProblem> cell_key_problem(const ArgusRequest& given) {
  std::vector<argus::Table> tables;
  for (const argus::Table* table : given.tables) {
    LACUNA_TRY(argus::Table fine, fine_table(*table));
    tables.push_back(std::move(fine));
  }
  ArgusRequest request = given;
  for (std::size_t t = 0; t < tables.size(); ++t)
    request.tables[t] = &tables[t];
  LACUNA_TRY(ArgusProblem made, linked_problem(request, singletons_of(request), std::nullopt));
  LACUNA_TRY(made.problem, with_cell_keys(std::move(made.problem), request.tables, made.cells));
  return made;
}

}  // namespace

Result<ArgusProblem> problem_of(const ArgusRequest& request, const RunContext& run) {
  if (request.cell_keys)
    return cell_key_problem(request);
  const ArgusSingletons switches = singletons_of(request);
  if (request.command.method != SuppressMethod::kGh)
    return linked_problem(request, switches, std::nullopt);
  const double percent = request.command.bound_percent;
  LACUNA_TRY(ArgusProblem near, linked_problem(request, switches, percent));
  LACUNA_TRY(const bool room, leaves_slack(near.problem, run));
  if (room)
    return near;
  LACUNA_TRY(ArgusProblem far, linked_problem(request, switches, std::nullopt));
  far.notes.push_back(fmt::format(
      "GH: no withheld cells could protect all unsafe cells from readers who know every cell to {} "
      "percent; readers are assumed to know 1.5 times the largest value instead",
      base::format_double(percent)));
  return far;
}

namespace {

// What is found goes through the audit; only what passes is a release.
Result<ArgusOutcome> judged_outcome(const job::ProtectJob& job,
                                    ArgusProblem made,
                                    const std::shared_ptr<const Problem>& problem,
                                    const ProtectResult& found,
                                    std::chrono::steady_clock::time_point start,
                                    const RunContext& run) {
  if (!problem->requirements().empty())
    made.basis.rules.clear();  // they are no answer to why nothing is asked (verdict_basis.h)
  const job::ReleaseContext table{problem, made.attackers, start, {}, {}, made.basis};
  LACUNA_TRY(job::JobDecision decision, job::audit_result(job, table, found, run));
  ArgusOutcome outcome;
  if (!decision.passed) {
    outcome.refusal = decision.refusal.message;
    outcome.ending = {decision.refusal.code,
                      decision.refused_by ? decision.refused_by->verdict : Verdict::kUndecided};
    return outcome;
  }
  outcome.release = ArgusRelease{{std::move(made)}, problem, *std::move(decision.passed)};
  return outcome;
}

}  // namespace

Result<ArgusOutcome> protect_tables(const ArgusRequest& request, const RunContext& given_run) {
  const auto start = std::chrono::steady_clock::now();
  const RunContext run = with_minutes(given_run, minutes_of(request.command));
  LACUNA_TRY(const job::ProtectJob job, protect_job_of(request));
  LACUNA_TRY(ArgusProblem made, problem_of(request, run));
  made.problem.set_waiver(waiver_of(job));
  const auto problem = std::make_shared<const Problem>(std::move(made.problem));
  LACUNA_TRY(const ProtectResult found, protect(problem, job, run));
  return judged_outcome(job, std::move(made), problem, found, start, run);
}

Result<ArgusOutcome> audit_tables(const ArgusRequest& request, const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  LACUNA_TRY(job::ProtectJob job, protect_job_of(request));
  job.accept_all_withheld = true;  // whatever it is, nobody has stopped it
  LACUNA_TRY(ArgusProblem made, problem_of(request, run));
  const auto problem = std::make_shared<const Problem>(std::move(made.problem));
  ProtectResult found;
  found.why = StopReason::kWork;
  found.reproducible = found.complete = true;
  found.draft = Draft::withholding_primaries(problem->table());
  for (const CellEntry& entry : found.draft.each())
    found.cost += problem->table().cell(entry.cell).weight;
  return judged_outcome(job, std::move(made), problem, found, start, run);
}

namespace {

argus::Protection protection_of(const std::string& method) {
  if (method == "round")
    return argus::Protection::kRounded;
  if (method == "cellkey")
    return argus::Protection::kCellKeys;
  return method == "adjust" || method == "perturb" ? argus::Protection::kAdjusted
                                                   : argus::Protection::kSuppressed;
}

void make_finer(argus::Table& table, int decimals) {
  for (; table.decimals < decimals; ++table.decimals) {
    for (argus::Cell& cell : table.cells)
      cell.response *= 10;
  }
}

// A number for every cell that is not empty, printed with the digits that it needs.
void take_numbers(const ArgusRelease& release, std::size_t which, argus::Table& table) {
  const Draft& draft = release.judged.release.content();
  const lacuna::Table& shown = release.judged.release.problem().table();
  make_finer(table, shown.decimals());
  int needed = table.shown_decimals;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    if (release.cells[which][c] < 0)
      continue;
    const CellId id{release.cells[which][c]};
    const auto entry = draft.find(id);
    const auto number = entry == nullptr ? std::optional(shown.value(id)) : entry->number();
    if (!number)
      continue;  // left blank
    Units units = *number;
    for (int d = shown.decimals(); d < table.decimals; ++d)
      units *= 10;
    table.cells[c].published = units;
    int digits = table.decimals;
    for (; digits > needed && units % 10 == 0; --digits)
      units /= 10;
    needed = std::max(needed, digits);
  }
  table.shown_decimals = needed;
}

void take_pattern(const ArgusRelease& release, std::size_t which, argus::Table& table) {
  const Draft& draft = release.judged.release.content();
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    argus::Cell& cell = table.cells[c];
    const std::int32_t place = release.cells[which][c];
    if (place < 0 || draft.is_exact(CellId{place}) || argus::is_withheld(cell.status))
      continue;
    cell.status = cell.status == argus::CellStatus::kSafeManual
                      ? argus::CellStatus::kSecondaryManual
                      : argus::CellStatus::kSecondary;
  }
}

}  // namespace

void take_release(const ArgusRelease& release, std::size_t which, argus::Table& table) {
  for (argus::Cell& cell : table.cells) {
    cell.published.reset();
    cell.lowest.reset();
    cell.highest.reset();
  }
  table.protection = protection_of(release.judged.summary.method);
  if (table.protection == argus::Protection::kSuppressed)
    take_pattern(release, which, table);
  else
    take_numbers(release, which, table);
}

Status take_intervals(ArgusRelease& release,
                      const std::vector<argus::Table*>& tables,
                      const RunContext& run) {
  AuditOptions options;
  options.intervals = true;
  options.all_withheld = true;
  const AuditedRelease& passed = release.judged.release;
  options.hints = passed.report().evidence.witnesses;
  const Auditor auditor(std::make_shared<const Problem>(passed.problem()));
  LACUNA_TRY(AuditedRelease audited, auditor.release(passed.content(), options, run));
  const AuditReport& report = audited.report();
  const lacuna::Table& table = passed.problem().table();
  using Ends = std::pair<std::optional<mpq_class>, std::optional<mpq_class>>;
  std::vector<Ends> ends(static_cast<std::size_t>(table.num_cells()));
  const auto take = [&](CellId cell, const End& low, const End& high) {
    ends[static_cast<std::size_t>(cell.value)] = {
        inferred(low, table.value(cell), -1, table.decimals()),
        inferred(high, table.value(cell), 1, table.decimals())};
  };
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (finding.question.attacker == 0)
      take(finding.question.cell, finding.low, finding.high);
  }
  for (const CellRange& range : report.ranges)
    take(range.cell, range.low, range.high);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t c = 0; tables[t] != nullptr && c < tables[t]->cells.size(); ++c) {
      if (release.cells[t][c] < 0)
        continue;
      const Ends& found = ends[static_cast<std::size_t>(release.cells[t][c])];
      tables[t]->cells[c].lowest = found.first;
      tables[t]->cells[c].highest = found.second;
    }
  }
  release.judged.release = std::move(audited);
  return ok_status();
}

}  // namespace lacuna::argus_run
