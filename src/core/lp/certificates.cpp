// SPDX-License-Identifier: Apache-2.0
#include "core/lp/certificates.h"

namespace lacuna::lp {
namespace {

double recession_end(double bound, double limit) {
  return bound == kLpInfinity || bound == -kLpInfinity ? limit : 0;
}

}  // namespace

LpModel any_point_model(const LpModel& model) {
  LpModel result = model;
  result.cost.assign(model.cost.size(), 0);
  return result;
}

LpModel direction_model(const LpModel& model) {
  LpModel result = model;
  result.integer.clear();
  for (std::size_t j = 0; j < model.column_lower.size(); ++j) {
    result.column_lower[j] = recession_end(model.column_lower[j], -1);
    result.column_upper[j] = recession_end(model.column_upper[j], 1);
  }
  for (std::size_t i = 0; i < model.row_lower.size(); ++i) {
    result.row_lower[i] = recession_end(model.row_lower[i], -kLpInfinity);
    result.row_upper[i] = recession_end(model.row_upper[i], kLpInfinity);
  }
  return result;
}

LpModel elastic_model(const LpModel& model) {
  LpModel result;
  for (std::size_t j = 0; j < model.column_lower.size(); ++j) {
    result.add_column(model.column_lower[j], model.column_upper[j]);
  }
  for (std::size_t i = 0; i < model.row_lower.size(); ++i) {
    std::vector<std::int32_t> columns(model.row_column.begin() + model.row_start[i],
                                      model.row_column.begin() + model.row_start[i + 1]);
    std::vector<double> values(model.row_value.begin() + model.row_start[i],
                               model.row_value.begin() + model.row_start[i + 1]);
    for (const double sign : {1.0, -1.0}) {
      columns.push_back(result.add_column(0, kLpInfinity, 1));
      values.push_back(sign);
    }
    result.add_row(model.row_lower[i], model.row_upper[i], columns, values);
  }
  return result;
}

}  // namespace lacuna::lp
