// SPDX-License-Identifier: Apache-2.0
// Indices of cells and of equations cannot be compared with each other.
// expect: error: no match for 'operator=='|error: invalid operands to binary expression
#include "lacuna/units.h"

bool same() {
  const lacuna::CellId cell{1};
#ifdef LACUNA_FORBIDDEN
  const lacuna::EquationId other{1};
#else
  const lacuna::CellId other{1};
#endif
  return cell == other;
}
