// SPDX-License-Identifier: Apache-2.0
// Nothing has been asked yet of a problem that was only read: prepare() comes before any verdict.
// expect: error: (invalid initialization|could not convert|no viable|no matching)
#include "app/load/prepare.h"

void judge(const lacuna::Problem& problem);

#ifdef LACUNA_FORBIDDEN
void cheat(const lacuna::load::LoadedProblem& read) {
  judge(read.problem);
}
#else
void honest(const lacuna::load::PreparedProblem& ready) {
  judge(ready.problem);
}
#endif
