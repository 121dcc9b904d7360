// SPDX-License-Identifier: Apache-2.0
#include "app/load/assessment.h"

#include "app/load/public_parts.h"
#include "app/load/released.h"
#include "core/base/spelling.h"
#include "core/table/least_counts.h"
#include "lacuna/count_rules.h"

namespace lacuna::load {
namespace {

Result<Problem> with_least_levels(Problem problem) {
  ProblemParts parts = std::move(problem).parts();
  for (Requirement& need : parts.requirements) {
    const Attacker& who = parts.attackers[static_cast<std::size_t>(need.attacker)];
    const bool known = known_bounds(parts.table, who, need.cell).is_point();
    need.lower = need.upper = 0;
    need.sliding = known ? 0 : 1;
    need.origin = LevelOrigin::kGiven;
  }
  return assemble_problem(std::move(parts));
}

// Counts that nobody has called so before: from here on a listed one is at least 1 where empty
// cells have no row, and small ones are sensitive.
Result<Problem> called_counts(Problem problem,
                              const CountOptions& options,
                              const CountReading& read) {
  LACUNA_TRY(problem, table::knowing_rows(std::move(problem), read.least));
  return with_count_rules(problem, options);
}

Result<Problem> with_counts_asked(Problem problem,
                                  const CountAssessment& asked,
                                  const CountReading& read) {
  if (asked.reals && (asked.counts || asked.any()))
    return Error{ErrorCode::kOptionConflict, "numbers are read as reals or as counts", "--reals"};
  if (asked.reals)
    problem.drop_counts();
  if (!asked.counts && !asked.any())
    return problem;
  if (!problem.counts() || (read.by_nature && !read.settled)) {
    const bool ruled = read.by_nature && read.by_nature->kinds.empty();
    const CountOptions options = with_assessment(ruled ? *read.by_nature : CountOptions{}, asked);
    return called_counts(std::move(problem), options, read);
  }
  if (!asked.any() || read.settled)
    return problem;
  const std::optional<CountOptions> own = count_options_of(problem);
  if (!own)
    return Error{ErrorCode::kOptionConflict,
                 "the questions about counts are part of the table and cannot be set by options; "
                 "change them in the table",
                 "--counts"};
  return with_count_rules(problem, with_assessment(*own, asked));
}

// Options that mean nothing to readers without the program.
Status check_no_owner(const OwnerAssessment& asked) {
  const char* given = !asked.weights_from.empty()   ? "--weights-from"
                      : !asked.public_width.empty() ? "--public-width"
                      : asked.guard_band            ? "--guard-band"
                                                    : nullptr;
  if (given == nullptr)
    return ok_status();
  return Error{ErrorCode::kOptionConflict,
               "this is for runs with " + base::named_option("against", "owner"),
               given};
}

}  // namespace

std::span<const std::string_view> enum_names(LevelChoice) {
  static constexpr std::string_view kNames[] = {"file", "minimal", "none"};
  return kNames;
}

std::span<const std::string_view> enum_names(Against) {
  static constexpr std::string_view kNames[] = {"readers", "owner"};
  return kNames;
}

std::span<const std::string_view> enum_names(ZeroLevels) {
  static constexpr std::string_view kNames[] = {"raised", "stated"};
  return kNames;
}

CountOptions with_assessment(CountOptions options, const CountAssessment& asked) {
  options.threshold = asked.threshold.value_or(options.threshold);
  options.zeros = asked.zeros.value_or(options.zeros);
  options.withheld_means = asked.withheld_means.value_or(options.withheld_means);
  options.coalition = asked.coalition.value_or(options.coalition);
  options.ambiguity = asked.ambiguity.value_or(options.ambiguity);
  if (!asked.kinds.empty())
    options.kinds = asked.kinds;
  return options;
}

Result<Problem> with_assessment(Problem problem,
                                const Assessment& asked,
                                const Inputs& inputs,
                                const CountReading& read) {
  LACUNA_TRY(problem, with_counts_asked(std::move(problem), asked.counts, read));
  if (asked.against == Against::kOwner)
    return with_public_widths(std::move(problem), asked, inputs);
  LACUNA_RETURN_IF_ERROR(check_no_owner(asked));
  if (asked.levels != LevelChoice::kFile) {
    LACUNA_TRY(problem, with_least_levels(std::move(problem)));
  } else if (asked.zero_levels == ZeroLevels::kStated) {
    problem.state_zero_levels();
  }
  if (asked.waiver != Waiver::kNothing)
    problem.set_waiver(asked.waiver);
  return with_released(std::move(problem), asked.released, inputs);
}

std::string waived_by(const Assessment& asked) {
  return asked.waiver == Waiver::kNothing ? "the problem file" : "--waive exposed";
}

std::string read_as_text(const CountAssessment& asked, const CountReading& read) {
  const bool by_job = read.reals && !asked.counts && !asked.any();
  if (!asked.reals && !by_job)
    return "";
  return std::string(
             "read as real numbers: a reader who knows that they are counts can work out more; ") +
         (asked.reals ? "leave out --reals" : "leave out whole = false in [counts]") +
         " to ask in whole numbers";
}

namespace {

// Levels of a rule are the same on both sides, and are cut to what everyone knows. A level that
// ends there and is smaller than the other, or both of them, is told of; that it was cut, nobody
// has kept.
bool ends_at_known(const Problem& problem, const Requirement& need) {
  const Cell& cell = problem.table().cell(need.cell);
  if (need.attacker != 0 || need.origin != LevelOrigin::kGiven || need.asks_nothing())
    return false;
  const bool below = cell.prior.has_lower() && cell.value - cell.prior.lower == need.lower;
  const bool above = cell.prior.has_upper() && cell.prior.upper - cell.value == need.upper;
  return (below && need.lower < need.upper) || (above && need.upper < need.lower) ||
         (below && above);
}

}  // namespace

HiddenOnly hidden_only(const Problem& problem) {
  HiddenOnly count;
  CellId last;
  for (const Requirement& need : problem.requirements()) {
    count.cut += ends_at_known(problem, need) ? 1 : 0;
    if (!need.asks_nothing() || need.cell == last)
      continue;
    last = need.cell;
    const Attacker& who = problem.attackers()[static_cast<std::size_t>(need.attacker)];
    const bool known = known_bounds(problem.table(), who, need.cell).is_point();
    count.known += known ? 1 : 0;
    count.cells += known ? 0 : 1;
  }
  return count;
}

std::string hidden_only_text(const HiddenOnly& count) {
  std::string text;
  if (count.cells > 0)
    text = std::to_string(count.cells) +
           " sensitive cells have zero levels and only had to be hidden: totals may disclose them";
  if (count.known > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(count.known) +
            " sensitive cells are known to an attacker in advance: nothing can hide them";
  if (count.cut > 0)
    text +=
        (text.empty() ? "" : "; ") +
        (count.cut == 1 ? std::string("1 level was") : std::to_string(count.cut) + " levels were") +
        " cut to what everyone knows, or stated that way: no more than that was asked";
  return text;
}

}  // namespace lacuna::load
