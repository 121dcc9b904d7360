// SPDX-License-Identifier: Apache-2.0
// `lacuna bench`: the sets of benchmarks are a program of their own, lacuna-bench, which `make all`
// builds beside lacuna and no package has.
#pragma once

#include "lacuna/result.h"

namespace lacuna {

// Runs lacuna-bench with the arguments of this call and returns its exit code. Errors: there is no
// lacuna-bench beside the program.
Result<int> run_bench(int argc, char** argv);

}  // namespace lacuna
