// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/options.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/rational.h"
#include "core/base/spelling.h"

namespace lacuna::sensitivity {
namespace {

Error bad(std::string_view option, std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), "--" + std::string(option)};
}

Result<mpq_class> at_least_zero(std::string_view option, const Decimal& number) {
  if (number < 0)
    return bad(option, "the number may not be negative");
  return base::fraction_of(number);
}

Result<std::optional<mpq_class>> at_least_zero(std::string_view option,
                                               const std::optional<Decimal>& number) {
  if (!number)
    return std::optional<mpq_class>();
  LACUNA_TRY(const mpq_class fraction, at_least_zero(option, *number));
  return std::optional(fraction);
}

Result<mpq_class> above_zero(std::string_view option, const Decimal& number) {
  if (number <= 0)
    return bad(option, "the number must be greater than 0");
  return base::fraction_of(number);
}

constexpr std::int32_t kMostContributors = 1000;

Status read_dominance(const SensitivityOptions& options, SensitivityRules& rules) {
  for (const DominancePair& pair : options.dominance) {
    LACUNA_TRY(const mpq_class percent, above_zero("dominance", pair.k));
    if (pair.n < 1 || pair.n > kMostContributors)
      return bad("dominance", "n must be a whole number from 1 to 1000");
    if (percent >= 100)
      return bad("dominance", "k must be below 100, or every cell is safe");
    rules.dominance.push_back({pair.n, percent});
  }
  return ok_status();
}

Status read_prior_posterior(const SensitivityOptions& options, SensitivityRules& rules) {
  if (options.coalition < 1 || options.coalition > kMostContributors)
    return bad("coalition", "the number must be from 1 to 1000");
  rules.coalition = options.coalition;
  if (options.p_percent) {
    LACUNA_TRY(const mpq_class p, above_zero("p-percent", *options.p_percent));
    rules.prior_posterior.push_back({p, 100, options.coalition});
  }
  for (const PriorPosteriorPair& pair : options.prior_posterior) {
    LACUNA_TRY(const mpq_class p, above_zero("prior-posterior", pair.p));
    LACUNA_TRY(const mpq_class q, above_zero("prior-posterior", pair.q));
    if (p >= q)
      return bad("prior-posterior", "p must be less than q");
    rules.prior_posterior.push_back({p, q, options.coalition});
  }
  return ok_status();
}

Status read_other_rules(const SensitivityOptions& options, SensitivityRules& rules) {
  if (options.minimum_frequency < 0)
    return bad("minimum-frequency", "the number may not be negative");
  if (options.minimum_frequency > 0)
    rules.frequency = FrequencyRule{options.minimum_frequency, options.frequency_counts};
  if (options.request_minimum < 0)
    return bad("request-minimum", "the number may not be negative");
  LACUNA_TRY(const auto share, at_least_zero("request-percent", options.request_percent));
  if (share)
    rules.request = RequestRule{*share, options.request_minimum};
  LACUNA_TRY(rules.zero_level, at_least_zero("zero-level", options.zero_level));
  return ok_status();
}

Status read_levels(const SensitivityOptions& options, SensitivityRules& rules) {
  rules.formula = options.level_formula;
  LACUNA_TRY(rules.frequency_range, at_least_zero("frequency-range", options.frequency_range));
  LACUNA_TRY(rules.request_range, at_least_zero("request-range", options.request_range));
  LACUNA_TRY(rules.manual_range, at_least_zero("manual-range", options.manual_range));
  LACUNA_TRY(rules.ratio, above_zero("level-ratio", options.level_ratio));
  LACUNA_TRY(rules.sliding, at_least_zero("sliding-percent", options.sliding_percent));
  if (options.sliding_only && !rules.sliding)
    return bad("sliding-only",
               "sliding levels alone need " + base::named_option("sliding-percent"));
  rules.sliding_only = options.sliding_only;
  return ok_status();
}

Status check_bound(std::string_view option, const KnownBound& bound) {
  if (bound.kind == KnownBound::Kind::kPercent)
    LACUNA_RETURN_IF_ERROR(at_least_zero(option, bound.number));
  return ok_status();
}

Status read_bounds(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_RETURN_IF_ERROR(check_bound("lower-bound", options.lower_bound));
  LACUNA_RETURN_IF_ERROR(check_bound("upper-bound", options.upper_bound));
  rules.lower_bound = options.lower_bound;
  rules.upper_bound = options.upper_bound;
  rules.misfit = options.misfit;
  return ok_status();
}

void read_attackers(const SensitivityOptions& options, SensitivityRules& rules) {
  rules.respondents = options.attackers == AttackersMeant::kRespondents;
  rules.know_all = options.attacker_knowledge == AttackerKnowledge::kAll;
  rules.reach_all = options.attacker_reach == AttackerReach::kTable;
  rules.singletons_know = options.singletons_know;
}

}  // namespace

Result<SensitivityRules> read_options(const SensitivityOptions& options) {
  SensitivityRules rules;
  LACUNA_TRY(rules.weights, WeightFormula::parse(options.weights));
  rules.waivers = options.waivers;
  LACUNA_RETURN_IF_ERROR(read_dominance(options, rules));
  LACUNA_RETURN_IF_ERROR(read_prior_posterior(options, rules));
  LACUNA_RETURN_IF_ERROR(read_other_rules(options, rules));
  LACUNA_RETURN_IF_ERROR(read_levels(options, rules));
  LACUNA_RETURN_IF_ERROR(read_bounds(options, rules));
  read_attackers(options, rules);
  return rules;
}

std::int32_t SensitivityRules::contributions_needed() const {
  std::int32_t needed = request ? 1 : 0;
  for (const DominanceRule& rule : dominance)
    needed = std::max(needed, rule.n);
  for (const PriorPosteriorRule& rule : prior_posterior)
    needed = std::max(needed, rule.coalition + 1);
  return needed;
}

}  // namespace lacuna::sensitivity

namespace lacuna {

Status SensitivityOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(sensitivity::read_options(*this));
  return ok_status();
}

}  // namespace lacuna
