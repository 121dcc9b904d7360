// SPDX-License-Identifier: Apache-2.0
#include "app/job/rerun.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/job/owner_run.h"
#include "app/job/protect_files.h"
#include "app/load/provenance.h"
#include "app/load/public_parts.h"
#include "core/base/spelling.h"
#include "core/table/digest.h"
#include "data/certificate/certificate.h"
#include "data/jobfile/record_job.h"
#include "protect/owner/public_course.h"

namespace lacuna::job {
namespace {

// ---- the options of the run

// Options that say nothing of what is released.
bool is_aside(std::string_view name) {
  return name == "threads" || name == "quiet" || name == "trace" || name == "near";
}

// "--gap 0.05 --reals" as names and texts; a flag has the text true.
std::vector<std::pair<std::string, std::string>> options_in(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> found;
  std::size_t begin = text.find("--");
  while (begin != std::string::npos) {
    const std::size_t next = text.find(" --", begin);
    const std::string one =
        text.substr(begin + 2, next == std::string::npos ? next : next - begin - 2);
    const std::size_t space = one.find(' ');
    found.emplace_back(one.substr(0, space),
                       space == std::string::npos ? "true" : one.substr(space + 1));
    begin = next == std::string::npos ? next : next + 1;
  }
  return found;
}

// What the table was asked is asked again as the problem has it, so that it need not be repeated.
template <class Options>
bool has_option(std::string_view name) {
  const auto known = describe_options<Options>();
  return std::any_of(
      known.begin(), known.end(), [&](const auto& each) { return each.name == name; });
}

Status take_options(const std::string& given, const std::string& where, ProtectJob& job) {
  for (const auto& [name, text] : options_in(given)) {
    if (is_aside(name) || has_option<load::Assessment>(name) || name == "seed")
      continue;
    if (const Status done = set_option(job, name, text); !done)
      return Error{ErrorCode::kUnsupported,
                   "the run had the option --" + name + ", which cannot be repeated here",
                   where};
  }
  return ok_status();
}

Status take_job_options(const std::string& table, const load::Inputs& inputs, ProtectJob& job) {
  if (!jobfile::is_job_name(table) || inputs.is_held(table))
    return ok_status();
  LACUNA_TRY(const jobfile::JobSettings settings, jobfile::read_job_settings(table));
  for (const jobfile::JobOption& option : settings.options) {
    if (!is_aside(option.name) && !has_option<load::Assessment>(option.name))
      LACUNA_RETURN_IF_ERROR(set_option(job, option.name, option.value));
  }
  return ok_status();
}

// ---- what follows from values

Units level_of(Units value, std::int32_t percent) {
  const Units size = value < 0 ? -value : value;
  return static_cast<Units>((static_cast<Wide>(size) * percent + 99) / 100);
}

Requirement with_levels(const Bounds& prior, Units value, std::int32_t percent, Requirement need) {
  const Units level = level_of(value, percent);
  need.lower = prior.has_lower() ? std::min(level, value - prior.lower) : level;
  need.upper = prior.has_upper() ? std::min(level, prior.upper - value) : level;
  return need;
}

// The percentage of the value that all levels are; 0: there is none.
std::int32_t percent_of_levels(const Problem& problem) {
  std::vector<std::int32_t> percents{10, 5, 15, 20, 25};  // of several that fit, the usual ones
  for (std::int32_t percent = 1; percent <= 100; ++percent)
    percents.push_back(percent);
  if (problem.requirements().empty())
    return 0;
  for (const std::int32_t percent : percents) {
    const bool all = std::all_of(
        problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& each) {
          const Cell& cell = problem.table().cell(each.cell);
          return with_levels(cell.prior, cell.value, percent, each) == each && each.sliding == 0;
        });
    if (all)
      return percent;
  }
  return 0;
}

// The weight of one unit, if weights are sizes of values; 0: they are not.
double weight_per_unit(const Table& table) {
  double per_unit = 0;
  for (const Cell& cell : table.cells()) {
    const double size = std::abs(static_cast<double>(cell.value));
    if (per_unit == 0 && size > 0)
      per_unit = cell.weight / size;
    if (cell.weight != per_unit * size)
      return 0;
  }
  return per_unit;
}

}  // namespace

