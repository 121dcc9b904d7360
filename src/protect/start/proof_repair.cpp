// SPDX-License-Identifier: Apache-2.0
#include "protect/start/proof_repair.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/rational.h"
#include "judge/attack/view.h"

namespace lacuna::start {
namespace {

double as_double(Units slack) {
  return static_cast<double>(slack);  // no limit is larger than every level
}

using Gains = std::map<CellId, double>;  // in an order that is the same on every machine

class Repair {
 public:
  Repair(const std::shared_ptr<const Problem>& problem,
         Draft start,
         const ProofRepairOptions& options,
         const RunContext& run)
      : problem_(problem),
        auditor_(problem),
        options_(options),
        run_(run),
        draft_(std::move(start)) {
    for (std::size_t i = 0; i < problem->requirements().size(); ++i)
      pending_.push_back(static_cast<std::int32_t>(i));
  }

  Result<RepairedDraft> run_all() {
    RepairedDraft result;
    while (!pending_.empty() && !run_.should_stop()) {
      ++result.rounds;
      LACUNA_TRY(const AuditReport report, look(pending_));
      LACUNA_RETURN_IF_ERROR(answer(report));
      // What is undecided may be settled once more cells are withheld around it; if it is all that
      // is left, nothing will change any more.
      if (!pending_.empty() && undecided_.size() == pending_.size())
        break;
      if (run_.on_progress) {
        const double done = 1 - static_cast<double>(pending_.size()) /
                                    static_cast<double>(problem_->requirements().size());
        run_.on_progress({"repair", done, 0, 0});
      }
    }
    result.complete = pending_.empty();
    result.undecided = undecided_;
    if (result.complete && options_.clean_up)
      LACUNA_RETURN_IF_ERROR(clean_up());
    result.draft = draft_;
    return result;
  }

 private:
  Result<AuditReport> look(const std::vector<std::int32_t>& which) const {
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = options_.engine;
    verdicts.only = which;
    verdicts.hints = options_.hints;
    return auditor_.audit(draft_, verdicts, run_);
  }

  Status answer(const AuditReport& report) {
    std::vector<std::int32_t> still;
    undecided_.clear();
    std::vector<CellId> chosen;
    std::vector<bool> in_round(static_cast<std::size_t>(problem_->table().num_cells()), false);
    const auto findings = report.of(Domain::kRational);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Finding& finding = findings[i];
      if (is_met(finding.verdict))
        continue;
      still.push_back(pending_[i]);
      if (finding.verdict == Verdict::kUndecided) {
        undecided_.push_back(pending_[i]);
        continue;
      }
      LACUNA_RETURN_IF_ERROR(refute(finding, report, in_round, chosen));
    }
    for (const CellId cell : chosen)
      draft_.withhold(cell);
    pending_ = std::move(still);
    return ok_status();
  }

  // The violated constraint behind the finding: slack that is there, slack that is wanted.
  Status refute(const Finding& finding,
                const AuditReport& report,
                std::vector<bool>& in_round,
                std::vector<CellId>& chosen) {
    const Question& goal = finding.question;
    if (draft_.state(goal.cell) == StatementKind::kExact) {
      choose(goal.cell, in_round, chosen);
      return ok_status();
    }
    const auto falls_short = [](const End& end, Units level) {
      return end.has_bound && end.bound < base::to_integer(level);
    };
    Gains gain;
    double missing = 0;
    if (falls_short(finding.high, goal.upper)) {
      missing = static_cast<double>(goal.upper) - value_of(finding.high.bound);
      add_gains(goal, Direction::kHigh, proof_of(report, finding.high), gain);
    } else if (falls_short(finding.low, goal.lower)) {
      missing = static_cast<double>(goal.lower) - value_of(finding.low.bound);
      add_gains(goal, Direction::kLow, proof_of(report, finding.low), gain);
    } else {
      missing = static_cast<double>(goal.sliding) - value_of(finding.high.bound) -
                value_of(finding.low.bound);
      add_gains(goal, Direction::kHigh, proof_of(report, finding.high), gain);
      add_gains(goal, Direction::kLow, proof_of(report, finding.low), gain);
    }
    return cover(goal, missing, gain, in_round, chosen);
  }

  static const Multipliers& proof_of(const AuditReport& report, const End& end) {
    return report.evidence.proofs[static_cast<std::size_t>(end.proof)];
  }

  static double value_of(const Fraction& f) { return f.to_double(); }

  // c_i of the published cells that may be withheld.
  void add_gains(const Question& goal,
                 Direction direction,
                 const Multipliers& proof,
                 Gains& gain) const {
    const Table& table = problem_->table();
    std::map<CellId, Integer> reduced;  // d, times the denominator; exact, so that zero is zero
    reduced[goal.cell] = sign(direction) * proof.denominator;
    for (std::size_t j = 0; j < proof.equations.size(); ++j) {
      for (const Term& term : table.equation(proof.equations[j]))
        reduced[term.cell] -= proof.values[j] * term.coefficient;
    }
    const Attacker& attacker = problem_->attackers()[static_cast<std::size_t>(goal.attacker)];
    for (const auto& [cell, d] : reduced) {
      if (d == 0 || draft_.state(cell) != StatementKind::kExact ||
          !may_be_withheld(table.cell(cell)))
        continue;
      const attack::Slack slack =
          attack::slack_within(table.value(cell), known_bounds(table, attacker, cell));
      const Units usable = d > 0 ? slack.up : slack.down;
      if (usable > 0)
        gain[cell] += value_of(base::make_fraction(abs(d), proof.denominator)) * as_double(usable);
    }
  }

