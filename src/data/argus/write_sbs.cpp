// SPDX-License-Identifier: Apache-2.0
// Type 4 of <WRITETABLE>, for structural business statistics: codes (HL: each with its level),
// value, frequency, flag; of cells that a rule about contributions has found, the share of the
// largest. Flags: V released, A frequency, B request, zero, by hand or one that dominates, C
// several that dominate, F p% rule, D secondary. True values are printed; empty cells are not.

#include "core/base/rational.h"
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

// What the flag and the shares look at, the same for all cells.
struct SbsShares {
  bool holdings = false;
  int largest = 0;  // how many the rules need
  bool prior_posterior = false;
};

SbsShares sbs_shares(const SafetyRule& rules) {
  SbsShares shares;
  shares.holdings = rules.holdings_needed() > 0;
  shares.largest = shares.holdings ? rules.holdings_needed() : rules.records_needed();
  for (const auto& rule : rules.prior_posterior)
    shares.prior_posterior |= rule.has_value();
  return shares;
}

char sbs_flag(CellStatus status, const SbsShares& shares) {
  switch (status) {
    case CellStatus::kSafe:
    case CellStatus::kSafeManual:
    case CellStatus::kProtected:
    case CellStatus::kEmptyNonStructural:
      return 'V';
    case CellStatus::kUnsafeFrequency:
      return 'A';
    case CellStatus::kUnsafeRequest:
    case CellStatus::kUnsafeZero:
    case CellStatus::kUnsafeManual:
      return 'B';
    case CellStatus::kUnsafeRule:
      if (shares.prior_posterior)
        return 'F';
      return shares.largest > 1 ? 'C' : 'B';
    case CellStatus::kSecondary:
    case CellStatus::kSecondaryManual:
      return 'D';
    case CellStatus::kEmpty:
      break;
  }
  return '-';
}

std::string sbs_share(Units part, Units total) {
  if (total == 0)
    return ",0.0";
  return "," +
         fixed_text(base::make_fraction(100 * base::to_integer(part), base::to_integer(total)), 1);
}

// Of the p% rule the two largest apart, of dominance together.
std::string sbs_percentages(const Cell& cell, const SbsShares& shares) {
  const auto& parts = shares.holdings ? cell.largest_holdings : cell.largest;
  const auto part = [&](std::size_t rank) {
    return static_cast<int>(rank) < shares.largest && rank < parts.size() ? parts[rank] : Units{0};
  };
  if (!shares.prior_posterior)
    return sbs_share(part(0) + part(1), cell.shadow);
  return sbs_share(part(0), cell.shadow) + sbs_share(part(1), cell.shadow);
}

}  // namespace

std::string sbs_text(const Table& table, const WriteOptions& options) {
  const SbsShares shares = sbs_shares(table.rules);
  std::string text;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const Cell& cell = table.cells[c];
    if (cell.frequency == 0)
      continue;
    const auto codes = table.codes_of(c);
    for (std::size_t v = 0; v < codes.size(); ++v) {
      const CodeList& list = table.variables[v];
      text += code_text(list, codes[v], options.quotes) + ",";
      if (options.levels)
        text += std::to_string(list.hierarchical ? list.level(codes[v]) : 0) + ",";
    }
    text += released_text(table, cell, /*true_values=*/true);
    text += "," + std::to_string(cell.holdings > 0 ? cell.holdings : cell.frequency) + ",";
    text += sbs_flag(cell.status, shares);
    if (is_unsafe(cell.status) && cell.status != CellStatus::kUnsafeFrequency)
      text += sbs_percentages(cell, shares);
    text += kLineEnd;
  }
  return text;
}

}  // namespace lacuna::argus
