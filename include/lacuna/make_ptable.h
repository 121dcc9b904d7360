// SPDX-License-Identifier: Apache-2.0
// Making perturbation tables by maximum entropy (Giessing and Tent; ptable of Enderle). Row i has
// the targets J = {max(i-D,0), ..., i+D} in steps of 1/step without 1..js, and with v = j - i
//
//   minimize sum p ln p  such that  sum p = 1,  sum v p = 0,  sum v^2 p <= V (= V if asked),
//   p(v_k) <= p(v_k+1) for v_k < 0 (monotony, if 0 is a target),  p(0) >= stay,  p >= 10^-8.
//
// Parameters that no noise can have are refused with the row and the bound; monotony that keeps the
// variance below V is reported. docs/cellkey.md has the whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/ptable.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

enum class PtableMonotone : std::uint8_t { kLeft, kNone };
std::span<const std::string_view> enum_names(PtableMonotone monotone);

struct PtableOptions {
  std::int32_t max_noise = 5;  // D, in [1, 100]
  double variance = 3;         // V, > 0
  std::int32_t js = 0;         // in [0, 100]: 1..js are never published
  double stay = 0;             // in [0, 1): least probability of no noise
  PtableMonotone monotone = PtableMonotone::kLeft;
  std::vector<std::int32_t> free_rows;   // without monotony
  std::vector<std::int32_t> equal_rows;  // whose variance must be V, not at most V
  std::vector<std::int32_t> rows;        // of magnitudes: with 1 and D; empty: all
  std::int32_t step = 1;                 // targets per unit, a divisor of a power of ten
  PtableType type = PtableType::kAll;
  double split = 0;         // in [0, 1): cut ranges into pieces of this length; 0: leave them whole
  std::uint64_t seed = 1;   // of the order of the pieces
  std::int32_t digits = 8;  // of p_ub, in [1, 18]
  std::int64_t keys = 0;    // p_ub in units of 1/keys instead; 0: by digits

  Status validate() const;
  bool for_magnitudes() const { return step > 1 || !rows.empty() || type != PtableType::kAll; }

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    shape_fields(self, visit);
    row_fields(self, visit);
    file_fields(self, visit);
  }

 private:
  template <class Self, class Visit>
  static void shape_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "max-noise",
                    .help = "D: no count changes by more than this",
                    .least = 1,
                    .most = 100,
                    .letter = 'D',
                    .place = FieldPlace::kNeeded,
                    .in_jobs = false},
          self.max_noise);
    visit(FieldInfo{.name = "variance",
                    .help = "V: variance of the noise",
                    .least = 0,
                    .most = 10'000,
                    .above_least = true,
                    .letter = 'V',
                    .place = FieldPlace::kNeeded,
                    .in_jobs = false},
          self.variance);
    visit(FieldInfo{.name = "js",
                    .help = "counts from 1 to this number are never published",
                    .least = 0,
                    .most = 99,
                    .in_jobs = false},
          self.js);
    visit(FieldInfo{.name = "stay",
                    .help = "smallest probability that a count keeps its value; it is lowered in "
                            "steps of 0.05 in rows that cannot have it together with V",
                    .least = 0,
                    .most = 0.999,
                    .in_jobs = false},
          self.stay);
    visit(FieldInfo{.name = "monotone",
                    .help = "left: below the count, targets farther away are less likely",
                    .in_jobs = false},
          self.monotone);
  }

  template <class Self, class Visit>
  static void row_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "free-rows",
                    .help = "rows that need not be monotone",
                    .least = 1,
                    .most = 1000,
                    .absent = "none",
                    .in_jobs = false},
          self.free_rows);
    visit(FieldInfo{.name = "equal-rows",
                    .help = "rows whose variance must equal V instead of being at most V",
                    .least = 1,
                    .most = 1000,
                    .absent = "none",
                    .in_jobs = false},
          self.equal_rows);
    visit(FieldInfo{.name = "rows",
                    .help = "tables for magnitudes: the rows, including 1 and D",
                    .least = 1,
                    .most = 1000,
                    .absent = "all",
                    .in_jobs = false},
          self.rows);
    visit(FieldInfo{.name = "step",
                    .help = "tables for magnitudes: number of targets per unit",
                    .least = 1,
                    .most = 100,
                    .in_jobs = false},
          self.step);
    visit(FieldInfo{.name = "type",
                    .help = "tables for magnitudes: the kind of cells that the rows are for",
                    .in_jobs = false},
          self.type);
  }

  template <class Self, class Visit>
  static void file_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "split",
                    .help = "cut every range into pieces of this length and shuffle them",
                    .least = 0,
                    .most = 0.999,
                    .absent = "ranges are not cut",
                    .in_jobs = false},
          self.split);
    visit(FieldInfo{.name = "seed", .help = "seed for the order of the pieces", .in_jobs = false},
          self.seed);
    visit(FieldInfo{.name = "digits",
                    .help = "number of decimals of p_ub",
                    .least = 1,
                    .most = 18,
                    .in_jobs = false},
          self.digits);
    visit(FieldInfo{.name = "keys",
                    .help = "for whole keys: round p_ub to multiples of 1 / this number",
                    .least = 0,
                    .most = 1e18,
                    .absent = "p_ub is rounded to digits",
                    .in_jobs = false},
          self.keys);
  }
};

// A row as it was computed, before p_ub is rounded.
struct PtableRowResult {
  std::int64_t count = 0;
  std::vector<double> noise, probabilities;
  double mean = 0, variance = 0;
  double stay = 0;  // the least probability of no noise that was asked for in the end
};

struct PtableResult {
  Ptable table;
  std::vector<PtableRowResult> rows;  // without row 0
  std::vector<std::string> notes;     // rows whose variance is below V, or whose stay was lowered
};

// Errors: parameters out of range, or that no noise can have (which row, which bound).
Result<PtableResult> make_ptable(const PtableOptions& options);

}  // namespace lacuna
