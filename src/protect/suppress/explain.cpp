// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/explain.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/view.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/compact_model.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression {
namespace {

using Indices = std::vector<std::int32_t>;

// The table with nothing that must be published, so that drafts which withhold such cells can be
// audited. Cells known in advance stay so: withholding them would hide nothing.
Result<Table> without_published(const Table& table) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (cell.status == CellStatus::kMustPublish)
      cell.status = CellStatus::kFree;
    LACUNA_TRY([[maybe_unused]] const CellId same, builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    LACUNA_TRY([[maybe_unused]] const EquationId same,
               builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  }
  return std::move(builder).build();
}

Units whole_units(const Fraction& amount) {  // of a bound that is below a level, hence in range
  return base::to_units(amount.numerator() / amount.denominator());
}

class Explainer {
 public:
  static Result<Explainer> make(const std::shared_ptr<const Problem>& problem,
                                const SuppressOptions& options,
                                const RunContext& run) {
    LACUNA_TRY(Table table, without_published(problem->table()));
    ProblemParts parts{std::move(table), problem->attackers(), {}};
    const std::vector<suppression_model::PatternRequirement> requirements =
        suppression_model::all_pattern_requirements(*problem, options.minimum_width);
    for (const suppression_model::PatternRequirement& requirement : requirements)
      parts.requirements.push_back(requirement.levels);
    LACUNA_TRY(Problem open, assemble_problem(std::move(parts)));
    return Explainer(
        problem, options, run, std::make_shared<const Problem>(std::move(open)), requirements);
  }

  // Everything that may be withheld, less what cannot reach the minimum width.
  Status find_largest() {
    const Table& table = problem_->table();
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (may_be_withheld(table.cell(CellId{c})))
        largest_.withhold(CellId{c});
    }
    for (bool changed = true; changed && !run_.should_stop();) {
      changed = false;
      Indices which;
      for (std::size_t i = 0; i < requirements_.size(); ++i) {
        const CellId cell = requirements_[i].levels.cell;
        if (requirements_[i].conditional && largest_.state(cell) == StatementKind::kWithheld)
          which.push_back(static_cast<std::int32_t>(i));
      }
      if (which.empty())
        break;
      LACUNA_TRY(const AuditReport report, look(largest_, which, false));
      for (const Finding& finding : report.of(Domain::kRational)) {
        if (finding.verdict != Verdict::kExposed)
          continue;
        largest_.publish_exact(finding.question.cell);
        narrow_[base::at(finding.question.cell)] = true;
        changed = true;
      }
    }
    return ok_status();
  }
  const Draft& largest() const { return largest_; }

