// SPDX-License-Identifier: Apache-2.0
#include "app/plan/split.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/table/parts.h"
#include "judge/presolve/merged.h"

namespace lacuna::plan {
namespace {

// Cells of each part in which something must be hidden, ascending.
std::vector<std::vector<CellId>> parts_to_protect(const Problem& whole) {
  const std::vector<bool> always = presolve::always_withheld(whole);
  std::vector<bool> open = table::movable_cells(whole.table());
  for (std::size_t c = 0; c < open.size(); ++c)
    open[c] = open[c] || always[c];
  const table::Parts found = table::connected_parts(whole.table(), open);
  std::vector<bool> asked(base::at(found.count), false);
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (always[c])
      asked[base::at(found.part_of[c])] = true;
  }
  std::vector<std::vector<CellId>> parts(base::at(found.count));
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (open[c] && asked[base::at(found.part_of[c])])
      parts[base::at(found.part_of[c])].push_back(CellId{static_cast<std::int32_t>(c)});
  }
  std::erase_if(parts, [](const std::vector<CellId>& part) { return part.empty(); });
  return parts;
}

// What happens in one part says nothing of another where cells are hidden and no number is altered.
bool hides_cells(Method method) {
  switch (method) {
    case Method::kSuppress:
    case Method::kInterval:
    case Method::kCombined:
      return true;
    case Method::kRound:
    case Method::kPerturb:
    case Method::kAdjust:
    case Method::kMixed:
    case Method::kSmallCounts:
    case Method::kCellKey:
      return false;
  }
  return false;
}

}  // namespace

bool is_separable(const Problem& problem, const ProtectOptions& options) {
  return hides_cells(options.method) && options.suppress.max_withheld < 0 &&
         options.combined.max_intervals < 0 && !problem.counts();
}

SplitProblem::SplitProblem(const Problem& whole, std::int64_t unit_cells)
    : whole_(whole),
      unit_of_(base::at(whole.table().num_cells()), -1),
      place_(base::at(whole.table().num_cells())) {
  std::vector<std::vector<CellId>> parts = parts_to_protect(whole);
  num_parts_ = static_cast<std::int64_t>(parts.size());
  for (const auto& part : parts)
    largest_part_ = std::max(largest_part_, static_cast<std::int64_t>(part.size()));
  put_together(std::move(parts), base::at(unit_cells));
  for (std::size_t unit = 0; unit < cells_.size(); ++unit) {
    for (std::size_t i = 0; i < cells_[unit].size(); ++i) {
      unit_of_[base::at(cells_[unit][i])] = static_cast<std::int32_t>(unit);
      place_[base::at(cells_[unit][i])] = CellId{static_cast<std::int32_t>(i)};
    }
  }
  list_attackers();
}

// In the order of their first cells, so that a change within one part alters the unit of that part
// alone.
void SplitProblem::put_together(std::vector<std::vector<CellId>> parts, std::size_t unit_cells) {
  std::vector<CellId> together;
  const auto close = [&] {
    std::sort(together.begin(), together.end());
    if (!together.empty())
      cells_.push_back(std::move(together));
    together.clear();
  };
  for (std::vector<CellId>& part : parts) {
    if (part.size() >= unit_cells) {
      cells_.push_back(std::move(part));
      continue;
    }
    if (together.size() + part.size() > unit_cells)
      close();
    together.insert(together.end(), part.begin(), part.end());
  }
  close();
}

void SplitProblem::list_attackers() {
  attackers_.resize(cells_.size());
  const auto note = [&](CellId cell, std::int32_t attacker) {
    const std::int32_t unit = unit_of_[base::at(cell)];
    if (unit >= 0 && attacker > 0)
      attackers_[base::at(unit)].push_back(attacker);
  };
  for (std::size_t a = 1; a < whole_.attackers().size(); ++a) {
    for (const Knowledge& known : whole_.attackers()[a].known)
      note(known.cell, static_cast<std::int32_t>(a));
  }
  for (const Requirement& need : whole_.requirements())
    note(need.cell, need.attacker);
  for (std::vector<std::int32_t>& attackers : attackers_) {
    std::sort(attackers.begin(), attackers.end());
    attackers.erase(std::unique(attackers.begin(), attackers.end()), attackers.end());
  }
}

std::vector<EquationId> SplitProblem::equations_of(std::size_t unit) const {
  std::vector<EquationId> equations;
  for (const CellId cell : cells_[unit]) {
    for (const Incidence& incidence : whole_.table().equations_of(cell))
      equations.push_back(incidence.equation);
  }
  std::sort(equations.begin(), equations.end());
  equations.erase(std::unique(equations.begin(), equations.end()), equations.end());
  return equations;
}

Result<Table> SplitProblem::table_of(std::size_t unit) const {
  TableBuilder builder(whole_.table().decimals());
  for (const CellId cell : cells_[unit]) {
    LACUNA_TRY([[maybe_unused]] const CellId same, builder.add_cell(whole_.table().cell(cell)));
  }
  for (const EquationId equation : equations_of(unit)) {
    std::vector<Term> terms;
    Wide rhs = whole_.table().rhs(equation);
    for (const Term& term : whole_.table().equation(equation)) {
      if (unit_of_[base::at(term.cell)] == static_cast<std::int32_t>(unit))
        terms.push_back({place_[base::at(term.cell)], term.coefficient});
      else
        rhs -= Wide{term.coefficient} * whole_.table().value(term.cell);
    }
    if (rhs > kMaxUnits || rhs < -kMaxUnits)
      return Error{ErrorCode::kTooLarge,
                   "the published cells of the equation add up to more than a table can hold; use "
                   "a larger unit, or a larger unit_cells of [plan]",
                   whole_.table().label(equation)};
    LACUNA_TRY([[maybe_unused]] const EquationId same,
               builder.add_equation(terms, static_cast<Units>(rhs)));
  }
  return std::move(builder).build();
}

Result<Problem> SplitProblem::problem(std::size_t unit) const {
  std::vector<std::int32_t> who{0};  // the outsider
  who.insert(who.end(), attackers_[unit].begin(), attackers_[unit].end());
  std::vector<Attacker> attackers;
  for (const std::int32_t a : who) {
    const Attacker& whole = whole_.attackers()[base::at(a)];
    Attacker& attacker = attackers.emplace_back();
    attacker.name = whole.name;
    for (const Knowledge& known : whole.known) {
      if (unit_of_[base::at(known.cell)] == static_cast<std::int32_t>(unit))
        attacker.known.push_back({place_[base::at(known.cell)], known.bounds});
    }
  }
  std::vector<Requirement> requirements;
  for (const CellId cell : cells_[unit]) {
    auto need =
        std::lower_bound(whole_.requirements().begin(),
                         whole_.requirements().end(),
                         cell,
                         [](const Requirement& each, CellId wanted) { return each.cell < wanted; });
    for (; need != whole_.requirements().end() && need->cell == cell; ++need) {
      Requirement& own = requirements.emplace_back(*need);
      own.cell = place_[base::at(cell)];
      own.attacker = static_cast<std::int32_t>(
          std::lower_bound(who.begin(), who.end(), need->attacker) - who.begin());
    }
  }
  LACUNA_TRY(Table table, table_of(unit));
  return make_problem(std::move(table), std::move(attackers), std::move(requirements));
}

}  // namespace lacuna::plan
