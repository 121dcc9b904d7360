// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/report/outsider_ends.h"
#include "core/base/exact.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

struct Levels {
  Units lower = 1, upper = 1;  // a sensitive cell is never shown as it is
};

std::map<CellId, Levels> sensitive_cells(const Problem& problem) {
  std::map<CellId, Levels> cells;
  for (const Requirement& need : problem.requirements()) {
    const Units half = need.half_sliding();
    Levels& levels = cells[need.cell];
    levels.lower = std::max({levels.lower, need.lower, half});
    levels.upper = std::max({levels.upper, need.upper, half});
  }
  return cells;
}

// Distances of guesses from the truth, in units.
class Distances {
 public:
  explicit Distances(Units value) : value_(value) {}

  void add_number(Wide guess) { add_twice(2 * (guess - value_)); }

  void add_middle(Bounds ends) {
    if (ends.has_lower() && ends.has_upper())
      add_twice(Wide{ends.lower} + ends.upper - 2 * Wide{value_});
  }

  void add_middle(const report::Ends& inferred) {
    if (!inferred.exact() || inferred.low->unbounded || inferred.high->unbounded)
      return;
    const Fraction off = (inferred.high->reached - inferred.low->reached) / 2;
    add(std::abs(off.to_double()), off == 0);
  }

  bool any() const { return any_; }
  bool hits() const { return hits_; }
  bool within(double percent) const {
    return hits_ || (any_ && 100 * least_ <= percent * std::abs(static_cast<double>(value_)));
  }

 private:
  void add_twice(Wide twice) { add(std::abs(static_cast<double>(twice)) / 2, twice == 0); }

  void add(double distance, bool hit) {
    least_ = any_ ? std::min(least_, distance) : distance;
    any_ = true;
    hits_ = hits_ || hit;
  }

  Units value_;
  double least_ = 0;
  bool any_ = false, hits_ = false;
};

bool truth_at_end(Units value, Bounds ends, Bounds prior) {
  return (ends.lower == value && prior.lower < value) ||
         (ends.upper == value && prior.upper > value);
}

Distances distances(const Cell& cell,
                    const CellEntry& entry,
                    const Levels& levels,
                    report::Ends inferred) {
  Distances off(cell.value);
  switch (entry.state()) {
    case StatementKind::kExact:
      off.add_number(cell.value);
      break;
    case StatementKind::kWithheld:
    case StatementKind::kInterval:
      off.add_middle(intersect(entry.bounds(), cell.prior));
      off.add_middle(inferred);
      break;
    case StatementKind::kRounded:
      off.add_number(*entry.number());
      off.add_middle(inferred);  // 0 may cut it off: of 5, shown as 0, base 10, it is 5
      break;
    case StatementKind::kAltered:
      off.add_middle(inferred);
      [[fallthrough]];
    case StatementKind::kAdjusted:
      off.add_number(*entry.number());
      off.add_number(Wide{*entry.number()} - levels.upper);
      off.add_number(Wide{*entry.number()} + levels.lower);
      break;
  }
  return off;
}

}  // namespace

double Guesses::share(std::int64_t count) const {
  return cells > 0 ? 100 * static_cast<double>(count) / static_cast<double>(cells) : 0;
}

FigureState Guesses::state() const {
  if (cells == 0)
    return FigureState::kNotAsked;
  if (unguessed > 0)
    return FigureState::kNotComputed;
  return not_computed > 0 ? FigureState::kBounded : FigureState::kComputed;
}

Guesses reader_guesses(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       double near_percent) {
  const std::map<CellId, report::Ends> inferred = report::outsider_ends(report);
  Guesses guesses;
  guesses.near_percent = near_percent;
  for (const auto& [id, levels] : sensitive_cells(problem)) {
    const Cell& cell = problem.table().cell(id);
    const auto found = draft.find(id);
    const CellEntry entry = found != nullptr ? *found : CellEntry{id, Exact{}};
    const auto at = inferred.find(id);
    const report::Ends ends = at == inferred.end() ? report::Ends{} : at->second;
    const Distances off = distances(cell, entry, levels, ends);
    const bool not_computed =
        entry.state() != StatementKind::kExact && !draft.adjusted() && !ends.exact();
    ++guesses.cells;
    guesses.not_computed += not_computed ? 1 : 0;
    const bool withheld = entry.state() == StatementKind::kWithheld;
    guesses.unguessed += not_computed && (withheld || !off.any()) ? 1 : 0;
    guesses.guessed += off.any() ? 1 : 0;
    guesses.near += off.within(near_percent) ? 1 : 0;
    guesses.exact += off.hits() ? 1 : 0;
    if (entry.state() == StatementKind::kInterval)
      guesses.at_end += truth_at_end(cell.value, entry.bounds(), cell.prior) ? 1 : 0;
  }
  return guesses;
}

}  // namespace lacuna
