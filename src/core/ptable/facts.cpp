// SPDX-License-Identifier: Apache-2.0
// What is found in a perturbation table: of each row sum of p, mean and variance of the noise,
//   mean = sum_k v_k l_k,   variance = sum_k v_k^2 l_k - mean^2,
// with l_k the lengths of the ranges, which are what keys meet; sums are exact (GMP) and turned
// into doubles at the end. A fault is what unbiased noise with true statements would not have.
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "core/base/readable.h"
#include "lacuna/ptable.h"
#include "lacuna/tolerance.h"

namespace lacuna {
namespace {

std::string name_of(const PtableRow& row) {
  const std::string type(enum_names(row.type)[static_cast<std::size_t>(row.type)]);
  return "row " + std::to_string(row.count) +
         (row.type == PtableType::kAll ? "" : " of type " + type);
}

mpz_class whole(std::uint64_t number) {
  return base::to_integer(static_cast<Wide>(number));
}

PtableRowFacts row_facts(const Ptable& table, const PtableRow& row) {
  PtableRowFacts facts{row.type, row.count};
  const double one = static_cast<double>(table.denominator());
  mpz_class first, second, unchanged;
  std::set<std::int64_t> targets;
  std::optional<std::int64_t> least, most;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    const PtableEntry& entry = row.entries[e];
    const std::uint64_t length = table.length_of(row, e);
    const mpz_class noise = base::to_integer(entry.noise);
    first += noise * whole(length);
    second += noise * noise * whole(length);
    facts.sum += entry.probability;
    facts.misstated =
        std::max(facts.misstated, std::abs(entry.probability - static_cast<double>(length) / one));
    if (length == 0)
      continue;
    if (entry.noise == 0)
      unchanged += whole(length);
    targets.insert(entry.target);
    least = std::min(least.value_or(entry.noise), entry.noise);
    most = std::max(most.value_or(entry.noise), entry.noise);
  }
  const mpq_class mean = base::make_fraction(first, whole(table.denominator())) *
                         base::units_to_fraction(1, table.decimals());
  const mpq_class square = base::make_fraction(second, whole(table.denominator())) *
                           base::units_to_fraction(1, 2 * table.decimals());
  facts.targets = static_cast<std::int64_t>(targets.size());
  facts.mean = mean.get_d();
  facts.variance = mpq_class(square - mean * mean).get_d();
  facts.stay = base::make_fraction(unchanged, whole(table.denominator())).get_d();
  facts.least = base::units_to_double(least.value_or(0), table.decimals());
  facts.most = base::units_to_double(most.value_or(0), table.decimals());
  return facts;
}

bool has_split(const Ptable& table, const PtableRow& row) {
  std::set<std::int64_t> seen;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (table.length_of(row, e) > 0 && !seen.insert(row.entries[e].target).second)
      return true;
  }
  return false;
}

// The least positive target that any positive count gets, less one unit of counts.
std::int64_t hidden_to(const Ptable& table) {
  const std::int64_t scale = std::llround(std::pow(10, table.decimals()));
  std::int64_t least = 0;
  for (const PtableRow& row : table.rows(PtableType::kAll)) {
    for (std::size_t e = 0; row.count > 0 && e < row.entries.size(); ++e) {
      const std::int64_t target = row.entries[e].target;
      if (target > 0 && table.length_of(row, e) > 0 && (least == 0 || target < least))
        least = target;
    }
  }
  return least < scale ? 0 : least / scale - 1;
}

void add_faults(PtableFacts& facts, const Ptable& table, std::size_t r) {
  const PtableRow& row = table.rows()[r];
  const PtableRowFacts& found = facts.rows[r];
  const auto add = [&](const std::string& text) {
    facts.faults.push_back(name_of(row) + ": " + text);
  };
  if (std::abs(found.sum - 1) > tol::kRowResidual)
    add("the sum of the probabilities differs from 1 by " +
        base::readable(std::abs(found.sum - 1)));
  if (found.misstated > tol::kRowResidual)
    add("p differs from the range of keys by up to " + base::readable(found.misstated));
  if (std::abs(found.mean) > tol::kRowResidual * std::max(1.0, found.most))
    add("the noise has mean " + base::readable(found.mean) + ", not 0");
  const std::uint64_t last = row.entries.back().upper;
  if (static_cast<double>(table.denominator() - last) >
      tol::kRowResidual * static_cast<double>(table.denominator()))
    add("the last p_ub is below 1; it counts as 1");
}

}  // namespace

PtableFacts ptable_facts(const Ptable& table) {
  PtableFacts facts;
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    facts.rows.push_back(row_facts(table, table.rows()[r]));
    facts.is_split = facts.is_split || has_split(table, table.rows()[r]);
    const PtableRowFacts& row = facts.rows.back();
    facts.largest_noise = std::max({facts.largest_noise, -row.least, row.most});
    add_faults(facts, table, r);
  }
  facts.hidden_to = hidden_to(table);
  facts.changes_zero = !table.keeps_zero();
  facts.for_counts = table.check_counts().has_value();
  if (facts.changes_zero)
    facts.remarks.push_back("counts of 0 may get noise: empty cells need keys of their own");
  if (facts.is_split)
    facts.remarks.push_back("ranges are split: programs that keep one entry per j cannot use it");
  return facts;
}

}  // namespace lacuna
