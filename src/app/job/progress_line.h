// SPDX-License-Identifier: Apache-2.0
// The news of a run in one line, the same for a terminal and for a log.
#pragma once

#include <string>

#include "lacuna/run_context.h"

namespace lacuna::job {

// "suppress: 23%, cost 1,200, bound 900, gap 25.00%, 12 s, about 40 s left"; what is not known yet
// is left out.
std::string progress_line(const Progress& progress);

}  // namespace lacuna::job
