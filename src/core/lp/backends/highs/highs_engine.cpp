// SPDX-License-Identifier: Apache-2.0
// HiGHS behind LpEngine, through its C++ class (HiGHS 1.15). Duals have the sign of lacuna/lp.h.
//
// Threads: HiGHS keeps one task scheduler per calling thread and refuses to run if its size is not
// the `threads` option. LPs ask for one thread, MIPs for LpOptions::threads; the scheduler of the
// calling thread is renewed when the two meet. Two threads that own a solver each do not share it.
//
// Rays: dual simplex leaves Farkas multipliers, primal simplex a direction. Where a claim comes
// without (presolve, or the other algorithm), the model is solved again, without costs for the
// multipliers and as a relaxation for the direction.
#ifdef LACUNA_HAVE_HIGHS

#include "core/lp/backends/highs/highs_engine.h"

#include <Highs.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/base/check.h"
#include "core/lp/answer_check.h"
#include "lacuna/tolerance.h"

namespace lacuna::lp {
namespace {

// kUnknown is "solved, but not to the tolerances asked for": the checker decides.
LpStatus claimed_status(HighsModelStatus status) {
  switch (status) {
    case HighsModelStatus::kOptimal:
    case HighsModelStatus::kUnknown:
      return LpStatus::kOptimal;
    case HighsModelStatus::kInfeasible:
      return LpStatus::kInfeasible;
    case HighsModelStatus::kUnbounded:
    case HighsModelStatus::kUnboundedOrInfeasible:
      return LpStatus::kUnbounded;
    case HighsModelStatus::kObjectiveBound:
    case HighsModelStatus::kObjectiveTarget:
    case HighsModelStatus::kTimeLimit:
    case HighsModelStatus::kIterationLimit:
    case HighsModelStatus::kSolutionLimit:
    case HighsModelStatus::kInterrupt:
    case HighsModelStatus::kMemoryLimit:
    case HighsModelStatus::kHighsInterrupt:
      return LpStatus::kLimit;
    case HighsModelStatus::kNotset:
    case HighsModelStatus::kLoadError:
    case HighsModelStatus::kModelError:
    case HighsModelStatus::kPresolveError:
    case HighsModelStatus::kSolveError:
    case HighsModelStatus::kPostsolveError:
    case HighsModelStatus::kModelEmpty:
      return LpStatus::kNumericalTrouble;
  }
  return LpStatus::kNumericalTrouble;
}

BasisStatus from_highs(HighsBasisStatus status) {
  switch (status) {
    case HighsBasisStatus::kBasic:
      return BasisStatus::kBasic;
    case HighsBasisStatus::kUpper:
      return BasisStatus::kAtUpper;
    case HighsBasisStatus::kZero:
      return BasisStatus::kFreeAtZero;
    case HighsBasisStatus::kLower:
    case HighsBasisStatus::kNonbasic:
      return BasisStatus::kAtLower;
  }
  return BasisStatus::kAtLower;
}

HighsBasisStatus to_highs(BasisStatus status) {
  switch (status) {
    case BasisStatus::kBasic:
      return HighsBasisStatus::kBasic;
    case BasisStatus::kAtLower:
      return HighsBasisStatus::kLower;
    case BasisStatus::kAtUpper:
      return HighsBasisStatus::kUpper;
    case BasisStatus::kFreeAtZero:
      return HighsBasisStatus::kZero;
  }
  return HighsBasisStatus::kLower;
}

HighsLp to_highs(const LpModel& model) {
  HighsLp lp;
  lp.num_col_ = model.num_columns();
  lp.num_row_ = model.num_rows();
  lp.col_cost_ = model.cost;
  lp.col_lower_ = model.column_lower;
  lp.col_upper_ = model.column_upper;
  lp.row_lower_ = model.row_lower;
  lp.row_upper_ = model.row_upper;
  lp.a_matrix_.format_ = MatrixFormat::kRowwise;
  lp.a_matrix_.num_col_ = lp.num_col_;
  lp.a_matrix_.num_row_ = lp.num_row_;
  lp.a_matrix_.start_.assign(model.row_start.begin(), model.row_start.end());
  lp.a_matrix_.index_ = model.row_column;
  lp.a_matrix_.value_ = model.row_value;
  if (has_integers(model)) {
    for (const bool is_integer : model.integer) {
      lp.integrality_.push_back(is_integer ? HighsVarType::kInteger : HighsVarType::kContinuous);
    }
  }
  return lp;
}

// The scheduler of this thread must have the size that the next run asks for.
void size_scheduler(int threads) {
  thread_local int current = 0;
  if (current != threads) {
    if (current != 0) {
      Highs::resetGlobalScheduler(true);
    }
    current = threads;
  }
}

class HighsEngine final : public LpEngine {
 public:
  explicit HighsEngine(const LpOptions& options);

