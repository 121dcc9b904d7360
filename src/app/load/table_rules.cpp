// SPDX-License-Identifier: Apache-2.0
#include "app/load/table_rules.h"

#include <algorithm>
#include <utility>

#include "app/load/records.h"
#include "core/base/spelling.h"
#include "data/files/position.h"
#include "data/sensitivity/attacker_reach.h"
#include "data/sensitivity/options.h"
#include "data/sensitivity/table_contributions.h"

namespace lacuna::load {
namespace {

// What the rules need must be in the table.
Status check_columns(const jobfile::TableContributions& given,
                     const sensitivity::SensitivityRules& rules) {
  const auto missing = [&](const std::string& what) {
    return Error{ErrorCode::kFactsMissing, what, given.columns_where};
  };
  if (rules.frequency && !given.has_frequency)
    return missing("a minimum frequency needs a column with the numbers of contributors: " +
                   base::named_setting("[columns]", "frequency", "\"<column>\""));
  const bool has_largest = std::any_of(
      given.largest.begin(), given.largest.end(), [](const auto& one) { return !one.empty(); });
  if ((!rules.dominance.empty() || !rules.prior_posterior.empty()) && !has_largest)
    return missing(
        "dominance, p-percent and prior-posterior rules need columns with the largest "
        "contributions: " +
        base::named_setting("[columns]", "largest", "[\"MAX\"]"));
  return ok_status();
}

}  // namespace

Result<RuledTable> apply_rules(const jobfile::Job& job) {
  const jobfile::TableContributions& given = *job.contributions;
  LACUNA_TRY(SensitivityOptions options, sensitivity_options(given.rules));
  if (job.persons_left_out)
    options.attackers = AttackersMeant::kOutsider;
  if (!states(given.rules, "frequency-range") && !given.level_percent.empty())
    LACUNA_RETURN_IF_ERROR(set_option(options, "frequency-range", given.level_percent));
  const auto rules = sensitivity::read_options(options);
  if (!rules)
    return moved_to_option(rules.error(), given.rules);
  LACUNA_RETURN_IF_ERROR(check_columns(given, *rules));
  if (const auto sound = sensitivity::check_contributions(job.problem.table(), given.largest);
      !sound)
    return job.placed(sound.error());
  const bool looks_at_largest = !rules->dominance.empty() || !rules->prior_posterior.empty();
  sensitivity::TabulatedTable made = sensitivity::tabulation_of(
      job.problem.table(), given.largest, looks_at_largest ? rules->contributions_needed() : 0);
  made.tabulation.tables = job.tables;
  RuledTable ruled;
  ruled.options = options;
  if (made.assumed > 0)
    ruled.notes.push_back(
        std::to_string(made.assumed) +
        " contributions that the rules look at are not in the table and were assumed to be as "
        "large as possible; more columns in `largest` make fewer cells sensitive");
  auto problem = sensitivity::problem_in_reach(made.tabulation,
                                               ruled.options,
                                               states(given.rules, "attacker-reach"),
                                               given.given,
                                               ruled.report,
                                               ruled.notes);
  if (!problem)
    return job.placed(moved_to_option(problem.error(), given.rules));
  ruled.problem = std::move(problem).value();
  for (std::vector<Explanation>& reasons : ruled.report.explanations) {
    for (Explanation& reason : reasons) {
      if (reason.rule == "manual" && reason.text.starts_with("unsafe"))
        reason.text = "unsafe: by its status";
    }
  }
  return ruled;
}

}  // namespace lacuna::load
