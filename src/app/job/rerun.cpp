// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/job/owner_run.h"
#include "app/job/protect_files.h"
#include "app/job/replay.h"
#include "app/load/provenance.h"
#include "app/load/public_parts.h"
#include "core/base/spelling.h"
#include "core/table/digest.h"
#include "data/jobfile/record_job.h"
#include "protect/owner/public_course.h"

namespace lacuna::job {
namespace {

std::size_t at(CellId cell) {
  return static_cast<std::size_t>(cell.value);
}

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

void set_levels(const Table& table, std::int32_t percent, Requirement& need) {
  const Cell& cell = table.cell(need.cell);
  const Units level = level_of(cell.value, percent);
  need.lower = cell.prior.has_lower() ? std::min(level, cell.value - cell.prior.lower) : level;
  need.upper = cell.prior.has_upper() ? std::min(level, cell.prior.upper - cell.value) : level;
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
          Requirement made = each;
          set_levels(problem.table(), percent, made);
          return made == each && each.sliding == 0;
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

Result<Rerun> Rerun::make(std::shared_ptr<const Problem> problem,
                          const Draft& release,
                          const std::string& table,
                          const std::string& office,
                          const load::Assessment& asked,
                          const load::Inputs& inputs,
                          const RunContext& run) {
  if (problem->counts())
    return Error{ErrorCode::kUnsupported,
                 "tables of counts are replayed by lacuna bench owner alone; with " +
                     base::named_option("against", "owner") + " they are",
                 "--replay"};
  if (office.empty() || !load::is_result_file(office, inputs))
    return Error{ErrorCode::kOptionMissing,
                 "to run the program again its options are needed: give the result file of the "
                 "run (-o of protect)",
                 "--pattern"};
  Rerun made;
  LACUNA_TRY(const auto of_run, load::read_run(office, inputs));
  LACUNA_RETURN_IF_ERROR(take_job_options(table, inputs, made.job_));
  if (const auto options = of_run.find("options"); options != of_run.end())
    LACUNA_RETURN_IF_ERROR(take_options(options->second, office, made.job_));
  made.job_.asked = asked;
  made.job_.inputs = inputs;
  made.run_ = run;
  made.run_.on_progress = nullptr;
  made.run_.log = nullptr;
  if (const auto seed = of_run.find("seed"); seed != of_run.end())
    made.run_.seed = std::stoull(seed->second);
  made.problem_ = std::move(problem);
  made.release_ = release;
  if (asked.against == load::Against::kOwner) {
    made.follows_ = "nothing that the program goes by follows from values";
    return made;
  }
  made.percent_ = percent_of_levels(*made.problem_);
  made.per_unit_ =
      weight_formula(made.job_) == "cost" ? weight_per_unit(made.problem_->table()) : 0;
  made.follows_ = made.percent_ > 0
                      ? fmt::format("levels of {}% of the value", made.percent_)
                      : std::string("levels as stated");
  if (weight_formula(made.job_) == "cost")
    made.follows_ += made.per_unit_ > 0 ? ", weights by value" : ", weights as stated";
  return made;
}

Result<Problem> Rerun::problem_at(const std::vector<Units>& values) const {
  const Table& table = problem_->table();
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    cell.value = values[at(CellId{c})];
    if (per_unit_ > 0)
      cell.weight = per_unit_ * std::abs(static_cast<double>(cell.value));
    LACUNA_TRY([[maybe_unused]] const CellId added, builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const EquationId id{e};
    LACUNA_TRY([[maybe_unused]] const EquationId added,
               builder.add_equation(table.equation(id), table.rhs(id)));
  }
  ProblemParts parts = problem_->parts();
  LACUNA_TRY(parts.table, std::move(builder).build());
  if (percent_ > 0) {
    for (Requirement& need : parts.requirements)
      set_levels(parts.table, percent_, need);
  }
  return assemble_problem(std::move(parts));
}

Result<Draft> Rerun::release_of(const std::shared_ptr<const Problem>& problem) {
  ProtectResult found;
  if (job_.asked.against == load::Against::kOwner) {
    LACUNA_TRY(const owner::PublicParts parts,
               load::public_parts(*problem, job_.asked, job_.inputs));
    const owner::CourseOptions options = course_options(job_);
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

bool Rerun::replays(const std::map<std::int32_t, Units>& moved) {
  std::vector<Units> values;
  for (const Cell& cell : problem_->table().cells())
    values.push_back(cell.value);
  for (const auto& [cell, move] : moved)
    values[at(CellId{cell})] += move;
  ++runs_;
  auto other = problem_at(values);
  if (!other)
    return false;
  const auto released = release_of(std::make_shared<const Problem>(std::move(other).value()));
  // What is published is the same number in both, since both tables fit.
  return released && released->adjusted() == release_.adjusted() &&
         released->entries() == release_.entries();
}

}  // namespace lacuna::job
