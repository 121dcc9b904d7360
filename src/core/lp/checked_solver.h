// SPDX-License-Identifier: Apache-2.0
// The LpSolver that callers hold: one engine, the model as the caller stated it, and the checker
// between them. Changes are gathered and handed to the engine in one go at the next solve. An
// answer that fails the check is asked for again by other routes before kNumericalTrouble is
// reported; a missing proof is sought by an auxiliary model. Models without matrix entries never
// reach the engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lp/answer_check.h"
#include "core/lp/engine.h"
#include "lacuna/lp.h"

namespace lacuna::lp {

class CheckedSolver final : public LpSolver {
 public:
  CheckedSolver(std::unique_ptr<LpEngine> engine, const LpOptions& options);

  std::string_view engine() const override { return engine_->name(); }
  std::string version() const override { return engine_->version(); }
  bool supports_integers() const override { return engine_->supports_integers(); }

  Status load(const LpModel& model) override;
  void set_column_bounds(std::int32_t column, double lower, double upper) override;
  void set_row_bounds(std::int32_t row, double lower, double upper) override;
  void set_cost(std::int32_t column, double cost) override;
  void add_rows(const LpModel& rows_of) override;
  void delete_rows(std::span<const std::int32_t> rows) override;
  void set_basis(const LpBasis& basis) override;
  LpBasis basis() const override;
  LpSolution minimize(const RunContext& run) override;

 private:
  enum class BasisHolder { kNobody, kEngine, kSolver };

  // Indices whose numbers the engine has not seen yet, each once.
  class Changes {
   public:
    void reset(std::size_t size);
    void mark(std::int32_t index);
    bool empty() const { return list_.empty(); }
    std::span<const std::int32_t> sorted();
    void clear();

   private:
    std::vector<bool> marked_;
    std::vector<std::int32_t> list_;
  };

  void forget_changes();
  void hand_over_changes();
  void hand_over_basis();
  SolveRecipe first_recipe() const;
  std::vector<SolveRecipe> other_recipes() const;
  LpSolution solve_without_engine();
  LpSolution ask_engine(const RunContext& run);
  LpSolution ask_once(SolveRecipe recipe, const RunContext& run);
  std::int64_t touches_per_solve() const;
  std::int64_t touches_per_iteration() const;
  std::int64_t most_iterations(const RunContext& run) const;
  LpSolution solve_aside(const LpModel& model, const RunContext& run) const;
  LpSolution prove_infeasible(const RunContext& run);
  LpSolution prove_unbounded(const RunContext& run);
  void hold_basis(LpBasis basis);

  std::unique_ptr<LpEngine> engine_;
  LpOptions options_;
  AnswerChecker checker_;
  LpModel model_;
  bool is_mip_ = false;
  bool has_wide_integers_ = false;  // beyond 0 and 1
  Changes column_bounds_, row_bounds_, costs_;
  BasisHolder basis_holder_ = BasisHolder::kNobody;
  LpBasis basis_;  // if the solver holds it: the start of the next solve
  bool last_was_optimal_ = false;
  bool seeks_proofs_ = true;  // not in the solver of an auxiliary model, lest it recurs for ever
};

}  // namespace lacuna::lp
