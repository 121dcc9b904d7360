// SPDX-License-Identifier: Apache-2.0
// Safety rules in exact numbers. Sources: the manual of tau-ARGUS, chapters 2 and 4; the levels are
// those that make the rule hold at the edge of the interval, 100 (x1 + ... + xn) / k - X for
// (n,k)-dominance and p/q x1 + (x1 + ... + x(n+1)) - X for (p,q), scaled from the shadow to the
// response.
#include "data/argus/rules.h"

#include <algorithm>
#include <type_traits>

#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "data/argus/write_parts.h"
#include "lacuna/tolerance.h"

namespace lacuna::argus {
namespace {

template <class Number>
Number as_number(Units units, int decimals) {
  if constexpr (std::is_same_v<Number, double>)
    return base::units_to_double(units, decimals);
  else
    return base::units_to_fraction(units, decimals);
}

template <class Number>
Number as_number(const mpq_class& value) {
  if constexpr (std::is_same_v<Number, double>)
    return value.get_d();
  else
    return value;
}

// What the rules see of one cell, in doubles or exact numbers.
template <class Number>
class CellView {
 public:
  CellView(const Table& table, std::size_t index)
      : table_(table),
        cell_(table.cells[index]),
        index_(index),
        shadow_(as_number<Number>(cell_.shadow, table.shadow_decimals)) {}

  const Cell& cell() const { return cell_; }
  const Number& shadow() const { return shadow_; }
  Number first(bool holdings) const {
    const std::vector<Units>& list = holdings ? cell_.largest_holdings : cell_.largest;
    return list.empty() ? Number(0) : shadow_number(list.front());
  }
  // The n largest together. With weights a contribution stands for as many units as it weighs,
  // until n units are used up.
  Number top(int n, bool holdings) const {
    if (!table_.weights.empty() && !holdings)
      return weighted_top(n);
    const std::vector<Units>& list = holdings ? cell_.largest_holdings : cell_.largest;
    Number sum(0);
    for (std::size_t i = 0; i < list.size() && i < static_cast<std::size_t>(n); ++i)
      sum += shadow_number(list[i]);
    return sum;
  }

 private:
  Number shadow_number(Units amount) const {
    return as_number<Number>(amount, table_.shadow_decimals);
  }
  Number weighted_top(int n) const {
    const std::vector<Units>& weights = table_.weights[index_].largest;
    Number sum(0);
    Number units_left(n);
    for (std::size_t i = 0; i < cell_.largest.size() && i < static_cast<std::size_t>(n); ++i) {
      const auto weight = as_number<Number>(weights[i], table_.weight_decimals);
      const Number amount = shadow_number(cell_.largest[i]);
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
  Number shadow_;
};

constexpr std::size_t kFirstOfHoldings = 2;  // of the four places of dominance and (p,q)

// A rule fires if the first side is larger.
template <class Number>
struct Sides {
  Number left, right;
};

template <class Number>
Sides<Number> sides_of(const CellView<Number>& view, const Dominance& rule, bool holdings) {
  return {100 * view.top(rule.n, holdings), as_number<Number>(rule.k) * view.shadow()};
}

template <class Number>
Sides<Number> sides_of(const CellView<Number>& view, const PriorPosterior& rule, bool holdings) {
  const auto q = as_number<Number>(rule.q);
  return {as_number<Number>(rule.p) * view.first(holdings) + q * view.top(rule.n + 1, holdings),
          q * view.shadow()};
}

// Doubles where they are sure, exact numbers where they are not.
template <class Rule>
bool fires(const Table& table, std::size_t index, const Rule& rule, bool holdings) {
  const auto near = sides_of(CellView<double>(table, index), rule, holdings);
  const tol::Order order = tol::compare(near.left, near.right);
  if (order != tol::Order::kTooClose)
    return order == tol::Order::kSurelyGreater;
  const auto exact = sides_of(CellView<mpq_class>(table, index), rule, holdings);
  return exact.left > exact.right;
}

bool is_dominated(const Table& table, std::size_t index) {
  if (table.cells[index].shadow <= 0)  // a share of it means nothing
    return false;
  const auto& rules = table.rules.dominance;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i] && rules[i]->n > 0 && fires(table, index, *rules[i], i >= kFirstOfHoldings))
      return true;
  }
  return false;
}

bool is_estimated_too_well(const Table& table, std::size_t index) {
  const auto& rules = table.rules.prior_posterior;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i] && rules[i]->p > 0 && fires(table, index, *rules[i], i >= kFirstOfHoldings))
      return true;
  }
  return false;
}

