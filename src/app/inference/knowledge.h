// SPDX-License-Identifier: Apache-2.0
// What a reader takes from what is printed in the place of a number, beyond the number itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/infer/range_text.h"
#include "data/jobfile/published_table.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::inference {

// How published numbers came to be multiples of a base.
enum class Rounding : std::uint8_t { kNearest, kDown, kUp, kAdjacent };
std::span<const std::string_view> enum_names(Rounding rounding);

// What a row that is not there says where the others of its sum are.
enum class AbsentRows : std::uint8_t { kAuto, kZero, kUnknown };
std::span<const std::string_view> enum_names(AbsentRows absent);

struct KnowledgeOptions {
  std::string rounded_to;  // a number; empty: as they are
  Rounding rounding = Rounding::kNearest;
  std::string lower, upper;           // of every number that is not told; "none": no bound
  std::vector<std::string> withheld;  // "1-4" or "SIGN=1-4"
  AbsentRows absent = AbsentRows::kAuto;
  bool counts = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "rounded-to",
                    .help = "the published numbers were rounded to multiples of this base",
                    .absent = "not rounded",
                    .shown_as = "BASE",
                    .in_jobs = false},
          self.rounded_to);
    visit(FieldInfo{.name = "rounding",
                    .help = "how they were rounded: to the nearest multiple, down, up, or to "
                            "either adjacent multiple",
                    .in_jobs = false},
          self.rounding);
    visit(FieldInfo{.name = "lower",
                    .help = "no number of the table is below this; none: there is no bound",
                    .absent = "0, and none if a negative number is published",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.lower);
    visit(FieldInfo{.name = "upper",
                    .help = "no withheld number is above this",
                    .absent = "none",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.upper);
    visit(FieldInfo{.name = "withheld",
                    .help = "what readers know of a blank: RANGE, such as 1-4 or <5, or SIGN=RANGE "
                            "for the blanks with this sign; may be given several times",
                    .absent = "nothing",
                    .shown_as = "RANGE",
                    .in_jobs = false},
          self.withheld);
    visit(FieldInfo{.name = "absent",
                    .help = "what a row that is not there means in a sum: zero, or an unknown "
                            "number; auto takes zero if sums that can be checked hold without it",
                    .in_jobs = false},
          self.absent);
    visit(FieldInfo{.name = "counts",
                    .help = "the numbers are counts: compute what readers can infer who know that "
                            "they are whole",
                    .absent = "as the name of the column says",
                    .in_jobs = false},
          self.counts);
  }
};

// The options as numbers of a table.
class Knowledge {
 public:
  // As many decimals as the published numbers and the options need, and some more. Errors: an
  // option that is no number or no range.
  static Result<Knowledge> make(const KnowledgeOptions& options,
                                const std::vector<jobfile::PublishedTable>& tables,
                                int more_decimals = 0);

  int decimals() const { return decimals_; }
  bool counts() const { return counts_; }
  Bounds everywhere() const { return everywhere_; }  // of the truth of any cell
  Units base() const { return base_; }               // 0: not rounded

  // What a reader knows of the truth behind a row. Errors: a number that is no multiple of the
  // base, a range that is empty; they have no place.
  Result<Bounds> of_row(const jobfile::PublishedRow& row) const;
  Result<Units> units(const std::string& number) const;

 private:
  Status take_withheld(const std::vector<std::string>& texts);
  Status take_rounding(const KnowledgeOptions& options);
  Result<Bounds> of_number(Units value) const;
  Result<Bounds> of_range(const infer::RangeText& range) const;

  int decimals_ = 0;
  bool counts_ = false;
  Bounds everywhere_;
  Bounds blank_;  // of a number that is not told
  Units base_ = 0;
  Rounding rounding_ = Rounding::kNearest;
  std::optional<infer::RangeText> withheld_;
  std::vector<std::pair<std::string, infer::RangeText>> by_sign_;
};

}  // namespace lacuna::inference
