// SPDX-License-Identifier: Apache-2.0
#include "app/inference/proof.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/rational.h"

namespace lacuna::inference {
namespace {

constexpr std::size_t kMostTerms = 8;

// By the codes in which it differs from the other; all of them if there is none.
std::string label_beside(const System& system, std::int32_t cell, std::int32_t other) {
  const SystemCell &one = system.cells[base::at(cell)], &two = system.cells[base::at(other)];
  std::string text;
  for (std::size_t d = 0; d < system.dimensions.size(); ++d) {
    if (one.codes[d] >= 0 && one.codes[d] != two.codes[d])
      text += (text.empty() ? "" : "|") + system.dimensions[d].name + "=" +
              system.dimensions[d].codes[base::at(one.codes[d])];
  }
  return text.empty() || one.told == Told::kRest ? system.label(cell) : text;
}

// The form s e_p - M'g, so that s x_p = form'x for every table that adds up.
std::map<std::int32_t, mpq_class> form_of(const Table& table,
                                          const Multipliers& proof,
                                          std::int32_t cell,
                                          int sign) {
  std::map<std::int32_t, mpq_class> form{{cell, mpq_class(sign)}};
  for (std::size_t i = 0; i < proof.equations.size(); ++i) {
    const mpq_class factor =
        base::make_fraction(base::gmp(proof.values[i]), base::gmp(proof.denominator));
    for (const Term& term : table.equation(proof.equations[i]))
      form[term.cell.value] -= factor * term.coefficient;
  }
  return form;
}

std::string factor_text(const mpq_class& factor, bool first) {
  const mpq_class size = abs(factor);
  std::string text = factor < 0 ? (first ? "- " : " - ") : (first ? "" : " + ");
  return size == 1 ? text : text + size.get_str() + " x ";
}

}  // namespace

std::string proof_text(const Inference& inference, const InferredCell& cell, Direction direction) {
  const auto findings = inference.report.of(cell.whole ? Domain::kInteger : Domain::kRational);
  const Finding& finding = findings[cell.finding];
  const End& end = direction == Direction::kHigh ? finding.high : finding.low;
  if (end.unbounded || !end.has_bound)
    return "";
  if (end.tree >= 0)
    return "a distinction of cases in whole numbers";
  if (end.chain >= 0)
    return "sums one after the other, in whole numbers";
  if (end.proof < 0)
    return "what is known of the number itself";
  const Table& table = inference.problem->table();
  const int side = sign(direction);
  const auto form =
      form_of(table, inference.report.evidence.proofs[base::at(end.proof)], cell.cell, side);
  std::string text;
  std::size_t terms = 0;
  for (const int part : {1, -1}) {  // what is added stands before what is taken off
    for (const auto& [other, slope] : form) {
      const Bounds known = table.cell(CellId{other}).prior;
      const mpq_class own = side * slope;
      const Units bound = slope > 0 ? known.upper : known.lower;
      if (sgn(own) != part || (!known.is_point() && bound == 0))
        continue;
      if (++terms > kMostTerms)
        continue;
      text += factor_text(own, terms == 1) + label_beside(inference.system, other, cell.cell);
      if (!known.is_point())
        text += std::string(" (at ") + (slope > 0 ? "most " : "least ") +
                base::format_units(bound, inference.decimals) + ")";
    }
  }
  if (terms > kMostTerms)
    text += " and " + std::to_string(terms - kMostTerms) + " more";
  if (terms == 0)
    text = "no number is below zero";
  return end.step >= 0 ? text + ", in whole steps" : text;
}

}  // namespace lacuna::inference
