// SPDX-License-Identifier: Apache-2.0
// HiGHS behind LpEngine, through its C interface (HiGHS 1.15), which links with a library of any
// compiler. Duals have the sign of lacuna/lp.h.
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

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

#include "core/base/check.h"
#include "core/lp/answer_check.h"
#include "lacuna/tolerance.h"

namespace lacuna::lp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr HighsInt kMaxCount = std::numeric_limits<HighsInt>::max();

// Values of HiGHS that the header of its C interface leaves out.
constexpr HighsInt kModelStatusMemoryLimit = 18;
constexpr HighsInt kModelStatusHighsInterrupt = 19;
enum Strategy : HighsInt { kStrategyChoose = 0, kStrategyDual = 1, kStrategyPrimal = 4 };
enum ScaleStrategy : HighsInt { kScaleOff = 0, kScaleChoose = 1 };

// kUnknown is "solved, but not to the tolerances asked for": the checker decides.
LpStatus claimed_status(HighsInt status) {
  switch (status) {
    case kHighsModelStatusOptimal:
    case kHighsModelStatusUnknown:
      return LpStatus::kOptimal;
    case kHighsModelStatusInfeasible:
      return LpStatus::kInfeasible;
    case kHighsModelStatusUnbounded:
    case kHighsModelStatusUnboundedOrInfeasible:
      return LpStatus::kUnbounded;
    case kHighsModelStatusObjectiveBound:
    case kHighsModelStatusObjectiveTarget:
    case kHighsModelStatusTimeLimit:
    case kHighsModelStatusIterationLimit:
    case kHighsModelStatusSolutionLimit:
    case kHighsModelStatusInterrupt:
    case kModelStatusMemoryLimit:
    case kModelStatusHighsInterrupt:
      return LpStatus::kLimit;
    default:
      return LpStatus::kNumericalTrouble;
  }
}

BasisStatus from_highs(HighsInt status) {
  switch (status) {
    case kHighsBasisStatusBasic:
      return BasisStatus::kBasic;
    case kHighsBasisStatusUpper:
      return BasisStatus::kAtUpper;
    case kHighsBasisStatusZero:
      return BasisStatus::kFreeAtZero;
    default:  // lower, and nonbasic without saying where
      return BasisStatus::kAtLower;
  }
}

HighsInt to_highs(BasisStatus status) {
  switch (status) {
    case BasisStatus::kBasic:
      return kHighsBasisStatusBasic;
    case BasisStatus::kAtLower:
      return kHighsBasisStatusLower;
    case BasisStatus::kAtUpper:
      return kHighsBasisStatusUpper;
    case BasisStatus::kFreeAtZero:
      return kHighsBasisStatusZero;
  }
  return kHighsBasisStatusLower;
}

std::vector<HighsInt> to_highs(const std::vector<BasisStatus>& from) {
  std::vector<HighsInt> to;
  to.reserve(from.size());
  for (const BasisStatus status : from)
    to.push_back(to_highs(status));
  return to;
}

struct Destroy {
  void operator()(void* highs) const { Highs_destroy(highs); }
};
using Handle = std::unique_ptr<void, Destroy>;

// The scheduler of this thread must have the size that the next run asks for.
void size_scheduler(int threads) {
  thread_local int current = 0;
  if (current != threads) {
    if (current != 0) {
      Highs_resetGlobalScheduler(1);
    }
    current = threads;
  }
}

class HighsEngine final : public LpEngine {
 public:
  explicit HighsEngine(const LpOptions& options);