  std::string_view name() const override { return "highs"; }
  std::string version() const override { return highs_.version(); }
  bool supports_integers() const override { return true; }

  std::unique_ptr<LpEngine> make_another() const override {
    return std::make_unique<HighsEngine>(options_);
  }

  Status load(const LpModel& model) override;
  void change_column_bounds(const LpModel& model, std::span<const std::int32_t> columns) override;
  void change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) override;
  void change_costs(const LpModel& model, std::span<const std::int32_t> columns) override;
  void add_rows(const LpModel& rows_of) override;
  void delete_rows(std::span<const std::int32_t> rows) override;
  void set_basis(const LpBasis& basis) override;
  LpBasis basis() const override;
  LpSolution solve(const SolveRecipe& recipe, const RunContext& run) override;

 private:
  template <class Value>
  void set_option(const char* name, Value value) {
    LACUNA_CHECK(highs_.setOptionValue(name, value) != HighsStatus::kError);
  }
  void apply(const SolveRecipe& recipe);
  void obey(const SolveRecipe& recipe, const RunContext& run);
  LpSolution run_highs();
  LpSolution claim();
  void find_farkas_ray(LpSolution& claim);
  void find_unbounded_ray(LpSolution& claim);
  LpSolution explain_open_mip();
  LpSolution solve_without_costs();
  void use_plain_simplex(int strategy);
  void end_plain_simplex();
  void gather(std::span<const std::int32_t> indices,
              const std::vector<double>& lower,
              const std::vector<double>& upper);

  LpOptions options_;
  Highs highs_;
  bool is_mip_ = false;
  SolveRecipe applied_;
  std::int64_t max_iterations_ = std::numeric_limits<std::int64_t>::max();
  const RunContext* run_ = nullptr;
  std::vector<double> lower_, upper_;  // scratch for changes
};

HighsEngine::HighsEngine(const LpOptions& options) : options_(options) {
  set_option("output_flag", false);
  set_option("solver", "simplex");
  set_option("primal_feasibility_tolerance", options.feasibility);
  set_option("dual_feasibility_tolerance", options.feasibility);
  set_option("mip_rel_gap", options.mip_gap);
  set_option("large_matrix_value", kHighsInf);
  set_option("presolve", "off");
  set_option("threads", 1);
  set_option("parallel", "off");
  set_option("simplex_strategy", static_cast<int>(kSimplexStrategyChoose));
  highs_.setCallback([this](int type,
                            const std::string&,
                            const HighsCallbackOutput* out,
                            HighsCallbackInput* in,
                            void*) {
    const bool is_used_up =
        type == kCallbackMipInterrupt && out->mip_total_lp_iterations >= max_iterations_;
    in->user_interrupt = is_used_up || (run_ != nullptr && run_->braked());
  });
  for (const auto type : {kCallbackSimplexInterrupt, kCallbackMipInterrupt})
    LACUNA_CHECK(highs_.startCallback(type) == HighsStatus::kOk);
}

Status HighsEngine::load(const LpModel& model) {
  highs_.clearModel();
  is_mip_ = has_integers(model);
  set_option("threads", is_mip_ ? options_.threads : 1);
  set_option("parallel", is_mip_ && options_.threads > 1 ? "on" : "off");
  set_option("solver", is_mip_ ? "choose" : "simplex");
  if (highs_.passModel(to_highs(model)) == HighsStatus::kError) {
    return Error{ErrorCode::kNoEngine, "The engine rejects the numbers of the model.", "highs"};
  }
  return ok_status();
}

void HighsEngine::gather(std::span<const std::int32_t> indices,
                         const std::vector<double>& lower,
                         const std::vector<double>& upper) {
  lower_.clear();
  upper_.clear();
  for (const std::int32_t index : indices) {
    lower_.push_back(lower[static_cast<std::size_t>(index)]);
    upper_.push_back(upper[static_cast<std::size_t>(index)]);
  }
}

void HighsEngine::change_column_bounds(const LpModel& model,
                                       std::span<const std::int32_t> columns) {
  gather(columns, model.column_lower, model.column_upper);
  const auto size = static_cast<HighsInt>(columns.size());
  LACUNA_CHECK(highs_.changeColsBounds(size, columns.data(), lower_.data(), upper_.data()) !=
               HighsStatus::kError);
}

void HighsEngine::change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) {
  gather(rows, model.row_lower, model.row_upper);
  const auto size = static_cast<HighsInt>(rows.size());
  LACUNA_CHECK(highs_.changeRowsBounds(size, rows.data(), lower_.data(), upper_.data()) !=
               HighsStatus::kError);
}

