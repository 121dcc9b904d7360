// SPDX-License-Identifier: Apache-2.0
#include "app/job/safe_tables.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/exact.h"
#include "core/base/rational.h"

namespace lacuna::job {
namespace {

// How far from the truth readers may think the cell at most, in whole units; nothing: no limit is
// known.
std::optional<Units> limit_of(const End& end) {
  if (end.unbounded || !end.has_bound)
    return std::nullopt;
  const mpz_class whole = base::rounded_down(base::gmp(end.bound));
  return base::fits_units(whole) ? std::optional(base::to_units(whole)) : std::nullopt;
}

// The farthest value on this side from which the level still ends within the limit; the truth does.
Units farthest_safe(const Requirement& need,
                    const Rerun& rerun,
                    Units truth,
                    Direction side,
                    Units limit) {
  const auto is_safe = [&](Units distance) {
    const Requirement there = rerun.asked_at(need, truth + sign(side) * distance);
    const Units level = side == Direction::kHigh ? there.upper : there.lower;
    return level <= limit - distance;
  };
  Units safe = 0, unsafe = limit + 1;
  while (unsafe - safe > 1) {
    const Units middle = safe + (unsafe - safe) / 2;
    (is_safe(middle) ? safe : unsafe) = middle;
  }
  return truth + sign(side) * safe;
}

}  // namespace

std::vector<Bounds> safe_values(const Problem& problem,
                                const AuditReport& report,
                                const Rerun& rerun) {
  std::vector<Bounds> safe(static_cast<std::size_t>(problem.table().num_cells()));
  if (problem.waiver() != Waiver::kNothing)  // what is exposed may go out
    return safe;
  const auto findings = report.of(Domain::kRational);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Requirement& need = problem.requirements()[i];
    if (need.attacker != 0 || findings[i].verdict != Verdict::kProtected)
      continue;
    Bounds& here = safe[static_cast<std::size_t>(need.cell.value)];
    const Units truth = problem.table().value(need.cell);
    if (const auto high = limit_of(findings[i].high))
      here.upper = farthest_safe(need, rerun, truth, Direction::kHigh, *high);
    if (const auto low = limit_of(findings[i].low))
      here.lower = farthest_safe(need, rerun, truth, Direction::kLow, *low);
  }
  return safe;
}

Result<AuditReport> audit_within(const Problem& problem,
                                 const Draft& release,
                                 const std::vector<Bounds>& safe,
                                 const Rerun& rerun) {
  Problem narrow = problem;
  std::vector<Bounds> priors;
  for (std::size_t c = 0; c < safe.size(); ++c)
    priors.push_back(intersect(problem.table().cells()[c].prior, safe[c]));
  narrow.set_priors(priors);
  AuditOptions options;
  options.engine = rerun.job().engine;
  return Auditor(std::make_shared<const Problem>(std::move(narrow)))
      .audit(release, options, rerun.run());
}

}  // namespace lacuna::job
