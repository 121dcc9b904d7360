// SPDX-License-Identifier: Apache-2.0
// What all methods of protection share: how hard they try, and the shape of what they find. A
// method proposes; only the audit (audit.h) says that a release is safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/bound_log.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

enum class Effort : std::uint8_t {
  kFast,     // quick heuristics, and a quick bound
  kDefault,  // begins with what kFast finds; exact for tables of moderate size
  kBest,     // exact, whatever the size, until optimal or stopped
};
std::span<const std::string_view> enum_names(Effort effort);

// The work that an effort allows for a table of so many cells, in units (run_context.h).
std::int64_t effort_work(Effort effort, std::int64_t cells);
// The run with the work of the effort, unless somebody has limited its work already.
RunContext with_effort(const RunContext& run, Effort effort, std::int64_t cells);

// Where altered sensitive cells go: to the side that costs less, or all to the same side.
enum class SenseRule : std::uint8_t { kFree, kUp, kDown };
std::span<const std::string_view> enum_names(SenseRule rule);

// What every search is asked. The options of a method are these, its own settings (which the
// command line and job files know by the same names) and what is said of single cells.
struct MethodOptions {
  Effort effort = Effort::kDefault;
  double gap = 0;
  std::string engine;  // a name of lp_engines(), which a build has; empty: the best there is

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "effort", .help = "how hard to search; it sets the amount of work"},
          self.effort);
    visit(
        FieldInfo{
            .name = "gap",
            .help = "stop as soon as the proven gap, (objective - bound) / objective, is at most "
                    "this; with 0, adjust stops at 0.0001 and all other methods search for a proof",
            .least = 0,
            .most = 1},
        self.gap);
    visit(FieldInfo{.name = "engine",
                    .help = "LP engine: highs or clp",
                    .absent = "the best one available"},
          self.engine);
  }

  Status validate() const;  // the gap is below 1
};

// Options that several methods have, each as a setting of its own.
inline constexpr FieldInfo kBaseField{.name = "base",
                                      .help = "the rounding base, in the numbers of the table",
                                      .absent = "none",
                                      .methods = "round mixed small-counts"};
inline constexpr FieldInfo kSensesField{
    .name = "senses",
    .help = "direction in which sensitive cells move: free, or all up; with perturb also all down",
    .methods = "adjust perturb mixed"};
inline constexpr FieldInfo kMaxChangedField{
    .name = "max-changed",
    .help = "largest number of cells that are not published with their true value",
    .least = 0,
    .absent = "any number",
    .methods = "round perturb mixed"};
inline constexpr FieldInfo kProveBoundField{
    .name = "prove-bound",
    .help = "write a log of the bound into the certificate, which lacuna verify checks without a "
            "solver (docs/proof.md)",
    .methods = "suppress interval adjust"};
inline constexpr FieldInfo kIntervalDigitsField{
    .name = "interval-digits",
    .help = "significant digits of interval ends, rounded outward; 0 keeps all",
    .least = 0,
    .most = 18,
    .methods = "interval combined mixed"};

// Where a run was when it handed out a pattern. At the end of a stage the pattern, its evidence and
// the work so far are all that what follows depends on: a run that goes on from there with the same
// options comes to the same release as one that was never stopped. Underway it does not.
struct SuppressStage {
  enum class Name : std::uint8_t {
    kUnderway,
    kExchanged,  // the first pattern is made and improved by exchanges
    kStarted,    // the start is done, branch and cut comes next
  };
  Name name = Name::kUnderway;
  std::int64_t touches = 0;  // thousandths of a unit of work
  bool operator==(const SuppressStage&) const = default;
};
std::span<const std::string_view> enum_names(SuppressStage::Name name);

struct TracePoint {  // of the history of a run
  double seconds = 0;
  double incumbent = 0;  // infinite before the first
  double bound = 0;
  std::int64_t work = 0;  // units done when it was noted
};

struct MethodResult {
  StopReason why = StopReason::kLimit;
  bool complete = false;  // draft meets every requirement as far as the method knows
  bool judged = true;     // false: it was stopped before it knew; the audit may say no
  Draft draft;
  double cost = 0;                      // of the draft, in the method's own measure
  double bound = 0;                     // proven: no safe release of this kind costs less
  std::vector<Displacement> witnesses;  // for the audit: what the method believes to be evidence
  std::shared_ptr<const BoundLog> bound_log{};  // where it was asked for: why no pattern costs less
};

}  // namespace lacuna
