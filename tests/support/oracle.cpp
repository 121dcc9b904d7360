// SPDX-License-Identifier: Apache-2.0
#include "support/oracle.h"

#include <stdexcept>

namespace lacuna::testing {
namespace {

mpz_class integer(Units value) {
  return mpz_class(static_cast<long>(value));
}

mpq_class fraction(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class result(numerator, denominator);
  result.canonicalize();
  return result;
}

}  // namespace

StandardForm::StandardForm(std::vector<std::vector<mpz_class>> a, std::vector<mpz_class> b) {
  const std::size_t width = a.empty() ? 0 : a.front().size();
  for (std::size_t r = 0; r < a.size(); ++r) {
    const bool flip = b[r] < 0;
    Row row(width + a.size() + 1);
    for (std::size_t c = 0; c < width; ++c)
      row[c] = flip ? mpz_class(-a[r][c]) : a[r][c];
    row[width + r] = 1;  // its artificial variable
    row.back() = abs(b[r]);
    rows_.push_back(std::move(row));
    basis_.push_back(width + r);
  }
  Row c(width + a.size());
  for (std::size_t r = 0; r < a.size(); ++r)
    c[width + r] = -1;
  Row cost;
  price(c, cost);
  if (!run(cost))
    throw std::logic_error("the first phase has no end");
  feasible_ = cost.back() == 0;
  if (feasible_)
    drop_artificials(width, cost);
}

// Reduced costs, over the common denominator; the last entry is minus the objective.
void StandardForm::price(const Row& c, Row& cost) const {
  cost.assign(c.size() + 1, 0);
  for (std::size_t j = 0; j < c.size(); ++j)
    cost[j] = c[j] * denominator_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const mpz_class& own = c[basis_[r]];
    if (own == 0)
      continue;
    for (std::size_t j = 0; j < cost.size(); ++j)
      cost[j] -= own * rows_[r][j];
  }
}

void StandardForm::pivot(std::size_t row, std::size_t column, Row& cost) {
  const mpz_class head = rows_[row][column];
  const auto eliminate = [&](Row& other) {
    const mpz_class factor = other[column];
    if (factor == 0 && head == denominator_)
      return;
    for (std::size_t j = 0; j < other.size(); ++j) {
      if (other[j] == 0 && rows_[row][j] == 0)
        continue;
      other[j] *= head;
      if (factor != 0)
        other[j] -= factor * rows_[row][j];
      mpz_divexact(other[j].get_mpz_t(), other[j].get_mpz_t(), denominator_.get_mpz_t());
    }
  };
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r != row)
      eliminate(rows_[r]);
  }
  eliminate(cost);
  denominator_ = head;
  basis_[row] = column;
  if (denominator_ < 0) {
    denominator_ = -denominator_;
    for (Row& each : rows_) {
      for (mpz_class& entry : each)
        entry = -entry;
    }
    for (mpz_class& entry : cost)
      entry = -entry;
  }
}

bool StandardForm::run(Row& cost) {
  for (;;) {
    std::size_t column = 0;
    while (column + 1 < cost.size() && cost[column] <= 0)
      ++column;
    if (column + 1 >= cost.size())
      return true;
    std::optional<std::size_t> leaving;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r][column] <= 0)
        continue;
      if (!leaving) {
        leaving = r;
        continue;
      }
      const Row& best = rows_[*leaving];
      const int order =
          cmp(mpz_class(rows_[r].back() * best[column]), best.back() * rows_[r][column]);
      if (order < 0 || (order == 0 && basis_[r] < basis_[*leaving]))
        leaving = r;
    }
    if (!leaving)
      return false;
    pivot(*leaving, column, cost);
  }
}

// An artificial variable that stayed in the basis is zero: it leaves for any other column of its
// row, or the row says nothing and goes.
void StandardForm::drop_artificials(std::size_t first, Row& cost) {
  for (std::size_t r = 0; r < rows_.size();) {
    if (basis_[r] < first) {
      ++r;
      continue;
    }
    std::size_t column = 0;
    while (column < first && rows_[r][column] == 0)
      ++column;
    if (column < first) {
      pivot(r, column, cost);
      ++r;
    } else {
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(r));
      basis_.erase(basis_.begin() + static_cast<std::ptrdiff_t>(r));
    }
  }
  for (Row& row : rows_)
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(first), row.end() - 1);
}

