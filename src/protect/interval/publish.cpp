// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/publish.h"

#include <algorithm>
#include <cmath>

#include "core/base/rational.h"
#include "core/base/work.h"
#include "core/draft/significant_digits.h"
#include "judge/attack/view.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {

Units prior_slack(const Model& model, std::size_t end) {
  const Cell& cell = model.problem->table().cells()[end / 2];
  return attack::slack_within(cell.value, cell.prior).toward(end % 2 == 0 ? 1 : -1);
}

namespace {

Units units_of(double slack, double scale) {
  const double units = slack * scale;
  const double nearest = std::round(units);
  const double band = tol::kDecision * std::max(1.0, std::abs(units));
  const double up = std::abs(units - nearest) <= band ? nearest : std::ceil(units);
  return up >= static_cast<double>(kMaxUnits) ? kUnboundedAbove : static_cast<Units>(up);
}

Bounds bounds_of(const Model& model, const Ends& ends, std::size_t c, std::int32_t digits) {
  const Cell& cell = model.problem->table().cells()[c];
  Bounds bounds;
  const Units down = ends.slack[2 * c + 1];
  const Units up = ends.slack[2 * c];
  if (down == 0 && up == 0 && cell.status != CellStatus::kPrimary)
    return {cell.value, cell.value};  // published as it is, with all its digits
  if (down != kUnboundedAbove) {
    bounds.lower = cell.value - down;
    if (digits > 0)
      bounds.lower = std::max(cell.prior.lower, draft::round_outward(bounds.lower, -1, digits));
  }
  if (up != kUnboundedAbove) {
    bounds.upper = cell.value + up;
    if (digits > 0)
      bounds.upper = std::min(cell.prior.upper, draft::round_outward(bounds.upper, 1, digits));
  }
  return bounds;
}

double width_cost(const Model& model, std::size_t end, Units slack) {
  if (model.weight[end] == 0)
    return 0;
  const double units = slack == kUnboundedAbove ? kLpInfinity : static_cast<double>(slack);
  return model.weight[end] * units / model.scale * model.price_unit;
}

void widen(const Model& model, std::size_t end, Units by, Ends& ends) {
  Units& slack = ends.slack[end];
  const Units most = prior_slack(model, end);
  if (slack >= most)
    return;
  slack = most == kUnboundedAbove || most - slack > by ? slack + by : most;
}

class Confirmation {
 public:
  Confirmation(const Model& model,
               const std::vector<std::span<const std::size_t>>& support,
               std::int32_t digits,
               Ends& ends)
      : model_(model), support_(support), digits_(digits), ends_(ends) {}
  Result<bool> run(const std::shared_ptr<const Problem>& problem,
                   const std::string& engine,
                   const RunContext& run,
                   std::vector<Displacement>& witnesses);

 private:
  void widen_short(const AuditReport& report);

  const Model& model_;
  const std::vector<std::span<const std::size_t>>& support_;
  std::int32_t digits_;
  Ends& ends_;
  std::vector<std::int32_t> short_;  // requirements that are asked again; empty: all
  std::int32_t attempts_ = 0;
  Units step_ = 1;
};

}  // namespace

RunContext brief_run(const RunContext& run, std::int64_t work_before) {
  if (!run.braked())
    return run;
  RunContext brief = run;
  brief.stop = {};
  brief.deadline = std::chrono::steady_clock::time_point::max();
  const auto taken = static_cast<double>(work_done() - work_before);
  const auto share = static_cast<std::int64_t>(taken * kTuning.publish.late_share);
  brief.work_end = work_done() + std::max(share, kTuning.publish.late_least);
  return brief;
}

Ends round_up(const Model& model, std::span<const double> z) {
  Ends ends;
  ends.slack.assign(z.size(), 0);
  for (std::size_t e = 0; e < z.size(); ++e) {
    if (z[e] > 0 && model.role[e] != EndRole::kClosed)
      ends.slack[e] = std::min(units_of(z[e], model.scale), prior_slack(model, e));
  }
  return ends;
}

Ends holding(std::span<const Displacement> displacements, const Model& model, Ends ends) {
  std::size_t cells = 0;
  for (const Displacement& each : displacements) {
    cells += each.cells.size();
    for (std::size_t i = 0; i < each.cells.size(); ++i) {
      const std::size_t end = attacker::end_of(each.cells[i].value, each.moves[i] > 0 ? 1 : -1);
      const Integer size = abs(each.moves[i]) + each.denominator - 1;
      const Integer slack = size / each.denominator;
      if (model.role[end] != EndRole::kClosed && base::fits_units(slack))
        ends.slack[end] =
            std::max(ends.slack[end], std::min(base::to_units(slack), prior_slack(model, end)));
    }
  }
  base::count_work(kTuning.work.cut_cell * cells);
  return ends;
}