void HighsEngine::change_costs(const LpModel& model, std::span<const std::int32_t> columns) {
  gather(columns, model.cost, model.cost);
  const auto size = static_cast<HighsInt>(columns.size());
  LACUNA_CHECK(highs_.changeColsCost(size, columns.data(), lower_.data()) != HighsStatus::kError);
}

void HighsEngine::add_rows(const LpModel& rows_of) {
  const std::vector<HighsInt> starts(rows_of.row_start.begin(), rows_of.row_start.end());
  LACUNA_CHECK(highs_.addRows(rows_of.num_rows(),
                              rows_of.row_lower.data(),
                              rows_of.row_upper.data(),
                              static_cast<HighsInt>(rows_of.row_value.size()),
                              starts.data(),
                              rows_of.row_column.data(),
                              rows_of.row_value.data()) != HighsStatus::kError);
}

void HighsEngine::delete_rows(std::span<const std::int32_t> rows) {
  LACUNA_CHECK(highs_.deleteRows(static_cast<HighsInt>(rows.size()), rows.data()) !=
               HighsStatus::kError);
}

void HighsEngine::set_basis(const LpBasis& basis) {
  if (is_mip_) {
    return;  // branch and bound starts from its own root
  }
  HighsBasis start;
  start.alien = true;  // may be singular
  for (const BasisStatus status : basis.columns) {
    start.col_status.push_back(to_highs(status));
  }
  for (const BasisStatus status : basis.rows) {
    start.row_status.push_back(to_highs(status));
  }
  if (highs_.setBasis(start) == HighsStatus::kError) {
    highs_.clearSolver();  // start from the slack basis instead
  }
}

LpBasis HighsEngine::basis() const {
  LpBasis basis;
  const HighsBasis& held = highs_.getBasis();
  if (!held.valid) {
    return basis;
  }
  std::ranges::transform(held.col_status, std::back_inserter(basis.columns), from_highs);
  std::ranges::transform(held.row_status, std::back_inserter(basis.rows), from_highs);
  return basis;
}

// Options are looked up by name, so only those that differ from the last recipe are set.
void HighsEngine::apply(const SolveRecipe& recipe) {
  if (recipe.presolve != applied_.presolve) {
    set_option("presolve", recipe.presolve ? "on" : "off");
  }
  if (recipe.scaling != applied_.scaling) {
    set_option(
        "simplex_scale_strategy",
        static_cast<int>(recipe.scaling ? kSimplexScaleStrategyChoose : kSimplexScaleStrategyOff));
  }
  if (recipe.from_scratch != applied_.from_scratch ||
      (recipe.from_scratch && recipe.simplex != applied_.simplex)) {
    // From a basis HiGHS picks primal simplex if it is feasible and dual simplex if not.
    int strategy = kSimplexStrategyChoose;
    if (recipe.from_scratch) {
      strategy =
          recipe.simplex == SimplexKind::kPrimal ? kSimplexStrategyPrimal : kSimplexStrategyDual;
    }
    set_option("simplex_strategy", strategy);
  }
  if (recipe.tight_integrality != applied_.tight_integrality) {
    set_option("mip_feasibility_tolerance",
               recipe.tight_integrality ? options_.feasibility : tol::kIntegrality);
  }
  applied_ = recipe;
  if (recipe.from_scratch) {
    highs_.clearSolver();
  }
}

void HighsEngine::obey(const SolveRecipe& recipe, const RunContext& run) {
  run_ = &run;
  // Sub-MIPs do not ask whether to stop, but they look at the clock. It is a brake like the others.
  if (is_mip_) {
    const std::chrono::duration<double> left = run.deadline - std::chrono::steady_clock::now();
    const bool is_limited = run.deadline != std::chrono::steady_clock::time_point::max();
    set_option("time_limit",
               is_limited ? highs_.getRunTime() + std::max(0.0, left.count()) : kHighsInf);
  }
  if (recipe.max_iterations == max_iterations_)
    return;
  max_iterations_ = recipe.max_iterations;
  const auto limit = static_cast<HighsInt>(std::min<std::int64_t>(max_iterations_, kHighsIInf));
  // A MIP counts over all its relaxations, in the callback.
  set_option("simplex_iteration_limit", is_mip_ ? kHighsIInf : limit);
}

