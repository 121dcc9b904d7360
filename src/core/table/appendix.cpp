// SPDX-License-Identifier: Apache-2.0
#include "core/table/appendix.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

constexpr Units kMostCoefficient = 1'000'000;  // of an equation of a table

Wide absolute(Wide number) {
  return number < 0 ? -number : number;
}

Wide common_divisor(Wide a, Wide b) {
  a = absolute(a);
  b = absolute(b);
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

Wide floor_div(Wide a, Wide b) {  // b > 0
  const Wide quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

Wide ceil_div(Wide a, Wide b) {
  return -floor_div(-a, b);
}

bool fits(Wide number) {
  return number <= kMaxUnits && number >= -kMaxUnits;
}

Error too_large(const std::string& where) {
  return {ErrorCode::kTooLarge,
          "a number that is derived from this cell does not fit 62 bits; publish it with fewer "
          "decimals",
          where};
}

}  // namespace

Appendix::Appendix(const Problem& given)
    : given_(given), attackers_(given.attackers()), requirements_(given.requirements()) {
  const auto cells = given.table().cells();
  cells_.assign(cells.begin(), cells.end());
}

CellId Appendix::add_cell(Units value, Bounds prior, CellId like) {
  Cell cell;
  cell.value = value;
  cell.prior = prior;
  cell.weight = 0;
  cell.frequency = kUnpublished;
  cell.status = prior.is_point() ? CellStatus::kKnown : CellStatus::kSecondary;
  cells_.push_back(cell);
  like_.push_back(like);
  return CellId{num_cells() - 1};
}

void Appendix::withhold(CellId cell) {
  CellStatus& status = cells_[index(cell)].status;
  if (status == CellStatus::kFree)
    status = CellStatus::kSecondary;
}

CellId Appendix::add_switch(double weight, CellId like) {
  const CellId made = add_cell(1, {1, kUnboundedAbove}, like);
  cells_[index(made)].weight = weight;
  cells_[index(made)].status = CellStatus::kFree;
  return made;
}

void Appendix::add_equation(std::vector<Term> terms, Units rhs) {
  equations_.emplace_back(std::move(terms), rhs);
}

Status Appendix::narrow(CellId cell, Bounds bounds) {
  Cell& narrowed = cells_[index(cell)];
  if (!bounds.contains(narrowed.value))
    return Error{ErrorCode::kFalseRelease,
                 "what readers are said to know of this cell is not true of it",
                 given_.table().label(cell.value < given_.table().num_cells() ? cell : CellId{0})};
  narrowed.prior = intersect(narrowed.prior, bounds);
  if (narrowed.prior.is_point() && narrowed.status != CellStatus::kPrimary)
    narrowed.status = CellStatus::kKnown;
  return ok_status();
}

// All other cells are known, so the inequality bounds this one.
Status Appendix::bound_last(const std::vector<WideTerm>& terms, std::size_t open, Wide least) {
  Wide rest = least;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i != open)
      rest -= terms[i].coefficient * cell(terms[i].cell).value;
  }
  const Wide coefficient = terms[open].coefficient;
  Bounds bounds;
  if (coefficient > 0) {
    const Wide lower = ceil_div(rest, coefficient);
    bounds.lower = fits(lower) ? static_cast<Units>(lower) : kUnboundedBelow;
  } else {
    const Wide upper = floor_div(-rest, -coefficient);
    bounds.upper = fits(upper) ? static_cast<Units>(upper) : kUnboundedAbove;
  }
  return narrow(terms[open].cell, bounds);
}

// The same bound for those who know the switch: of one cell alone, rounded inward.
Status Appendix::add_switched(std::vector<WideTerm> terms,
                              std::size_t open,
                              Wide least,
                              CellId unless) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i != open)
      least -= terms[i].coefficient * cell(terms[i].cell).value;
  }
  const WideTerm own = terms[open];
  least = ceil_div(least, absolute(own.coefficient));
  const Wide value = own.coefficient > 0 ? Wide{cell(own.cell).value} : -Wide{cell(own.cell).value};
  if (least <= -kMaxUnits || least > kMaxUnits)  // beyond all numbers: it says nothing
    return ok_status();
  // What is left of it is not below zero, as no count is.
  const CellId slack = add_cell(static_cast<Units>(value - least), {0, kUnboundedAbove}, own.cell);
  add_equation({{own.cell, own.coefficient > 0 ? 1 : -1}, {unless, 1}, {slack, -1}},
               static_cast<Units>(least) + 1);
  return ok_status();
}