  // Every gain is positive. The sums are only close, so they decide what is withheld first, but not
  // that nothing helps: that is so when there is no cell left to withhold.
  Status cover(const Question& goal,
               double missing,
               const Gains& gain,
               std::vector<bool>& in_round,
               std::vector<CellId>& chosen) {
    if (gain.empty())
      return hopeless(goal);
    missing = std::max(missing, std::numeric_limits<double>::min());  // exposed: some is missing
    std::vector<std::pair<double, CellId>> candidates;
    for (const auto& [cell, amount] : gain) {
      if (in_round[static_cast<std::size_t>(cell.value)])
        missing -= amount;
    }
    for (const auto& [cell, amount] : gain) {
      if (in_round[static_cast<std::size_t>(cell.value)])
        continue;
      const double useful = std::min(amount, std::max(missing, 1.0));
      candidates.emplace_back(problem_->table().cell(cell).weight / useful, cell);
    }
    std::sort(candidates.begin(), candidates.end());
    for (std::size_t next = 0; missing > 0 && next < candidates.size(); ++next) {
      const CellId cell = candidates[next].second;
      missing -= gain.at(cell);
      choose(cell, in_round, chosen);
    }
    return ok_status();
  }

  Error hopeless(const Question& goal) const {
    const Attacker& attacker = problem_->attackers()[static_cast<std::size_t>(goal.attacker)];
    return {ErrorCode::kCannotProtect,
            "no pattern of withheld cells can give the cell its protection level against '" +
                attacker.name +
                "': the cells that must be published and the known bounds leave too little room",
            problem_->table().label(goal.cell)};
  }

  static void choose(CellId cell, std::vector<bool>& in_round, std::vector<CellId>& chosen) {
    auto&& in = in_round[static_cast<std::size_t>(cell.value)];
    if (in)
      return;
    in = true;
    chosen.push_back(cell);
  }

  // Publishing a cell again can only hurt requirements whose evidence moved that cell, so only
  // these are looked at; their new evidence replaces the old.
  Status clean_up() {
    std::vector<std::int32_t> every(problem_->requirements().size());
    for (std::size_t i = 0; i < every.size(); ++i)
      every[i] = static_cast<std::int32_t>(i);
    LACUNA_TRY(const AuditReport report, look(every));
    if (!passes(report.verdict))
      return ok_status();
    std::vector<std::vector<CellId>> moved(every.size());
    for (std::size_t i = 0; i < every.size(); ++i)
      moved[i] = cells_moved(report, report.findings[i]);
    std::vector<bool> required(static_cast<std::size_t>(problem_->table().num_cells()), false);
    for (const Requirement& goal : problem_->requirements())
      required[static_cast<std::size_t>(goal.cell.value)] = true;
    std::vector<CellId> secondaries;
    for (const CellEntry& entry : draft_.each()) {
      const bool is_free = problem_->table().cell(entry.cell).status == CellStatus::kFree;
      if (is_free && !required[static_cast<std::size_t>(entry.cell.value)])
        secondaries.push_back(entry.cell);
    }
    std::stable_sort(secondaries.begin(), secondaries.end(), [&](CellId a, CellId b) {
      return problem_->table().cell(a).weight > problem_->table().cell(b).weight;
    });
    for (const CellId cell : secondaries) {
      if (run_.should_stop())
        break;
      std::vector<std::int32_t> affected;
      for (const std::int32_t i : every) {
        const auto& cells = moved[static_cast<std::size_t>(i)];
        if (std::find(cells.begin(), cells.end(), cell) != cells.end())
          affected.push_back(i);
      }
      draft_.publish_exact(cell);
      if (affected.empty())
        continue;
      LACUNA_TRY(const AuditReport after, look(affected));
      if (!passes(after.verdict)) {
        draft_.withhold(cell);
        continue;
      }
      for (std::size_t k = 0; k < affected.size(); ++k) {
        moved[static_cast<std::size_t>(affected[k])] = cells_moved(after, after.findings[k]);
      }
    }
    return ok_status();
  }

  static std::vector<CellId> cells_moved(const AuditReport& report, const Finding& finding) {
    std::vector<CellId> cells;
    for (const End* end : {&finding.low, &finding.high}) {
      if (end->witness < 0)
        continue;
      const auto& more = report.evidence.witnesses[static_cast<std::size_t>(end->witness)].cells;
      cells.insert(cells.end(), more.begin(), more.end());
    }
    return cells;
  }

  std::shared_ptr<const Problem> problem_;
  Auditor auditor_;
  const ProofRepairOptions& options_;
  const RunContext& run_;
  Draft draft_;
  std::vector<std::int32_t> pending_;
  std::vector<std::int32_t> undecided_;  // of the last round
};

}  // namespace

Result<RepairedDraft> repair_by_proofs(const std::shared_ptr<const Problem>& problem,
                                       const Draft& start,
                                       const ProofRepairOptions& options,
                                       const RunContext& run) {
  return Repair(problem, start, options, run).run_all();
}

Status complete_by_proofs(const std::shared_ptr<const Problem>& problem,
                          const std::string& engine,
                          Constructed& found,
                          const RunContext& run) {
  ProofRepairOptions repair;
  repair.engine = engine;
  repair.hints = found.witnesses;
  LACUNA_TRY(RepairedDraft repaired, repair_by_proofs(problem, found.draft, repair, run));
  found.complete = repaired.complete;
  found.draft = std::move(repaired.draft);
  return ok_status();
}

}  // namespace lacuna::start
