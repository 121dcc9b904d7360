// SPDX-License-Identifier: Apache-2.0
#include "job/asked.h"

#include "job/released.h"
#include "lacuna/count_rules.h"
#include "table/least_counts.h"

namespace lacuna::inline job {
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

template <class Value>
Status read_option(const char* name, const std::string& text, Value& value) {
  if (text.empty())
    return ok_status();
  return fields_detail::set_from(FieldInfo{.name = name, .help = ""}, std::span(&text, 1), value);
}

// Counts that nobody has called so before: from here on a listed one is at least 1 where empty
// cells have no row, and small ones are sensitive.
Result<Problem> called_counts(Problem problem,
                              const CountOptions& options,
                              const CountsRead& read) {
  LACUNA_TRY(problem, knowing_rows(std::move(problem), read.least));
  return with_count_rules(problem, options);
}

Result<Problem> with_counts_asked(Problem problem,
                                  const CountsAsked& asked,
                                  const CountsRead& read) {
  if (asked.reals && (asked.counts || asked.any()))
    return Error{ErrorCode::kOptionConflict, "numbers are read as reals or as counts", "--reals"};
  if (asked.reals)
    problem.drop_counts();
  if (!asked.counts && !asked.any())
    return problem;
  if (!problem.counts() || (read.by_nature && !read.settled)) {
    const bool ruled = read.by_nature && read.by_nature->kinds.empty();
    LACUNA_TRY(const CountOptions options,
               as_asked(ruled ? *read.by_nature : CountOptions{}, asked));
    return called_counts(std::move(problem), options, read);
  }
  if (!asked.any() || read.settled)
    return problem;
  const std::optional<CountOptions> own = count_options_of(problem);
  if (!own)
    return Error{ErrorCode::kOptionConflict,
                 "the table asks questions about its counts that are no matter of options; change "
                 "them there",
                 "--counts"};
  LACUNA_TRY(const CountOptions options, as_asked(*own, asked));
  return with_count_rules(problem, options);
}

}  // namespace

Result<CountOptions> as_asked(CountOptions options, const CountsAsked& asked) {
  LACUNA_RETURN_IF_ERROR(read_option("threshold", asked.threshold, options.threshold));
  LACUNA_RETURN_IF_ERROR(read_option("zeros", asked.zeros, options.zeros));
  LACUNA_RETURN_IF_ERROR(
      read_option("withheld-means", asked.withheld_means, options.withheld_means));
  LACUNA_RETURN_IF_ERROR(read_option("coalition", asked.coalition, options.coalition));
  LACUNA_RETURN_IF_ERROR(read_option("ambiguity", asked.ambiguity, options.ambiguity));
  if (!asked.kinds.empty()) {
    LACUNA_TRY(options.kinds, parse_count_kinds(asked.kinds));
  }
  return options;
}

Result<Problem> as_asked(Problem problem,
                         const Asked& asked,
                         const Inputs& inputs,
                         const CountsRead& read) {
  const bool minimal = asked.levels == "minimal" || asked.levels == "none";
  if (!minimal && !asked.levels.empty() && asked.levels != "file")
    return Error{ErrorCode::kOptionValue,
                 "the levels are file or minimal, not '" + asked.levels + "'",
                 "--levels"};
  const bool stated = asked.zero_levels == "stated";
  if (!stated && asked.zero_levels != "raised")
    return Error{ErrorCode::kOptionValue,
                 "zero levels are raised or stated, not '" + asked.zero_levels + "'",
                 "--zero-levels"};
  LACUNA_TRY(problem, with_counts_asked(std::move(problem), asked.counts, read));
  if (minimal) {
    LACUNA_TRY(problem, with_least_levels(std::move(problem)));
  } else if (stated) {
    problem.state_zero_levels();
  }
  if (asked.waiver != Waiver::kNothing)
    problem.set_waiver(asked.waiver);
  return with_released(std::move(problem), asked.released, inputs);
}

std::string waived_by(const Asked& asked) {
  return asked.waiver == Waiver::kNothing ? "the problem file" : "--waive exposed";
}

std::string read_as_text(const CountsAsked& asked, const CountsRead& read) {
  const bool by_job = read.reals && !asked.counts && !asked.any();
  if (!asked.reals && !by_job)
    return "";
  return std::string("read as real numbers: whoever knows that they are counts can tell more; ") +
         (asked.reals ? "leave out --reals" : "leave out whole = false in [counts]") +
         " to ask in whole numbers";
}

namespace {

// Levels of a rule are the same on both sides, and are cut to what everyone knows. A level that ends
// there and is smaller than the other, or both of them, is told of; that it was cut, nobody has kept.
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
           " sensitive cells have zero levels and only had to be hidden: totals may tell them";
  if (count.known > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(count.known) +
            " sensitive cells are known to an attacker in advance: nothing can hide them";
  if (count.cut > 0)
    text += (text.empty() ? "" : "; ") +
            (count.cut == 1 ? std::string("1 level was") : std::to_string(count.cut) + " levels were") +
            " cut to what everyone knows, or stated so: no more than that was asked";
  return text;
}

}  // namespace lacuna::inline job
