// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/rule_check.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "core/base/rational.h"

namespace lacuna::sensitivity {
namespace {

mpz_class size_of(Units value) {
  return abs(base::to_integer(value));
}

// One decimal; rounded away from the limit, so that "more than 85%" never reads 85.0%.
std::string percent_text(const mpq_class& percent, bool up) {
  const mpz_class tenths = up ? base::rounded_up(percent * 10) : base::rounded_down(percent * 10);
  const mpz_class whole = tenths / 10;
  const mpz_class tenth = tenths % 10;
  return whole.get_str() + "." + tenth.get_str() + "%";
}

std::string number_text(const mpq_class& number) {
  return base::format_fraction(number, 0);
}

// Rules look at absolute contributions; the level is for the value (tau-ARGUS).
mpq_class to_value(const CellFacts& facts, const mpq_class& level) {
  if (facts.absolute == 0)
    return level;
  return level * size_of(facts.value) / size_of(facts.absolute);
}

std::string contributors_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " contributor" : " contributors");
}

Hit frequency_hit(const CellFacts& facts, const SensitivityRules& rules) {
  const std::int64_t count = frequency(facts, rules.frequency->counts);
  const std::string what = rules.frequency->counts == FrequencyCount::kRecords
                               ? std::to_string(count) + (count == 1 ? " record" : " records")
                               : contributors_text(count);
  return {RuleKind::kFrequency,
          0,
          rules.frequency_range * size_of(facts.value) / 100,
          {"frequency",
           "unsafe: " + what + ", fewer than " + std::to_string(rules.frequency->minimum)}};
}

Hit dominance_hit(const CellFacts& facts, const SensitivityRules& rules, std::size_t index) {
  const DominanceRule& rule = rules.dominance[index];
  const mpq_class share = mpq_class(100 * base::to_integer(largest_sum(facts, rule.n))) /
                          std::max(size_of(facts.absolute), mpz_class(1));
  const std::string who = rule.n == 1
                              ? "the largest contributor holds "
                              : "the " + std::to_string(rule.n) + " largest contributors hold ";
  return {RuleKind::kDominance,
          index,
          to_value(facts, dominance_level(facts, rule)),
          {"dominance",
           "unsafe: " + who + percent_text(share, true) + " of the value, more than " +
               number_text(rule.k) + "%"}};
}

Hit prior_posterior_hit(const CellFacts& facts, const SensitivityRules& rules, std::size_t index) {
  const PriorPosteriorRule& rule = rules.prior_posterior[index];
  const Estimate best = best_estimate(facts, rule.coalition).value_or(Estimate{});
  const mpq_class within = rule.q * base::to_integer(best.rest) / base::to_integer(best.target);
  const std::string name = rule.q == 100 ? "p%" : "prior-posterior";
  const std::string by =
      rule.coalition == 1 ? "" : " to a coalition of " + std::to_string(rule.coalition);
  return {RuleKind::kPriorPosterior,
          index,
          to_value(facts, prior_posterior_level(best, rule, rules.formula)),
          {name,
           "unsafe: " + name + " rule, largest contributor known" + by + " to within " +
               percent_text(within, false)}};
}

bool is_range(RuleKind kind) {
  return kind == RuleKind::kFrequency || kind == RuleKind::kRequest || kind == RuleKind::kManual;
}

Result<Units> level_units(const mpq_class& level) {
  const mpz_class units = base::rounded_up(level);
  if (units > base::to_integer(kMaxUnits))
    return Error{ErrorCode::kNumberTooLarge, "a protection level is too large for the table", ""};
  return base::to_units(units);
}

// Upper : lower = ratio, and neither below the level.
mpq_class upper_of(const mpq_class& level, const mpq_class& ratio) {
  return ratio > 1 ? mpq_class(level * ratio) : level;
}
mpq_class lower_of(const mpq_class& level, const mpq_class& ratio) {
  return ratio < 1 ? mpq_class(level / ratio) : level;
}

Status add_sliding(Levels& levels, const SensitivityRules& rules) {
  if (!rules.sliding)
    return ok_status();
  const mpz_class width = base::to_integer(Wide{levels.lower} + levels.upper);
  LACUNA_TRY(levels.sliding, level_units(*rules.sliding * width / 100));
  if (rules.sliding_only)
    levels.lower = levels.upper = 0;
  return ok_status();
}

