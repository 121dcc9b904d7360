// SPDX-License-Identifier: Apache-2.0
// A Draft does not become an AuditedRelease by being passed as one.
// expect: error: (invalid initialization|could not convert|no viable|no matching)
#include "lacuna/audit.h"

void publish(const lacuna::AuditedRelease& release);

#ifdef LACUNA_FORBIDDEN
void cheat(const lacuna::Draft& content) {
  publish(content);
}
#else
void honest(const lacuna::AuditedRelease& content) {
  publish(content);
}
#endif