// A coefficient beyond those of a table is q 10^6 + r: the cell 10^6 y is one more cell.
Status Appendix::add_split(std::vector<Term>& terms, const WideTerm& term, CellId like) {
  if (absolute(term.coefficient) <= kMostCoefficient) {
    terms.push_back({term.cell, static_cast<std::int32_t>(term.coefficient)});
    return ok_status();
  }
  const Cell& small = cell(term.cell);
  const Wide value = Wide{small.value} * kMostCoefficient;
  if (!fits(value))
    return too_large(given_.table().label(like));
  Bounds prior = small.prior.is_point()
                     ? Bounds{static_cast<Units>(value), static_cast<Units>(value)}
                     : Bounds{};
  const CellId large = add_cell(static_cast<Units>(value), prior, like);
  add_equation({{term.cell, kMostCoefficient}, {large, -1}});
  const Wide rest = term.coefficient % kMostCoefficient;
  if (rest != 0)
    terms.push_back({term.cell, static_cast<std::int32_t>(rest)});
  return add_split(terms, {large, term.coefficient / kMostCoefficient}, like);
}

Status Appendix::add_at_least(const std::vector<WideTerm>& given,
                              Wide least,
                              CellId like,
                              CellId unless) {
  std::vector<WideTerm> terms;
  Wide divisor = 0, value = 0;
  std::vector<std::size_t> open;
  for (const WideTerm& term : given) {
    if (term.coefficient == 0)
      continue;
    divisor = common_divisor(divisor, term.coefficient);
    terms.push_back(term);
  }
  if (terms.empty())
    return ok_status();
  least = ceil_div(least, divisor);
  for (WideTerm& term : terms) {
    term.coefficient /= divisor;
    if (absolute(term.coefficient) > Wide{kMaxUnits})
      return too_large(given_.table().label(like));
    value += term.coefficient * cell(term.cell).value;
    if (!cell(term.cell).prior.is_point())
      open.push_back(static_cast<std::size_t>(&term - terms.data()));
  }
  if (value < least)
    return Error{ErrorCode::kFalseRelease,
                 "what readers are said to know of this cell is not true of it",
                 given_.table().label(like)};
  if (open.empty())
    return ok_status();
  const bool switched = unless.value >= 0;
  if (open.size() == 1)
    return switched ? add_switched(std::move(terms), open.front(), least, unless)
                    : bound_last(terms, open.front(), least);
  if (!fits(value) || !fits(least))
    return too_large(given_.table().label(like));
  std::vector<Term> equation;
  for (const WideTerm& term : terms)
    LACUNA_RETURN_IF_ERROR(add_split(equation, term, like));
  const CellId slack =
      add_cell(static_cast<Units>(value), {static_cast<Units>(least), kUnboundedAbove}, like);
  equation.push_back({slack, -1});
  if (switched)
    equation.push_back({unless, 1});
  add_equation(std::move(equation), switched ? 1 : 0);
  return ok_status();
}

std::int32_t Appendix::attacker(const std::string& name) {
  const auto found = std::find_if(attackers_.begin(), attackers_.end(), [&](const Attacker& each) {
    return each.name == name;
  });
  if (found != attackers_.end())
    return static_cast<std::int32_t>(found - attackers_.begin());
  attackers_.push_back({name, {}});
  return static_cast<std::int32_t>(attackers_.size()) - 1;
}

void Appendix::know(std::int32_t attacker, Knowledge known) {
  attackers_[static_cast<std::size_t>(attacker)].known.push_back(known);
}

void Appendix::require(const Requirement& need) {
  LACUNA_CHECK(need.cell.value >= given_.table().num_cells());
  cells_[index(need.cell)].status = CellStatus::kPrimary;
  requirements_.push_back(need);
}

void Appendix::ask(CountQuestion question) {
  questions_.push_back(std::move(question));
}

Result<Problem> Appendix::build() && {
  const Table& table = given_.table();
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < num_cells(); ++c) {
    const CellId like =
        c < table.num_cells() ? CellId{c} : like_[index(CellId{c - table.num_cells()})];
    LACUNA_RETURN_IF_ERROR(builder.add_cell(cells_[index(CellId{c})], table.codes(like)));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e)
    LACUNA_RETURN_IF_ERROR(
        builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  for (const auto& [terms, rhs] : equations_)
    LACUNA_RETURN_IF_ERROR(builder.add_equation(terms, rhs));
  ProblemParts parts = given_.parts();
  parts.keys.reset();  // of other cells, and no part of the judgment
  LACUNA_TRY(parts.table, std::move(builder).build());
  for (Attacker& each : attackers_)
    std::stable_sort(each.known.begin(), each.known.end(), [](const auto& a, const auto& b) {
      return a.cell < b.cell;
    });
  std::stable_sort(requirements_.begin(), requirements_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.cell, a.attacker) < std::pair(b.cell, b.attacker);
  });
  parts.attackers = std::move(attackers_);
  parts.requirements = std::move(requirements_);
  if (parts.counts) {
    for (CountQuestion& question : questions_)
      parts.counts->questions.push_back(std::move(question));
  }
  return assemble_problem(std::move(parts));
}

}  // namespace lacuna::table
