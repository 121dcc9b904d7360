// SPDX-License-Identifier: Apache-2.0
// How a run has ended, in words, and whether another one would come to the same (docs/work.md).
#pragma once

#include <string>
#include <string_view>

namespace lacuna::job {

// "optimal", "ended by its work", "stopped by the time limit: another run may differ"; `status` is
// a word of to_string(StopReason).
std::string ending_text(std::string_view status, bool reproducible);

}  // namespace lacuna::job
