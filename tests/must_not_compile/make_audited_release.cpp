// SPDX-License-Identifier: Apache-2.0
// Nobody but the auditor makes an AuditedRelease, not even from all of its parts.
// expect: is private within this context|calling a private constructor
#include <memory>

#include "lacuna/audit.h"

lacuna::Result<lacuna::AuditedRelease> make(const std::shared_ptr<const lacuna::Problem>& problem) {
#ifdef LACUNA_FORBIDDEN
  return lacuna::AuditedRelease(problem, lacuna::Draft(), lacuna::AuditReport());
#else
  return lacuna::Auditor(problem).release({}, {}, {});
#endif
}