// ---- the run

Result<Rerun> Rerun::of_job(std::shared_ptr<const Problem> problem,
                            const Draft& release,
                            const ProtectJob& job,
                            const RunContext& run) {
  Rerun made;
  made.job_ = job;
  made.job_.checkpoint.clear();  // every table is begun anew
  made.run_ = run;
  made.run_.on_progress = nullptr;
  made.run_.log = nullptr;
  made.problem_ = std::move(problem);
  made.release_ = release;
  LACUNA_RETURN_IF_ERROR(made.look_at_values());
  return made;
}

Result<Rerun> Rerun::make(std::shared_ptr<const Problem> problem,
                          const Draft& release,
                          const std::string& table,
                          const std::string& office,
                          const load::Assessment& asked,
                          const load::Inputs& inputs,
                          const RunContext& run) {
  const Error unnamed{ErrorCode::kOptionMissing,
                      "to run the program again its options are needed: give the result file of "
                      "the run (-o of protect)",
                      "--pattern"};
  if (office.empty())
    return unnamed;
  const auto of_run = load::read_run(office, inputs);
  if (!of_run)
    return unnamed;
  ProtectJob job;
  LACUNA_RETURN_IF_ERROR(take_job_options(table, inputs, job));
  if (const auto options = of_run->find("options"); options != of_run->end())
    LACUNA_RETURN_IF_ERROR(take_options(options->second, office, job));
  job.asked = asked;
  job.inputs = inputs;
  RunContext seeded = run;
  if (const auto seed = of_run->find("seed"); seed != of_run->end())
    seeded.seed = std::stoull(seed->second);
  return of_job(std::move(problem), release, job, seeded);
}

// ---- what follows from values

Status Rerun::look_at_values() {
  if (job_.asked.against == load::Against::kOwner) {
    follows_ = "nothing that the program goes by follows from values";
    return ok_status();
  }
  if (problem_->counts())
    LACUNA_RETURN_IF_ERROR(look_at_counts());
  else
    percent_ = percent_of_levels(*problem_);
  const std::string formula = weight_formula(job_);
  per_unit_ = formula == "cost" ? weight_per_unit(problem_->table()) : 0;
  follows_ = counts_        ? fmt::format("counts below {} are sensitive", counts_->threshold)
             : percent_ > 0 ? fmt::format("levels of {}% of the value", percent_)
                            : std::string("levels as stated");
  if (formula == "cost")
    follows_ += per_unit_ > 0 ? ", weights by value" : ", weights as stated";
  return ok_status();
}

// Which counts are sensitive, and which questions that raises, is worked out for every table.
Status Rerun::look_at_counts() {
  const auto refused = [](const std::string& why) {
    return Error{ErrorCode::kUnsupported, "counts cannot be replayed here: " + why, "--replay"};
  };
  counts_ = count_options_of(*problem_);
  if (!counts_)
    return refused("the questions are part of the table and cannot be asked of another one");
  if (problem_->attackers().size() > 1)
    return refused("what the counted persons know depends on them; " +
                   base::named_setting("[attackers]", "respondents", "false") +
                   " asks about outsiders alone");
  for (const Requirement& need : problem_->requirements()) {
    if (is_ruled(problem_->table().cell(need.cell)) && need.origin == LevelOrigin::kGiven)
      return refused("there are levels besides the rule on counts");
  }
  // A kind of which the true table raises no question may be asked of another one all the same:
  // the usual kinds are taken where they explain the questions of the true table.
  const std::vector<CountKind> seen = counts_->kinds;
  for (const std::vector<CountKind>& kinds : {job_.asked.counts.kinds, seen}) {
    counts_->kinds = kinds;
    const auto again = problem_at({});
    if (again && again->counts() == problem_->counts() &&
        again->requirements() == problem_->requirements())
      return ok_status();
  }
  return refused("the rule on counts does not say by itself which of them are sensitive");
}