LpSolution HighsEngine::solve(const SolveRecipe& recipe, const RunContext& run) {
  apply(recipe);
  obey(recipe, run);
  size_scheduler(is_mip_ ? options_.threads : 1);
  LpSolution answer = run_highs();
  if (is_mip_ && answer.status == LpStatus::kUnbounded) {
    answer = explain_open_mip();
  } else if (answer.status == LpStatus::kUnbounded) {
    find_unbounded_ray(answer);
  } else if (!is_mip_ && answer.status == LpStatus::kInfeasible) {
    find_farkas_ray(answer);
  }
  run_ = nullptr;
  return answer;
}

LpSolution HighsEngine::run_highs() {
  if (highs_.run() == HighsStatus::kError) {
    return {};
  }
  return claim();
}

LpSolution HighsEngine::claim() {
  LpSolution claim;
  claim.status = claimed_status(highs_.getModelStatus());
  const HighsInfo& info = highs_.getInfo();
  const HighsSolution& solution = highs_.getSolution();
  claim.iterations = std::max<std::int64_t>(info.simplex_iteration_count, 0);
  if (solution.value_valid) {
    claim.primal = solution.col_value;
    claim.objective = info.objective_function_value;
  }
  if (is_mip_) {
    claim.bound = info.mip_dual_bound;
  } else if (solution.dual_valid && claim.status == LpStatus::kOptimal) {
    claim.dual = solution.row_dual;
  }
  return claim;
}

LpSolution HighsEngine::solve_without_costs() {
  const std::vector<double> saved = highs_.getLp().col_cost_;
  const std::vector<double> zero(saved.size(), 0);
  const HighsInt last = highs_.getNumCol() - 1;
  highs_.changeColsCost(0, last, zero.data());
  LpSolution answer = run_highs();
  bool has_ray = false;
  if (!is_mip_ && answer.status == LpStatus::kInfeasible) {
    highs_.getDualRay(has_ray);
    if (has_ray) {
      answer.ray.resize(static_cast<std::size_t>(highs_.getNumRow()));
      highs_.getDualRay(has_ray, answer.ray.data());
    }
  }
  highs_.changeColsCost(0, last, saved.data());
  return answer;
}

void HighsEngine::use_plain_simplex(int strategy) {
  set_option("presolve", "off");
  set_option("simplex_strategy", strategy);
}

void HighsEngine::end_plain_simplex() {
  set_option("presolve", applied_.presolve ? "on" : "off");
  set_option("simplex_strategy", static_cast<int>(kSimplexStrategyChoose));
  applied_.from_scratch = false;  // which stands for the strategy just set
}

void HighsEngine::find_farkas_ray(LpSolution& claim) {
  bool has_ray = false;
  highs_.getDualRay(has_ray);
  if (has_ray) {
    claim.ray.resize(static_cast<std::size_t>(highs_.getNumRow()));
    highs_.getDualRay(has_ray, claim.ray.data());
    return;
  }
  use_plain_simplex(kSimplexStrategyDual);
  const LpSolution feasibility = solve_without_costs();
  claim.ray = feasibility.ray;
  claim.iterations += feasibility.iterations;
  end_plain_simplex();
}

void HighsEngine::find_unbounded_ray(LpSolution& answer) {
  bool has_ray = false;
  highs_.getPrimalRay(has_ray);
  if (!has_ray) {
    use_plain_simplex(kSimplexStrategyPrimal);
    answer = run_highs();
    end_plain_simplex();
    highs_.getPrimalRay(has_ray);
  }
  if (answer.status == LpStatus::kInfeasible) {
    find_farkas_ray(answer);
  } else if (has_ray) {
    answer.ray.resize(static_cast<std::size_t>(highs_.getNumCol()));
    highs_.getPrimalRay(has_ray, answer.ray.data());
  }
}

// "Infeasible or unbounded" is decided by looking for any feasible point; a MIP with rational data
// that has one is unbounded if its relaxation is.
LpSolution HighsEngine::explain_open_mip() {
  const LpSolution point = solve_without_costs();
  if (point.status != LpStatus::kOptimal) {
    return point;
  }
  set_option("solve_relaxation", true);
  is_mip_ = false;
  LpSolution answer = run_highs();
  if (answer.status == LpStatus::kUnbounded) {
    find_unbounded_ray(answer);
  }
  is_mip_ = true;
  set_option("solve_relaxation", false);
  if (answer.status != LpStatus::kUnbounded) {
    return {};
  }
  answer.primal = point.primal;
  return answer;
}

}  // namespace

std::unique_ptr<LpEngine> make_highs_engine(const LpOptions& options) {
  return std::make_unique<HighsEngine>(options);
}

}  // namespace lacuna::lp

#endif  // LACUNA_HAVE_HIGHS
