// SPDX-License-Identifier: Apache-2.0
// Every method in one shape: a problem and options in, a draft with its cost and a proven bound
// out. What comes out is a proposal; decide_release() hands it to the audit, and only what passes
// can be written. The methods by themselves, with options by cell, are in suppress.h, interval.h,
// ...
#pragma once

#include <cstdint>
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
#include "lacuna/combined.h"
#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/interval.h"
#include "lacuna/method.h"
#include "lacuna/mixed.h"
#include "lacuna/perturb.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/round.h"
#include "lacuna/run_context.h"
#include "lacuna/small_counts.h"
#include "lacuna/suppress.h"

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

// What protect() can be asked: what all methods share, and the settings of each. An option that
// several methods have is a setting of each of them; by its name (set_option, the command line, job
// files) all are set. `mixed` takes those of the methods it mixes as well.
struct ProtectOptions : MethodOptions {
  Method method = Method::kSuppress;
  std::string weights;  // a formula (docs/sensitivity.md); empty: the method's own
  SuppressSettings suppress;
  IntervalSettings interval;
  CombinedSettings combined;
  RoundSettings round;
  PerturbSettings perturb;
  AdjustSettings adjust;
  MixedSettings mixed;
  SmallCountSettings small_counts;
  CellKeySettings cellkey;
  std::string width_weights = "unity";         // combined: a formula, like weights
  double off_center = 0.25;                    // of intervals, whatever method finds them
  ExposedRule exposed = ExposedRule::kRefuse;  // cellkey
  // What has no text: on the command line a file takes its place (--cells).
  std::vector<CellSettings> cells;  // by cell; empty: nothing is said of any

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit);

  Status validate() const;  // every number in its range
};

struct ProtectResult : MethodResult {
  bool reproducible = false;                            // nobody has stopped it from outside
  std::int64_t work = 0;                                // that it has done, in units
  std::vector<std::pair<std::string, double>> details;  // what else the method counted, by name
  std::vector<TracePoint> trace;                        // empty if the method keeps none
  std::string reason;                                   // why there is no draft; may be empty
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
void ProtectOptions::fields(Self& self, Visit&& visit) {
  visit(FieldInfo{.name = "method",
                  .help = "suppress: withhold cells; interval: publish ranges; combined: few and "
                          "narrow ranges; round: publish multiples of a base; perturb: publish "
                          "numbers from ranges; adjust: publish altered numbers; mixed: a method "
                          "per group of cells; small-counts: round counts below a base to 0 or "
                          "to the base, no others; cellkey: publish numbers with the noise of "
                          "their keys"},
        self.method);
  visit(
      FieldInfo{
          .name = "weights",
          .help = "what changing or withholding a cell costs: cost (as in the file), unity, value, "
                  "log, frequency, inverse, inverse2, or a sum such as 0.5*value+1*unity",
          .absent = "cost; adjust: inverse; round, perturb, mixed, small-counts: unity"},
      self.weights);
  MethodOptions::fields(self, visit);
  SuppressSettings::fields(self.suppress, visit);
  IntervalSettings::fields(self.interval, visit);
  visit(
      FieldInfo{.name = "off-center",
                .help = "share of its width by which an interval may grow, so that its middle and "
                        "ends do not disclose the true value; 0 keeps the ends as they were found",
                .least = 0,
                .most = 10,
                .methods = "interval combined mixed"},
      self.off_center);
  visit(FieldInfo{.name = "width-weights",
                  .help = "price of one unit of width, as a formula like that of --weights; "
                          "--weights is the price of the interval itself",
                  .methods = "combined"},
        self.width_weights);
  CombinedSettings::fields(self.combined, visit);
  AdjustSettings::fields(self.adjust, visit);
  RoundSettings::fields(self.round, visit);
  PerturbSettings::fields(self.perturb, visit);
  MixedSettings::fields(self.mixed, visit);
  SmallCountSettings::fields(self.small_counts, visit);
  CellKeySettings::fields(self.cellkey, visit);
  visit(FieldInfo{.name = "exposed",
                  .help =
                      "what to do about cells that a reader knows for certain: refuse the release, "
                      "withhold these cells, or report them as waived and release the table anyway",
                  .methods = "cellkey"},
        self.exposed);
}

}  // namespace lacuna
