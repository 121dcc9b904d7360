// SPDX-License-Identifier: Apache-2.0
#include "lacuna/table.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/table/unpublished.h"

namespace lacuna {
namespace {

constexpr std::int32_t kMaxCoefficient = 1'000'000;
constexpr std::size_t kCellsNamedInErrors = 6;

bool within_units(Units value) {
  return value >= -kMaxUnits && value <= kMaxUnits;
}

Error bad_cell(std::string message, std::string where) {
  return {ErrorCode::kBadField, std::move(message), std::move(where)};
}

bool is_usable_coefficient(std::int64_t coefficient) {
  return coefficient >= -kMaxCoefficient && coefficient <= kMaxCoefficient;
}

// Sorts terms[start..] by cell, adds up repeated cells and drops those that cancel. Returns the
// first sum that is too large, 0 if there is none.
std::int64_t merge_terms(std::vector<Term>& terms, std::size_t start) {
  std::sort(terms.begin() + static_cast<std::ptrdiff_t>(start),
            terms.end(),
            [](const Term& a, const Term& b) { return a.cell < b.cell; });
  std::size_t kept = start;
  for (std::size_t i = start; i < terms.size();) {
    const CellId cell = terms[i].cell;
    std::int64_t sum = 0;  // of fewer than 2^31 coefficients: no overflow
    for (; i < terms.size() && terms[i].cell == cell; ++i)
      sum += terms[i].coefficient;
    if (!is_usable_coefficient(sum))
      return sum;
    if (sum != 0)
      terms[kept++] = {cell, static_cast<std::int32_t>(sum)};
  }
  terms.resize(kept);
  return 0;
}

}  // namespace

std::span<const std::int32_t> Table::codes(CellId cell) const {
  if (dimensions_.empty())
    return {};
  const std::size_t width = dimensions_.size();
  return {codes_.data() + index(cell) * width, width};
}

Table Table::with_weights(std::span<const double> weights) const {
  LACUNA_CHECK(weights.size() == cells_.size());
  Table copy = *this;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    LACUNA_CHECK(std::isfinite(weights[c]) && weights[c] >= 0);
    copy.cells_[c].weight = weights[c];
  }
  return copy;
}

Table Table::with_priors(std::span<const Bounds> priors) const {
  LACUNA_CHECK(priors.size() == cells_.size());
  Table copy = *this;
  for (std::size_t c = 0; c < priors.size(); ++c) {
    Cell& cell = copy.cells_[c];
    LACUNA_CHECK(priors[c].contains(cell.value));
    cell.prior = priors[c];
    if (cell.prior.is_point() && cell.status != CellStatus::kPrimary)
      cell.status = CellStatus::kKnown;
  }
  return copy;
}

std::string Table::label(CellId cell) const {
  const auto code_indices = codes(cell);
  if (code_indices.empty())
    return "cell " + std::to_string(cell.value);
  std::string text;
  for (std::size_t d = 0; d < code_indices.size(); ++d) {
    if (d > 0)
      text += '|';
    text += dimensions_[d].name() + "=" + dimensions_[d].code(code_indices[d]);
  }
  return text;
}

std::string Table::label(EquationId equation) const {
  return "equation " + std::to_string(equation.value);
}

TableBuilder::TableBuilder(int decimals) : TableBuilder(decimals, {}) {}

TableBuilder::TableBuilder(int decimals, std::vector<Dimension> dimensions) {
  LACUNA_CHECK(decimals >= 0 && decimals <= kMaxDecimals);
  table_.decimals_ = decimals;
  table_.dimensions_ = std::move(dimensions);
}

