// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/compact_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/index.h"
#include "core/table/network.h"
#include "judge/attack/exposure.h"
#include "judge/attack/view.h"
#include "lacuna/lp.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression {
namespace {

constexpr std::int32_t kNoColumn = -1;

bool has_levels(const Requirement& levels) {
  return levels.upper > 0 || levels.lower > 0 || levels.sliding > 0;
}

// Everything that can be withheld is, whatever it costs.
Draft withholding_all(const Table& table) {
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (may_be_withheld(table.cell(CellId{c})))
      draft.withhold(CellId{c});
  }
  return draft;
}

class CompactModel {
 public:
  CompactModel(const Problem& problem,
               const SuppressOptions& options,
               const CompactOptions& compact)
      : problem_(problem), options_(options), always_(presolve::always_withheld(problem)) {
    const Table& table = problem.table();
    std::vector<bool> free(always_.size());
    for (std::int32_t c = 0; c < table.num_cells(); ++c)
      free[static_cast<std::size_t>(c)] = may_be_withheld(table.cell(CellId{c}));
    ratio_ = table::network_form(table, free) ? 1 : compact.largest_ratio;
    const Draft all = withholding_all(table);
    for (const Attacker& attacker : problem.attackers())
      slacks_.push_back(attack::attacker_slacks(table, all, attacker));
    add_patterns();
    for (const suppression_model::PatternRequirement& requirement :
         suppression_model::all_pattern_requirements(problem, options.minimum_width)) {
      if (!has_levels(requirement.levels) || (compact.only_exposed && !exposed(requirement)))
        continue;
      add_requirement(requirement);
      ++num_requirements_;
    }
  }

  const LpModel& model() const { return model_; }
  std::int64_t num_requirements() const { return num_requirements_; }

  Draft pattern(const std::vector<double>& primal) const {
    Draft draft;
    for (std::size_t c = 0; c < always_.size(); ++c) {
      const CellId cell{static_cast<std::int32_t>(c)};
      if (always_[c] || (x_[c] != kNoColumn && primal[static_cast<std::size_t>(x_[c])] > 0.5))
        draft.withhold(cell);
    }
    return draft;
  }

