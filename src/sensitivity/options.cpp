// SPDX-License-Identifier: Apache-2.0
#include "sensitivity/options.h"

#include <algorithm>
#include <span>

#include "base/confidential.h"
#include "base/decimal.h"
#include "base/nearest.h"
#include "base/rational.h"

namespace lacuna::inline sensitivity {
namespace {

Error bad(std::string_view option, std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), "--" + std::string(option)};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

Result<mpq_class> exact_number(std::string_view option, std::string_view text) {
  const auto places = decimals_needed(text);
  if (!places)
    return bad(option, strange_field_in_quotes(text) + " is not a number");
  const auto digits = parse_units(text, places.value());
  if (!digits)
    return bad(option, strange_field_in_quotes(text) + " has too many digits");
  return units_to_fraction(digits.value(), places.value());
}

Result<mpq_class> at_least_zero(std::string_view option, std::string_view text) {
  LACUNA_TRY(const mpq_class number, exact_number(option, text));
  if (number < 0)
    return bad(option, "the number may not be negative");
  return number;
}

Result<mpq_class> above_zero(std::string_view option, std::string_view text) {
  LACUNA_TRY(const mpq_class number, exact_number(option, text));
  if (number <= 0)
    return bad(option, "the number must be greater than 0");
  return number;
}

// Which of the words it is.
Result<std::size_t> choose(std::string_view option, const std::string& word) {
  const auto words = choices_of(option);
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end())
    return static_cast<std::size_t>(at - words.begin());
  std::string known;
  for (const std::string_view one : words)
    known += (known.empty() ? "" : ", ") + std::string(one);
  return bad(option, "'" + word + "' is not one of " + known + did_you_mean(word, words));
}

struct Pair {
  mpq_class first, second;
};
Result<std::vector<Pair>> read_pairs(std::string_view option, std::string_view text) {
  std::vector<Pair> pairs;
  if (trimmed(text).empty())
    return pairs;
  for (const std::string_view part : split(text, ';')) {
    const std::vector<std::string_view> numbers = split(part, ',');
    if (numbers.size() != 2)
      return bad(option, "'" + std::string(part) + "' is not a pair such as 2,85");
    LACUNA_TRY(const mpq_class first, above_zero(option, numbers[0]));
    LACUNA_TRY(const mpq_class second, above_zero(option, numbers[1]));
    pairs.push_back({first, second});
  }
  return pairs;
}

constexpr std::int32_t kMostContributors = 1000;

Status read_dominance(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_TRY(const std::vector<Pair> pairs, read_pairs("dominance", options.dominance));
  for (const Pair& pair : pairs) {
    if (pair.first.get_den() != 1 || pair.first > kMostContributors)
      return bad("dominance", "n must be a whole number from 1 to 1000");
    if (pair.second >= 100)
      return bad("dominance", "k must be below 100, or every cell is safe");
    rules.dominance.push_back(
        {static_cast<std::int32_t>(to_units(pair.first.get_num())), pair.second});
  }
  return ok_status();
}

Status read_prior_posterior(const SensitivityOptions& options, SensitivityRules& rules) {
  if (options.coalition < 1 || options.coalition > kMostContributors)
    return bad("coalition", "the number must be from 1 to 1000");
  rules.coalition = options.coalition;
  if (!options.p_percent.empty()) {
    LACUNA_TRY(const mpq_class p, above_zero("p-percent", options.p_percent));
    rules.prior_posterior.push_back({p, 100, options.coalition});
  }
  LACUNA_TRY(const std::vector<Pair> pairs, read_pairs("prior-posterior", options.prior_posterior));
  for (const Pair& pair : pairs) {
    if (pair.first >= pair.second)
      return bad("prior-posterior", "p must be less than q");
    rules.prior_posterior.push_back({pair.first, pair.second, options.coalition});
  }
  return ok_status();
}

Status read_other_rules(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_TRY(const std::size_t counts,
             choose("frequency-counts", options.frequency_counts));
  if (options.minimum_frequency < 0)
    return bad("minimum-frequency", "the number may not be negative");
  if (options.minimum_frequency > 0)
    rules.frequency = FrequencyRule{options.minimum_frequency, static_cast<FrequencyCount>(counts)};
  if (options.request_minimum < 0)
    return bad("request-minimum", "the number may not be negative");
  if (!options.request_percent.empty()) {
    LACUNA_TRY(const mpq_class share, at_least_zero("request-percent", options.request_percent));
    rules.request = RequestRule{share, options.request_minimum};
  }
  if (!options.zero_level.empty()) {
    LACUNA_TRY(const mpq_class level, at_least_zero("zero-level", options.zero_level));
    rules.zero_level = level;
  }
  return ok_status();
}

