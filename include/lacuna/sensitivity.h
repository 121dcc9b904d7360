// SPDX-License-Identifier: Apache-2.0
// From the tabulation of records to the problem of protecting it: which cells are sensitive by
// which rule, the protection levels that follow, and the attackers they hold against. Cells with
// codes, statuses, bounds and weights, the equations of all linked tables (docs/sensitivity.md).
// Percentages, levels and bounds are exact: a rule decides as it was written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/apriori.h"
#include "lacuna/decimal.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/tabulation.h"

namespace LACUNA_API lacuna {

// Words of the options, as users write them (enum_names).
enum class FrequencyCount : std::uint8_t { kContributors, kRecords, kWeighted };
enum class LevelFormula : std::uint8_t { kThesis, kArgus };  // they differ for q < 100 only
enum class Misfit : std::uint8_t { kError, kWiden, kCut };   // widen bounds, cut the level
enum class AttackersMeant : std::uint8_t { kRespondents, kOutsider };
enum class AttackerKnowledge : std::uint8_t { kAll, kSensitiveOnly };  // of own cells
enum class AttackerReach : std::uint8_t {
  kTable,
  kEquation
};  // equation: cells next to known ones
std::span<const std::string_view> enum_names(FrequencyCount counts);
std::span<const std::string_view> enum_names(LevelFormula formula);
std::span<const std::string_view> enum_names(Misfit misfit);
std::span<const std::string_view> enum_names(AttackersMeant attackers);
std::span<const std::string_view> enum_names(AttackerKnowledge knowledge);
std::span<const std::string_view> enum_names(AttackerReach reach);

struct DominancePair {  // the n largest hold at most k percent
  std::int32_t n = 1;   // >= 1
  Decimal k;            // in (0, 100)
  bool operator==(const DominancePair&) const = default;
};

struct PriorPosteriorPair {  // percent, 0 < p < q
  Decimal p, q;
  bool operator==(const PriorPosteriorPair&) const = default;
};

// One end of what everyone knows of a cell. As text: "auto", "unbounded", "17.5", "50%".
struct KnownBound {
  enum class Kind : std::uint8_t { kAuto, kUnbounded, kNumber, kPercent };
  Kind kind = Kind::kAuto;
  Decimal number{};  // of the table, or percent of the value's size (>= 0) away from the value
  bool operator==(const KnownBound&) const = default;
  static KnownBound unbounded() { return {Kind::kUnbounded}; }
  static KnownBound at(Decimal number) { return {Kind::kNumber, number}; }
  static KnownBound percent(Decimal share) { return {Kind::kPercent, share}; }
};

// From text and to the one text of each value: "1,90; 2,95". Errors name the option.
Status parse_field(const FieldInfo& info, const std::string& text, KnownBound& field);
Status parse_field(const FieldInfo& info,
                   const std::string& text,
                   std::vector<DominancePair>& field);
Status parse_field(const FieldInfo& info,
                   const std::string& text,
                   std::vector<PriorPosteriorPair>& field);
std::string field_text(const KnownBound& field);
std::string field_text(const std::vector<DominancePair>& field);
std::string field_text(const std::vector<PriorPosteriorPair>& field);

struct SensitivityOptions {
  // Rules. Several may be on; a cell is sensitive if one says so. What is absent is off.
  std::int64_t minimum_frequency = 0;  // >= 0; 0: off
  FrequencyCount frequency_counts = FrequencyCount::kContributors;
  std::vector<DominancePair> dominance;
  std::optional<Decimal> p_percent;  // > 0
  std::vector<PriorPosteriorPair> prior_posterior;
  std::int32_t coalition = 1;              // r >= 1, of the two rules above
  std::optional<Decimal> request_percent;  // >= 0
  std::int64_t request_minimum = 0;        // contributors
  std::optional<Decimal> zero_level;       // >= 0, a number of the table
  bool waivers = true;                     // false: nobody has agreed to disclosure

  // Levels.
  LevelFormula level_formula = LevelFormula::kThesis;
  Decimal frequency_range = 20;  // percent of the value, >= 0
  Decimal request_range = 20;
  Decimal manual_range = 20;
  Decimal level_ratio = 1;  // upper / lower, > 0; neither falls below the formula's level
  std::optional<Decimal> sliding_percent;  // of lower + upper, >= 0; absent: no sliding level
  bool sliding_only = false;               // lower and upper levels become 0

  // Bounds that everyone knows.
  KnownBound lower_bound;          // auto: 0 unless there are negative contributions
  KnownBound upper_bound;          // auto: unbounded
  Misfit misfit = Misfit::kError;  // of a level beyond the bounds

  // Attackers besides the outsider.
  AttackersMeant attackers = AttackersMeant::kRespondents;
  bool singletons_know = true;  // a sole contributor knows to be the only one
  AttackerKnowledge attacker_knowledge = AttackerKnowledge::kAll;
  AttackerReach attacker_reach = AttackerReach::kTable;

  std::string weights = "cost";  // a formula of weights.h; cost is |value| where none is given

  bool operator==(const SensitivityOptions&) const = default;
  Status validate() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {  // command line, files and docs read this list
    rule_fields(self, visit);
    level_fields(self, visit);
  }

