// SPDX-License-Identifier: Apache-2.0
// Every method in one shape: a problem and options in, a draft with its cost and a proven bound
// out. What comes out is a proposal; decide_release() hands it to the audit, and only what passes
// can be written. The methods by themselves, with options by cell, are in suppress.h, interval.h,
// ...
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/adjust.h"
#include "lacuna/audit.h"
#include "lacuna/cellkey.h"
#include "lacuna/decimal.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/mixed.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

enum class Method : std::uint8_t {
  kSuppress,     // withhold cells
  kInterval,     // publish ranges
  kCombined,     // few and narrow ranges
  kRound,        // publish multiples of a base
  kPerturb,      // publish numbers from ranges
  kAdjust,       // publish altered numbers, without a word on how far they may be off
  kMixed,        // a method per group of cells
  kSmallCounts,  // round counts below a base to 0 or the base, and nothing else
  kCellKey,      // publish numbers with the noise of their keys
};
std::span<const std::string_view> enum_names(Method method);
std::string_view to_string(Method method);
std::optional<Method> find_method(std::string_view name);

// What is said by hand of a single cell. An absent member leaves it to the options.
struct CellSettings {
  std::optional<PublishAs> method{};  // mixed
  std::optional<Units> base{};        // round, mixed
  std::optional<Units> lower{};       // perturb, mixed: the least number that may be published,
  std::optional<Units> upper{};       // ... the largest,
  std::optional<Units> value{};       // ... and the number itself
};

// What happens to cells that a reader of a cell-key release would know for certain.
enum class ExposedRule : std::uint8_t {
  kRefuse,    // nothing is released
  kWithhold,  // they are left blank, and what is needed with them
  kReport,    // they are released all the same, and it is said
};
std::span<const std::string_view> enum_names(ExposedRule rule);

// "0.03,0.2,1000,2": factors of large and of small contributions, flex point and power.
Status parse_field(const FieldInfo& info, const std::string& text, FlexFunction& field);
std::string field_text(const FlexFunction& field);

struct ProtectOptions {
  Method method = Method::kSuppress;
  std::string weights;  // a formula (docs/sensitivity.md); empty: the method's own
  Effort effort = Effort::kDefault;
  double gap = 0;
  std::string engine;  // a name of lp_engines(), which a build has; empty: the best there is
  std::int64_t max_withheld = -1;
  double minimum_width = 0;
  std::int32_t interval_digits = 0;
  double off_center = 0.25;
  std::string width_weights = "unity";
  std::int64_t max_intervals = -1;
  double interval_width = 0;
  double interval_level = 0;
  AdjustNorm norm = AdjustNorm::kL2;
  SenseRule senses = SenseRule::kFree;
  std::int32_t decimals = -1;
  std::optional<Decimal> base;  // a number of the table, > 0
  bool unbiased = false;
  double unbiased_cost = 0.05;
  std::int32_t steps = 0;
  double step_price = 1;
  std::int64_t max_changed = -1;
  bool no_small_counts = false;
  bool exact_multiples = false;
  bool midpoint = false;
  double range = 20;
  bool range_unknown = false;
  double change_price = 0;
  std::optional<Decimal> grid;  // a number of the table, > 0
  PublishAs sensitive_as = PublishAs::kInterval;
  PublishAs totals_as = PublishAs::kExact;
  PublishAs others_as = PublishAs::kPerturbed;
  FlexFunction flex;
  std::vector<double> top{1};  // factors of the largest contributions
  NoiseBase noise_base = NoiseBase::kLargest;
  bool parity = false;
  bool same_key = false;
  double mu = 0;
  std::int64_t least_count = 0;
  Additive additive = Additive::kNone;
  ExposedRule exposed = ExposedRule::kRefuse;

