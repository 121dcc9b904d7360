// SPDX-License-Identifier: Apache-2.0
// A Table that was checked stays as it was checked.
// expect: assignment of member '[^']*value' in read-only object|cannot assign to return value
#include "lacuna/table.h"

void change(lacuna::Table& table) {
  const lacuna::CellId cell{0};
#ifdef LACUNA_FORBIDDEN
  table.cell(cell).value = 1;
#else
  static_cast<void>(table.cell(cell).value);
#endif
}
