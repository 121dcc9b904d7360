// SPDX-License-Identifier: Apache-2.0
#include "app/job/progress_line.h"

#include <fmt/core.h>

#include <cmath>

#include "core/base/readable.h"

namespace lacuna::job {
namespace {

// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration(double seconds) {
  constexpr int kSixty = 60;
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 2 * kSixty)
    return fmt::format("{} s", whole);
  if (whole < 2 * kSixty * kSixty)
    return fmt::format("{} min {} s", whole / kSixty, whole % kSixty);
  return fmt::format("{} h {} min", whole / (kSixty * kSixty), whole / kSixty % kSixty);
}

}  // namespace

std::string progress_line(const Progress& progress) {
  const double cost = progress.incumbent, bound = progress.bound;
  std::string line = fmt::format("{}: {:.0f}%", progress.phase, progress.share * 100);
  if (std::isfinite(cost))
    line += ", cost " + base::readable(cost);
  if (std::isfinite(bound))
    line += ", bound " + base::readable(bound);
  if (std::isfinite(cost) && std::isfinite(bound) && cost > 0)
    line += fmt::format(", gap {:.2f}%", std::max(0.0, cost - bound) / cost * 100);
  line += ", " + duration(progress.seconds);
  if (std::isfinite(progress.seconds_left))
    line += ", about " + duration(progress.seconds_left) + " left";
  return line;
}

}  // namespace lacuna::job
