// SPDX-License-Identifier: Apache-2.0
// The integer program over what may be published:
//   minimize the price of the statements, such that the deviations v - a of the published numbers
//   (and of the numbers that complete the sums for cells without one) satisfy M (v - a) = 0,
//   and the capacity cuts found so far hold.
// A cell with n choices has binaries y_1 >= ... >= y_(n-1), y_s = 1 if choice s or a later one is
// taken, so that anything that depends on the choice alone is linear in y without loss. A slide
// has z+, z- in whole steps, an interval z+, z-.
//
// The cut of a proof (evidence.h) that the attacker reaches less than the level in the pattern at
// hand: with d = s e_p - M'g,
//   sum_i max(d_i up_i, -d_i down_i) >= level,  up_i = min(UB_i^k, known upper end - a_i), ...
// (Figures 10 and 13 of Salazar-Gonzalez). For choices each side is a constant per choice, capped
// at the level (the rounding down of the conclusion); for slides and intervals the smaller of the
// two terms at the pattern stands for the minimum. The pattern itself violates the cut.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/question.h"
#include "protect/pattern/plan.h"

namespace lacuna::pattern {

struct Proof {  // of one direction of a requirement
  int sign = 1;
  const Multipliers* multipliers = nullptr;
};

struct MasterAnswer {
  LpStatus status = LpStatus::kNumericalTrouble;
  std::optional<Pattern> pattern;
  double bound = 0;  // proven: no pattern within the rows at hand costs less
};

class Master {
 public:
  explicit Master(const Plan& plan);

  // The cut of one proof (a level) or of two (the sliding level: both ends together).
  void add_cut(const Question& need,
               std::int32_t index,
               std::span<const Proof> proofs,
               Units level,
               const Pattern& at);

  Result<MasterAnswer> solve(const std::string& engine, double gap, const RunContext& run) const;
  // Among patterns that cost at most `most`, one that agrees with as many wishes as possible:
  // `wish` has a choice by cell, -1: none.
  Result<MasterAnswer> solve_wishes(std::span<const std::int32_t> wish,
                                    double most,
                                    const std::string& engine,
                                    const RunContext& run) const;

  // Rows by origin, to find out which of them contradict each other.
  struct Origin {
    enum class Kind : std::uint8_t { kStructure, kEquation, kRequirement, kLimit } kind;
    std::int32_t index = -1;
    bool operator==(const Origin&) const = default;
  };
  const std::vector<Origin>& origins() const { return origins_; }
  const LpModel& model() const { return lp_; }

 private:
  struct Columns {
    std::int32_t first = -1;       // choices: y_1; slides and ends: z+
    std::int32_t down = -1;        // z-
    std::int32_t changed = -1;     // slides: x
    std::int32_t completion = -1;  // cells without a number
  };
  struct Sum {  // of columns, with a constant
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    double constant = 0;
    void add(std::int32_t column, double value);
  };
  void add_columns();
  void add_choice_columns(std::size_t cell);
  void add_slide_columns(std::size_t cell);
  void add_end_columns(std::size_t cell);
  void add_equations();
  void add_limit();
  void add_row(const Sum& sum, double lower, double upper, Origin origin);
  void add_deviation(CellId cell, double factor, Sum& sum) const;
  void add_slack(const Question& need,
                 CellId cell,
                 std::span<const double> factors,
                 double level,
                 const Pattern& at,
                 Sum& sum) const;
  std::vector<double> coefficients(const Question& need, const Proof& proof) const;
  Pattern pattern_of(std::span<const double> primal) const;

  const Plan& plan_;
  LpModel lp_;
  std::vector<Origin> origins_;   // by row
  std::vector<Columns> columns_;  // by cell
  double fixed_ = 0;              // price whatever is chosen
  double price_ = 1;              // costs are divided by this
};

}  // namespace lacuna::pattern