  Result<std::vector<UnmetLevel>> unmet(const Indices& only) {
    Indices which = unconditional(only);
    std::vector<UnmetLevel> found;
    if (which.empty())
      return found;
    LACUNA_TRY(const AuditReport verdicts, look(largest_, which, false));
    Indices exposed;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (verdicts.of(Domain::kRational)[i].verdict == Verdict::kExposed)
        exposed.push_back(which[i]);
    }
    if (exposed.empty())
      return found;
    LACUNA_TRY(const AuditReport exact, look(largest_, exposed, true));
    for (std::size_t i = 0; i < exposed.size(); ++i) {
      if (exact.of(Domain::kRational)[i].verdict != Verdict::kExposed)
        continue;
      LACUNA_TRY(UnmetLevel level, describe(exposed[i], exact.of(Domain::kRational)[i], exact));
      found.push_back(std::move(level));
    }
    return found;
  }

 private:
  Explainer(std::shared_ptr<const Problem> problem,
            const SuppressOptions& options,
            const RunContext& run,
            std::shared_ptr<const Problem> open,
            std::vector<suppression_model::PatternRequirement> requirements)
      : problem_(std::move(problem)),
        options_(options),
        run_(run),
        open_(std::move(open)),
        requirements_(std::move(requirements)),
        auditor_(open_),
        narrow_(static_cast<std::size_t>(problem_->table().num_cells()), false) {}

  Result<AuditReport> look(const Draft& draft, const Indices& which, bool intervals) const {
    AuditOptions audit;
    audit.intervals = intervals;
    audit.engine = options_.engine;
    audit.only = which;
    return auditor_.audit(draft, audit, run_);
  }

  // Demands that hold whatever is withheld; `only` are requirements of the problem.
  Indices unconditional(const Indices& only) const {
    Indices which;
    for (std::size_t i = 0; i < requirements_.size(); ++i) {
      if (requirements_[i].conditional)
        continue;
      const Requirement& levels = requirements_[i].levels;
      const bool wanted =
          only.empty() || std::any_of(only.begin(), only.end(), [&](std::int32_t index) {
            const Requirement& need = problem_->requirements()[static_cast<std::size_t>(index)];
            return need.cell == levels.cell && need.attacker == levels.attacker;
          });
      if (wanted)
        which.push_back(static_cast<std::int32_t>(i));
    }
    return which;
  }

  Result<UnmetLevel> describe(std::int32_t index,
                              const Finding& finding,
                              const AuditReport& report) {
    UnmetLevel unmet;
    unmet.requirement = open_->requirements()[base::at(index)];
    const std::vector<Direction> ends = failing_ends(finding, unmet);
    std::map<CellId, int> in_the_way;
    for (const Direction direction : ends)
      add_cells(finding, direction, report, in_the_way);
    for (const auto& [cell, sides] : in_the_way)
      sort_out(cell, sides, finding.question.attacker, unmet);
    std::stable_sort(unmet.published.begin(), unmet.published.end(), [&](CellId a, CellId b) {
      return problem_->table().cell(a).weight < problem_->table().cell(b).weight;
    });
    LACUNA_TRY(unmet.would_help, find_release(index, unmet.published));
    return unmet;
  }

  // Which level fails and by how much; the ends whose proofs say so.
  std::vector<Direction> failing_ends(const Finding& finding, UnmetLevel& unmet) const {
    const Question& need = finding.question;
    const auto short_of = [](const End& end, Units level) {
      return end.has_bound && end.bound < base::to_integer(level);
    };
    if (short_of(finding.high, need.upper)) {
      unmet.kind = LevelKind::kUpper;
      unmet.level = need.upper;
      unmet.possible = whole_units(finding.high.bound);
      return {Direction::kHigh};
    }
    if (short_of(finding.low, need.lower)) {
      unmet.kind = LevelKind::kLower;
      unmet.level = need.lower;
      unmet.possible = whole_units(finding.low.bound);
      return {Direction::kLow};
    }
    unmet.kind = LevelKind::kSliding;
    unmet.level = need.sliding;
    unmet.possible = whole_units(finding.low.bound + finding.high.bound);
    const Cell& cell = problem_->table().cell(need.cell);
    unmet.is_width = need.attacker == 0 && options_.minimum_width > 0 &&
                     need.sliding == suppression_model::least_width(cell, options_.minimum_width);
    return {Direction::kHigh, Direction::kLow};
  }

  // Bit 0: the proof uses the cell's slack above its value; bit 1: the slack below.
  void add_cells(const Finding& finding,
                 Direction direction,
                 const AuditReport& report,
                 std::map<CellId, int>& sides) const {
    const End& end = direction == Direction::kHigh ? finding.high : finding.low;
    std::map<CellId, Integer> d;
    if (end.proof < 0) {  // its own bounds are all it takes
      sides[finding.question.cell] |= direction == Direction::kHigh ? 1 : 2;
      return;
    }
    const Multipliers& proof = report.evidence.proofs[static_cast<std::size_t>(end.proof)];
    d[finding.question.cell] = sign(direction) * proof.denominator;
    for (std::size_t j = 0; j < proof.equations.size(); ++j) {
      for (const Term& term : open_->table().equation(proof.equations[j]))
        d[term.cell] -= proof.values[j] * term.coefficient;
    }
    for (const auto& [cell, value] : d) {
      if (value != 0)
        sides[cell] |= value > 0 ? 1 : 2;
    }
  }

  void sort_out(CellId cell, int sides, std::int32_t attacker, UnmetLevel& unmet) const {
    const Draft alone = Draft::withholding(std::vector<CellId>{cell});
    const auto slacks = attack::attacker_slacks(
        open_->table(), alone, problem_->attackers()[static_cast<std::size_t>(attacker)]);
    const attack::Slack& slack = slacks[base::at(cell)];
    const bool helps = ((sides & 1) != 0 && slack.up > 0) || ((sides & 2) != 0 && slack.down > 0);
    if (largest_.state(cell) == StatementKind::kWithheld)
      unmet.bounded.push_back(cell);
    else if (!helps)
      unmet.known.push_back(cell);
    else if (narrow_[base::at(cell)])
      unmet.narrow.push_back(cell);
    else
      unmet.published.push_back(cell);
  }

  // One published cell that is enough, else a set none of which can be spared; nothing if even all
  // of them are not enough.
  Result<std::vector<CellId>> find_release(std::int32_t index,
                                           const std::vector<CellId>& published) const {
    std::vector<CellId> release;
    for (std::size_t i = 0; i < std::min(published.size(), kTuning.explain.most_singles); ++i) {
      LACUNA_TRY(const bool enough, is_met(index, {published[i]}));
      if (enough)
        return std::vector<CellId>{published[i]};
    }
    for (std::int32_t c = 0; c < problem_->table().num_cells(); ++c) {
      if (problem_->table().cell(CellId{c}).status == CellStatus::kMustPublish)
        release.push_back(CellId{c});
    }
    LACUNA_TRY(const bool enough, is_met(index, release));
    if (!enough)
      return std::vector<CellId>{};
    return without_spare(index, release);
  }

  // Halves, quarters, ... of the set are left out as long as the rest is enough, most expensive
  // first.
  Result<std::vector<CellId>> without_spare(std::int32_t index, std::vector<CellId> cells) const {
    std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
      return problem_->table().cell(a).weight > problem_->table().cell(b).weight;
    });
    for (std::size_t step = std::max<std::size_t>(1, cells.size() / 2);; step = (step + 1) / 2) {
      for (std::size_t first = 0; first < cells.size() && !run_.should_stop();) {
        std::vector<CellId> fewer = cells;
        const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(first);
        const std::size_t count = std::min(step, cells.size() - first);
        fewer.erase(from, from + static_cast<std::ptrdiff_t>(count));
        LACUNA_TRY(const bool enough, is_met(index, fewer));
        if (enough)
          cells = std::move(fewer);
        else
          first += count;
      }
      if (step == 1)
        break;
    }
    std::sort(cells.begin(), cells.end());
    return cells;
  }

  Result<bool> is_met(std::int32_t index, const std::vector<CellId>& also) const {
    Draft draft = largest_;
    for (const CellId cell : also)
      draft.withhold(cell);
    LACUNA_TRY(const AuditReport report, look(draft, {index}, false));
    return passes(report.verdict);
  }

  std::shared_ptr<const Problem> problem_;
  SuppressOptions options_;
  RunContext run_;
  std::shared_ptr<const Problem>
      open_;  // nothing must be published; all requirements as requirements
  std::vector<suppression_model::PatternRequirement> requirements_;
  Auditor auditor_;
  Draft largest_;
  std::vector<bool> narrow_;  // by cell: cannot reach the minimum width
};