  std::string_view name() const override { return "highs"; }
  std::string version() const override { return Highs_version(); }
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
  void set_option(const char* name, HighsInt value);
  void set_option(const char* name, double value);
  void set_option(const char* name, const char* value);
  void set_flag(const char* name, bool value);
  HighsInt int_info(const char* name) const;
  double double_info(const char* name) const;
  bool has_basis() const;
  static void interrupt(int type,
                        const char* message,
                        const HighsCallbackDataOut* out,
                        HighsCallbackDataIn* in,
                        void* engine);
  void apply(const SolveRecipe& recipe);
  void obey(const SolveRecipe& recipe, const RunContext& run);
  LpSolution run_highs();
  LpSolution claim();
  std::vector<double> dual_ray() const;
  bool has_primal_ray() const;
  void find_farkas_ray(LpSolution& claim);
  void find_unbounded_ray(LpSolution& claim);
  LpSolution explain_open_mip();
  LpSolution solve_without_costs();
  void use_plain_simplex(Strategy strategy);
  void end_plain_simplex();
  void gather(std::span<const std::int32_t> indices,
              const std::vector<double>& lower,
              const std::vector<double>& upper);

  LpOptions options_;
  Handle highs_{Highs_create()};
  bool is_mip_ = false;
  SolveRecipe applied_;
  std::int64_t max_iterations_ = std::numeric_limits<std::int64_t>::max();
  const RunContext* run_ = nullptr;
  std::vector<double> lower_, upper_;  // scratch for changes
};

HighsEngine::HighsEngine(const LpOptions& options) : options_(options) {
  LACUNA_CHECK(highs_ != nullptr);
  set_flag("output_flag", false);
  set_option("solver", "simplex");
  set_option("primal_feasibility_tolerance", options.feasibility);
  set_option("dual_feasibility_tolerance", options.feasibility);
  set_option("mip_rel_gap", options.mip_gap);
  set_option("large_matrix_value", kInfinity);
  set_option("presolve", "off");
  set_option("threads", 1);
  set_option("parallel", "off");
  set_option("simplex_strategy", kStrategyChoose);
  LACUNA_CHECK(Highs_setCallback(highs_.get(), &HighsEngine::interrupt, this) == kHighsStatusOk);
  for (const HighsInt type : {kHighsCallbackSimplexInterrupt, kHighsCallbackMipInterrupt})
    LACUNA_CHECK(Highs_startCallback(highs_.get(), type) == kHighsStatusOk);
}

void HighsEngine::interrupt(int type,
                            const char* /*message*/,
                            const HighsCallbackDataOut* out,
                            HighsCallbackDataIn* in,
                            void* engine) {
  const auto& self = *static_cast<const HighsEngine*>(engine);
  const bool is_used_up =
      type == kHighsCallbackMipInterrupt && out->mip_total_lp_iterations >= self.max_iterations_;
  in->user_interrupt = is_used_up || (self.run_ != nullptr && self.run_->braked()) ? 1 : 0;
}

void HighsEngine::set_option(const char* name, HighsInt value) {
  LACUNA_CHECK(Highs_setIntOptionValue(highs_.get(), name, value) != kHighsStatusError);
}

void HighsEngine::set_option(const char* name, double value) {
  LACUNA_CHECK(Highs_setDoubleOptionValue(highs_.get(), name, value) != kHighsStatusError);
}

void HighsEngine::set_option(const char* name, const char* value) {
  LACUNA_CHECK(Highs_setStringOptionValue(highs_.get(), name, value) != kHighsStatusError);
}

void HighsEngine::set_flag(const char* name, bool value) {
  LACUNA_CHECK(Highs_setBoolOptionValue(highs_.get(), name, value ? 1 : 0) != kHighsStatusError);
}

// Where a run left no information the values are those of none.
HighsInt HighsEngine::int_info(const char* name) const {
  HighsInt value = 0;
  Highs_getIntInfoValue(highs_.get(), name, &value);
  return value;
}

double HighsEngine::double_info(const char* name) const {
  double value = 0;
  Highs_getDoubleInfoValue(highs_.get(), name, &value);
  return value;
}

