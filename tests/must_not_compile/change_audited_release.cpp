// SPDX-License-Identifier: Apache-2.0
// What was audited cannot be changed afterwards.
// expect: passing 'const lacuna::Draft' as 'this' argument discards qualifiers|not marked const
#include "lacuna/audit.h"

void change(lacuna::AuditedRelease& release) {
  const lacuna::CellId cell{0};
#ifdef LACUNA_FORBIDDEN
  release.content().publish_exact(cell);
#else
  static_cast<void>(release.content().state(cell));
#endif
}
