// SPDX-License-Identifier: Apache-2.0
// --method round: controlled rounding.
#include "lacuna/round.h"

#include "core/base/spelling.h"
#include "core/draft/deviation.h"
#include "core/table/number_option.h"
#include "lacuna/audit.h"
#include "protect/methods/methods.h"
#include "protect/methods/secret_key.h"

namespace lacuna::methods {
namespace {

// By cell: what is said of it by hand, else the common base.
Result<std::vector<Units>> bases_of(const Table& table, const ProtectOptions& given, Units base) {
  std::vector<Units> bases(given.cells.size(), base);
  for (std::size_t c = 0; c < bases.size(); ++c) {
    bases[c] = given.cells[c].base.value_or(base);
    if (bases[c] <= 0) {
      return Error{ErrorCode::kOptionMissing,
                   "the cell has no base, neither of its own (" + base::named_option("cells") +
                       ") nor by " + base::named_option("base"),
                   table.label(CellId{static_cast<std::int32_t>(c)})};
    }
  }
  return bases;
}

Result<RoundOptions> rounding_options(const Table& table, const ProtectOptions& given) {
  RoundOptions options{given, given.round, {}};
  Units base = 0;
  if (options.base) {
    LACUNA_TRY(base, table::units_of(*options.base, table, "--base"));
  }
  LACUNA_TRY(options.bases, bases_of(table, given, base));
  return options;
}

// A larger base with which the table can be rounded and stands its audit, among the next round
// ones; nothing if none was found quickly.
Result<std::optional<Decimal>> base_that_would_do(const std::shared_ptr<const Problem>& problem,
                                                  RoundOptions options,
                                                  const RunContext& run) {
  constexpr int kMostTries = 6;
  constexpr std::int64_t kWorkOfTry = 3'000'000;
  if (!options.bases.empty())
    return std::optional<Decimal>();
  const Decimal failed = *options.base;
  int tries = 0;
  for (Units power = 1; power < kMaxUnits / 100 && tries < kMostTries; power *= 10) {
    for (const Units factor : {1, 2, 3, 5}) {
      options.base = Decimal(power * factor, problem->table().decimals());
      if (*options.base <= failed || tries >= kMostTries || run.braked())
        continue;
      ++tries;
      const auto found = round_table(problem, options, with_work(run, kWorkOfTry));
      if (!found || !found->complete)
        continue;
      AuditOptions verdicts;
      verdicts.intervals = false;
      verdicts.hints = found->witnesses;
      LACUNA_TRY(const AuditReport report, Auditor(problem).audit(found->draft, verdicts, run));
      if (passes(report.verdict))
        return options.base;
    }
  }
  return std::optional<Decimal>();
}

std::string no_rounding(const RoundResult& found, const std::string& base) {
  std::string text = found.steps == 0 ? "there is no zero-restricted controlled rounding"
                                      : "there is no controlled rounding within " +
                                            std::to_string(found.steps) + " steps";
  if (!found.reason.empty())
    text += ": " + found.reason;
  text += "; nothing is released";
  if (!base.empty())
    text += "; " + base::named_option("base", base) + " would work";
  if (found.steps == 0)
    text +=
        " (" + base::named_option("steps", "1") + " allows one base beyond the adjacent multiples)";
  return text;
}

MethodOutcome midpoint_outcome(const Table& table, const RoundResult& found) {
  MethodOutcome outcome = outcome_of(found);
  outcome.adds_up = false;
  outcome.details = draft::deviation_details(draft::deviation(table, found.draft));
  outcome.note = "every cell is rounded by itself, so the sums do not add up";
  return outcome;
}

}  // namespace

Result<MethodOutcome> protect_by_rounding(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& given,
                                          const RunContext& run) {
  LACUNA_TRY(const RoundOptions options, rounding_options(problem->table(), given));
  RunContext keyed = run;  // whoever could repeat the random directions could undo them
  keyed.seed = secret_key(run.seed, problem->table());
  LACUNA_TRY(const RoundResult found, round_table(problem, options, keyed));
  if (options.midpoint)
    return midpoint_outcome(problem->table(), found);
  MethodOutcome outcome = outcome_of(found);
  if (found.why == StopReason::kInfeasible) {
    LACUNA_TRY(const auto base, base_that_would_do(problem, options, keyed));
    outcome.reason = no_rounding(found, base ? base->text() : std::string());
    return outcome;
  }
  if (!found.complete)
    return outcome;
  outcome.details = draft::deviation_details(draft::deviation(problem->table(), found.draft));
  outcome.details.emplace_back("steps_used", found.steps);
  outcome.details.emplace_back("rounds", static_cast<double>(found.rounds));
  outcome.details.emplace_back("cuts", static_cast<double>(found.cuts));
  outcome.details.emplace_back("flips", static_cast<double>(found.flips));
  if (found.steps > 0) {
    outcome.note = "the relaxation of " + std::to_string(found.steps) +
                   (found.steps == 1 ? " step" : " steps") +
                   " was allowed, and readers know each value within " +
                   std::to_string(found.steps + 1) + " bases";
    if (!found.why_not_strict.empty())
      outcome.note += "; strictly, " + found.why_not_strict;
  }
  return outcome;
}

}  // namespace lacuna::methods
