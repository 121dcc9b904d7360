// SPDX-License-Identifier: Apache-2.0
// The entries of a draft that is gone after the line cannot be gone through.
// expect: use of deleted function|call to deleted member function
#include "lacuna/draft.h"

lacuna::Draft made();

int walk() {
  int entries = 0;
#ifdef LACUNA_FORBIDDEN
  for (const lacuna::CellEntry& entry : made().each())
    entries += entry.cell.value;
#else
  const lacuna::Draft draft = made();
  for (const lacuna::CellEntry& entry : draft.each())
    entries += entry.cell.value;
#endif
  return entries;
}
