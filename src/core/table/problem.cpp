// SPDX-License-Identifier: Apache-2.0
#include "lacuna/problem.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/table/check_counts.h"
#include "lacuna/keys.h"

namespace lacuna {
namespace {

Error bad(const Table& table,
          CellId cell,
          std::string message,
          ErrorCode code = ErrorCode::kContradiction) {
  return {code, std::move(message), table.label(cell)};
}

Error misfit(const Table& table, CellId cell, std::string message) {
  return bad(table, cell, std::move(message), ErrorCode::kLevelMisfit);
}

bool is_cell(const Table& table, CellId cell) {
  return cell.value >= 0 && cell.value < table.num_cells();
}

// Whoever computes with an end that is beyond kMaxUnits but not unbounded may overflow.
bool in_range(Bounds bounds) {
  const auto fits = [](Units end) { return end <= kMaxUnits && end >= -kMaxUnits; };
  return (!bounds.has_lower() || fits(bounds.lower)) && (!bounds.has_upper() || fits(bounds.upper));
}

// What an attacker knows has no order of its own.
void sort_known(std::vector<Attacker>& attackers) {
  for (Attacker& attacker : attackers)
    std::stable_sort(attacker.known.begin(),
                     attacker.known.end(),
                     [](const Knowledge& a, const Knowledge& b) { return a.cell < b.cell; });
}

Status check_attacker(const Table& table, const Attacker& attacker) {
  for (std::size_t i = 0; i < attacker.known.size(); ++i) {
    const Knowledge& known = attacker.known[i];
    if (!is_cell(table, known.cell)) {
      return Error{ErrorCode::kNoSuchCell,
                   "there is no cell " + std::to_string(known.cell.value),
                   "attacker " + attacker.name};
    }
    if (i > 0 && !(attacker.known[i - 1].cell < known.cell)) {
      return bad(table, known.cell, "attacker '" + attacker.name + "' has the cell twice");
    }
    if (!in_range(known.bounds)) {
      return bad(table,
                 known.cell,
                 "what attacker '" + attacker.name + "' knows is too large for a table number");
    }
    if (known.bounds.lower > known.bounds.upper) {
      return bad(table,
                 known.cell,
                 "attacker '" + attacker.name + "' knows a lower bound above the upper one");
    }
    if (!known.bounds.contains(table.value(known.cell))) {
      return bad(table,
                 known.cell,
                 "what attacker '" + attacker.name + "' knows does not contain the value");
    }
  }
  return ok_status();
}

std::string level_text(const Table& table, const char* name, Units level) {
  return std::string("no release can meet the ") + name + " protection level " +
         base::confidential(base::format_units(level, table.decimals()));
}

// Whether a requirement is one of the table: its cell, its attacker, and levels that are numbers.
Status check_named(const Table& table,
                   const std::vector<Attacker>& attackers,
                   const Requirement& need) {
  if (!is_cell(table, need.cell)) {
    return Error{ErrorCode::kNoSuchCell,
                 "there is no cell " + std::to_string(need.cell.value),
                 "requirement"};
  }
  if (need.attacker < 0 || static_cast<std::size_t>(need.attacker) >= attackers.size()) {
    return bad(table, need.cell, "there is no attacker " + std::to_string(need.attacker));
  }
  for (const Units level : {need.lower, need.upper, need.sliding}) {
    if (level < 0)
      return bad(table, need.cell, "a protection level is negative");
    if (level > kMaxUnits)
      return bad(table, need.cell, "a protection level is too large");
  }
  return ok_status();
}

Status check_requirement(const Table& table,
                         const std::vector<Attacker>& attackers,
                         const Requirement& need) {
  LACUNA_RETURN_IF_ERROR(check_named(table, attackers, need));
  const Cell& cell = table.cell(need.cell);
  if (!may_be_withheld(cell)) {
    return bad(table,
               need.cell,
               "the cell needs protection but must be published",
               ErrorCode::kWrongStatus);
  }
  const Attacker& attacker = attackers[static_cast<std::size_t>(need.attacker)];
  const Bounds own = known_bounds(table, attacker, need.cell);
  const Wide up = own.has_upper() ? Wide{own.upper} - cell.value : Wide{kUnboundedAbove};
  const Wide down = own.has_lower() ? Wide{cell.value} - own.lower : Wide{kUnboundedAbove};
  const std::string knows = ": attacker '" + attacker.name + "' knows closer bounds of the cell";
  if (need.upper > up)
    return misfit(table, need.cell, level_text(table, "upper", need.upper) + knows);
  if (need.lower > down)
    return misfit(table, need.cell, level_text(table, "lower", need.lower) + knows);
  if (need.sliding > up + down) {
    return misfit(table, need.cell, level_text(table, "sliding", need.sliding) + knows);
  }
  return ok_status();
}

void add_missing_primaries(const Table& table, std::vector<Requirement>& requirements) {
  std::vector<bool> required(static_cast<std::size_t>(table.num_cells()), false);
  for (const Requirement& need : requirements)
    required[static_cast<std::size_t>(need.cell.value)] = true;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool primary = table.cell(CellId{c}).status == CellStatus::kPrimary;
    if (primary && !required[static_cast<std::size_t>(c)])
      requirements.push_back({.cell = CellId{c}});
  }
}

void raise_zero_levels(const Table& table,
                       const std::vector<Attacker>& attackers,
                       std::vector<Requirement>& requirements) {
  for (Requirement& need : requirements) {
    if (!need.asks_nothing() || need.origin == LevelOrigin::kStated)
      continue;
    const Attacker& who = attackers[static_cast<std::size_t>(need.attacker)];
    if (known_bounds(table, who, need.cell).is_point())
      continue;
    need.sliding = 1;
    need.origin = LevelOrigin::kImplied;
  }
}

bool comes_before(const Requirement& a, const Requirement& b) {
  return std::tie(a.cell, a.attacker) < std::tie(b.cell, b.attacker);
}

Status check_order(const Table& table, const std::vector<Requirement>& requirements) {
  for (std::size_t i = 1; i < requirements.size(); ++i) {
    if (comes_before(requirements[i - 1], requirements[i]))
      continue;
    return bad(table,
               requirements[i].cell,
               comes_before(requirements[i], requirements[i - 1])
                   ? "the requirements are not in the order of their cells"
                   : "the cell has two requirements for the same attacker");
  }
  return ok_status();
}

}  // namespace

