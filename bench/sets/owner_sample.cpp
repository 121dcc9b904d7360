// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_sample.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "app/job/rerun.h"
#include "app/job/safe_tables.h"
#include "core/base/random.h"
#include "lacuna/audit.h"

namespace lacuna::bench {
namespace {

using job::TableMove;

constexpr int kSteps = 10;  // of the walk between two tables that are run

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double length(const End& end) {
  return end.reached.to_double();
}

// Primitive directions of whole tables.
std::vector<TableMove> directions_of(const AuditReport& report) {
  std::vector<TableMove> found;
  for (const Displacement& witness : report.evidence.witnesses) {
    Units common = 0;
    for (const Integer& each : witness.moves)
      common = std::gcd(common, each.to_int64().value_or(0));
    TableMove direction;
    for (std::size_t i = 0; i < witness.cells.size() && common > 0; ++i)
      direction[witness.cells[i].value] = witness.moves[i].to_int64().value_or(0) / common;
    if (!direction.empty())
      found.push_back(std::move(direction));
  }
  return found;
}

class Walk {
 public:
  Walk(const Problem& problem, const Draft& release, const AuditReport& report)
      : problem_(problem), directions_(directions_of(report)) {
    for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
      const CellId id{c};
      known_.push_back(intersect(problem.table().cell(id).prior,
                                 release.implied(problem.table(), id)));
      now_.push_back(problem.table().value(id));
    }
    for (const Requirement& need : problem.requirements())
      far_ = std::max({far_, 4 * need.lower, 4 * need.upper, 4 * need.sliding});
  }

  bool is_stuck() const { return directions_.empty(); }

  TableMove next(base::Random& random) {
    for (int step = 0; step < kSteps; ++step)
      go_along(directions_[static_cast<std::size_t>(
                   random.between(0, std::ssize(directions_) - 1))],
               random);
    TableMove moved;
    for (std::size_t c = 0; c < now_.size(); ++c) {
      const auto cell = static_cast<std::int32_t>(c);
      if (const Units move = now_[c] - problem_.table().value(CellId{cell}); move != 0)
        moved[cell] = move;
    }
    return moved;
  }

 private:
  // How often the direction can be taken from here; where nothing ends it, as far as levels go.
  Units times_of(const TableMove& direction, int sense) const {
    Units most = far_;
    for (const auto& [cell, factor] : direction) {
      const auto c = static_cast<std::size_t>(cell);
      const Units move = sense * factor;
      if (move > 0 && known_[c].has_upper())
        most = std::min(most, (known_[c].upper - now_[c]) / move);
      if (move < 0 && known_[c].has_lower())
        most = std::min(most, (now_[c] - known_[c].lower) / -move);
    }
    return most;
  }

  void go_along(const TableMove& direction, base::Random& random) {
    const Units times = random.between(-times_of(direction, -1), times_of(direction, 1));
    for (const auto& [cell, factor] : direction)
      now_[static_cast<std::size_t>(cell)] += times * factor;
  }

  const Problem& problem_;
  std::vector<TableMove> directions_;
  std::vector<Bounds> known_;
  std::vector<Units> now_;
  Units far_ = 1;
};

// What S says of every sensitive cell.
void compare(const Problem& problem,
             const AuditReport& all,
             const AuditReport& safe,
             OwnerSample& sample) {
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    const Requirement& need = problem.requirements()[i];
    if (need.attacker != 0 || (need.lower == 0 && need.upper == 0))
      continue;
    const Finding& before = all.of(Domain::kRational)[i];
    const Finding& after = safe.of(Domain::kRational)[i];
    ++sample.levels;
    const auto short_of = [](const End& end, Units level) {  // proven, not only not found
      return !end.unbounded && end.has_bound && end.bound < Fraction(level);
    };
    sample.broken += short_of(after.high, need.upper) || short_of(after.low, need.lower) ? 1 : 0;
    if (after.high.unbounded || after.low.unbounded || before.high.unbounded || before.low.unbounded)
      continue;
    const double left = length(after.high) + length(after.low);
    const double whole = length(before.high) + length(before.low);
    sample.narrow += left < static_cast<double>(need.lower + need.upper) ? 1 : 0;
    sample.exact += left < 1 ? 1 : 0;
    sample.shrink += whole > 0 ? 1 - left / whole : 0;
  }
  if (sample.levels > 0)
    sample.shrink /= static_cast<double>(sample.levels);
}

}  // namespace

Result<OwnerSample> sample_owner(const std::shared_ptr<const Problem>& problem,
                                 const Draft& release,
                                 const job::ProtectJob& job,
                                 std::int64_t tables,
                                 double seconds,
                                 const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(release, {}, run));
  LACUNA_TRY(job::Rerun rerun, job::Rerun::of_job(problem, release, job, run));
  const std::vector<Bounds> safe = job::safe_values(*problem, report, rerun);
  LACUNA_TRY(const AuditReport within, job::audit_within(*problem, release, safe, rerun));
  OwnerSample sample;
  compare(*problem, report, within, sample);
  Walk walk(*problem, release, report);
  base::Random random(run.seed);
  while (!walk.is_stuck() && sample.drawn < tables && since(start) < seconds) {
    const TableMove moved = walk.next(random);
    ++sample.drawn;
    const bool may = std::all_of(moved.begin(), moved.end(), [&](const auto& each) {
      const Units value = problem->table().value(CellId{each.first}) + each.second;
      return safe[static_cast<std::size_t>(each.first)].contains(value);
    });
    sample.outside += may ? 0 : 1;
    sample.replayed += may && rerun.replays(moved) ? 1 : 0;
  }
  sample.seconds = since(start);
  return sample;
}

}  // namespace lacuna::bench
