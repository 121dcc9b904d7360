// SPDX-License-Identifier: Apache-2.0
// The cell key method: every cell is published with noise that its key chooses from a table of
// perturbations (Fraser and Wooton 2005; magnitudes: Giessing and Tent 2019, as tau-ARGUS does it).
// The same units have the same noise in every table. docs/cellkey.md has the formulas, and what a
// reader who knows the table can still infer for certain and with what probability.
#pragma once

#include <array>
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
#include "lacuna/ptable.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

// m(z) = s0 (1 + (s1 z - s0 f) / (s0 f) (2 f / (z + f))^q) from the flex point f on, s1 below it.
struct FlexFunction {
  double large = 0.03;  // s0: what the factor falls to for large contributions; > 0
  double small = 0.2;   // s1: the factor of small ones; > 0
  double point = 1000;  // f, a number of the table; 0: the factor is s1 everywhere
  double power = 2;     // q >= 1
  double at(double size) const;
  double most() const;  // its largest value
};

// "0.03,0.2,1000,2": factors of large and of small contributions, flex point and power.
Status parse_field(const FieldInfo& info, const std::string& text, FlexFunction& field);
std::string field_text(const FlexFunction& field);

// What the noise of a magnitude is measured by.
enum class NoiseBase : std::uint8_t {
  kLargest,  // the largest contributions, as many as there are factors
  kMean,     // the mean contribution
  kRange,    // the difference of the largest and the smallest
  kValue,    // the cell itself
};
std::span<const std::string_view> enum_names(NoiseBase base);

enum class Additive : std::uint8_t {
  kNone,     // every number as its key has it
  kNearest,  // the nearest whole table that adds up, computed from the published numbers alone
};
std::span<const std::string_view> enum_names(Additive additive);

struct CellKeySettings {
  std::shared_ptr<const Ptable> ptable{};        // of counts, or of large contributions
  std::shared_ptr<const Ptable> small_ptable{};  // of small contributions; null: no separation
  FlexFunction flex;
  std::vector<double> top{1};  // epsilon_1 = 1, epsilon_2, ...: factors of the largest
  NoiseBase noise_base = NoiseBase::kLargest;
  bool parity = false;           // rows even and odd of the table, by the number of records
  bool same_key = false;         // the largest contribution uses the key as it is, not rotated
  double mu = 0;                 // added to the noise of sensitive cells, >= 0
  std::int64_t least_count = 0;  // counts: published numbers below it are left out; 0: none
  Additive additive = Additive::kNone;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "flex",
                    .help = "magnitudes: four numbers: the factor of large contributions, the "
                            "factor of small ones, the size from which a contribution is large (0: "
                            "all are small), and the power",
                    .methods = "cellkey"},
          self.flex);
    visit(FieldInfo{.name = "top",
                    .help = "magnitudes: factors of the largest contributions; the first is 1",
                    .methods = "cellkey"},
          self.top);
    visit(FieldInfo{.name = "noise-base",
                    .help = "magnitudes: the size to which the noise is proportional: the largest "
                            "contributions, their mean, the range from the smallest to the "
                            "largest, or the value of the cell",
                    .methods = "cellkey"},
          self.noise_base);
    visit(FieldInfo{.name = "parity",
                    .help = "magnitudes: use the rows even or odd of the table, depending on the "
                            "number of records",
                    .methods = "cellkey"},
          self.parity);
    visit(
        FieldInfo{.name = "same-key",
                  .help = "magnitudes: use the key of the largest contribution without rotating it",
                  .methods = "cellkey"},
        self.same_key);
    visit(FieldInfo{.name = "mu",
                    .help = "magnitudes: amount added to the noise of sensitive cells",
                    .least = 0,
                    .methods = "cellkey"},
          self.mu);
    visit(FieldInfo{.name = "least-count",
                    .help = "leave out counts whose published number would be below this",
                    .least = 0,
                    .methods = "cellkey"},
          self.least_count);
    visit(
        FieldInfo{
            .name = "additive",
            .help = "none: publish every number with the noise of its key; nearest: publish the "
                    "nearest whole table that adds up, computed from the published numbers alone",
            .methods = "cellkey"},
        self.additive);
  }
};

struct CellKeyOptions : CellKeySettings {
  std::vector<CellId> withheld{};  // left blank, strictly increasing

  Status validate() const;
};

// Cells that a reader who knows the table, but no key, knows for certain.
struct CertainInference {
  std::int64_t cells = 0;      // exactly
  std::int64_t small = 0;      // ... of which the count is 1 .. threshold - 1
  std::int64_t narrowed = 0;   // cells of which fewer numbers are left than the table leaves
  bool complete = false;       // every number that is left has a table that shows it
  std::vector<Bounds> ranges;  // by cell: what is left
};

// What averaging over the equations leaves of the noise: V P_cc with P the projection on M y = 0.
struct LeftVariance {
  double noise = 0;      // V, of counts in the last row of the table
  double mean = 0;       // of P_cc
  bool by_cell = false;  // the following is known
  double least = 0, lower_quartile = 0, median = 0, upper_quartile = 0, most = 0;
  double right_before = 0;  // share of cells that rounding the published number finds
  double right_after = 0;   // ... and rounding the projection
  // The chance that it does so of a cell with the least P_cc, its quartiles and the most.
  std::array<double, 5> right{};
};

// What is likely of a count that is published as w: with every count equally likely beforehand,
// P(n | w) is proportional to the probability that the row of n has v = w - n.
struct Posterior {
  std::int64_t published = 0;
  std::vector<std::int64_t> counts;  // rising
  std::vector<double> shares;        // of the same length, with the sum 1
};

// A table that adds up near the published numbers: the sum of squares of what they were moved by.
struct AdditiveFit {
  double distance = 0;
  double bound = 0;      // proven: no whole table that adds up is nearer
  bool optimal = false;  // both are the same
};

struct CellKeyResult : MethodResult {  // the cost is the sum of |published - true|
  std::int64_t changed = 0;            // cells with another number than the truth
  double unchanged_expected = 0;       // mean probability of no noise
  double largest_gap = 0;              // of an equation, in numbers of the table
  CertainInference certain;            // of counts
  LeftVariance left;                   // of counts
  std::vector<Posterior> posterior;    // of counts, for the first published numbers
  AdditiveFit additive;                // with Additive::kNearest
};

// What is certain of any release, to a reader who takes each cell as it is stated: whole tables
// that add up with every cell within its range and among its numbers.
CertainInference certain_inference(const Problem& problem, const Draft& draft);

// What averaging leaves of independent noise with variance `noise`.
LeftVariance left_variance(const Table& table, double noise);

// Errors: unusable options; a problem without keys; a table that does not fit the numbers.
Result<CellKeyResult> publish_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const CellKeyOptions& options,
                                          const RunContext& run);

}  // namespace lacuna