  // What has no text: on the command line files take their place (--cells, --prefer, --checkpoint).
  std::vector<CellSettings> cells;               // by cell; empty: nothing is said of any
  std::shared_ptr<const Ptable> ptable;          // cellkey: the table of perturbations,
  std::shared_ptr<const Ptable> small_ptable;    // ... and that of small contributions
  std::optional<std::vector<CellId>> preferred;  // suppress: withheld in an earlier release
  std::vector<CellId> start;                     // suppress: go on from here,
  std::vector<Displacement> start_evidence;      // ... with what was known by then,
  SuppressStage start_stage;                     // ... and where that was
  // suppress: now and then the best so far, with what a run needs to go on from there.
  std::function<void(const Draft&, const std::vector<Displacement>&, const SuppressStage&)>
      on_pattern;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    common_fields(self, visit);
    hiding_fields(self, visit);
    adjust_fields(self, visit);
    round_fields(self, visit);
    mixed_fields(self, visit);
    cellkey_fields(self, visit);
  }

  Status validate() const;  // every number in its range

 private:
  template <class Self, class Visit>
  static void common_fields(Self& self, Visit&& visit);
  template <class Self, class Visit>
  static void hiding_fields(Self& self, Visit&& visit);
  template <class Self, class Visit>
  static void adjust_fields(Self& self, Visit&& visit);
  template <class Self, class Visit>
  static void round_fields(Self& self, Visit&& visit);
  template <class Self, class Visit>
  static void mixed_fields(Self& self, Visit&& visit);
  template <class Self, class Visit>
  static void cellkey_fields(Self& self, Visit&& visit);
};

struct ProtectResult {
  StopReason status = StopReason::kLimit;
  bool reproducible = false;  // nobody has stopped the method from outside
  std::int64_t work = 0;      // that it has done, in units
  bool complete = false;      // there is a draft that should pass the audit
  bool judged = true;         // false: the method was stopped before it knew whether it does
  Draft draft;
  double cost = 0;                                      // of the method's optimum
  double bound = 0;                                     // proven: no safe release costs less
  std::vector<Displacement> evidence;                   // suggestions for the audit
  std::vector<std::pair<std::string, double>> details;  // what else the method counted, by name
  std::vector<TracePoint> trace;                        // empty if the method keeps none
  std::string message;                                  // why there is no draft; may be empty
  std::string note;                                     // what a reader of the result must know
  int decimals = -1;    // of the draft's numbers; -1: those of the table
  bool adds_up = true;  // numbers without entry in an equation that fails are an error
  // cellkey: what is certain and likely to a reader, for the report; null: nothing.
  std::shared_ptr<const CellKeyResult> cell_keys{};
  std::optional<Draft> centered;  // the draft before its intervals were moved off centre

  double gap() const { return cost > 0 ? (cost - bound) / cost : 0; }
};

// What the options let out although it is told (Problem::waiver): what a method works for is not
// changed by it, what is said of the release is.
Waiver waiver_of(const ProtectOptions& options);

// Errors: unusable options; a requirement that no release of the kind can meet. How a search ended
// is part of the result, and so is that there is nothing (infeasible, or not complete in time).
Result<ProtectResult> protect(const std::shared_ptr<const Problem>& problem,
                              const ProtectOptions& options,
                              const RunContext& run);

// The audit of what protect() has found, against the problem as it was given: the release, or the
// report that refuses it. Errors: there is no draft; one that does not fit the table.
Result<ReleaseDecision> decide_release(const std::shared_ptr<const Problem>& problem,
                                       const ProtectResult& found,
                                       const AuditOptions& options,
                                       const RunContext& run);

// The problem that a draft with so many decimals is judged against: the given one, made finer if
// need be. A method says how many decimals and nothing else of what it is judged by.
Result<std::shared_ptr<const Problem>> problem_to_audit(const std::shared_ptr<const Problem>& given,
                                                        const ProtectResult& found);

// The weights of a run: those that its options name, or its method's own.
std::string weight_formula(const ProtectOptions& options);

// The problem with other weights: "cost" keeps those of the input, "0.5*value+1*unity" combines.
// Errors: an unknown name, frequencies that are not known.
Result<Problem> weigh(Problem problem, const std::string& formula);

