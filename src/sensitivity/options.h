// SPDX-License-Identifier: Apache-2.0
// What makes cells sensitive, how much protection they need, against whom, and at what cost.
// Percentages, levels and bounds are decimal texts, because they are read as exact rationals.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"
#include "sensitivity/rules.h"
#include "sensitivity/weights.h"

namespace lacuna::inline sensitivity {

struct SensitivityOptions {
  // Rules. Several may be on; a cell is sensitive if one says so.
  std::int64_t minimum_frequency = 0;             // >= 0; 0: off
  std::string frequency_counts = "contributors";  // contributors, records, weighted
  std::string dominance;                          // "1,90; 2,95": n >= 1 and k in (0, 100)
  std::string p_percent;                          // > 0; empty: off
  std::string prior_posterior;                    // "20,50": 0 < p < q
  std::int32_t coalition = 1;                     // r >= 1, of the two rules above
  std::string request_percent;                    // in [0, 100]; empty: off
  std::int64_t request_minimum = 0;               // contributors
  std::string zero_level;                         // >= 0, a number of the table; empty: off
  bool waivers = true;                            // false: nobody has agreed to disclosure

  // Levels.
  std::string level_formula = "thesis";  // thesis, argus; they differ for q < 100 only
  std::string frequency_range = "20";    // percent of the value, >= 0
  std::string request_range = "20";
  std::string manual_range = "20";
  std::string level_ratio = "1";  // upper / lower, > 0; neither falls below the formula's level
  std::string sliding_percent;    // of lower + upper, >= 0; empty: no sliding level
  bool sliding_only = false;      // lower and upper levels become 0

  // Bounds that everyone knows: auto, unbounded, a number, or "50%" (of the value's size).
  std::string lower_bound = "auto";  // auto: 0 unless there are negative contributions
  std::string upper_bound = "auto";  // auto: unbounded
  std::string misfit = "error";  // a level beyond the bounds: error, widen (bounds), cut (level)

  // Attackers besides the outsider.
  std::string attackers = "respondents";   // respondents, outsider
  bool singletons_know = true;             // a sole contributor knows to be the only one
  std::string attacker_knowledge = "all";  // of all own cells, or of sensitive-only ones
  std::string attacker_reach = "table";    // table, or equation: cells next to known ones

  std::string weights = "cost";  // a formula of weights.h; cost is |value| where none is given

  Status validate() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {  // command line, files and docs read this list
    visit("minimum-frequency", self.minimum_frequency, "fewest contributors of a safe cell");
    visit("frequency-counts", self.frequency_counts, "contributors, records or weighted");
    visit("dominance", self.dominance, "n,k pairs: the n largest hold at most k percent");
    visit("p-percent", self.p_percent, "no contribution may be known to within p percent");
    visit("prior-posterior", self.prior_posterior, "p,q pairs of the prior-posterior rule");
    visit("coalition", self.coalition, "contributors that may put their knowledge together");
    visit("request-percent", self.request_percent, "largest share of who asked for protection");
    visit("request-minimum", self.request_minimum, "fewest contributors beside such a one");
    visit("zero-level", self.zero_level, "zero cells are unsafe, with this upper level");
    visit("waivers", self.waivers, "believe contributors that agreed to disclosure");
    visit("level-formula", self.level_formula, "thesis or argus");
    visit("frequency-range", self.frequency_range, "level of frequency cells, percent of value");
    visit("request-range", self.request_range, "level of request cells, percent of the value");
    visit("manual-range", self.manual_range, "level of cells set by hand, percent of the value");
    visit("level-ratio", self.level_ratio, "upper protection level divided by the lower one");
    visit("sliding-percent", self.sliding_percent, "sliding level, percent of lower + upper");
    visit("sliding-only", self.sliding_only, "sliding levels instead of lower and upper ones");
    visit("lower-bound", self.lower_bound, "auto, unbounded, a number or a percentage");
    visit("upper-bound", self.upper_bound, "auto, unbounded, a number or a percentage");
    visit("misfit", self.misfit, "a level beyond the bounds: error, widen or cut");
    visit("attackers", self.attackers, "respondents, or outsider alone");
    visit("singletons-know", self.singletons_know, "a sole contributor knows the cell");
    visit("attacker-knowledge", self.attacker_knowledge, "own cells: all or sensitive-only");
    visit("attacker-reach", self.attacker_reach, "cells to protect: table or equation");
    visit("weights", self.weights, "cost of withholding a cell, such as 0.5*value+1*unity");
  }
};

enum class Misfit : std::uint8_t { kError, kWiden, kCut };

struct BoundText {  // one end of what everyone knows, as given
  enum class Kind : std::uint8_t { kAutomatic, kUnbounded, kNumber, kPercent };
  Kind kind = Kind::kAutomatic;
  mpq_class number;
};

struct SensitivityRules {  // the options, read
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
  BoundText lower_bound, upper_bound;
  Misfit misfit = Misfit::kError;
  std::int32_t coalition = 1;
  bool respondents = true, singletons_know = true, know_all = true, reach_all = true;
  WeightFormula weights;

  // Contributions per cell that a tabulation must keep for these rules.
  std::int32_t contributions_needed() const;
};

// Errors name the option ("--p-percent") and what it wants.
Result<SensitivityRules> read_options(const SensitivityOptions& options);

}  // namespace lacuna::inline sensitivity
