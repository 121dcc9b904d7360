// SPDX-License-Identifier: Apache-2.0
// Safety rules in exact numbers. Sources: the manual of tau-ARGUS, chapters 2 and 4; the levels are
// those that make the rule hold at the edge of the interval, 100 (x1 + ... + xn) / k - X for
// (n,k)-dominance and p/q x1 + (x1 + ... + x(n+1)) - X for (p,q), scaled from the shadow to the
// response.
#include "argus/rules.h"

#include <algorithm>

#include "argus/write_parts.h"
#include "base/rational.h"

namespace lacuna::argus {
namespace {

// What the rules see of one cell, in numbers.
class CellView {
 public:
  CellView(const Table& table, std::size_t index)
      : table_(table),
        cell_(table.cells[index]),
        index_(index),
        shadow_(number_of(cell_.shadow, table.shadow_decimals)) {}

  const Cell& cell() const { return cell_; }
  const mpq_class& shadow() const { return shadow_; }
  mpq_class response() const { return number_of(cell_.response, table_.decimals); }
  mpq_class first(bool holdings) const {
    const std::vector<Units>& list = holdings ? cell_.largest_holdings : cell_.largest;
    return list.empty() ? mpq_class(0) : number_of(list.front(), table_.shadow_decimals);
  }
  // The n largest together. With weights a contribution stands for as many units as it weighs,
  // until n units are used up.
  mpq_class top(int n, bool holdings) const {
    if (!table_.weights.empty() && !holdings)
      return weighted_top(n);
    const std::vector<Units>& list = holdings ? cell_.largest_holdings : cell_.largest;
    Wide sum = 0;
    for (std::size_t i = 0; i < list.size() && i < static_cast<std::size_t>(n); ++i)
      sum += list[i];
    return mpq_class(to_integer(sum)) * number_of(1, table_.shadow_decimals);
  }
  mpq_class weight() const { return number_of(table_.weights[index_].sum, table_.weight_decimals); }

