// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/reserve.h"

#include <algorithm>
#include <chrono>

#include "core/base/work.h"

namespace lacuna::methods {
namespace {

// Units per item, measured on tables of 2,000 to 1,000,000 cells with the evidence that
// suppression hands over; an audit that has to search takes longer, and is late then.
struct AfterTuning {
  std::int64_t always = 20'000;
  std::int64_t cell = 3;
  std::int64_t requirement = 60;
  double most = 1.0 / 3;  // of the time that is left
};
constexpr AfterTuning kAfter;

}  // namespace

std::int64_t work_after(const Problem& problem) {
  return kAfter.always + kAfter.cell * problem.table().num_cells() +
         kAfter.requirement * static_cast<std::int64_t>(problem.requirements().size());
}

RunContext run_of_method(const RunContext& run, const Problem& problem) {
  using Clock = std::chrono::steady_clock;
  if (run.deadline == Clock::time_point::max())
    return run;
  const auto now = Clock::now();
  const auto left = std::max(run.deadline - now, Clock::duration::zero());
  const auto rest = std::chrono::microseconds(work_after(problem));
  const auto most = std::chrono::duration_cast<Clock::duration>(left * kAfter.most);
  RunContext earlier = run;
  earlier.deadline = run.deadline - std::min<Clock::duration>(rest, most);
  return earlier;
}

RunContext share_of_rest(const RunContext& run, double share) {
  using Clock = std::chrono::steady_clock;
  RunContext part = base::share_of_work(run, share);
  const auto now = Clock::now();
  if (run.deadline != Clock::time_point::max() && now < run.deadline)
    part.deadline = now + std::chrono::duration_cast<Clock::duration>((run.deadline - now) * share);
  return part;
}

}  // namespace lacuna::methods
