// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/rules.h"

#include <algorithm>
#include <vector>

#include "core/base/rational.h"

namespace lacuna::sensitivity {
namespace {

Wide size_of(Units amount) {
  return amount < 0 ? -Wide{amount} : Wide{amount};
}

bool all_listed(const CellFacts& facts) {
  return facts.contributors <= static_cast<std::int64_t>(facts.largest.size());
}

bool first_waived(const CellFacts& facts, std::size_t count) {
  const std::size_t listed = std::min(count, facts.largest.size());
  for (std::size_t i = 0; i < listed; ++i) {
    if (!facts.largest[i].waived)
      return false;
  }
  return listed == count || all_listed(facts);
}

bool is_inside(const Insiders& insiders, std::size_t index) {
  return std::find(insiders.listed.begin(), insiders.listed.end(), index) != insiders.listed.end();
}

// Nobody else has contributed but the insiders and those who are listed.
bool all_known(const CellFacts& facts, const Insiders& insiders) {
  return facts.contributors <=
         static_cast<std::int64_t>(facts.largest.size()) + insiders.num_unlisted;
}

// The largest contribution that needs protection and is not one of the insiders'. If it is not
// among those listed, it is at most the last of them and at most what they leave.
struct Target {
  Wide amount = 0;
  std::size_t index = 0;  // facts.largest.size() if not listed
};
std::optional<Target> find_target(const CellFacts& facts, const Insiders& insiders) {
  Wide left = Wide{facts.absolute} - insiders.unlisted;
  for (std::size_t i = 0; i < facts.largest.size(); ++i) {
    const Wide amount = size_of(facts.largest[i].amount);
    left -= amount;
    if (!facts.largest[i].waived && !is_inside(insiders, i))
      return Target{amount, i};
  }
  if (all_known(facts, insiders))
    return std::nullopt;
  const Wide last = facts.largest.empty() ? left : size_of(facts.largest.back().amount);
  return Target{std::min(left, last), facts.largest.size()};
}

}  // namespace

std::int64_t frequency(const CellFacts& facts, FrequencyCount counts) {
  switch (counts) {
    case FrequencyCount::kRecords:
      return facts.records;
    case FrequencyCount::kWeighted:
      return facts.weighted;
    case FrequencyCount::kContributors:
      break;
  }
  return facts.contributors;
}

Wide largest_sum(const CellFacts& facts, std::int32_t n) {
  Wide sum = 0;
  for (std::size_t i = 0; i < facts.largest.size() && i < static_cast<std::size_t>(n); ++i)
    sum += size_of(facts.largest[i].amount);
  return sum;
}

Wide own_sum(const CellFacts& facts, const Insiders& insiders) {
  Wide sum = insiders.unlisted;
  for (const std::size_t insider : insiders.listed)
    sum += size_of(facts.largest[insider].amount);
  return sum;
}

bool are_all(const CellFacts& facts, const Insiders& insiders) {
  return insiders.size() >= facts.contributors;
}

bool frequency_unsafe(const CellFacts& facts, const FrequencyRule& rule) {
  const std::int64_t count = frequency(facts, rule.counts);
  const bool everyone_agrees = all_listed(facts) && first_waived(facts, facts.largest.size());
  return count > 0 && count < rule.minimum && !(everyone_agrees && !facts.largest.empty());
}

bool dominance_unsafe(const CellFacts& facts, const DominanceRule& rule) {
  if (first_waived(facts, static_cast<std::size_t>(rule.n)))
    return false;
  return 100 * base::to_integer(largest_sum(facts, rule.n)) >
         rule.k * base::to_integer(facts.absolute);
}

bool prior_posterior_unsafe(const CellFacts& facts, const PriorPosteriorRule& rule) {
  const std::optional<Estimate> best = best_estimate(facts, rule.coalition);
  return best && rule.q * base::to_integer(best->rest) < rule.p * base::to_integer(best->target);
}

bool request_unsafe(const CellFacts& facts, const RequestRule& rule) {
  for (const Contribution& one : facts.largest) {
    if (!one.requested)
      continue;
    if (facts.contributors < rule.minimum)
      return true;
    if (100 * base::to_integer(size_of(one.amount)) > rule.share * base::to_integer(facts.absolute))
      return true;
  }
  return false;
}

bool zero_unsafe(const CellFacts& facts) {
  return facts.value == 0 && facts.contributors > 0;
}

std::optional<Estimate> best_estimate(const CellFacts& facts, std::int32_t coalition) {
  const std::optional<Target> target = find_target(facts, {});
  if (!target)
    return std::nullopt;
  Wide rest = Wide{facts.absolute} - target->amount;
  std::int32_t members = 0;
  for (std::size_t i = 0; i < facts.largest.size() && members < coalition; ++i) {
    if (i == target->index)
      continue;
    rest -= size_of(facts.largest[i].amount);
    ++members;
  }
  return Estimate{target->amount, std::max(rest, Wide{0})};
}

std::optional<Estimate> estimate_by(const CellFacts& facts, const Insiders& insiders) {
  const std::optional<Target> target = find_target(facts, insiders);
  if (!target)
    return std::nullopt;
  const Wide rest = Wide{facts.absolute} - target->amount - own_sum(facts, insiders);
  return Estimate{target->amount, std::max(rest, Wide{0})};
}

mpq_class prior_posterior_level(const Estimate& estimate,
                                const PriorPosteriorRule& rule,
                                LevelFormula formula) {
  const mpq_class excess =
      rule.p * base::to_integer(estimate.target) - rule.q * base::to_integer(estimate.rest);
  const mpq_class level = excess / (formula == LevelFormula::kThesis ? mpq_class(100) : rule.q);
  return std::max(level, mpq_class(0));
}

mpq_class dominance_level(const CellFacts& facts, const DominanceRule& rule) {
  const mpq_class level = mpq_class(100 * base::to_integer(largest_sum(facts, rule.n))) / rule.k -
                          base::to_integer(facts.absolute);
  return std::max(level, mpq_class(0));
}

mpq_class dominance_level_inside(const CellFacts& facts,
                                 const DominanceRule& rule,
                                 const Insiders& insiders) {
  const auto others = static_cast<std::size_t>(std::max(std::int64_t{1}, rule.n - insiders.size()));
  Wide sum = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < facts.largest.size() && found < others; ++i) {
    if (is_inside(insiders, i))
      continue;
    sum += size_of(facts.largest[i].amount);
    ++found;
  }
  if (found < others && !all_known(facts, insiders))
    return dominance_level(facts, rule);
  const Wide unknown = Wide{facts.absolute} - own_sum(facts, insiders);
  const mpq_class level =
      mpq_class(100 * base::to_integer(sum)) / rule.k - base::to_integer(unknown);
  return std::clamp(level, mpq_class(0), dominance_level(facts, rule));
}

}  // namespace lacuna::sensitivity
