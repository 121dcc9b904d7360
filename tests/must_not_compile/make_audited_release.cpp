// SPDX-License-Identifier: Apache-2.0
// Nobody but the auditor makes an AuditedRelease.
// expect: is private within this context|calling a private constructor
#include "lacuna/audit.h"

void make() {
#ifdef LACUNA_FORBIDDEN
  lacuna::AuditedRelease release;
#endif
}
