// SPDX-License-Identifier: Apache-2.0
// What stands in a published table in the place of the true number, in the words of its readers: a
// sentence for each kind of statement, made from the draft alone. Which cells are sensitive is
// never looked at: the same draft has the same sentences whatever was the reason for each cell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::draft {

struct Meaning {
  StatementKind kind = StatementKind::kWithheld;
  std::string text;
};

// Why a number is not shown as it is, for programs; the same of every kind.
inline constexpr std::string_view kReason = "confidentiality";

// Of the kinds that these cells have, in the order of StatementKind; nothing of exact ones.
std::vector<Meaning> meanings_of(const Problem& problem,
                                 const Draft& draft,
                                 std::span<const CellId> cells);

}  // namespace lacuna::draft
