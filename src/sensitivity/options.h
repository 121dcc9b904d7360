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

#include "lacuna/fields.h"
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
    visit(FieldInfo{.name = "minimum-frequency", .help = "fewest contributors of a safe cell", .least = 0}, self.minimum_frequency);
    visit(FieldInfo{.name = "frequency-counts", .help = "contributors, records or weighted"}, self.frequency_counts);
    visit(FieldInfo{.name = "dominance", .help = "n,k pairs: the n largest hold at most k percent"}, self.dominance);
    visit(FieldInfo{.name = "p-percent", .help = "no contribution may be known to within p percent", .unit = "percent"}, self.p_percent);
    visit(FieldInfo{.name = "prior-posterior", .help = "p,q pairs of the prior-posterior rule"}, self.prior_posterior);
    visit(FieldInfo{.name = "coalition", .help = "contributors that may put their knowledge together", .least = 1}, self.coalition);
    visit(FieldInfo{.name = "request-percent", .help = "largest share of who asked for protection", .unit = "percent of the cell"}, self.request_percent);
    visit(FieldInfo{.name = "request-minimum", .help = "fewest contributors beside such a one", .least = 0}, self.request_minimum);
    visit(FieldInfo{.name = "zero-level", .help = "zero cells are unsafe, with this upper level"}, self.zero_level);
    visit(FieldInfo{.name = "waivers", .help = "believe contributors that agreed to disclosure"}, self.waivers);
    visit(FieldInfo{.name = "level-formula", .help = "thesis or argus"}, self.level_formula);
    visit(FieldInfo{.name = "frequency-range", .help = "level of frequency cells, percent of value", .unit = "percent of the value"}, self.frequency_range);
    visit(FieldInfo{.name = "request-range", .help = "level of request cells, percent of the value", .unit = "percent of the value"}, self.request_range);
    visit(FieldInfo{.name = "manual-range", .help = "level of cells set by hand, percent of the value", .unit = "percent of the value"}, self.manual_range);
    visit(FieldInfo{.name = "level-ratio", .help = "upper protection level divided by the lower one"}, self.level_ratio);
    visit(FieldInfo{.name = "sliding-percent", .help = "sliding level, percent of lower + upper", .unit = "percent of lower + upper"}, self.sliding_percent);
    visit(FieldInfo{.name = "sliding-only", .help = "sliding levels instead of lower and upper ones"}, self.sliding_only);
    visit(FieldInfo{.name = "lower-bound", .help = "auto, unbounded, a number or a percentage"}, self.lower_bound);
    visit(FieldInfo{.name = "upper-bound", .help = "auto, unbounded, a number or a percentage"}, self.upper_bound);
    visit(FieldInfo{.name = "misfit", .help = "a level beyond the bounds: error, widen or cut"}, self.misfit);
    visit(FieldInfo{.name = "attackers", .help = "respondents, or outsider alone"}, self.attackers);
    visit(FieldInfo{.name = "singletons-know", .help = "a sole contributor knows the cell"}, self.singletons_know);
    visit(FieldInfo{.name = "attacker-knowledge", .help = "own cells: all or sensitive-only"}, self.attacker_knowledge);
    visit(FieldInfo{.name = "attacker-reach", .help = "cells to protect: table or equation"}, self.attacker_reach);
    visit(FieldInfo{.name = "weights", .help = "cost of withholding a cell, such as 0.5*value+1*unity"}, self.weights);
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