Status HighsEngine::load(const LpModel& model) {
  Highs_clearModel(highs_.get());
  is_mip_ = has_integers(model);
  set_option("threads", is_mip_ ? options_.threads : 1);
  set_option("parallel", is_mip_ && options_.threads > 1 ? "on" : "off");
  set_option("solver", is_mip_ ? "choose" : "simplex");
  const std::vector<HighsInt> start(model.row_start.begin(), model.row_start.end());
  std::vector<HighsInt> integrality;
  if (is_mip_) {
    for (const bool is_integer : model.integer)
      integrality.push_back(is_integer ? kHighsVarTypeInteger : kHighsVarTypeContinuous);
  }
  const HighsInt status = Highs_passMip(highs_.get(),
                                        model.num_columns(),
                                        model.num_rows(),
                                        static_cast<HighsInt>(model.row_value.size()),
                                        kHighsMatrixFormatRowwise,
                                        kHighsObjSenseMinimize,
                                        0,
                                        model.cost.data(),
                                        model.column_lower.data(),
                                        model.column_upper.data(),
                                        model.row_lower.data(),
                                        model.row_upper.data(),
                                        start.data(),
                                        model.row_column.data(),
                                        model.row_value.data(),
                                        is_mip_ ? integrality.data() : nullptr);
  if (status == kHighsStatusError) {
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
  LACUNA_CHECK(Highs_changeColsBoundsBySet(
                   highs_.get(), size, columns.data(), lower_.data(), upper_.data()) !=
               kHighsStatusError);
}

void HighsEngine::change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) {
  gather(rows, model.row_lower, model.row_upper);
  const auto size = static_cast<HighsInt>(rows.size());
  LACUNA_CHECK(
      Highs_changeRowsBoundsBySet(highs_.get(), size, rows.data(), lower_.data(), upper_.data()) !=
      kHighsStatusError);
}

void HighsEngine::change_costs(const LpModel& model, std::span<const std::int32_t> columns) {
  gather(columns, model.cost, model.cost);
  const auto size = static_cast<HighsInt>(columns.size());
  LACUNA_CHECK(Highs_changeColsCostBySet(highs_.get(), size, columns.data(), lower_.data()) !=
               kHighsStatusError);
}

void HighsEngine::add_rows(const LpModel& rows_of) {
  const std::vector<HighsInt> starts(rows_of.row_start.begin(), rows_of.row_start.end());
  LACUNA_CHECK(Highs_addRows(highs_.get(),
                             rows_of.num_rows(),
                             rows_of.row_lower.data(),
                             rows_of.row_upper.data(),
                             static_cast<HighsInt>(rows_of.row_value.size()),
                             starts.data(),
                             rows_of.row_column.data(),
                             rows_of.row_value.data()) != kHighsStatusError);
}

void HighsEngine::delete_rows(std::span<const std::int32_t> rows) {
  LACUNA_CHECK(Highs_deleteRowsBySet(highs_.get(),
                                     static_cast<HighsInt>(rows.size()),
                                     rows.data()) != kHighsStatusError);
}

void HighsEngine::set_basis(const LpBasis& basis) {
  if (is_mip_) {
    return;  // branch and bound starts from its own root
  }
  const std::vector<HighsInt> columns = to_highs(basis.columns);
  const std::vector<HighsInt> rows = to_highs(basis.rows);
  const bool fits = std::ssize(columns) == Highs_getNumCol(highs_.get()) &&
                    std::ssize(rows) == Highs_getNumRow(highs_.get());
  // It may be singular, as HiGHS takes it to be.
  if (!fits || Highs_setBasis(highs_.get(), columns.data(), rows.data()) == kHighsStatusError) {
    Highs_clearSolver(highs_.get());  // start from the slack basis instead
  }
}

// The information of a run says no word of the basis of simplex; whoever asks for the basic
// variables is refused where there is none.
bool HighsEngine::has_basis() const {
  const HighsInt num_rows = Highs_getNumRow(highs_.get());
  if (num_rows == 0) {
    return int_info("basis_validity") == kHighsBasisValidityValid;
  }
  std::vector<HighsInt> basic(static_cast<std::size_t>(num_rows));
  return Highs_getBasicVariables(highs_.get(), basic.data()) == kHighsStatusOk;
}

