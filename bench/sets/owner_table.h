// SPDX-License-Identifier: Apache-2.0
// Small tables whose program is attacked: a shape, a rule that says what is sensitive and by how
// much, and numbers. Everything but the numbers is public, so that a reader can make the problem of
// any other numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::bench {

// Dimensions as trees: of each code its parent, -1 of the total, which is the first.
struct OwnerShape {
  std::string_view name;
  std::vector<std::vector<int>> dimensions;
};

enum class OwnerRule : std::uint8_t {
  kOne,     // one cell, whatever its value: anyone knows which
  kTwo,     // two of them
  kLow,     // inner cells of 1 and 2
  kHigh,    // inner cells of 12 and more
  kCounts,  // all counts of 1 and 2, judged as counts
};

struct OwnerTerms {  // what is asked
  OwnerShape shape;
  OwnerRule rule = OwnerRule::kOne;
  Units most = 15;      // of an inner cell, which is at least 1
  int percent = 25;     // levels, on both sides
  bool widths = false;  // against the owner: public widths instead
  double factor = 1;    // k: of the two levels of the stand-in, together
  Units guard = 4;      // kLow, with widths: 0 .. guard is sensitive
  Units width = 2;      // of rules on values, one for all: more than 1 and 2 remain
};

struct OwnerTable {
  std::vector<Units> values;           // by cell
  std::vector<Units> sizes;            // of last period: every inner number 70 to 130 % of today's
  std::vector<std::int32_t> fixed;     // kOne, kTwo: the cells
};

// The cells of a shape, the totals first; `leaves` are its inner cells.
class OwnerFrame {
 public:
  explicit OwnerFrame(const OwnerShape& shape);
  std::int32_t num_cells() const { return static_cast<std::int32_t>(leaves_of_.size()); }
  const std::vector<std::int32_t>& leaves() const { return leaves_; }
  std::vector<Units> completed(const std::vector<Units>& inner) const;
  const std::vector<std::vector<Term>>& equations() const { return equations_; }

 private:
  std::vector<std::int32_t> leaves_;
  std::vector<std::vector<std::int32_t>> leaves_of_;  // by cell: positions among the leaves
  std::vector<std::vector<Term>> equations_;
};

// With one or two sensitive cells.
OwnerTable draw_owner_table(const OwnerTerms& terms,
                            const OwnerFrame& frame,
                            base::Random& random);

// What the program is given if the numbers are these.
Result<Problem> owner_problem(const OwnerTerms& terms,
                              const OwnerFrame& frame,
                              const OwnerTable& table,
                              const std::vector<Units>& values);

// The two levels of a value, for all rules; the lower one ends at 0.
struct OwnerLevels {
  Units lower = 0, upper = 0;
};
OwnerLevels owner_levels(const OwnerTerms& terms, Units value);
bool is_owner_sensitive(const OwnerTerms& terms,
                        const OwnerFrame& frame,
                        const OwnerTable& table,
                        const std::vector<Units>& values,
                        std::int32_t cell);
Units owner_width(const OwnerTerms& terms, const OwnerTable& table, std::int32_t cell);

}  // namespace lacuna::bench
