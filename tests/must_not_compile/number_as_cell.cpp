// SPDX-License-Identifier: Apache-2.0
// A bare number is not an index: it does not say of what.
// expect: error: cannot convert 'int'|error: no viable conversion|error: no matching
#include "lacuna/table.h"

lacuna::Units read(const lacuna::Table& table) {
#ifdef LACUNA_FORBIDDEN
  return table.value(0);
#else
  return table.value(lacuna::CellId{0});
#endif
}