template <class Self, class Visit>
void ProtectOptions::common_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "method",
                  .help = "suppress: withhold cells; interval: publish ranges; combined: few and "
                          "narrow ranges; round: publish multiples of a base; perturb: publish "
                          "numbers from ranges; adjust: publish altered numbers; mixed: a method "
                          "per group of cells; small-counts: round counts below a base to 0 or "
                          "to the base, no others; cellkey: publish numbers with the noise of "
                          "their keys"},
        self.method);
  visit(FieldInfo{.name = "weights",
                  .help = "what a cell costs: cost (as in the file), unity, value, log, frequency, "
                          "inverse, inverse2, or a sum such as 0.5*value+1*unity",
                  .absent = "cost; adjust: inverse; round, perturb, mixed, small-counts: unity"},
        self.weights);
  visit(FieldInfo{.name = "effort", .help = "how hard to try, in amounts of work"}, self.effort);
  visit(FieldInfo{.name = "gap",
                  .help = "stop once the proven gap, (objective - bound) / objective, is at most "
                          "this; 0: adjust takes 0.0001, all others ask for a proof",
                  .least = 0,
                  .most = 1},
        self.gap);
  visit(
      FieldInfo{.name = "engine", .help = "LP engine: highs or clp", .absent = "the best there is"},
      self.engine);
}

template <class Self, class Visit>
void ProtectOptions::hiding_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "max-withheld",
                  .help = "at most so many withheld cells, primaries included",
                  .least = 0,
                  .absent = "any number",
                  .methods = "suppress"},
        self.max_withheld);
  visit(FieldInfo{.name = "minimum-width",
                  .help = "least width of the interval of every withheld cell",
                  .unit = "percent of the value",
                  .least = 0,
                  .most = 10000,
                  .methods = "suppress"},
        self.minimum_width);
  visit(FieldInfo{.name = "interval-digits",
                  .help = "significant digits of interval ends, rounded outward; 0 keeps all",
                  .least = 0,
                  .most = 18,
                  .methods = "interval combined mixed"},
        self.interval_digits);
  visit(FieldInfo{.name = "off-center",
                  .help = "share of its width that an interval may grow by, so that its middle and "
                          "ends do not tell the truth; 0 leaves the ends as found",
                  .least = 0,
                  .most = 10,
                  .methods = "interval combined mixed"},
        self.off_center);
  visit(FieldInfo{.name = "width-weights",
                  .help = "price of a unit of width, a formula like --weights, which prices the "
                          "interval itself",
                  .methods = "combined"},
        self.width_weights);
  visit(FieldInfo{.name = "max-intervals",
                  .help = "at most so many intervals",
                  .least = 0,
                  .absent = "any number",
                  .methods = "combined"},
        self.max_intervals);
  visit(FieldInfo{.name = "interval-width",
                  .help = "least width of an interval",
                  .unit = "percent of the value",
                  .least = 0,
                  .methods = "combined"},
        self.interval_width);
  visit(FieldInfo{.name = "interval-level",
                  .help = "least width that can be inferred for cells that are not sensitive",
                  .unit = "percent of the value",
                  .least = 0,
                  .methods = "combined"},
        self.interval_level);
}

template <class Self, class Visit>
void ProtectOptions::adjust_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "norm", .help = "distance that is least", .methods = "adjust"},
        self.norm);
  visit(FieldInfo{.name = "senses",
                  .help = "where sensitive cells go: free, or all up; perturb: or all down",
                  .methods = "adjust perturb mixed"},
        self.senses);
  visit(FieldInfo{.name = "decimals",
                  .help = "digits after the point; -1 keeps whole tables whole and takes as many "
                          "as the gap needs for others, -2 does that for all",
                  .least = -2,
                  .most = 18,
                  .methods = "adjust"},
        self.decimals);
}