std::span<const std::string_view> enum_names(Waiver) {
  static constexpr std::array<std::string_view, 2> kNames{"nothing", "exposed"};
  return kNames;
}

Bounds known_bounds(const Table& table, const Attacker& attacker, CellId cell) {
  const Bounds prior = table.cell(cell).prior;
  const auto at = std::lower_bound(
      attacker.known.begin(), attacker.known.end(), cell, [](const Knowledge& k, CellId c) {
        return k.cell < c;
      });
  if (at == attacker.known.end() || at->cell != cell)
    return prior;
  return intersect(prior, at->bounds);
}

bool is_sensitive(const Problem& problem, CellId cell) {
  const auto& needs = problem.requirements();
  const auto found = std::lower_bound(
      needs.begin(), needs.end(), cell, [](const Requirement& r, CellId c) { return r.cell < c; });
  return found != needs.end() && found->cell == cell;
}

Attacker outsider() {
  return {"outsider", {}};
}

Result<Problem> make_problem(Table table,
                             std::vector<Attacker> attackers,
                             std::vector<Requirement> requirements) {
  if (attackers.empty())
    attackers.push_back(outsider());
  sort_known(attackers);
  for (const Attacker& attacker : attackers)
    LACUNA_RETURN_IF_ERROR(check_attacker(table, attacker));
  for (const Requirement& need : requirements) {
    LACUNA_RETURN_IF_ERROR(check_requirement(table, attackers, need));
  }
  add_missing_primaries(table, requirements);
  raise_zero_levels(table, attackers, requirements);
  std::sort(requirements.begin(), requirements.end(), comes_before);
  LACUNA_RETURN_IF_ERROR(check_order(table, requirements));
  return Problem({std::move(table), std::move(attackers), std::move(requirements)});
}

Result<Problem> assemble_problem(ProblemParts parts) {
  if (parts.attackers.empty())
    return Error{ErrorCode::kContradiction, "a problem has the outsider as its first attacker", ""};
  for (const Attacker& attacker : parts.attackers)
    LACUNA_RETURN_IF_ERROR(check_attacker(parts.table, attacker));
  for (const Requirement& need : parts.requirements)
    LACUNA_RETURN_IF_ERROR(check_named(parts.table, parts.attackers, need));
  LACUNA_RETURN_IF_ERROR(check_order(parts.table, parts.requirements));
  std::shared_ptr<const CellKeys> keys = std::exchange(parts.keys, {});
  std::optional<CountRules> counts = std::exchange(parts.counts, {});
  Problem problem(std::move(parts));
  if (keys)
    LACUNA_RETURN_IF_ERROR(problem.set_keys(std::move(keys)));
  if (counts)
    LACUNA_RETURN_IF_ERROR(problem.set_counts(*std::move(counts)));
  return problem;
}

Problem::Problem() {
  parts_.attackers.push_back(outsider());
}

void Problem::set_weights(std::span<const double> weights) {
  parts_.table = parts_.table.with_weights(weights);
}

void Problem::set_priors(std::span<const Bounds> priors) {
  parts_.table = parts_.table.with_priors(priors);
}

void Problem::drop_requirements(const std::function<bool(const Requirement&)>& gone) {
  std::erase_if(parts_.requirements, gone);
  if (counts())
    table::drop_levels_without_requirement(*this, parts_.counts->questions);
}

void Problem::drop_questions(const std::function<bool(const CountQuestion&)>& gone) {
  if (counts())
    std::erase_if(parts_.counts->questions, gone);
}

void Problem::state_zero_levels() {
  for (Requirement& need : parts_.requirements) {
    need.sliding = need.given_sliding();
    if (need.asks_nothing())
      need.origin = LevelOrigin::kStated;
  }
}

Status Problem::set_keys(std::shared_ptr<const CellKeys> keys) {
  if (keys)
    LACUNA_RETURN_IF_ERROR(check_keys(*keys, table().num_cells()));
  parts_.keys = std::move(keys);
  return ok_status();
}

Status Problem::set_counts(CountRules rules) {
  LACUNA_RETURN_IF_ERROR(table::check_count_rules(*this, rules));
  parts_.counts = std::move(rules);
  return ok_status();
}

Status check_requirements(const Problem& problem) {
  for (const Requirement& need : problem.requirements())
    LACUNA_RETURN_IF_ERROR(check_requirement(problem.table(), problem.attackers(), need));
  return ok_status();
}

}  // namespace lacuna
