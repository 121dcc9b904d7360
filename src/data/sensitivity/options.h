// SPDX-License-Identifier: Apache-2.0
// The options of lacuna/sensitivity.h as rules, with exact rationals.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "data/sensitivity/rules.h"
#include "data/sensitivity/weights.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::sensitivity {

struct SensitivityRules {  // the options, checked
  std::optional<FrequencyRule> frequency;
  std::vector<DominanceRule> dominance;
  std::vector<PriorPosteriorRule> prior_posterior;
  std::optional<RequestRule> request;
  std::optional<mpq_class> zero_level;  // in the user's unit
  bool waivers = true;
  LevelFormula formula = LevelFormula::kThesis;
  mpq_class frequency_range, request_range, manual_range, ratio = 1;
  std::optional<mpq_class> sliding;
  bool sliding_only = false;
  KnownBound lower_bound, upper_bound;
  Misfit misfit = Misfit::kError;
  std::int32_t coalition = 1;
  bool respondents = true, singletons_know = true, know_all = true, reach_all = true;
  WeightFormula weights;

  // Contributions per cell that a tabulation must keep for these rules.
  std::int32_t contributions_needed() const;
};

// Errors name the option ("--p-percent") and what it wants.
Result<SensitivityRules> read_options(const SensitivityOptions& options);

}  // namespace lacuna::sensitivity
