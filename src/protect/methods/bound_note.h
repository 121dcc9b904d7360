// SPDX-License-Identifier: Apache-2.0
// The log of a bound on its way from a method to the certificate.
#pragma once

#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "protect/methods/methods.h"

namespace lacuna::methods {

// Names the weights of the run in the log, if there is one, and says in a note how much of the bound
// the certificate shows. `problem` is the one that the log is about.
void note_bound(const Problem& problem, const ProtectOptions& options, MethodOutcome& outcome);

}  // namespace lacuna::methods