Draft draft_of(const Model& model, const Ends& ends, std::int32_t digits) {
  const Table& table = model.problem->table();
  Draft draft;
  base::count_work(kTuning.work.rise * table.cells().size());
  for (std::size_t c = 0; c < table.cells().size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    if (table.cell(cell).status == CellStatus::kSecondary) {
      draft.withhold(cell);
      continue;
    }
    Bounds bounds = bounds_of(model, ends, c, digits);
    if (!bounds.has_lower() || !bounds.has_upper()) {  // no end to publish: say nothing at all
      draft.withhold(cell);
      continue;
    }
    if (bounds.is_point() && table.cell(cell).status == CellStatus::kPrimary) {
      const Bounds prior = table.cell(cell).prior;
      if (bounds.upper < prior.upper) {
        ++bounds.upper;
      } else if (bounds.lower > prior.lower) {
        --bounds.lower;
      } else {
        draft.withhold(cell);
        continue;
      }
    }
    if (!bounds.is_point())
      draft.publish_interval(cell, bounds);
  }
  return draft;
}

double cost_of(const Model& model, const Draft& draft) {
  double total = 0;
  for (const CellEntry& entry : draft.each()) {
    const Cell& cell = model.problem->table().cell(entry.cell);
    const attack::Slack slack =
        attack::slack_within(cell.value, intersect(entry.bounds(), cell.prior));
    total += width_cost(model, attacker::end_of(entry.cell.value, 1), slack.up);
    total += width_cost(model, attacker::end_of(entry.cell.value, -1), slack.down);
  }
  return total;
}

double rounding_cost(const Model& model, const Ends& ends) {
  double cost = 0;
  for (std::size_t e = 0; e < ends.slack.size(); ++e) {
    if (ends.slack[e] > 0 && model.role[e] == EndRole::kPriced)
      cost += width_cost(model, e, 1);
  }
  return cost;
}

// First the cells that the witness moves; if that does not do, all cells that are intervals.
void Confirmation::widen_short(const AuditReport& report) {
  std::vector<std::int32_t> still;
  const auto findings = report.of(Domain::kRational);
  for (std::size_t f = 0; f < findings.size(); ++f) {
    if (is_met(findings[f].verdict))
      continue;
    const std::int32_t r = short_.empty() ? static_cast<std::int32_t>(f) : short_[f];
    still.push_back(r);
    for (const std::size_t e : support_[static_cast<std::size_t>(r)])
      widen(model_, e, step_, ends_);
  }
  short_ = std::move(still);
  if (++attempts_ <= 2)
    return;
  step_ *= 2;
  for (std::size_t e = 0; e < ends_.slack.size(); ++e) {
    if (ends_.slack[e] > 0)
      widen(model_, e, step_, ends_);
  }
}

// Ends only widen, so what is shown once stays shown, and only the others are asked again.
Result<bool> Confirmation::run(const std::shared_ptr<const Problem>& problem,
                               const std::string& engine,
                               const RunContext& run,
                               std::vector<Displacement>& witnesses) {
  const Auditor auditor(problem);
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = engine;
  verdicts.hints = std::move(witnesses);
  witnesses.clear();
  while (attempts_ < kTuning.publish.attempts) {
    verdicts.only = short_;
    LACUNA_TRY(AuditReport report, auditor.audit(draft_of(model_, ends_, digits_), verdicts, run));
    const auto& more = report.evidence.witnesses;
    witnesses.insert(witnesses.end(), more.begin(), more.end());
    if (passes(report.verdict))
      return true;
    if (run.should_stop())
      return false;
    verdicts.hints.insert(verdicts.hints.end(), more.begin(), more.end());
    widen_short(report);
  }
  return false;
}

Result<bool> confirm_exactly(const std::shared_ptr<const Problem>& problem,
                             const Model& model,
                             const std::vector<std::span<const std::size_t>>& support,
                             std::int32_t digits,
                             const std::string& engine,
                             const RunContext& run,
                             Ends& ends,
                             std::vector<Displacement>& witnesses) {
  return Confirmation(model, support, digits, ends).run(problem, engine, run, witnesses);
}

}  // namespace lacuna::interval
