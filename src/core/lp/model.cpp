// SPDX-License-Identifier: Apache-2.0
// The LP and MIP model of lacuna/lp.h: building it row by row, and the checks every engine relies
// on before it is handed a model.
#include <cmath>
#include <string>

#include "core/base/check.h"
#include "core/lp/row_check.h"
#include "lacuna/lp.h"

namespace lacuna::lp {
namespace {

Error bad_model(std::string message, std::string where) {
  return Error{ErrorCode::kOptionValue, std::move(message), std::move(where)};
}

std::string column_name(std::size_t column) {
  return "column " + std::to_string(column);
}
std::string row_name(std::size_t row) {
  return "row " + std::to_string(row);
}

// NaN fails the comparison; an infinite bound on the wrong side leaves nothing to choose from.
bool bounds_in_order(double lower, double upper) {
  return lower <= upper && lower < kLpInfinity && upper > -kLpInfinity;
}

Status validate_columns(const LpModel& model) {
  const std::size_t columns = model.column_lower.size();
  if (model.column_upper.size() != columns || model.cost.size() != columns ||
      (!model.integer.empty() && model.integer.size() != columns)) {
    return bad_model("The column vectors of the model differ in length.", "columns");
  }
  for (std::size_t j = 0; j < columns; ++j) {
    if (!bounds_in_order(model.column_lower[j], model.column_upper[j])) {
      return bad_model("The bounds are not in order.", column_name(j));
    }
    if (!std::isfinite(model.cost[j])) {
      return bad_model("The cost is not a finite number.", column_name(j));
    }
  }
  return ok_status();
}

Status validate_row_sizes(const LpModel& model) {
  const std::size_t rows = model.row_lower.size();
  if (model.row_upper.size() != rows || model.row_start.size() != rows + 1) {
    return bad_model("The row vectors of the model differ in length.", "rows");
  }
  const auto entries = static_cast<std::int64_t>(model.row_column.size());
  if (model.row_value.size() != model.row_column.size() || model.row_start.front() != 0 ||
      model.row_start.back() != entries) {
    return bad_model("The row starts do not cover the matrix entries.", "rows");
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (model.row_start[i] > model.row_start[i + 1]) {
      return bad_model("The row starts are not in order.", row_name(i));
    }
  }
  return ok_status();
}

}  // namespace

Status validate_rows(const LpModel& model, std::int32_t num_columns) {
  LACUNA_RETURN_IF_ERROR(validate_row_sizes(model));
  std::vector<std::int64_t> last_row_of(static_cast<std::size_t>(num_columns), -1);
  for (std::size_t i = 0; i < model.row_lower.size(); ++i) {
    if (!bounds_in_order(model.row_lower[i], model.row_upper[i])) {
      return bad_model("The bounds are not in order.", row_name(i));
    }
    for (auto k = model.row_start[i]; k < model.row_start[i + 1]; ++k) {
      const std::int32_t column = model.row_column[static_cast<std::size_t>(k)];
      if (column < 0 || column >= num_columns) {
        return bad_model("A column index is out of range.", row_name(i));
      }
      auto& last_row = last_row_of[static_cast<std::size_t>(column)];
      if (last_row == static_cast<std::int64_t>(i)) {
        return bad_model("A column occurs twice.", row_name(i));
      }
      last_row = static_cast<std::int64_t>(i);
      if (!std::isfinite(model.row_value[static_cast<std::size_t>(k)])) {
        return bad_model("A coefficient is not a finite number.", row_name(i));
      }
    }
  }
  return ok_status();
}

}  // namespace lacuna::lp

namespace lacuna {

std::int32_t LpModel::add_column(double lower, double upper, double column_cost, bool is_integer) {
  if (is_integer && integer.empty()) {
    integer.assign(column_lower.size(), false);
  }
  if (is_integer || !integer.empty()) {
    integer.push_back(is_integer);
  }
  column_lower.push_back(lower);
  column_upper.push_back(upper);
  cost.push_back(column_cost);
  return num_columns() - 1;
}

std::int32_t LpModel::add_row(double lower,
                              double upper,
                              std::span<const std::int32_t> columns,
                              std::span<const double> values) {
  LACUNA_CHECK(columns.size() == values.size());
  row_lower.push_back(lower);
  row_upper.push_back(upper);
  row_column.insert(row_column.end(), columns.begin(), columns.end());
  row_value.insert(row_value.end(), values.begin(), values.end());
  row_start.push_back(static_cast<std::int64_t>(row_column.size()));
  return num_rows() - 1;
}

Status LpModel::validate() const {
  LACUNA_RETURN_IF_ERROR(lp::validate_columns(*this));
  return lp::validate_rows(*this, num_columns());
}

std::string_view to_string(LpStatus status) {
  switch (status) {
    case LpStatus::kOptimal:
      return "optimal";
    case LpStatus::kInfeasible:
      return "infeasible";
    case LpStatus::kUnbounded:
      return "unbounded";
    case LpStatus::kLimit:
      return "limit";
    case LpStatus::kNumericalTrouble:
      return "numerical trouble";
  }
  return "unknown";
}

}  // namespace lacuna