Result<CellId> TableBuilder::add_cell(const Cell& cell, std::span<const std::int32_t> codes) {
  LACUNA_CHECK(codes.size() == table_.dimensions_.size());
  const CellId id{num_cells()};
  table_.codes_.insert(table_.codes_.end(), codes.begin(), codes.end());
  Cell checked = cell;
  const auto reject = [&](std::string message) {
    Error error = bad_cell(std::move(message), table_.label(id));
    table_.codes_.resize(table_.codes_.size() - codes.size());
    return error;
  };
  if (!within_units(cell.value)) {
    return reject("the value does not fit 63 bits with " + std::to_string(table_.decimals_) +
                  " decimals; use fewer decimals or a larger unit");
  }
  if (checked.status == CellStatus::kMustPublish &&
      checked.prior == Bounds{cell.value, cell.value}) {
    checked.status = CellStatus::kKnown;
  }
  if (checked.status == CellStatus::kKnown)
    checked.prior = {cell.value, cell.value};
  const bool lower_fits = !checked.prior.has_lower() || within_units(checked.prior.lower);
  const bool upper_fits = !checked.prior.has_upper() || within_units(checked.prior.upper);
  if (!lower_fits || !upper_fits) {
    return reject("a bound does not fit 63 bits with " + std::to_string(table_.decimals_) +
                  " decimals; use fewer decimals or a larger unit");
  }
  if (!checked.prior.contains(cell.value)) {
    const auto number = [&](Units units) { return base::format_units(units, table_.decimals_); };
    return reject("the value " + base::confidential(number(cell.value)) +
                  " lies outside its bounds " +
                  base::confidential("[" + number(checked.prior.lower) + ", " +
                                     number(checked.prior.upper) + "]"));
  }
  if (!std::isfinite(cell.weight) || cell.weight < 0) {
    return reject("the weight must be a finite number that is not negative");
  }
  if (cell.frequency < -1 && !table::is_unpublished(cell))
    return reject("the frequency is negative");
  table_.cells_.push_back(checked);
  return id;
}

Result<EquationId> TableBuilder::add_equation(std::span<const Term> terms, Units rhs) {
  const EquationId id{table_.num_equations()};
  const std::size_t start = table_.terms_.size();
  const auto reject = [&](ErrorCode code, std::string message) {
    table_.terms_.resize(start);
    return Error{code, std::move(message), table_.label(id)};
  };
  if (!within_units(rhs))
    return reject(ErrorCode::kNumberTooLarge, "the right-hand side is too large");
  for (const Term& term : terms) {
    if (term.cell.value < 0 || term.cell.value >= num_cells()) {
      return reject(ErrorCode::kNoSuchCell,
                    "there is no cell " + std::to_string(term.cell.value) + " (the table has " +
                        std::to_string(num_cells()) + ")");
    }
    if (!is_usable_coefficient(term.coefficient)) {
      return reject(ErrorCode::kNumberTooLarge,
                    "the coefficient " + std::to_string(term.coefficient) + " is too large");
    }
    table_.terms_.push_back(term);
  }
  if (const std::int64_t sum = merge_terms(table_.terms_, start); sum != 0) {
    return reject(
        ErrorCode::kNumberTooLarge,
        "the coefficients of a cell add up to " + std::to_string(sum) + ", which is too large");
  }

  Wide difference = -Wide{rhs};
  for (std::size_t i = start; i < table_.terms_.size(); ++i) {
    const Term& term = table_.terms_[i];
    difference +=
        Wide{term.coefficient} * table_.cells_[static_cast<std::size_t>(term.cell.value)].value;
  }
  if (difference != 0) {
    std::string names;
    for (std::size_t i = start; i < table_.terms_.size(); ++i) {
      if (i - start == kCellsNamedInErrors &&
          table_.terms_.size() - start > kCellsNamedInErrors + 1) {
        names += ", ... (" + std::to_string(table_.terms_.size() - start) + " cells)";
        break;
      }
      names += (names.empty() ? "" : ", ") + table_.label(table_.terms_[i].cell);
    }
    return reject(ErrorCode::kNotAdditive,
                  "the table is not additive: the equation over " + names + " is off by " +
                      base::confidential(base::format_fraction(difference, 1, table_.decimals_)));
  }
  table_.rhs_.push_back(rhs);
  table_.equation_start_.push_back(table_.terms_.size());
  return id;
}

Result<Table> TableBuilder::build() && {
  if (table_.cells_.empty())
    return Error{ErrorCode::kNoRows, "the table has no cells", ""};
  const auto cells = table_.cells_.size();
  table_.cell_start_.assign(cells + 1, 0);
  for (const Term& term : table_.terms_)
    ++table_.cell_start_[Table::index(term.cell) + 1];
  for (std::size_t c = 0; c < cells; ++c)
    table_.cell_start_[c + 1] += table_.cell_start_[c];
  table_.incidences_.resize(table_.terms_.size());
  std::vector<std::size_t> next(table_.cell_start_.begin(), table_.cell_start_.end() - 1);
  for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
    for (const Term& term : table_.equation(EquationId{e})) {
      table_.incidences_[next[Table::index(term.cell)]++] = {EquationId{e}, term.coefficient};
    }
  }
  return std::move(table_);
}

}  // namespace lacuna
