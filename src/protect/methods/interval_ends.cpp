// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/interval_ends.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "core/base/exact.h"
#include "core/base/random.h"
#include "core/base/work.h"
#include "core/draft/off_center.h"
#include "lacuna/audit.h"
#include "protect/methods/secret_key.h"

namespace lacuna::methods {
namespace {

constexpr int kRounds = 6;
constexpr double kFirstShare = 0.4;  // of the work that is left, for each of the first two audits
constexpr std::int32_t kMostIntervals =
    4000;  // beyond, exact ends of every sensitive cell are expensive

// Ends are priced by their width, so what is added costs what it would have cost the method.
double added_cost(const Table& table, const MethodOutcome& found, const draft::AddedWidth& moved) {
  const double unit = base::units_to_double(1, table.decimals());
  double cost = 0;
  for (const draft::AddedWidth::Added& added : moved.added) {
    const auto c = static_cast<std::size_t>(added.cell.value);
    const double weight =
        found.width_weights.empty() ? table.cell(added.cell).weight : found.width_weights[c];
    cost += weight * unit * (static_cast<double>(added.below) + static_cast<double>(added.above));
  }
  return cost;
}

// How far one end must go so that what can be inferred leans by a twelfth of `share` of its width,
// and by half a unit at least: as little as published intervals do. 0: it leans.
Fraction missing_lean(const Finding& finding, double share) {
  const bool known = finding.low.exact() && finding.high.exact();
  if (!known || finding.low.unbounded || finding.high.unbounded)
    return 0;
  const Fraction width = finding.high.reached + finding.low.reached;
  const Fraction wanted = std::max(Fraction(1), Fraction(mpq_class(share) * width / 6));
  const Fraction leans = abs(finding.high.reached - finding.low.reached);
  return width == 0 || leans >= wanted ? Fraction(0) : Fraction(wanted - leans);
}

// How far a displacement moves a cell.
Fraction move_of(const Displacement& witness, CellId cell) {
  const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), cell);
  if (at == witness.cells.end() || *at != cell)
    return 0;
  return {witness.moves[static_cast<std::size_t>(at - witness.cells.begin())], witness.denominator};
}

// The draft with blanks instead of intervals: what could be inferred if ends did not matter.
Draft opened(const Draft& draft) {
  Draft open = draft;
  for (const CellEntry& entry : draft.each()) {
    if (entry.state() == StatementKind::kInterval)
      open.withhold(entry.cell);
  }
  return open;
}

class InferredEnds {
 public:
  InferredEnds(const Problem& problem,
               const draft::OffCenterOptions& options,
               const Draft& centered,
               Draft& moved)
      : problem_(problem), options_(options), centered_(centered), moved_(moved) {}

  // What is inferred evenly around the truth is widened on the farther side, or else on the nearer
  // one, which then has to pass the other; along the witness of the end, or else along the one of
  // the draft with blanks. False: nothing was even, or nothing can be done.
  bool lean_more(const AuditReport& now, const AuditReport& open) {
    bool any = false;
    const auto findings = now.of(Domain::kRational), others = open.of(Domain::kRational);
    for (std::size_t r = 0; r < findings.size(); ++r) {
      const Finding& finding = findings[r];
      const Fraction missing = missing_lean(finding, options_.share);
      if (missing == 0)
        continue;
      const Fraction leans = finding.high.reached - finding.low.reached;
      const auto item = static_cast<std::uint64_t>(finding.question.cell.value);
      const bool up =
          leans == 0 ? base::Random::of_item(options_.seed, item).chance(1, 2) : leans > 0;
      const auto widen = [&](bool above, const Fraction& by) {
        const End& end = above ? finding.high : finding.low;
        const End& free = above ? others[r].high : others[r].low;
        const CellId cell = finding.question.cell;
        return follow(now, end, cell, end.reached + by) ||
               follow(open, free, cell, end.reached + by);
      };
      const bool done = widen(up, missing) || widen(!up, missing + 2 * abs(leans));
      any = any || done;
    }
    return any;
  }

 private:
  bool follow(const AuditReport& report, const End& end, CellId cell, const Fraction& reach) {
    if (end.witness < 0)
      return false;
    const Displacement& witness = report.evidence.witnesses[static_cast<std::size_t>(end.witness)];
    const Fraction own = abs(move_of(witness, cell));
    return own != 0 &&
           draft::widen_along(problem_, centered_, witness, reach / own, options_, moved_);
  }

  const Problem& problem_;
  const draft::OffCenterOptions& options_;
  const Draft& centered_;
  Draft& moved_;
};

bool all_lean(const AuditReport& report, double share) {
  const auto findings = report.of(Domain::kRational);
  return std::all_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return missing_lean(finding, share) == 0;
  });
}

// What can be inferred leans as well. The ends come from evidence in exact arithmetic; what cannot
// be mended, or not with the work that is left, is left to the report.
Status mend_inferred(const std::shared_ptr<const Problem>& problem,
                     const ProtectOptions& given,
                     const draft::OffCenterOptions& options,
                     const RunContext& run,
                     const MethodOutcome& found,
                     Draft& moved) {
  AuditOptions exact;
  exact.engine = given.engine;
  exact.hints = found.witnesses;
  const Auditor auditor(problem);
  LACUNA_TRY(AuditReport now, auditor.audit(moved, exact, base::share_of_work(run, kFirstShare)));
  if (all_lean(now, options.share) || run.should_stop())
    return ok_status();
  LACUNA_TRY(const AuditReport open,
             auditor.audit(opened(moved), exact, base::share_of_work(run, kFirstShare)));
  InferredEnds ends(*problem, options, found.draft, moved);
  for (int round = 1; ends.lean_more(now, open) && round < kRounds && !run.should_stop(); ++round) {
    LACUNA_TRY(now, auditor.audit(moved, exact, run));
  }
  return ok_status();
}

// Of the ends that the method of the run finds.
std::int32_t digits_of(const ProtectOptions& given) {
  return given.method == Method::kCombined ? given.combined.interval_digits
                                           : given.interval.interval_digits;
}

}  // namespace

Status move_intervals(const std::shared_ptr<const Problem>& problem,
                      const ProtectOptions& given,
                      const RunContext& run,
                      MethodOutcome& found) {
  draft::OffCenterOptions options{given.off_center, digits_of(given)};
  LACUNA_RETURN_IF_ERROR(options.validate());
  const std::int32_t intervals = found.draft.count(StatementKind::kInterval);
  if (options.share == 0 || !found.complete || intervals == 0)
    return ok_status();
  options.seed = secret_key(run.seed, problem->table());  // a digest of the whole table
  options.first_draw = problem->counts().has_value();
  Draft moved = draft::move_off_center(*problem, found.draft, found.witnesses, options);
  if (!options.first_draw && intervals <= kMostIntervals && !run.should_stop())
    LACUNA_RETURN_IF_ERROR(mend_inferred(problem, given, options, run, found, moved));
  found.reproducible = found.reproducible && !run.braked();
  const draft::AddedWidth added = draft::added_width(problem->table(), found.draft, moved);
  found.details.emplace_back("off_center_loss", added.loss());
  found.details.emplace_back("off_center_cost",
                             found.cost + added_cost(problem->table(), found, added));
  found.details.emplace_back("off_center_stuck", added.stuck);
  found.centered = std::move(found.draft);
  found.draft = std::move(moved);
  return ok_status();
}

}  // namespace lacuna::methods
