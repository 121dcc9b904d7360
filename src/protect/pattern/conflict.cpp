// SPDX-License-Identifier: Apache-2.0
#include "protect/pattern/conflict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "protect/pattern/tuning.h"

namespace lacuna::pattern {
namespace {

using Origin = Master::Origin;

// Rows of one origin are kept or left out together.
class Filter {
 public:
  Filter(const Master& master, std::string engine, const RunContext& run)
      : master_(master), engine_(std::move(engine)), run_(run) {
    for (const Origin& origin : master.origins()) {
      if (origin.kind != Origin::Kind::kStructure &&
          std::find(items_.begin(), items_.end(), origin) == items_.end())
        items_.push_back(origin);
    }
  }

  // What remains when nothing more can be left out, or when the effort is spent.
  std::vector<Origin> reduce() {
    std::vector<Origin> kept = items_;
    for (std::size_t block = std::max<std::size_t>(1, kept.size() / 2); block >= 1; block /= 2) {
      for (std::size_t from = 0; from < kept.size();) {
        if (run_.should_stop() || solves_ >= kTuning.most_conflict_solves)
          return kept;
        std::vector<Origin> rest(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(from));
        const std::size_t to = std::min(kept.size(), from + block);
        rest.insert(rest.end(), kept.begin() + static_cast<std::ptrdiff_t>(to), kept.end());
        if (contradictory(rest))
          kept = std::move(rest);
        else
          from = to;
      }
      if (block == 1) {
        irreducible_ = true;
        break;
      }
    }
    return kept;
  }
  bool irreducible() const { return irreducible_; }

 private:
  bool contradictory(const std::vector<Origin>& kept) {
    ++solves_;
    const LpModel& all = master_.model();
    LpModel some;
    some.column_lower = all.column_lower;
    some.column_upper = all.column_upper;
    some.integer = all.integer;
    some.cost.assign(all.cost.size(), 0.0);
    for (std::int32_t r = 0; r < all.num_rows(); ++r) {
      const auto row = static_cast<std::size_t>(r);
      const Origin& origin = master_.origins()[row];
      if (origin.kind != Origin::Kind::kStructure &&
          std::find(kept.begin(), kept.end(), origin) == kept.end())
        continue;
      const auto first = static_cast<std::size_t>(all.row_start[row]);
      const auto size = static_cast<std::size_t>(all.row_start[row + 1]) - first;
      some.add_row(all.row_lower[row],
                   all.row_upper[row],
                   std::span(all.row_column).subspan(first, size),
                   std::span(all.row_value).subspan(first, size));
    }
    LpOptions options;
    options.presolve = true;
    auto solver = make_lp_solver(engine_, options);
    if (!solver || !(*solver)->load(some))
      return false;
    return (*solver)->minimize(run_).status == LpStatus::kInfeasible;
  }

  const Master& master_;
  std::string engine_;
  const RunContext& run_;
  std::vector<Origin> items_;
  std::int64_t solves_ = 0;
  bool irreducible_ = false;
};

// A sum of the equations, each taken with sign +1 or -1 or not at all, in which every step that is
// open appears an even number of times while the constant is odd. Over the two-element field.
bool parity_shows_it(const Plan& plan, const std::vector<Origin>& kept) {
  const Table& table = plan.problem->table();
  Units base = 0;
  for (const CellPlan& cell : plan.cells) {
    if (cell.kind != PlanKind::kChoices)
      return false;
    for (std::size_t s = 1; s < cell.choices.size(); ++s)
      base = std::gcd(base, cell.choices[s].value - cell.choices[s - 1].value);
  }
  if (base == 0)
    return false;
  std::vector<std::vector<std::uint8_t>> rows;  // cells, then the constant
  for (const Origin& origin : kept) {
    if (origin.kind != Origin::Kind::kEquation)
      return false;
    std::vector<std::uint8_t> row(plan.cells.size() + 1, 0);
    Wide constant = 0;
    for (const Term& term : table.equation(EquationId{origin.index})) {
      const CellPlan& cell = plan.cells[static_cast<std::size_t>(term.cell.value)];
      if (cell.choices.front().withheld())
        return false;
      constant +=
          Wide{term.coefficient} * (Wide{cell.choices.front().value} - table.value(term.cell));
      if (cell.choices.size() > 1)
        row[static_cast<std::size_t>(term.cell.value)] ^=
            static_cast<std::uint8_t>(std::abs(term.coefficient) % 2);
    }
    if (constant % base != 0)
      return kept.size() == 1;
    row.back() = static_cast<std::uint8_t>(std::abs(static_cast<Units>(constant / base)) % 2);
    rows.push_back(std::move(row));
  }
  std::size_t rank = 0;
  for (std::size_t column = 0; column + 1 < plan.cells.size() + 1; ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0)
      ++pivot;
    if (pivot == rows.size())
      continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == rank || rows[r][column] == 0)
        continue;
      for (std::size_t k = column; k < rows[r].size(); ++k)
        rows[r][k] ^= rows[rank][k];
    }
    ++rank;
  }
  for (std::size_t r = rank; r < rows.size(); ++r) {
    if (rows[r].back() != 0)
      return true;
  }
  return false;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kTuning.most_named, names.size()); ++i)
    text += (i == 0 ? "" : "; ") + names[i];
  if (names.size() > kTuning.most_named)
    text += "; and " + std::to_string(names.size() - kTuning.most_named) + " more";
  return text;
}

}  // namespace

std::string explain_conflict(const Plan& plan,
                             const Master& master,
                             const std::string& engine,
                             const RunContext& run) {
  Filter filter(master, engine, run);
  const std::vector<Origin> kept = filter.reduce();
  if (kept.empty())
    return "";
  std::vector<std::string> equations, cells;
  bool limit = false;
  for (const Origin& origin : kept) {
    if (origin.kind == Origin::Kind::kEquation)
      equations.push_back(plan.problem->table().label(EquationId{origin.index}));
    if (origin.kind == Origin::Kind::kRequirement) {
      const Requirement& need =
          plan.problem->requirements()[static_cast<std::size_t>(origin.index)];
      const std::string label = plan.problem->table().label(need.cell);
      if (std::find(cells.begin(), cells.end(), label) == cells.end())
        cells.push_back(label);
    }
    limit = limit || origin.kind == Origin::Kind::kLimit;
  }
  std::string text;
  if (!equations.empty())
    text += std::to_string(equations.size()) + " equations (" + list(equations) + ")";
  if (!cells.empty())
    text += (text.empty() ? "" : ", ") + std::string("the levels of ") + list(cells);
  if (limit)
    text += (text.empty() ? "" : ", ") + std::string("the limit of changed cells");
  text += " cannot hold together";
  if (filter.irreducible())
    text += ", though they can if any one of these is given up";
  if (parity_shows_it(plan, kept))
    text +=
        ": in their sum, every cell that can still be rounded either way counts an even number of "
        "steps, and the rest is odd";
  return text;
}

}  // namespace lacuna::pattern