std::optional<mpq_class> StandardForm::maximize(const std::vector<mpz_class>& c) {
  Row cost;
  price(c, cost);
  if (!run(cost))
    return std::nullopt;
  return fraction(-cost.back(), denominator_);
}

Oracle::Oracle(const Table& table, const Draft& draft, const Attacker& attacker)
    : table_(table), draft_(draft), place_(static_cast<std::size_t>(table.num_cells()), -1) {
  std::size_t num_widths = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId cell{c};
    if (draft.is_exact(cell))
      continue;
    Bounds bounds = intersect(table.cell(cell).prior, draft.implied(table, cell));
    for (const Knowledge& own : attacker.known) {
      if (own.cell == cell)
        bounds = intersect(bounds, own.bounds);
    }
    place_[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(columns_.size());
    Column column;
    column.cell = cell;
    if (bounds.has_lower()) {
      column.start = bounds.lower;
      if (bounds.has_upper()) {
        column.width = integer(bounds.upper) - integer(bounds.lower);
        ++num_widths;
      }
    } else if (bounds.has_upper()) {
      column.start = bounds.upper;
      column.factor = -1;
    } else {
      column.other = 0;  // numbered below
    }
    columns_.push_back(column);
  }
  num_variables_ = columns_.size();
  for (Column& column : columns_) {
    if (column.other >= 0)
      column.other = static_cast<std::int32_t>(num_variables_++);
  }
  std::size_t slack = num_variables_;
  num_variables_ += num_widths;

  std::vector<std::vector<mpz_class>> a;
  std::vector<mpz_class> b;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::vector<mpz_class> row(num_variables_);
    mpz_class right = integer(table.rhs(EquationId{e}));
    bool any = false;
    for (const Term& term : table.equation(EquationId{e})) {
      const Column* column = find(term.cell);
      if (column == nullptr) {
        right -= term.coefficient * integer(table.value(term.cell));
        continue;
      }
      any = true;
      right -= term.coefficient * integer(column->start);
      row[static_cast<std::size_t>(column - columns_.data())] = term.coefficient * column->factor;
      if (column->other >= 0)
        row[static_cast<std::size_t>(column->other)] = -term.coefficient;
    }
    if (!any)
      continue;
    a.push_back(std::move(row));
    b.push_back(right);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].width)
      continue;
    std::vector<mpz_class> row(num_variables_);
    row[i] = 1;
    row[slack++] = 1;
    a.push_back(std::move(row));
    b.push_back(*columns_[i].width);
  }
  form_.emplace(std::move(a), std::move(b));
  if (!form_->feasible())
    throw std::logic_error("the true table is not among the tables the attacker considers");
}

const Oracle::Column* Oracle::find(CellId cell) const {
  const std::int32_t place = place_[static_cast<std::size_t>(cell.value)];
  return place < 0 ? nullptr : &columns_[static_cast<std::size_t>(place)];
}

std::optional<mpq_class> Oracle::extreme(const Column& column, int direction) {
  std::vector<mpz_class> c(num_variables_);
  c[static_cast<std::size_t>(&column - columns_.data())] = direction * column.factor;
  if (column.other >= 0)
    c[static_cast<std::size_t>(column.other)] = -direction;
  const auto best = form_->maximize(c);
  if (!best)
    return std::nullopt;
  return mpq_class(integer(column.start)) + direction * *best;
}

OracleRange Oracle::range(CellId cell) {
  const Column* column = find(cell);
  if (column == nullptr) {
    const mpq_class value(integer(table_.value(cell)));
    return {value, value};
  }
  return {extreme(*column, -1), extreme(*column, 1)};
}

Verdict Oracle::verdict(const Requirement& need) {
  if (draft_.implied(table_, need.cell).is_point())
    return Verdict::kExposed;
  if (need.lower == 0 && need.upper == 0 && need.sliding == 0)
    return Verdict::kUnasked;  // that it is hidden is all that was asked
  const OracleRange inferred = range(need.cell);
  const mpq_class value(integer(table_.value(need.cell)));
  const bool upper = !inferred.upper || *inferred.upper >= value + integer(need.upper);
  const bool lower = !inferred.lower || *inferred.lower <= value - integer(need.lower);
  const bool sliding = !inferred.upper || !inferred.lower ||
                       *inferred.upper - *inferred.lower >= integer(need.sliding);
  return upper && lower && sliding ? Verdict::kProtected : Verdict::kExposed;
}

}  // namespace lacuna::testing
