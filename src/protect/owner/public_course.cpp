// SPDX-License-Identifier: Apache-2.0
#include "protect/owner/public_course.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lacuna/audit.h"
#include "lacuna/suppress.h"
#include "protect/owner/center.h"

namespace lacuna::owner {
namespace {

constexpr std::int32_t kMostRepairs = 6;  // then all that may be withheld is
// Of a weight: how much more the last cell may cost than the first, and a total than its parts.
constexpr double kByPlace = 1.0 / (1 << 20), kByTotal = 1.0 / (1 << 12);

std::size_t at(CellId cell) {
  return static_cast<std::size_t>(cell.value);
}

Units clipped(Units size, const Bounds& prior) {
  return std::clamp(size,
                    prior.has_lower() ? prior.lower : -kMaxUnits,
                    prior.has_upper() ? prior.upper : kMaxUnits);
}

Status check(const Problem& problem, const PublicParts& parts) {
  const auto cells = static_cast<std::size_t>(problem.table().num_cells());
  if (parts.sizes.size() != cells || parts.weights.size() != cells)
    return Error{ErrorCode::kOptionValue, "there must be a size and a weight for every cell", ""};
  for (const Requirement& each : problem.requirements()) {
    if (each.attacker != 0 || each.lower != 0 || each.upper != 0)
      return Error{ErrorCode::kUnsupported,
                   "against the owner of the program only widths against outsiders can be kept",
                   problem.table().label(each.cell)};
  }
  return ok_status();
}

// ---- a problem of public parts

// The same cells and equations with numbers of public parts. Sums need not hold among these: what
// is missing stands on the right-hand side, which no displacement sees.
struct StandIn {
  std::vector<Units> values;   // by cell
  std::vector<Units> sliding;  // by requirement; 0: not asked
};

Result<std::shared_ptr<const Problem>> stand_in_problem(const Problem& problem,
                                                        const PublicParts& parts,
                                                        const Draft& withheld,
                                                        const StandIn& numbers) {
  const Table& table = problem.table();
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    Cell cell = table.cell(id);
    if (may_be_withheld(cell))
      cell.value = clipped(numbers.values[at(id)], cell.prior);
    cell.weight = parts.weights[at(id)];
    if (cell.status == CellStatus::kFree && !withheld.is_exact(id))
      cell.status = CellStatus::kSecondary;
    LACUNA_TRY([[maybe_unused]] const CellId added, builder.add_cell(cell, table.codes(id)));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    Wide sum = 0;
    for (const Term& term : table.equation(EquationId{e}))
      sum += static_cast<Wide>(term.coefficient) * builder.cell(term.cell).value;
    LACUNA_TRY(
        [[maybe_unused]] const EquationId added,
        builder.add_equation(table.equation(EquationId{e}), static_cast<Units>(sum)));
  }
  LACUNA_TRY(Table made, std::move(builder).build());
  std::vector<Requirement> asked;
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    Requirement each = problem.requirements()[i];
    each.sliding = numbers.sliding[i];
    // Nothing asked for is stated, or it would be raised to a unit.
    each.origin = each.sliding == 0 ? LevelOrigin::kStated : LevelOrigin::kGiven;
    asked.push_back(each);
  }
  LACUNA_TRY(Problem whole,
             assemble_problem({.table = std::move(made),
                               .attackers = {problem.attackers().front()},
                               .requirements = std::move(asked)}));
  return std::make_shared<const Problem>(std::move(whole));
}

// As far as what everyone knows of the cell leaves room.
Units times(Units width, double factor, const Bounds& prior) {
  const double wide = std::ceil(static_cast<double>(width) * factor);
  const Units most = prior.has_lower() && prior.has_upper() ? prior.upper - prior.lower : kMaxUnits;
  return std::min(most, wide < static_cast<double>(kMaxUnits / 4) ? static_cast<Units>(wide)
                                                                  : kMaxUnits / 4);
}