 private:
  template <class Self, class Visit>
  static void rule_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "minimum-frequency",
                    .help = "smallest number of contributors of a safe cell",
                    .least = 0},
          self.minimum_frequency);
    visit(FieldInfo{.name = "frequency-counts", .help = "what a minimum frequency counts"},
          self.frequency_counts);
    visit(FieldInfo{.name = "dominance",
                    .help = "n,k pairs: the n largest contributors may hold at most k percent"},
          self.dominance);
    visit(FieldInfo{.name = "p-percent",
                    .help = "nobody may know a contribution to within p percent",
                    .unit = "percent"},
          self.p_percent);
    visit(FieldInfo{.name = "prior-posterior", .help = "p,q pairs of the prior-posterior rule"},
          self.prior_posterior);
    visit(FieldInfo{.name = "coalition",
                    .help = "number of contributors who may share their knowledge",
                    .least = 1},
          self.coalition);
    visit(FieldInfo{.name = "request-percent",
                    .help = "largest share that a contributor who asked for protection may hold",
                    .unit = "percent of the cell"},
          self.request_percent);
    visit(
        FieldInfo{
            .name = "request-minimum",
            .help =
                "a cell with fewer contributors is sensitive if one of them asked for protection",
            .least = 0},
        self.request_minimum);
    visit(
        FieldInfo{.name = "zero-level", .help = "zero cells are sensitive, with this upper level"},
        self.zero_level);
    visit(FieldInfo{.name = "waivers", .help = "take agreements to disclosure into account"},
          self.waivers);
  }

  template <class Self, class Visit>
  static void level_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "level-formula",
                    .help = "formula for the levels of prior-posterior rules"},
          self.level_formula);
    visit(FieldInfo{.name = "frequency-range",
                    .help = "protection level of cells made sensitive by a frequency rule",
                    .unit = "percent of the value"},
          self.frequency_range);
    visit(FieldInfo{.name = "request-range",
                    .help = "protection level of cells made sensitive by a request",
                    .unit = "percent of the value"},
          self.request_range);
    visit(FieldInfo{.name = "manual-range",
                    .help = "protection level of cells set by hand",
                    .unit = "percent of the value"},
          self.manual_range);
    visit(
        FieldInfo{.name = "level-ratio", .help = "upper protection level divided by the lower one"},
        self.level_ratio);
    visit(FieldInfo{.name = "sliding-percent",
                    .help = "sliding protection level",
                    .unit = "percent of lower + upper"},
          self.sliding_percent);
    visit(FieldInfo{.name = "sliding-only",
                    .help = "use sliding levels instead of lower and upper ones"},
          self.sliding_only);
    visit(
        FieldInfo{
            .name = "lower-bound",
            .help = "lower bound that everyone knows: auto, unbounded, a number or a percentage"},
        self.lower_bound);
    visit(
        FieldInfo{
            .name = "upper-bound",
            .help = "upper bound that everyone knows: auto, unbounded, a number or a percentage"},
        self.upper_bound);
    visit(FieldInfo{.name = "misfit",
                    .help = "a level that does not fit into the bounds is an error, widens the "
                            "bounds or is cut"},
          self.misfit);
    visit(FieldInfo{.name = "attackers", .help = "who attacks: respondents, or the outsider alone"},
          self.attackers);
    visit(FieldInfo{.name = "singletons-know", .help = "a sole contributor knows the cell"},
          self.singletons_know);
    visit(FieldInfo{.name = "attacker-knowledge",
                    .help = "own cells of which a respondent knows its contribution"},
          self.attacker_knowledge);
    visit(FieldInfo{.name = "attacker-reach",
                    .help = "cells to protect from a respondent: all, or those that share an "
                            "equation with its own"},
          self.attacker_reach);
    visit(FieldInfo{.name = "weights",
                    .help = "cost of withholding a cell, such as 0.5*value+1*unity"},
          self.weights);
  }
};

struct Explanation {
  std::string rule;  // frequency, dominance, p%, prior-posterior, request, zero, manual
  std::string text;  // "unsafe: 2 contributors, fewer than 3"
  bool operator==(const Explanation&) const = default;
};

struct AttackerCounts {
  std::int64_t respondents = 0;  // that contribute visibly to a sensitive cell
  std::int64_t anonymous = 0;    // of them: contributions of nobody knows whom, each its own
  std::int64_t coalitions = 0;   // of two and more
  std::int64_t largest_coalition = 0;
  bool all_cells = false;         // they know their contributions to all cells
  std::int64_t kept = 0;          // attackers besides the outsider
  std::int64_t merged = 0;        // whose requirements all follow from those of others
  std::int64_t requirements = 0;  // of kept attackers
  std::int64_t implied = 0;       // requirements that follow from others
  std::int64_t out_of_reach = 0;  // left out by the option attacker-reach = equation
};

struct SensitivityReport {
  std::vector<std::vector<Explanation>> explanations;  // per cell: all that say no, or "manual"
  AttackerCounts attackers;
  // Those who know something and of whom nothing is asked, since what is asked of others covers it.
  std::vector<Attacker> covered;
  std::int64_t sensitive = 0;
  std::int64_t widened = 0;  // cells whose bounds were widened so that a level fits
  std::int64_t cut = 0;      // cells whose levels were cut at the bounds
};

// Cells stand in the order of the tabulation. The entries are applied one after the other; what an
// entry may do depends on the status so far, as in tau-ARGUS: S and PL want no secondary, P and M a
// safe cell, levels a sensitive one. A cost by hand is the weight of the cell, unless the weights
// are a formula with "cost", which then uses it.
// Errors: bad options, a tabulation that keeps fewer contributions than the rules need, an entry
// for a cell that is not there or that its status does not allow, a level that does not fit the
// bounds.
Result<Problem> make_sensitive_problem(const Tabulation& tabulation,
                                       const SensitivityOptions& options,
                                       std::span<const AprioriEntry> apriori,
                                       SensitivityReport& report);

}  // namespace lacuna