  // The requirement on `cell` fails under this pattern, hence under every pattern that withholds
  // less of the other cells: sum over published j of x_j >= x_cell.
  void forbid(const Draft& pattern, CellId cell) {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::size_t c = 0; c < x_.size(); ++c) {
      const CellId other{static_cast<std::int32_t>(c)};
      if (x_[c] == kNoColumn || other == cell || pattern.state(other) == StatementKind::kWithheld)
        continue;
      columns.push_back(x_[c]);
      values.push_back(1);
    }
    const bool fixed = always_[base::at(cell)];
    if (!fixed) {
      columns.push_back(x_[base::at(cell)]);
      values.push_back(-1);
    }
    model_.add_row(fixed ? 1 : 0, kLpInfinity, columns, values);
  }

 private:
  void add_patterns() {
    const Table& table = problem_.table();
    x_.assign(always_.size(), kNoColumn);
    std::vector<std::int32_t> columns;
    std::int64_t always = 0;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const Cell& cell = table.cell(CellId{c});
      if (always_[static_cast<std::size_t>(c)]) {
        ++always;
      } else if (may_be_withheld(cell)) {
        x_[static_cast<std::size_t>(c)] = model_.add_column(0, 1, cell.weight, true);
        columns.push_back(x_[static_cast<std::size_t>(c)]);
      }
    }
    if (options_.max_withheld < 0)
      return;
    const auto left = static_cast<double>(options_.max_withheld - always);
    const std::vector<double> ones(columns.size(), 1);
    model_.add_row(-kLpInfinity, left, columns, ones);
  }

  bool exposed(const suppression_model::PatternRequirement& requirement) const {
    if (requirement.conditional)
      return true;
    const Draft primaries = Draft::withholding_primaries(problem_.table());
    const Attacker& attacker =
        problem_.attackers()[static_cast<std::size_t>(requirement.levels.attacker)];
    const std::vector<attack::Slack> slacks =
        attack::attacker_slacks(problem_.table(), primaries, attacker);
    return attack::initially_exposed(problem_.table(), slacks, question_of(requirement.levels));
  }

  void add_requirement(const suppression_model::PatternRequirement& requirement) {
    const Requirement& levels = requirement.levels;
    const Units largest = std::max({levels.upper, levels.lower, levels.sliding});
    const auto relative = [&](Units level) {
      return static_cast<double>(level) / static_cast<double>(largest);
    };
    std::vector<std::int32_t> moves;
    std::vector<double> signs;
    if (levels.upper > 0 || levels.sliding > 0) {
      moves.push_back(add_table(levels, largest, 1, relative(levels.upper)));
      signs.push_back(1);
    }
    if (levels.lower > 0 || levels.sliding > 0) {
      moves.push_back(add_table(levels, largest, -1, relative(levels.lower)));
      signs.push_back(-1);
    }
    if (levels.sliding == 0)
      return;
    if (requirement.conditional) {
      moves.push_back(x_[base::at(levels.cell)]);
      signs.push_back(-relative(levels.sliding));
    }
    model_.add_row(
        requirement.conditional ? 0 : relative(levels.sliding), kLpInfinity, moves, signs);
  }

  // One displacement, in units of `largest`; returns the column of the cell of the requirement,
  // which moves at least by `level` in the direction of the sign.
  std::int32_t add_table(const Requirement& levels, Units largest, int sign, double level) {
    const Table& table = problem_.table();
    const std::vector<attack::Slack>& slacks = slacks_[static_cast<std::size_t>(levels.attacker)];
    std::vector<std::int32_t> z(x_.size(), kNoColumn);
    for (std::size_t c = 0; c < z.size(); ++c) {
      if (always_[c] || x_[c] != kNoColumn)
        z[c] = add_move(c, slacks[c], largest, c == base::at(levels.cell) ? sign : 0, level);
    }
    for (std::int32_t e = 0; e < table.num_equations(); ++e)
      add_equation(EquationId{e}, z);
    return z[base::at(levels.cell)];
  }

  std::int32_t add_move(
      std::size_t c, const attack::Slack& slack, Units largest, int sign, double level) {
    const auto limit = [&](Units units, double ratio) {
      return std::min(static_cast<double>(units) / static_cast<double>(largest), ratio);
    };
    const bool target = sign != 0;
    const double up = limit(slack.up, target ? 1 : ratio_);
    const double down = limit(slack.down, target ? 1 : ratio_);
    if (target) {
      const std::int32_t column =
          sign > 0 ? model_.add_column(level, up) : model_.add_column(-down, -level);
      if (!always_[c])
        bind(column, x_[c], down, up);
      return column;
    }
    const std::int32_t column = model_.add_column(-down, up);
    if (!always_[c])
      bind(column, x_[c], down, up);
    return column;
  }

  // -down x <= z <= up x.
  void bind(std::int32_t z, std::int32_t x, double down, double up) {
    const std::vector<std::int32_t> columns{z, x};
    const std::vector<double> above{1, -up};
    const std::vector<double> below{1, down};
    model_.add_row(-kLpInfinity, 0, columns, above);
    model_.add_row(0, kLpInfinity, columns, below);
  }

  void add_equation(EquationId equation, const std::vector<std::int32_t>& z) {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (const Term& term : problem_.table().equation(equation)) {
      if (z[base::at(term.cell)] == kNoColumn || term.coefficient == 0)
        continue;
      columns.push_back(z[base::at(term.cell)]);
      values.push_back(term.coefficient);
    }
    if (!columns.empty())
      model_.add_row(0, 0, columns, values);
  }

  const Problem& problem_;
  const SuppressOptions& options_;
  std::vector<bool> always_;
  std::vector<std::int32_t> x_;  // column by cell; none if always or never withheld
  std::vector<std::vector<attack::Slack>> slacks_;  // by attacker, if everything is withheld
  double ratio_ = 1;
  LpModel model_;
  std::int64_t num_requirements_ = 0;
};

