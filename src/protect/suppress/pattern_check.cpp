// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/pattern_check.h"

#include <map>

#include "core/base/check.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression {
namespace {

std::vector<std::int32_t> requirements_in(const suppression_model::SuppressModel& model,
                                          const Problem& problem) {
  std::vector<std::int32_t> indices;
  for (std::size_t r = 0; r < problem.requirements().size(); ++r) {
    if (model.local(problem.requirements()[r].cell) >= 0)
      indices.push_back(static_cast<std::int32_t>(r));
  }
  return indices;
}

}  // namespace

PatternCheck::PatternCheck(const suppression_model::SuppressModel& model,
                           const SuppressOptions& options)
    : model_(model), options_(options) {
  if (options.minimum_width > 0)
    return;
  auditor_ = std::make_unique<Auditor>(model.problem_ptr());
  requirements_ = requirements_in(model, model.problem());
}

std::vector<CellId> PatternCheck::cells(const std::vector<bool>& withheld) const {
  std::vector<CellId> cells;
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    const std::int32_t column = model_.column_of(i);
    if (column < 0 || withheld[static_cast<std::size_t>(column)])
      cells.push_back(model_.cell(i));
  }
  return cells;
}

PatternCheck::Outcome PatternCheck::check(const std::vector<bool>& withheld,
                                          const RunContext& run) const {
  const Draft draft = Draft::withholding(cells(withheld));
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options_.engine;
  verdicts.only = requirements_;
  std::unique_ptr<Auditor> own;
  if (!auditor_) {
    own = std::make_unique<Auditor>(std::make_shared<const Problem>(
        suppression_model::problem_of_pattern(model_.problem(), options_.minimum_width, draft)));
    verdicts.only = requirements_in(model_, own->problem());
  }
  Outcome outcome;
  if (verdicts.only.empty()) {
    outcome.verdict = Verdict::kUnasked;
    return outcome;
  }
  // Its searches run side by side, and each may do as much as all together.
  const RunContext part = base::share_of_work(run, kTuning.tree.check_share);
  const auto report = (auditor_ ? *auditor_ : *own).audit(draft, verdicts, part);
  LACUNA_CHECK(report.has_value());
  outcome.verdict = report->verdict;
  if (passes(outcome.verdict))
    outcome.witnesses = report->evidence.witnesses;
  for (const Finding& finding : report->of(Domain::kRational)) {
    if (run.should_stop())
      break;
    if (finding.verdict == Verdict::kExposed)
      add_cuts(finding, *report, outcome.cuts);
  }
  return outcome;
}

std::vector<suppression_model::CapacityBuilder::Entry> PatternCheck::dual_of(
    const Finding& finding, Direction direction, const AuditReport& report) const {
  const End& end = direction == Direction::kHigh ? finding.high : finding.low;
  const Multipliers& proof = report.evidence.proofs[static_cast<std::size_t>(end.proof)];
  std::map<std::int32_t, Fraction> exact;
  exact[model_.local(finding.question.cell)] = sign(direction);
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const Fraction value = base::make_fraction(proof.values[j], proof.denominator);
    for (const Term& term : model_.problem().table().equation(proof.equations[j])) {
      const std::int32_t i = model_.local(term.cell);
      if (i >= 0)
        exact[i] -= value * term.coefficient;
    }
  }
  std::vector<suppression_model::CapacityBuilder::Entry> d;
  for (const auto& [cell, value] : exact)
    d.emplace_back(cell, value.to_double());
  return d;
}

void PatternCheck::add_cuts(const Finding& finding,
                            const AuditReport& report,
                            std::vector<suppression_model::Cut>& cuts) const {
  const Question& levels = finding.question;
  suppression_model::Need need;
  need.cell = model_.local(levels.cell);
  need.attacker = levels.attacker;
  need.column = model_.column_of(need.cell);
  const auto short_of = [](const End& end, Units level) {
    return end.has_bound && end.bound < base::to_integer(level);
  };
  suppression_model::CapacityBuilder builder(model_, need);
  if (short_of(finding.high, levels.upper)) {
    builder.add(dual_of(finding, Direction::kHigh, report), 1, static_cast<double>(levels.upper));
  } else if (short_of(finding.low, levels.lower)) {
    builder.add(dual_of(finding, Direction::kLow, report), -1, static_cast<double>(levels.lower));
  } else if (finding.high.has_bound && finding.low.has_bound) {
    builder.add_end(dual_of(finding, Direction::kHigh, report), 1);
    builder.add_end(dual_of(finding, Direction::kLow, report), -1);
    builder.ask(static_cast<double>(levels.sliding));
  } else {
    return;
  }
  if (auto cut = builder.finish())
    cuts.push_back(*std::move(cut));
}

}  // namespace lacuna::suppression
