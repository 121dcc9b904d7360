// SPDX-License-Identifier: Apache-2.0
#include "core/table/number_option.h"

#include "core/base/decimal.h"

namespace lacuna::table {

Result<Units> units_of(const Decimal& number, const Table& table, const std::string& where) {
  const auto units = base::parse_units(number.text(), table.decimals());
  if (!units)
    return Error{ErrorCode::kOptionValue, units.error().message, where};
  if (*units <= 0)
    return Error{ErrorCode::kOptionValue, "must be positive", where};
  return *units;
}

}  // namespace lacuna::table