std::vector<Units> widths_times(const Problem& problem, double factor) {
  std::vector<Units> made;
  for (const Requirement& each : problem.requirements())
    made.push_back(times(each.sliding, factor, problem.table().cell(each.cell).prior));
  return made;
}

// ---- patterns of such problems

Draft all_that_may_be_withheld(const Table& table) {
  Draft all;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (may_be_withheld(table.cell(CellId{c})))
      all.withhold(CellId{c});
  }
  return all;
}

// Requirements that the pattern does not keep. What cannot be decided is taken for not kept.
Result<std::vector<std::int32_t>> short_of(const std::shared_ptr<const Problem>& problem,
                                           const Draft& pattern,
                                           const MethodOptions& options,
                                           const RunContext& run,
                                           std::vector<Displacement>* witnesses = nullptr) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options.engine;
  if (witnesses != nullptr)
    verdicts.hints = *witnesses;
  LACUNA_TRY(AuditReport report, Auditor(problem).audit(pattern, verdicts, run));
  std::vector<std::int32_t> missing;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Requirement& asked = problem->requirements()[i];
    if (!asked.asks_nothing() && !is_met(report.findings[i].verdict))
      missing.push_back(static_cast<std::int32_t>(i));
  }
  if (witnesses != nullptr)
    *witnesses = std::move(report.evidence.witnesses);
  return missing;
}

// What cannot be kept even if everything is withheld is asked for without the reserve, or not at
// all: a stand-in is no reason to refuse.
Result<std::shared_ptr<const Problem>> within_reach(std::shared_ptr<const Problem> problem,
                                                    const CourseOptions& options,
                                                    const RunContext& run) {
  const Draft all = all_that_may_be_withheld(problem->table());
  for (const double share : {1 / options.reserve, 0.0}) {
    LACUNA_TRY(const auto missing, short_of(problem, all, options, run));
    if (missing.empty())
      break;
    ProblemParts parts = problem->parts();
    for (const std::int32_t each : missing) {
      Requirement& asked = parts.requirements[static_cast<std::size_t>(each)];
      asked.sliding = static_cast<Units>(share * static_cast<double>(asked.sliding));
      asked.origin = asked.sliding == 0 ? LevelOrigin::kStated : LevelOrigin::kGiven;
    }
    LACUNA_TRY(Problem less, assemble_problem(std::move(parts)));
    problem = std::make_shared<const Problem>(std::move(less));
  }
  return problem;
}

// The cheapest pattern that keeps the widths and all that is withheld already.
Result<Draft> cheapest(const std::shared_ptr<const Problem>& given,
                       const CourseOptions& options,
                       const RunContext& run) {
  LACUNA_TRY(const auto problem, within_reach(given, options, run));
  const std::int32_t cells = problem->table().num_cells();
  const SuppressOptions search{options, {}};
  LACUNA_TRY(SuppressResult found,
             suppress(problem, search, with_effort(run, options.effort, cells)));
  if (!found.complete)
    return Draft::withholding_primaries(problem->table());
  return std::move(found.draft);
}

// ---- the course

class PublicCourse {
 public:
  PublicCourse(std::shared_ptr<const Problem> problem,
               const PublicParts& parts,
               const CourseOptions& options,
               const RunContext& run)
      : problem_(std::move(problem)), parts_(parts), options_(options), run_(run) {}

  Result<Course> run_from(Draft pattern) {
    course_.first = pattern;
    course_.witnesses = options_.hints;
    LACUNA_TRY(std::vector<std::int32_t> missing, short_by(pattern));
    course_.short_first = missing;
    double factor = options_.reserve;
    while (!missing.empty() && course_.repairs < kMostRepairs) {
      ++course_.repairs;
      LACUNA_TRY(pattern, repaired(pattern, missing, factor));
      LACUNA_TRY(missing, short_by(pattern));
      factor *= 2;
    }
    if (!missing.empty()) {
      pattern = all_that_may_be_withheld(problem_->table());
      LACUNA_TRY(missing, short_by(pattern));
      if (!missing.empty())
        return none_keeps(missing.front());
    }
    course_.draft = std::move(pattern);
    course_.complete = true;
    for (const CellEntry& entry : course_.draft.each())
      course_.cost += parts_.weights[at(entry.cell)];
    course_.why = StopReason::kWork;
    return std::move(course_);
  }

