// SPDX-License-Identifier: Apache-2.0
// What is asked of a table cannot be dropped by the way: whoever does it says so.
// expect: discards qualifiers|no matching member function|'this' argument
#include "lacuna/problem.h"

void forget(lacuna::Problem& problem) {
#ifdef LACUNA_FORBIDDEN
  problem.requirements().clear();
#else
  problem.drop_requirements([](const lacuna::Requirement&) { return true; });
#endif
}
