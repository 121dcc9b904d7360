// SPDX-License-Identifier: Apache-2.0
// Weights for the loss of information if a cell is withheld (Salazar-Gonzalez 2002, section 3), and
// their linear combinations: "value", "log", "0.5*value+1*unity".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::sensitivity {

enum class WeightKind : std::uint8_t {
  kCost,
  kUnity,
  kValue,
  kLog,
  kFrequency,
  kInverse,
  kInverseSquare
};

struct WeightTerm {
  double coefficient = 1;  // finite, >= 0
  WeightKind kind = WeightKind::kUnity;
  bool operator==(const WeightTerm&) const = default;
};

class WeightFormula {
 public:
  WeightFormula() = default;  // unity
  // cost: as given; unity: 1; value: |a|; log: log(1 + |a|); frequency: number of contributors;
  // inverse: 1 / |a|, inverse2: 1 / a^2 (both 1 where a = 0). Terms are joined by '+' and may have
  // a factor, "2*log". Errors: no term, an unknown name, a factor that is no number or negative.
  static Result<WeightFormula> parse(std::string_view text);
  static Result<WeightFormula> of(std::vector<WeightTerm> terms);

  const std::vector<WeightTerm>& terms() const { return terms_; }
  bool uses(WeightKind kind) const;
  bool is_cost_alone() const {
    return terms_.size() == 1 && terms_.front() == WeightTerm{1, WeightKind::kCost};
  }
  std::string text() const;  // reads back to the same formula

  // The weight of a cell whose weight so far is its cost. Errors: frequencies not known, overflow.
  Result<double> weight_of(const Cell& cell, int decimals) const;

 private:
  explicit WeightFormula(std::vector<WeightTerm> terms) : terms_(std::move(terms)) {}
  std::vector<WeightTerm> terms_{WeightTerm{}};
};

}  // namespace lacuna::sensitivity