class CompactSearch {
 public:
  CompactSearch(const std::shared_ptr<const Problem>& problem,
                const SuppressOptions& options,
                const CompactOptions& compact,
                const RunContext& run)
      : problem_(problem),
        options_(options),
        only_exposed_(compact.only_exposed),
        run_(run),
        model_(*problem, options, compact) {}

  Result<CompactResult> search() {
    const auto start = std::chrono::steady_clock::now();
    result_.requirements = model_.num_requirements();
    result_.variables = model_.model().num_columns();
    result_.constraints = model_.model().num_rows();
    result_.found.bound = fixed_weight();
    bool again = true;
    while (again) {
      LACUNA_TRY(const bool more, solve_once());
      again = more;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    result_.seconds = spent.count();
    return result_;
  }

 private:
  double fixed_weight() const {
    const std::vector<bool> always = presolve::always_withheld(*problem_);
    double total = 0;
    for (std::size_t c = 0; c < always.size(); ++c) {
      if (always[c])
        total += problem_->table().cell(CellId{static_cast<std::int32_t>(c)}).weight;
    }
    return total;
  }

  // True if the pattern found has been cut off and the model is to be solved again.
  Result<bool> solve_once() {
    LpOptions lp;
    lp.mip_gap = options_.gap;
    LACUNA_TRY(const std::unique_ptr<LpSolver> solver, make_lp_solver(options_.engine, lp));
    LACUNA_RETURN_IF_ERROR(solver->load(model_.model()));
    const LpSolution solution = solver->minimize(run_);
    SuppressResult& found = result_.found;
    if (std::isfinite(solution.bound))
      found.bound = std::max(found.bound, fixed_weight() + solution.bound);
    if (solution.status == LpStatus::kInfeasible) {
      found.why = StopReason::kInfeasible;
      return false;
    }
    found.why = ended_by(run_);
    if (solution.status != LpStatus::kOptimal && solution.primal.empty())
      return false;
    return take(solution);
  }

  Result<bool> take(const LpSolution& solution) {
    SuppressResult& found = result_.found;
    found.draft = model_.pattern(solution.primal);
    found.cost = suppression_model::withheld_weight(problem_->table(), found.draft);
    found.bound = std::min(found.bound, found.cost);
    result_.has_pattern = true;
    LACUNA_TRY(const std::optional<CellId> failing, judge());
    const bool optimal = solution.status == LpStatus::kOptimal;
    if (result_.verdict == Verdict::kExposed && !only_exposed_ && optimal) {
      if (++result_.repairs > kTuning.explain.most_repairs)
        return false;
      model_.forbid(found.draft, *failing);
      return true;
    }
    found.complete = passes(result_.verdict);
    if (optimal)
      found.why = options_.gap > 0 ? StopReason::kGapReached : StopReason::kOptimal;
    return false;
  }

  // The audit of the pattern, and the first cell that fails it.
  Result<std::optional<CellId>> judge() {
    const auto asked = std::make_shared<const Problem>(suppression_model::problem_of_pattern(
        *problem_, options_.minimum_width, result_.found.draft));
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = options_.engine;
    LACUNA_TRY(const AuditReport report,
               Auditor(asked).audit(result_.found.draft, verdicts, RunContext{}));
    result_.verdict = report.verdict;
    for (const Finding& finding : report.of(Domain::kRational)) {
      if (finding.verdict == Verdict::kExposed)
        return std::optional<CellId>(finding.question.cell);
    }
    return std::optional<CellId>();
  }

  std::shared_ptr<const Problem> problem_;
  const SuppressOptions& options_;
  bool only_exposed_;
  const RunContext& run_;
  CompactModel model_;
  CompactResult result_;
};

}  // namespace

Result<CompactResult> suppress_by_compact_model(const std::shared_ptr<const Problem>& problem,
                                                const SuppressOptions& options,
                                                const CompactOptions& compact,
                                                const RunContext& run) {
  if (!(compact.largest_ratio >= 1))
    return Error{ErrorCode::kOptionValue, "the largest ratio must be at least 1", "largest-ratio"};
  return CompactSearch(problem, options, compact, run).search();
}

}  // namespace lacuna::suppression