bool Rerun::is_ruled(const Cell& cell) const {
  if (cell.status != CellStatus::kPrimary)
    return false;
  return cell.value == 0 ? counts_->zeros == Zeros::kSensitive : cell.value < counts_->threshold;
}

bool Rerun::weights_follow() const {
  const std::string formula = weight_formula(job_);
  return per_unit_ > 0 || (formula != "cost" && formula != "unity");
}

Requirement Rerun::asked_at(const Requirement& need, Units value) const {
  if (percent_ == 0)
    return need;
  return with_levels(problem_->table().cell(need.cell).prior, value, percent_, need);
}

Result<Problem> Rerun::counts_of(Table table) const {
  ProblemParts parts = problem_->parts();
  parts.counts.reset();
  std::erase_if(parts.requirements, [&](const Requirement& need) {
    return is_ruled(problem_->table().cell(need.cell));
  });
  parts.table = std::move(table);
  LACUNA_TRY(const Problem bare, assemble_problem(std::move(parts)));
  return with_count_rules(bare, *counts_);
}

Result<Problem> Rerun::problem_at(const TableMove& moved) const {
  const Table& table = problem_->table();
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (counts_ && is_ruled(cell))
      cell.status = CellStatus::kFree;
    if (const auto move = moved.find(c); move != moved.end()) {
      if (cell.frequency == cell.value)  // of a count
        cell.frequency += move->second;
      cell.value += move->second;
    }
    if (per_unit_ > 0)
      cell.weight = per_unit_ * std::abs(static_cast<double>(cell.value));
    LACUNA_TRY([[maybe_unused]] const CellId added, builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const EquationId id{e};
    LACUNA_TRY([[maybe_unused]] const EquationId added,
               builder.add_equation(table.equation(id), table.rhs(id)));
  }
  LACUNA_TRY(Table made, std::move(builder).build());
  if (counts_)
    return counts_of(std::move(made));
  ProblemParts parts = problem_->parts();
  parts.table = std::move(made);
  for (Requirement& need : parts.requirements)
    need = asked_at(need, parts.table.value(need.cell));
  return assemble_problem(std::move(parts));
}

// ---- its release

Result<Draft> Rerun::release_of(const std::shared_ptr<const Problem>& problem,
                                const TableMove& moved) {
  ProtectResult found;
  if (job_.asked.against == load::Against::kOwner) {
    LACUNA_TRY(const owner::PublicParts parts,
               load::public_parts(*problem, job_.asked, job_.inputs));
    owner::CourseOptions options = course_options(job_);
    options.hints = owner::seen_from(moved, known_);
    LACUNA_TRY(const auto open, owner::public_problem(*problem, parts, options.reserve));
    const std::string key = certificate::problem_digest(*open);
    if (!first_.contains(key)) {
      LACUNA_TRY(first_[key], owner::first_choice(open, options, run_));
    }
    LACUNA_TRY(
        owner::Course course,
        owner::suppress_by_public_parts(problem, parts, options, run_, &first_.at(key)));
    static_cast<MethodResult&>(found) = std::move(course);
  } else {
    LACUNA_TRY(const ProtectOptions options, options_with_files(job_, *problem, run_));
    LACUNA_TRY(found, protect(problem, options, run_));
  }
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = job_.engine;
  LACUNA_TRY(const ReleaseDecision decided, decide_release(problem, found, verdicts, run_));
  if (!decided.release)
    return Error{ErrorCode::kNotProtected, "nothing is released", ""};
  return decided.release->content();
}

bool Rerun::replays(const TableMove& moved) {
  ++runs_;
  auto other = problem_at(moved);
  if (!other)
    return false;
  const auto released =
      release_of(std::make_shared<const Problem>(std::move(other).value()), moved);
  // What is published is the same number in both, since both tables fit.
  return released && released->adjusted() == release_.adjusted() &&
         released->entries() == release_.entries();
}

}  // namespace lacuna::job