 private:
  mpq_class weighted_top(int n) const {
    const std::vector<Units>& weights = table_.weights[index_].largest;
    mpq_class sum;
    mpq_class units_left = n;
    for (std::size_t i = 0; i < cell_.largest.size() && i < static_cast<std::size_t>(n); ++i) {
      const mpq_class weight = number_of(weights[i], table_.weight_decimals);
      const mpq_class amount = number_of(cell_.largest[i], table_.shadow_decimals);
      if (weight >= units_left)
        return sum + amount * units_left;
      sum += amount * weight;
      units_left -= weight;
    }
    return sum;
  }
  const Table& table_;
  const Cell& cell_;
  std::size_t index_;
  mpq_class shadow_;
};

constexpr std::size_t kFirstOfHoldings = 2;  // of the four places of dominance and (p,q)

bool is_dominated(const CellView& view, const SafetyRule& rules) {
  if (view.shadow() <= 0)  // a share of it means nothing
    return false;
  for (std::size_t i = 0; i < rules.dominance.size(); ++i) {
    const auto& rule = rules.dominance[i];
    if (rule && rule->n > 0 &&
        100 * view.top(rule->n, i >= kFirstOfHoldings) > rule->k * view.shadow())
      return true;
  }
  return false;
}

bool is_estimated_too_well(const CellView& view, const SafetyRule& rules) {
  for (std::size_t i = 0; i < rules.prior_posterior.size(); ++i) {
    const auto& rule = rules.prior_posterior[i];
    if (!rule || rule->p <= 0)
      continue;
    const bool holdings = i >= kFirstOfHoldings;
    if (rule->p * view.first(holdings) +
            rule->q * (view.top(rule->n + 1, holdings) - view.shadow()) >
        0)
      return true;
  }
  return false;
}

bool is_requested(const RequestedShare& share,
                  std::int64_t frequency,
                  const CellView& view,
                  const Request& rule,
                  int decimals) {
  if (share.kind == 0)
    return false;
  const mpq_class& percent = share.kind == 1 ? rule.first : rule.second;
  return (percent > 0 && 100 * number_of(share.amount, decimals) > percent * view.shadow()) ||
         frequency < rule.minimum;
}

bool is_requested(const CellView& view, const Table& table, std::size_t index) {
  if (table.requests.empty())
    return false;
  const CellRequests& asked = table.requests[index];
  const auto& rules = table.rules.request;
  const Cell& cell = view.cell();
  return (rules[0] &&
          is_requested(asked.records, cell.frequency, view, *rules[0], table.shadow_decimals)) ||
         (rules[1] &&
          is_requested(asked.holdings, cell.holdings, view, *rules[1], table.shadow_decimals));
}

std::int64_t minimum_of(const std::optional<Frequency>& rule) {
  return rule ? std::max<std::int64_t>(rule->minimum, 1) : 1;
}

bool is_infrequent(const CellView& view, const Table& table) {
  const auto& rules = table.rules.frequency;
  if (!table.weights.empty())
    return view.weight() < mpq_class(minimum_of(rules[0]));
  return view.cell().frequency < minimum_of(rules[0]) ||
         (rules[1] && view.cell().holdings > 0 && view.cell().holdings < rules[1]->minimum);
}

bool has_missing_code(const Table& table, std::size_t index) {
  const std::vector<std::int32_t> codes = table.codes_of(index);
  for (std::size_t v = 0; v < codes.size(); ++v) {
    if (table.variables[v].missing[static_cast<std::size_t>(codes[v])])
      return true;
  }
  return false;
}

// How far above the shadow the value must lie for dominance and (p,q) to hold; 0 or less: they do.
mpq_class missing_amount(const CellView& view, const SafetyRule& rules) {
  mpq_class needed;
  const auto need = [&](const mpq_class& value) { needed = std::max(needed, value); };
  for (std::size_t i = 0; i < rules.dominance.size(); ++i) {
    const auto& rule = rules.dominance[i];
    if (rule && rule->n > 0 && rule->k > 0)
      need(100 * view.top(rule->n, i >= kFirstOfHoldings) / rule->k);
  }
  for (std::size_t i = 0; i < rules.prior_posterior.size(); ++i) {
    const auto& rule = rules.prior_posterior[i];
    const bool holdings = i >= kFirstOfHoldings;
    if (rule && rule->p > 0 && rule->n > 0 && rule->q > 0)
      need(rule->p * view.first(holdings) / rule->q + view.top(rule->n + 1, holdings));
  }
  return needed - view.shadow();
}

mpq_class range_of(const std::optional<Frequency>& rule) {
  return rule ? rule->range : mpq_class(0);
}

// Percent of the shadow where a rule fires that asks for no level.
mpq_class fallback_percent(const CellView& view, const SafetyRule& rules) {
  const Cell& cell = view.cell();
  if (cell.frequency > minimum_of(rules.frequency[0]))
    return rules.manual;
  mpq_class percent = range_of(rules.frequency[0]);
  if (rules.holdings() && cell.holdings <= minimum_of(rules.frequency[1]))
    percent = std::max(percent, range_of(rules.frequency[1]));
  return percent;
}

// The share of the response that a cell unsafe by dominance or (p,q) must be uncertain by.
mpq_class share_by_rule(const CellView& view, const SafetyRule& rules) {
  if (view.shadow() == 0)
    return rules.manual / 100;
  mpq_class distance = missing_amount(view, rules);
  if (distance <= 0) {
    distance = view.shadow() * fallback_percent(view, rules) / 100;
    if (distance == 0)
      distance = 1;
  }
  return abs(distance / view.shadow());
}

mpq_class share_by_status(const CellView& view, const SafetyRule& rules, CellStatus status) {
  const auto request_range = [&](std::size_t i) {
    return rules.request[i] ? rules.request[i]->range : mpq_class(0);
  };
  switch (status) {
    case CellStatus::kUnsafeRule:
      return share_by_rule(view, rules);
    case CellStatus::kUnsafeRequest:
      return std::max(request_range(0), request_range(1)) / 100;
    case CellStatus::kUnsafeFrequency:
      return std::max(range_of(rules.frequency[0]), range_of(rules.frequency[1])) / 100;
    case CellStatus::kUnsafeManual:
      return rules.manual / 100;
    case CellStatus::kSafe:
    case CellStatus::kSafeManual:
    case CellStatus::kUnsafeZero:
    case CellStatus::kProtected:
    case CellStatus::kSecondary:
    case CellStatus::kSecondaryManual:
    case CellStatus::kEmptyNonStructural:
    case CellStatus::kEmpty:
      break;
  }
  return 0;
}

CellStatus given_status(const Cell& cell) {
  return cell.status == CellStatus::kEmpty && cell.frequency > 0 ? CellStatus::kSafe : cell.status;
}

}  // namespace

RuleBook::RuleBook(const Table& table) : table_(table), smallest_(outer_bounds(table).lower) {}

CellStatus RuleBook::status(std::size_t index) const {
  const CellView view(table_, index);
  const SafetyRule& rules = table_.rules;
  if (view.cell().frequency == 0)
    return CellStatus::kEmpty;
  if (rules.missing_safe && has_missing_code(table_, index))
    return CellStatus::kSafe;
  if (is_dominated(view, rules) || is_estimated_too_well(view, rules))
    return CellStatus::kUnsafeRule;
  if (is_requested(view, table_, index))
    return CellStatus::kUnsafeRequest;
  if (is_infrequent(view, table_))
    return CellStatus::kUnsafeFrequency;
  return rules.zero && view.cell().response == 0 ? CellStatus::kUnsafeZero : CellStatus::kSafe;
}

std::optional<ProtectionLevels> RuleBook::levels(std::size_t index, CellStatus status) const {
  if (!is_unsafe(status))
    return std::nullopt;
  const CellView view(table_, index);
  const mpq_class response = view.response();
  ProtectionLevels levels;
  if (response == 0) {
    levels.upper = table_.rules.zero.value_or(0);
  } else {
    const mpq_class wanted = abs(response) * share_by_status(view, table_.rules, status);
    levels.upper = std::max(wanted, number_of(1, table_.shown_decimals));
    levels.lower = levels.upper;
  }
  return levels_for_file(response, std::move(levels), smallest_, table_.shown_decimals);
}

void apply_rules(Table& table) {
  const RuleBook book(table);
  const bool by_rules = table.rules.any_rule();
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    Cell& cell = table.cells[i];
    cell.status = by_rules ? book.status(i) : given_status(cell);
    if (by_rules || !cell.levels)
      cell.levels = book.levels(i, cell.status);
  }
  if (table.spec.cost_kind == CostKind::kDistance)
    set_distance_costs(table);
}

}  // namespace lacuna::argus
