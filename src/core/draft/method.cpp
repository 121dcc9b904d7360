// SPDX-License-Identifier: Apache-2.0
// The words of what all methods share.
#include "lacuna/method.h"

#include <algorithm>
#include <array>

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 3> kEfforts{"fast", "default", "best"};
constexpr std::array<std::string_view, 3> kStages{"underway", "exchanged", "started"};
constexpr std::array<std::string_view, 3> kSenses{"free", "up", "down"};

}  // namespace

std::span<const std::string_view> enum_names(Effort) {
  return kEfforts;
}

// Half a minute of one core for a table of some ten thousand cells, more for larger ones, growing
// slowly from a hundred thousand on; the default has five minutes, or three times as much.
Status MethodOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(check_ranges(*this));
  if (gap >= 1)
    return Error{ErrorCode::kOptionValue, "the gap must be at least 0 and below 1", "--gap"};
  return ok_status();
}

std::int64_t effort_work(Effort effort, std::int64_t cells) {
  constexpr std::int64_t kSecond = 1'000'000;
  constexpr std::int64_t kSmall = 30'000;
  if (effort == Effort::kBest)
    return kNoWorkLimit;
  const std::int64_t more = std::max<std::int64_t>(0, cells - kSmall);
  const std::int64_t huge = std::max<std::int64_t>(0, cells - 4 * kSmall);
  const std::int64_t fast =
      std::min(25 * kSecond + more * kSecond / 200, 95 * kSecond) + huge * kSecond / 5000;
  return effort == Effort::kFast ? fast : std::max(300 * kSecond, 3 * fast);
}

RunContext with_effort(const RunContext& run, Effort effort, std::int64_t cells) {
  const std::int64_t allowed = effort_work(effort, cells);
  return run.work_end != kNoWorkLimit || allowed == kNoWorkLimit ? run : with_work(run, allowed);
}

std::span<const std::string_view> enum_names(SuppressStage::Name) {
  return kStages;
}

std::span<const std::string_view> enum_names(SenseRule) {
  return kSenses;
}

}  // namespace lacuna
