// SPDX-License-Identifier: Apache-2.0
#include "app/job/ending_text.h"

#include <array>
#include <utility>

#include "lacuna/run_context.h"

namespace lacuna::job {

std::string ending_text(std::string_view status, bool reproducible) {
  const std::array<std::pair<StopReason, std::string_view>, 4> words{{
      {StopReason::kGapReached, "within the gap that was asked for"},
      {StopReason::kWork, "ended by its work"},
      {StopReason::kLimit, "stopped by the time limit"},
      {StopReason::kCancelled, "stopped by request"},
  }};
  std::string text(status);
  for (const auto& [reason, said] : words) {
    if (status == to_string(reason))
      text = said;
  }
  return reproducible ? text : text + ": another run may differ";
}

}  // namespace lacuna::job