template <class Self, class Visit>
void ProtectOptions::round_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "base",
                  .help = "the rounding base, a number of the table",
                  .absent = "none",
                  .methods = "round mixed small-counts"},
        self.base);
  visit(FieldInfo{.name = "unbiased", .help = "seeded random directions", .methods = "round"},
        self.unbiased);
  visit(FieldInfo{.name = "unbiased-cost",
                  .help = "share of the optimum that random directions may cost",
                  .least = 0,
                  .methods = "round"},
        self.unbiased_cost);
  visit(FieldInfo{.name = "steps",
                  .help = "bases beyond the adjacent multiples, if there is no other way",
                  .least = 0,
                  .most = 100,
                  .methods = "round mixed"},
        self.steps);
  visit(FieldInfo{.name = "step-price",
                  .help = "price of each such base",
                  .unit = "bases",
                  .least = 0,
                  .methods = "round mixed"},
        self.step_price);
  visit(FieldInfo{.name = "max-changed",
                  .help = "at most so many numbers that are not the truth",
                  .least = 0,
                  .absent = "any number",
                  .methods = "round perturb mixed"},
        self.max_changed);
  visit(
      FieldInfo{
          .name = "no-small-counts", .help = "never publish a 1 or a 2", .methods = "round mixed"},
      self.no_small_counts);
  visit(FieldInfo{.name = "exact-multiples",
                  .help = "publish multiples of the base as exact, and say so",
                  .methods = "round mixed"},
        self.exact_multiples);
  visit(FieldInfo{.name = "midpoint",
                  .help = "of counts: each becomes the middle of its class, r ceil(n / r) - r / 2 "
                          "with the base r, and 0 stays; sums do not add up",
                  .methods = "round"},
        self.midpoint);
}

template <class Self, class Visit>
void ProtectOptions::mixed_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "range",
                  .help = "range of cells that are not sensitive, on either side",
                  .unit = "percent of the value",
                  .least = 0,
                  .most = 10000,
                  .methods = "perturb mixed"},
        self.range);
  visit(FieldInfo{.name = "range-unknown",
                  .help = "readers are not told the ranges",
                  .methods = "perturb mixed"},
        self.range_unknown);
  visit(FieldInfo{.name = "change-price",
                  .help = "price of a cell that is changed at all",
                  .least = 0,
                  .methods = "perturb mixed"},
        self.change_price);
  visit(FieldInfo{.name = "grid",
                  .help = "deviations are multiples of this number of the table",
                  .absent = "one unit",
                  .methods = "perturb mixed"},
        self.grid);
  visit(FieldInfo{.name = "sensitive-as",
                  .help = "how sensitive cells are published; not exact",
                  .methods = "mixed"},
        self.sensitive_as);
  visit(FieldInfo{.name = "totals-as",
                  .help = "how other cells that are sums are published",
                  .methods = "mixed"},
        self.totals_as);
  visit(
      FieldInfo{
          .name = "others-as", .help = "how all other cells are published", .methods = "mixed"},
      self.others_as);
}

template <class Self, class Visit>
void ProtectOptions::cellkey_fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "flex",
                  .help = "magnitudes: factor of large contributions, of small ones, the number "
                          "from which they are large (0: all are small), and the power",
                  .methods = "cellkey"},
        self.flex);
  visit(FieldInfo{.name = "top",
                  .help = "magnitudes: factors of the largest contributions, the first is 1",
                  .methods = "cellkey"},
        self.top);
  visit(FieldInfo{.name = "noise-base",
                  .help = "magnitudes: what the noise is measured by: the largest contributions, "
                          "their mean, the range from the smallest to the largest, or the value "
                          "of the cell",
                  .methods = "cellkey"},
        self.noise_base);
  visit(FieldInfo{.name = "parity",
                  .help = "magnitudes: rows even and odd of the table, by the number of records",
                  .methods = "cellkey"},
        self.parity);
  visit(FieldInfo{.name = "same-key",
                  .help = "magnitudes: the largest contribution uses the key without rotating it",
                  .methods = "cellkey"},
        self.same_key);
  visit(FieldInfo{.name = "mu",
                  .help = "magnitudes: added to the noise of sensitive cells",
                  .least = 0,
                  .methods = "cellkey"},
        self.mu);
  visit(FieldInfo{.name = "least-count",
                  .help = "published counts below this are left out",
                  .least = 0,
                  .methods = "cellkey"},
        self.least_count);
  visit(FieldInfo{.name = "additive",
                  .help = "none: every number as its key has it; nearest: the nearest whole table "
                          "that adds up, made from the published numbers alone",
                  .methods = "cellkey"},
        self.additive);
  visit(FieldInfo{.name = "exposed",
                  .help = "cells that a reader knows for certain: refuse the release, withhold "
                          "them, or report them as waived and release all the same",
                  .methods = "cellkey"},
        self.exposed);
}

}  // namespace lacuna
