// SPDX-License-Identifier: Apache-2.0
#include "core/draft/meaning.h"

#include <set>
#include <utility>

#include "core/base/decimal.h"
#include "core/table/unpublished.h"

namespace lacuna::draft {
namespace {

// Blanks are of two sorts, and no word here says which is which or how many there are of each.
std::string withheld_text(const Problem& problem) {
  std::string text =
      "A number that is missing is withheld for confidentiality: it is confidential, or others "
      "could be worked out from it. Which of the two is not said.";
  const bool never_zero =
      problem.counts() && problem.counts()->withheld_means != WithheldMeans::kAny;
  return text + (never_zero ? " None of these numbers is zero."
                            : " A missing number is not necessarily zero.");
}

// The numbers of a rounding are the same in nearly every release; else they stand beside the cells.
std::string rounded_text(const std::set<std::pair<Units, std::int32_t>>& bases, int decimals) {
  if (bases.size() != 1)
    return "Rounded numbers are rounded for confidentiality, by different bases.";
  const auto [base, steps] = *bases.begin();
  Units reach = 0;
  if (__builtin_mul_overflow(base, Units{steps} + 1, &reach))
    return "Rounded numbers are rounded for confidentiality.";
  return "Numbers are rounded for confidentiality to multiples of " +
         base::format_units(base, decimals) + ", up or down; the true number is at most " +
         base::format_units(reach, decimals) + " away.";
}

std::string text_of(StatementKind kind,
                    const Problem& problem,
                    const std::set<std::pair<Units, std::int32_t>>& bases) {
  switch (kind) {
    case StatementKind::kExact:
      return "";
    case StatementKind::kWithheld:
      return withheld_text(problem);
    case StatementKind::kInterval:
      return "Where a range is given instead of a number, this is for confidentiality; the true "
             "number lies in the range, its ends included.";
    case StatementKind::kRounded:
      return rounded_text(bases, problem.table().decimals());
    case StatementKind::kAltered:
      return "A number with a range was changed for confidentiality; the true number lies in the "
             "range, its ends included.";
    case StatementKind::kAdjusted:
      return "The table was adjusted for confidentiality: any number may differ from the true one, "
             "and which ones do is not said. All sums hold.";
  }
  return "";
}

}  // namespace

std::vector<Meaning> meanings_of(const Problem& problem,
                                 const Draft& draft,
                                 std::span<const CellId> cells) {
  std::set<StatementKind> kinds;
  std::set<std::pair<Units, std::int32_t>> bases;
  if (draft.adjusted() && !cells.empty())
    kinds.insert(StatementKind::kAdjusted);
  for (const CellId cell : cells) {
    const FoundEntry entry = draft.find(cell);
    if (!entry || draft.adjusted() || table::is_unpublished(problem.table().cell(cell)))
      continue;
    kinds.insert(entry->state());
    if (const auto* rounded = std::get_if<Rounded>(&entry->says))
      bases.emplace(rounded->base, rounded->steps);
  }
  std::vector<Meaning> meanings;
  for (const StatementKind kind : kinds)
    meanings.push_back({kind, text_of(kind, problem, bases)});
  return meanings;
}

}  // namespace lacuna::draft