Result<std::optional<TooFewCells>> explain_limit(const std::shared_ptr<const Problem>& problem,
                                                 const SuppressOptions& options,
                                                 const RunContext& run) {
  if (options.max_withheld < 0)
    return std::optional<TooFewCells>();
  const std::vector<bool> always = presolve::always_withheld(*problem);
  TooFewCells few;
  few.limit = options.max_withheld;
  few.always = std::count(always.begin(), always.end(), true);
  few.least = few.always;
  const auto requirements = static_cast<std::int64_t>(
      suppression_model::all_pattern_requirements(*problem, options.minimum_width).size());
  const std::int64_t cells = problem->table().num_cells();
  if (cells * (1 + 2 * requirements) <= kTuning.explain.most_compact_variables) {
    const std::vector<double> ones(static_cast<std::size_t>(cells), 1);
    const auto counted = std::make_shared<Problem>(*problem);
    counted->drop_counts();
    counted->set_weights(ones);
    SuppressOptions any = options;
    any.max_withheld = -1;
    any.gap = 0;
    LACUNA_TRY(const CompactResult solved, suppress_by_compact_model(counted, any, {}, run));
    const double bound = solved.found.bound - tol::kObjective * std::max(1.0, solved.found.bound);
    few.least = std::max(few.least, static_cast<std::int64_t>(std::ceil(bound)));
    few.exact = solved.found.complete && solved.found.why == StopReason::kOptimal;
  }
  if (few.least <= few.limit)
    return std::optional<TooFewCells>();
  return std::optional<TooFewCells>(few);
}

}  // namespace

Result<Draft> largest_pattern(const std::shared_ptr<const Problem>& problem,
                              const SuppressOptions& options,
                              const RunContext& run) {
  LACUNA_TRY(Explainer explainer, Explainer::make(problem, options, run));
  LACUNA_RETURN_IF_ERROR(explainer.find_largest());
  return explainer.largest();
}

Result<std::optional<Explanation>> explain_infeasibility(
    const std::shared_ptr<const Problem>& problem,
    const SuppressOptions& options,
    const RunContext& run,
    const std::vector<std::int32_t>& only) {
  LACUNA_TRY(Explainer explainer, Explainer::make(problem, options, run));
  LACUNA_RETURN_IF_ERROR(explainer.find_largest());
  Explanation explanation;
  LACUNA_TRY(explanation.unmet, explainer.unmet(only));
  if (explanation.unmet.empty() && only.empty() && !run.should_stop()) {
    LACUNA_TRY(explanation.too_few, explain_limit(problem, options, run));
  }
  if (explanation.unmet.empty() && !explanation.too_few)
    return std::optional<Explanation>();
  return std::optional<Explanation>(std::move(explanation));
}

}  // namespace lacuna::suppression