mpq_class level_inside(const CellFacts& facts,
                       const Hit& hit,
                       const SensitivityRules& rules,
                       const Insiders& insiders) {
  switch (hit.kind) {
    case RuleKind::kPriorPosterior: {
      const auto best = estimate_by(facts, insiders);
      const mpq_class level =
          best ? prior_posterior_level(*best, rules.prior_posterior[hit.index], rules.formula)
               : mpq_class(0);
      return to_value(facts, level);
    }
    case RuleKind::kDominance:
      return to_value(facts, dominance_level_inside(facts, rules.dominance[hit.index], insiders));
    case RuleKind::kZero:
      return hit.level;
    case RuleKind::kFrequency:
    case RuleKind::kRequest:
    case RuleKind::kManual:
      break;
  }
  if (facts.absolute == 0)
    return hit.level;
  const Wide others = Wide{facts.absolute} - own_sum(facts, insiders);
  return hit.level * base::to_integer(others) / base::to_integer(facts.absolute);
}

Units share_of(Units level, Wide part, Wide whole) {
  if (whole == 0)
    return level;
  return base::to_units(base::rounded_up(mpq_class(base::to_integer(level)) *
                                         base::to_integer(part) / base::to_integer(whole)));
}

}  // namespace

std::vector<Hit> judge(const CellFacts& facts, const SensitivityRules& rules, int decimals) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < rules.dominance.size(); ++i) {
    if (dominance_unsafe(facts, rules.dominance[i]))
      hits.push_back(dominance_hit(facts, rules, i));
  }
  for (std::size_t i = 0; i < rules.prior_posterior.size(); ++i) {
    if (prior_posterior_unsafe(facts, rules.prior_posterior[i]))
      hits.push_back(prior_posterior_hit(facts, rules, i));
  }
  if (rules.request && request_unsafe(facts, *rules.request)) {
    hits.push_back({RuleKind::kRequest,
                    0,
                    rules.request_range * size_of(facts.value) / 100,
                    {"request", "unsafe: a contributor asked for protection"}});
  }
  if (rules.frequency && frequency_unsafe(facts, *rules.frequency))
    hits.push_back(frequency_hit(facts, rules));
  if (rules.zero_level && zero_unsafe(facts)) {
    hits.push_back({RuleKind::kZero,
                    0,
                    *rules.zero_level * base::ten_to_the(decimals),
                    {"zero", "unsafe: zero, from " + contributors_text(facts.contributors)}});
  }
  return hits;
}

Hit manual_hit(const CellFacts& facts, const SensitivityRules& rules, const std::string& where) {
  return {RuleKind::kManual,
          0,
          rules.manual_range * size_of(facts.value) / 100,
          {"manual", "unsafe: set by hand" + (where.empty() ? "" : " (" + where + ")")}};
}

Result<Levels> levels_of(const CellFacts& facts,
                         const std::vector<Hit>& hits,
                         const SensitivityRules& rules,
                         Units slack_below) {
  Levels levels;
  for (const Hit& hit : hits) {
    LACUNA_TRY(Units upper, level_units(upper_of(hit.level, rules.ratio)));
    LACUNA_TRY(Units lower, level_units(lower_of(hit.level, rules.ratio)));
    const bool zero = hit.kind == RuleKind::kZero;
    if (!zero)
      upper = std::max(upper, Units{1});
    lower = zero ? 0 : std::max(lower, Units{1});
    if (is_range(hit.kind) || facts.value == 0)
      lower = std::min(lower, slack_below);
    levels.upper = std::max(levels.upper, upper);
    levels.lower = std::max(levels.lower, lower);
  }
  LACUNA_RETURN_IF_ERROR(add_sliding(levels, rules));
  return levels;
}

std::optional<Levels> levels_inside(const CellFacts& facts,
                                    const std::vector<Hit>& hits,
                                    const SensitivityRules& rules,
                                    const Levels& outside,
                                    const Insiders& insiders) {
  if (are_all(facts, insiders))
    return std::nullopt;
  Levels levels;
  for (const Hit& hit : hits) {
    const mpq_class level = std::min(level_inside(facts, hit, rules, insiders), hit.level);
    const auto upper = level_units(upper_of(level, rules.ratio));
    const auto lower = level_units(lower_of(level, rules.ratio));
    levels.upper = std::max(levels.upper, upper ? upper.value() : outside.upper);
    if (hit.kind != RuleKind::kZero)
      levels.lower = std::max(levels.lower, lower ? lower.value() : outside.lower);
  }
  if (!add_sliding(levels, rules))
    levels.sliding = outside.sliding;
  levels.upper = std::min(levels.upper, outside.upper);
  levels.lower = std::min(levels.lower, outside.lower);
  levels.sliding = std::min(levels.sliding, outside.sliding);
  return levels;
}

std::optional<Levels> manual_levels_inside(const CellFacts& facts,
                                           const Levels& by_hand,
                                           const Insiders& insiders) {
  if (are_all(facts, insiders))
    return std::nullopt;
  const Wide others = Wide{facts.absolute} - own_sum(facts, insiders);
  return Levels{share_of(by_hand.lower, others, facts.absolute),
                share_of(by_hand.upper, others, facts.absolute),
                share_of(by_hand.sliding, others, facts.absolute)};
}

}  // namespace lacuna::sensitivity
