// SPDX-License-Identifier: Apache-2.0
// Units at work: processes of the program itself, so many at a time, the largest first. A process
// that dies, for whatever reason, is one unit that is not finished.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/plan/units.h"
#include "lacuna/run_context.h"

namespace lacuna::plan {

struct Workers {
  std::string program;  // to be called; empty: the work is done here, one unit after the other
  int at_once = 1;
  int threads = 1;  // of each
};

// Does the units that `todo` names, in that order, and calls `ended(unit, message)` on this thread
// as each ends; the message is empty, or why there is no result. Stopped, it ends all processes.
void work_on(const std::vector<Unit>& units,
             const std::vector<std::size_t>& todo,
             const Workers& workers,
             const RunContext& run,
             const std::function<void(std::size_t, const std::string&)>& ended);

// The last line of the unit's log: what whoever worked on it has said; may be empty.
std::string last_words(const Unit& unit);

}  // namespace lacuna::plan