LpBasis HighsEngine::basis() const {
  LpBasis basis;
  if (!has_basis()) {
    return basis;
  }
  std::vector<HighsInt> columns(static_cast<std::size_t>(Highs_getNumCol(highs_.get())));
  std::vector<HighsInt> rows(static_cast<std::size_t>(Highs_getNumRow(highs_.get())));
  Highs_getBasis(highs_.get(), columns.data(), rows.data());
  std::ranges::transform(columns, std::back_inserter(basis.columns), from_highs);
  std::ranges::transform(rows, std::back_inserter(basis.rows), from_highs);
  return basis;
}

// Options are looked up by name, so only those that differ from the last recipe are set.
void HighsEngine::apply(const SolveRecipe& recipe) {
  if (recipe.presolve != applied_.presolve) {
    set_option("presolve", recipe.presolve ? "on" : "off");
  }
  if (recipe.scaling != applied_.scaling) {
    set_option("simplex_scale_strategy", recipe.scaling ? kScaleChoose : kScaleOff);
  }
  if (recipe.from_scratch != applied_.from_scratch ||
      (recipe.from_scratch && recipe.simplex != applied_.simplex)) {
    // From a basis HiGHS picks primal simplex if it is feasible and dual simplex if not.
    Strategy strategy = kStrategyChoose;
    if (recipe.from_scratch) {
      strategy = recipe.simplex == SimplexKind::kPrimal ? kStrategyPrimal : kStrategyDual;
    }
    set_option("simplex_strategy", strategy);
  }
  if (recipe.tight_integrality != applied_.tight_integrality) {
    set_option("mip_feasibility_tolerance",
               recipe.tight_integrality ? options_.feasibility : tol::kIntegrality);
  }
  applied_ = recipe;
  if (recipe.from_scratch) {
    Highs_clearSolver(highs_.get());
  }
}

void HighsEngine::obey(const SolveRecipe& recipe, const RunContext& run) {
  run_ = &run;
  // Sub-MIPs do not ask whether to stop, but they look at the clock. It is a brake like the others.
  if (is_mip_) {
    const std::chrono::duration<double> left = run.deadline - std::chrono::steady_clock::now();
    const bool is_limited = run.deadline != std::chrono::steady_clock::time_point::max();
    set_option(
        "time_limit",
        is_limited ? Highs_getRunTime(highs_.get()) + std::max(0.0, left.count()) : kInfinity);
  }
  if (recipe.max_iterations == max_iterations_)
    return;
  max_iterations_ = recipe.max_iterations;
  const auto limit = static_cast<HighsInt>(std::min<std::int64_t>(max_iterations_, kMaxCount));
  // A MIP counts over all its relaxations, in the callback.
  set_option("simplex_iteration_limit", is_mip_ ? kMaxCount : limit);
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
  if (Highs_run(highs_.get()) == kHighsStatusError) {
    return {};
  }
  return claim();
}

LpSolution HighsEngine::claim() {
  LpSolution claim;
  claim.status = claimed_status(Highs_getModelStatus(highs_.get()));
  claim.iterations = std::max<std::int64_t>(int_info("simplex_iteration_count"), 0);
  if (int_info("primal_solution_status") != kHighsSolutionStatusNone) {
    claim.primal.resize(static_cast<std::size_t>(Highs_getNumCol(highs_.get())));
    Highs_getSolution(highs_.get(), claim.primal.data(), nullptr, nullptr, nullptr);
    claim.objective = double_info("objective_function_value");
  }
  if (is_mip_) {
    claim.bound = double_info("mip_dual_bound");
  } else if (int_info("dual_solution_status") != kHighsSolutionStatusNone &&
             claim.status == LpStatus::kOptimal) {
    claim.dual.resize(static_cast<std::size_t>(Highs_getNumRow(highs_.get())));
    Highs_getSolution(highs_.get(), nullptr, nullptr, nullptr, claim.dual.data());
  }
  return claim;
}

