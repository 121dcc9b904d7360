// SPDX-License-Identifier: Apache-2.0
// Controlled tabular adjustment (CTA): publish a table x near the true table a that adds up, stays
// within the bounds that everyone knows, and shows of every sensitive cell a value outside the
// protection interval:
//
//   minimize  sum_i w_i |z_i|^p   over z = x - a,  p = 1 or 2,
//   such that M z = 0,  lb_i - a_i <= z_i <= ub_i - a_i,
//             z_i >= upper_i  or  z_i <= -lower_i   for every sensitive cell i
//
// ((6) to (9) of Castro, Frangioni and Gentile, "Perspective reformulations of the CTA problem with
// L2 distances"). docs/adjustment.md has the relaxation, the search and the rounding.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

enum class AdjustNorm : std::uint8_t { kL1, kL2 };
std::span<const std::string_view> enum_names(AdjustNorm norm);

struct AdjustSettings {
  AdjustNorm norm = AdjustNorm::kL2;
  SenseRule senses = SenseRule::kFree;  // free or up: every sensitive cell is raised
  // Digits after the point of the published table; at least those of the table. A table of whole
  // numbers stays one unless something else is said; others get as many as the gap needs, so that
  // rounding costs no more than a part of it.
  static constexpr std::int32_t kOwnIfInteger = -1, kAsGapNeeds = -2;
  std::int32_t decimals = kOwnIfInteger;
  bool prove_bound = false;  // the bound comes with a log that anyone can check (bound_log.h)

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        FieldInfo{
            .name = "norm",
            .help =
                "measure of the distance from the true table, which is kept as small as possible",
            .methods = "adjust"},
        self.norm);
    visit(kSensesField, self.senses);
    visit(
        FieldInfo{
            .name = "decimals",
            .help =
                "digits after the decimal point; -1: whole tables stay whole, other tables get as "
                "many digits as the gap needs; -2: every table gets as many as the gap needs",
            .least = -2,
            .most = 18,
            .methods = "adjust"},
        self.decimals);
    visit(kProveBoundField, self.prove_bound);
  }
};

struct AdjustOptions : MethodOptions, AdjustSettings {
  std::int64_t max_nodes = -1;  // of the search, per connected part; -1: any

  Status validate() const;
};

struct AdjustCounts {
  std::int64_t parts = 0, nodes = 0, relaxations = 0, iterations = 0, engine_solves = 0;
};

// The cost is that of the published table, in the norm and with the weights of the table; the bound
// holds for tables of the decimals that are published. The draft is one of with_decimals(problem,
// decimals), which whoever judges it makes anew.
struct AdjustResult : MethodResult {
  int decimals = 0;    // of the published table; at least those of the problem
  std::string reason;  // kInfeasible: what stands in the way
  AdjustCounts counts;
  std::vector<TracePoint> trace;
};

// Errors: unusable options; a sensitive cell that no table within the bounds can protect.
Result<AdjustResult> adjust(const std::shared_ptr<const Problem>& problem,
                            const AdjustOptions& options,
                            const RunContext& run);

// How far the published table is from the true one, as in Tables 11 to 13 of the paper: percentage
// deviations 100 |z_i| / |a_i| over the cells with a_i other than 0 (over all cells that carry a
// number, the mean counts them), the number above a threshold, and the chi-square distance.
struct AdjustUtility {
  double mean_percent = 0, max_percent = 0;
  std::int64_t large = 0;  // cells above threshold_percent
  double threshold_percent = 0;
  double chi_square = 0;  // sum of z_i^2 / |a_i|
  std::int64_t changed = 0, changed_not_sensitive = 0, unchanged = 0;
};
// A negative threshold means a quarter of the largest deviation.
AdjustUtility adjustment_utility(const Problem& problem,
                                 const Draft& draft,
                                 double threshold_percent = -1);

// What an attacker who knows the method can say (Castro 2012, "On assessing the disclosure risk of
// controlled adjustment methods"): with the published table, the set of sensitive cells and their
// levels, the estimate of each true value is the published one moved back by the level toward the
// inside, on the better of the two sides. Percentage distances of the estimates from the truth.
struct AdjustRisk {
  std::int64_t cells = 0;
  double mean_percent = 0, min_percent = 0;  // of the better guess for each cell
  std::int64_t hit = 0;      // estimates inside the protection interval if the sense is known
  std::int64_t hit_one = 0;  // ... if the attacker guesses the sense by the larger level
};
AdjustRisk adjustment_risk(const Problem& problem, const Draft& draft);

}  // namespace lacuna
