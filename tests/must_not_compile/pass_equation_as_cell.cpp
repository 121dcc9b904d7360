// SPDX-License-Identifier: Apache-2.0
// The index of an equation is not accepted where a cell is wanted.
// expect: error: cannot convert '[^']*EquationTag|error: no viable conversion|error: no matching
#include "lacuna/table.h"

lacuna::Units read(const lacuna::Table& table) {
#ifdef LACUNA_FORBIDDEN
  const lacuna::EquationId index{0};
#else
  const lacuna::CellId index{0};
#endif
  return table.value(index);
}