bool is_requested(const RequestedShare& share,
                  std::int64_t frequency,
                  Units shadow,
                  const Request& rule) {
  if (share.kind == 0)
    return false;
  const mpq_class& percent = share.kind == 1 ? rule.first : rule.second;
  return (percent > 0 && 100 * mpq_class(base::to_integer(share.amount)) >
                             percent * mpq_class(base::to_integer(shadow))) ||
         frequency < rule.minimum;
}

bool is_requested(const Table& table, std::size_t index) {
  if (table.requests.empty())
    return false;
  const CellRequests& asked = table.requests[index];
  const auto& rules = table.rules.request;
  const Cell& cell = table.cells[index];
  return (rules[0] && is_requested(asked.records, cell.frequency, cell.shadow, *rules[0])) ||
         (rules[1] && is_requested(asked.holdings, cell.holdings, cell.shadow, *rules[1]));
}

std::int64_t minimum_of(const std::optional<Frequency>& rule) {
  return rule ? std::max<std::int64_t>(rule->minimum, 1) : 1;
}

bool is_infrequent(const Table& table, std::size_t index) {
  const auto& rules = table.rules.frequency;
  const Cell& cell = table.cells[index];
  if (!table.weights.empty())
    return base::units_to_fraction(table.weights[index].sum, table.weight_decimals) <
           base::to_integer(minimum_of(rules[0]));
  return cell.frequency < minimum_of(rules[0]) ||
         (rules[1] && cell.holdings > 0 && cell.holdings < rules[1]->minimum);
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
mpq_class missing_amount(const CellView<mpq_class>& view, const SafetyRule& rules) {
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
mpq_class fallback_percent(const CellView<mpq_class>& view, const SafetyRule& rules) {
  const Cell& cell = view.cell();
  if (cell.frequency > minimum_of(rules.frequency[0]))
    return rules.manual;
  mpq_class percent = range_of(rules.frequency[0]);
  if (rules.holdings() && cell.holdings <= minimum_of(rules.frequency[1]))
    percent = std::max(percent, range_of(rules.frequency[1]));
  return percent;
}

// The share of the response that a cell unsafe by dominance or (p,q) must be uncertain by.
mpq_class share_by_rule(const CellView<mpq_class>& view, const SafetyRule& rules) {
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

mpq_class share_by_status(const CellView<mpq_class>& view,
                          const SafetyRule& rules,
                          CellStatus status) {
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
  const Cell& cell = table_.cells[index];
  if (cell.frequency == 0)
    return CellStatus::kEmpty;
  if (table_.rules.missing_safe && has_missing_code(table_, index))
    return CellStatus::kSafe;
  if (is_dominated(table_, index) || is_estimated_too_well(table_, index))
    return CellStatus::kUnsafeRule;
  if (is_requested(table_, index))
    return CellStatus::kUnsafeRequest;
  if (is_infrequent(table_, index))
    return CellStatus::kUnsafeFrequency;
  return table_.rules.zero && cell.response == 0 ? CellStatus::kUnsafeZero : CellStatus::kSafe;
}

std::optional<ProtectionLevels> RuleBook::levels(std::size_t index, CellStatus status) const {
  if (!is_unsafe(status))
    return std::nullopt;
  const CellView<mpq_class> view(table_, index);
  const mpq_class response = base::units_to_fraction(view.cell().response, table_.decimals);
  ProtectionLevels levels;
  if (response == 0) {
    levels.upper = table_.rules.zero.value_or(0);
  } else {
    const mpq_class wanted = abs(response) * share_by_status(view, table_.rules, status);
    levels.upper = std::max(wanted, base::units_to_fraction(1, table_.shown_decimals));
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