LpSolution HighsEngine::solve_without_costs() {
  const HighsInt last = Highs_getNumCol(highs_.get()) - 1;
  std::vector<double> saved(static_cast<std::size_t>(last + 1));
  HighsInt num_columns = 0;
  HighsInt num_entries = 0;
  if (!saved.empty()) {
    LACUNA_CHECK(Highs_getColsByRange(highs_.get(),
                                      0,
                                      last,
                                      &num_columns,
                                      saved.data(),
                                      nullptr,
                                      nullptr,
                                      &num_entries,
                                      nullptr,
                                      nullptr,
                                      nullptr) != kHighsStatusError);
  }
  const std::vector<double> zero(saved.size(), 0);
  Highs_changeColsCostByRange(highs_.get(), 0, last, zero.data());
  LpSolution answer = run_highs();
  if (!is_mip_ && answer.status == LpStatus::kInfeasible) {
    answer.ray = dual_ray();
  }
  Highs_changeColsCostByRange(highs_.get(), 0, last, saved.data());
  return answer;
}

// Empty if simplex left none, as below. Without rows HiGHS does not answer the question.
std::vector<double> HighsEngine::dual_ray() const {
  std::vector<double> ray;
  const HighsInt num_rows = Highs_getNumRow(highs_.get());
  HighsInt has_ray = 0;
  if (num_rows > 0)
    Highs_getDualRay(highs_.get(), &has_ray, nullptr);
  if (has_ray != 0) {
    ray.resize(static_cast<std::size_t>(num_rows));
    Highs_getDualRay(highs_.get(), &has_ray, ray.data());
  }
  return ray;
}

bool HighsEngine::has_primal_ray() const {
  HighsInt has_ray = 0;
  if (Highs_getNumRow(highs_.get()) > 0)
    Highs_getPrimalRay(highs_.get(), &has_ray, nullptr);
  return has_ray != 0;
}

void HighsEngine::use_plain_simplex(Strategy strategy) {
  set_option("presolve", "off");
  set_option("simplex_strategy", strategy);
}

void HighsEngine::end_plain_simplex() {
  set_option("presolve", applied_.presolve ? "on" : "off");
  set_option("simplex_strategy", kStrategyChoose);
  applied_.from_scratch = false;  // which stands for the strategy just set
}

void HighsEngine::find_farkas_ray(LpSolution& claim) {
  claim.ray = dual_ray();
  if (!claim.ray.empty()) {
    return;
  }
  use_plain_simplex(kStrategyDual);
  const LpSolution feasibility = solve_without_costs();
  claim.ray = feasibility.ray;
  claim.iterations += feasibility.iterations;
  end_plain_simplex();
}

void HighsEngine::find_unbounded_ray(LpSolution& answer) {
  bool has_ray = has_primal_ray();
  if (!has_ray) {
    use_plain_simplex(kStrategyPrimal);
    answer = run_highs();
    end_plain_simplex();
    has_ray = has_primal_ray();
  }
  if (answer.status == LpStatus::kInfeasible) {
    find_farkas_ray(answer);
  } else if (has_ray) {
    HighsInt was_there = 0;
    answer.ray.resize(static_cast<std::size_t>(Highs_getNumCol(highs_.get())));
    Highs_getPrimalRay(highs_.get(), &was_there, answer.ray.data());
  }
}

// "Infeasible or unbounded" is decided by looking for any feasible point; a MIP with rational data
// that has one is unbounded if its relaxation is.
LpSolution HighsEngine::explain_open_mip() {
  const LpSolution point = solve_without_costs();
  if (point.status != LpStatus::kOptimal) {
    return point;
  }
  set_flag("solve_relaxation", true);
  is_mip_ = false;
  LpSolution answer = run_highs();
  if (answer.status == LpStatus::kUnbounded) {
    find_unbounded_ray(answer);
  }
  is_mip_ = true;
  set_flag("solve_relaxation", false);
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