 private:
  Result<std::vector<std::int32_t>> short_by(const Draft& pattern) {
    return short_of(problem_, pattern, options_, run_, &course_.witnesses);
  }

  // The same for all tables that fit the pattern.
  Result<Draft> repaired(const Draft& pattern,
                         const std::vector<std::int32_t>& missing,
                         double factor) const {
    LACUNA_TRY(std::vector<Units> center,
               center_of(problem_->table(), pattern, parts_.sizes, options_.engine, run_));
    StandIn numbers{std::move(center), widths_times(*problem_, 1)};
    const std::vector<Units> wide = widths_times(*problem_, factor);
    for (const std::int32_t each : missing)
      numbers.sliding[static_cast<std::size_t>(each)] = wide[static_cast<std::size_t>(each)];
    LACUNA_TRY(const auto made, stand_in_problem(*problem_, parts_, pattern, numbers));
    LACUNA_TRY(Draft wider, cheapest(made, options_, run_));
    for (const CellEntry& entry : pattern.each())
      wider.withhold(entry.cell);
    return wider;
  }

  Error none_keeps(std::int32_t requirement) const {
    const Requirement& asked = problem_->requirements()[static_cast<std::size_t>(requirement)];
    return Error{ErrorCode::kCannotProtect,
                 "no pattern leaves this cell the width that is asked for: not even if everything "
                 "is withheld that may be",
                 problem_->table().label(asked.cell)};
  }

  std::shared_ptr<const Problem> problem_;
  const PublicParts& parts_;
  const CourseOptions& options_;
  const RunContext& run_;
  Course course_;
};

}  // namespace

std::vector<double> with_tie_break(const Table& table, std::vector<double> weights) {
  std::vector<bool> is_total(weights.size(), false);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const auto terms = table.equation(EquationId{e});
    for (const Term& term : terms) {
      const bool alone =
          std::count_if(terms.begin(), terms.end(), [&](const Term& other) {
            return (other.coefficient > 0) == (term.coefficient > 0);
          }) == 1;
      if (alone && terms.size() > 2)
        is_total[at(term.cell)] = true;
    }
  }
  const auto last = static_cast<double>(weights.size());
  for (std::size_t c = 0; c < weights.size(); ++c)
    weights[c] *= 1 + (is_total[c] ? kByTotal : 0) + kByPlace * static_cast<double>(c) / last;
  return weights;
}

Result<std::shared_ptr<const Problem>> public_problem(const Problem& problem,
                                                      const PublicParts& parts,
                                                      double reserve) {
  LACUNA_RETURN_IF_ERROR(check(problem, parts));
  const Draft primaries = Draft::withholding_primaries(problem.table());
  return stand_in_problem(
      problem, parts, primaries, {parts.sizes, widths_times(problem, reserve)});
}

Result<Draft> first_choice(const std::shared_ptr<const Problem>& public_problem,
                           const CourseOptions& options,
                           const RunContext& run) {
  return cheapest(public_problem, options, run);
}

Result<Course> suppress_by_public_parts(const std::shared_ptr<const Problem>& problem,
                                        const PublicParts& parts,
                                        const CourseOptions& options,
                                        const RunContext& run,
                                        const Draft* first) {
  LACUNA_RETURN_IF_ERROR(check(*problem, parts));
  PublicCourse course(problem, parts, options, run);
  if (first != nullptr)
    return course.run_from(*first);
  LACUNA_TRY(const auto open, public_problem(*problem, parts, options.reserve));
  LACUNA_TRY(Draft chosen, first_choice(open, options, run));
  return course.run_from(std::move(chosen));
}

}  // namespace lacuna::owner