Status read_levels(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_TRY(const std::size_t formula, choose("level-formula", options.level_formula));
  rules.formula = static_cast<LevelFormula>(formula);
  LACUNA_TRY(rules.frequency_range, at_least_zero("frequency-range", options.frequency_range));
  LACUNA_TRY(rules.request_range, at_least_zero("request-range", options.request_range));
  LACUNA_TRY(rules.manual_range, at_least_zero("manual-range", options.manual_range));
  LACUNA_TRY(rules.ratio, above_zero("level-ratio", options.level_ratio));
  if (!options.sliding_percent.empty()) {
    LACUNA_TRY(const mpq_class percent, at_least_zero("sliding-percent", options.sliding_percent));
    rules.sliding = percent;
  }
  if (options.sliding_only && !rules.sliding)
    return bad("sliding-only", "sliding levels alone need --sliding-percent");
  rules.sliding_only = options.sliding_only;
  return ok_status();
}

Result<BoundText> read_bound(std::string_view option, std::string_view text) {
  if (text == "auto")
    return BoundText{};
  if (text == "unbounded")
    return BoundText{BoundText::Kind::kUnbounded, {}};
  if (!text.empty() && text.back() == '%') {
    LACUNA_TRY(const mpq_class percent,
               at_least_zero(option, trimmed(text.substr(0, text.size() - 1))));
    return BoundText{BoundText::Kind::kPercent, percent};
  }
  LACUNA_TRY(const mpq_class number, exact_number(option, text));
  return BoundText{BoundText::Kind::kNumber, number};
}

Status read_bounds(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_TRY(rules.lower_bound, read_bound("lower-bound", options.lower_bound));
  LACUNA_TRY(rules.upper_bound, read_bound("upper-bound", options.upper_bound));
  LACUNA_TRY(const std::size_t misfit, choose("misfit", options.misfit));
  rules.misfit = static_cast<Misfit>(misfit);
  return ok_status();
}

Status read_attackers(const SensitivityOptions& options, SensitivityRules& rules) {
  LACUNA_TRY(const std::size_t attackers, choose("attackers", options.attackers));
  LACUNA_TRY(const std::size_t knowledge,
             choose("attacker-knowledge", options.attacker_knowledge));
  LACUNA_TRY(const std::size_t reach, choose("attacker-reach", options.attacker_reach));
  rules.respondents = attackers == 0;
  rules.know_all = knowledge == 0;
  rules.reach_all = reach == 0;
  rules.singletons_know = options.singletons_know;
  return ok_status();
}

}  // namespace

// Each in the order of the enumeration that it stands for.
std::span<const std::string_view> choices_of(std::string_view option) {
  static constexpr std::string_view kCounts[] = {"contributors", "records", "weighted"};
  static constexpr std::string_view kFormulas[] = {"thesis", "argus"};
  static constexpr std::string_view kMisfits[] = {"error", "widen", "cut"};
  static constexpr std::string_view kAttackers[] = {"respondents", "outsider"};
  static constexpr std::string_view kKnowledge[] = {"all", "sensitive-only"};
  static constexpr std::string_view kReach[] = {"table", "equation"};
  static constexpr std::pair<std::string_view, std::span<const std::string_view>> kAll[] = {
      {"frequency-counts", kCounts},
      {"level-formula", kFormulas},
      {"misfit", kMisfits},
      {"attackers", kAttackers},
      {"attacker-knowledge", kKnowledge},
      {"attacker-reach", kReach}};
  const auto found = std::find_if(
      std::begin(kAll), std::end(kAll), [&](const auto& each) { return each.first == option; });
  return found == std::end(kAll) ? std::span<const std::string_view>() : found->second;
}

Result<SensitivityRules> read_options(const SensitivityOptions& options) {
  SensitivityRules rules;
  LACUNA_TRY(rules.weights, WeightFormula::parse(options.weights));
  rules.waivers = options.waivers;
  LACUNA_RETURN_IF_ERROR(read_dominance(options, rules));
  LACUNA_RETURN_IF_ERROR(read_prior_posterior(options, rules));
  LACUNA_RETURN_IF_ERROR(read_other_rules(options, rules));
  LACUNA_RETURN_IF_ERROR(read_levels(options, rules));
  LACUNA_RETURN_IF_ERROR(read_bounds(options, rules));
  LACUNA_RETURN_IF_ERROR(read_attackers(options, rules));
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

}  // namespace lacuna::inline sensitivity

namespace lacuna {

Status SensitivityOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(read_options(*this));
  return ok_status();
}

}  // namespace lacuna
