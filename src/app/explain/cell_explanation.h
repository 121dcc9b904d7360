// SPDX-License-Identifier: Apache-2.0
// Why a cell of a release is withheld. A sensitive cell: by which rule, what is asked of it and by
// whom, and what readers can tell. Another one: the cell is published in a draft that is otherwise
// the release, and the audit says which requirements that breaks and what could be told then. These
// are the cells that it keeps safe; why, the shortest sum says (short_sum.h), and what would have
// to be withheld in its place, exchange.h. Everything here is for the office.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/exchange.h"
#include "app/explain/short_sum.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::explain {

enum class CellRole : std::uint8_t {
  kPublished,  // as it is
  kSensitive,  // something is asked of the cell itself
  kByInput,    // the table says that it is withheld; it may keep others safe as well
  kSecondary,  // not published as it is for the sake of others
};
std::span<const std::string_view> enum_names(CellRole role);

// A requirement or a question about counts that holds, and would not if the cell were published.
struct Consequence {
  Finding finding;                // with exact ends, as far as they were found
  std::optional<Sum> sum{};       // by which it is told; absent: by no sum of which we know
  bool by_short_sum = false;      // ... which tells too much by itself; else that of the proof
  std::int64_t more_of_cell = 0;  // of the first of a cell: what else is broken of it
  std::string source{};  // of counts, where the evidence names published numbers; else empty
};

struct IfPublished {
  bool computed = false;
  std::string why_not{};                    // if not
  Verdict now = Verdict::kUndecided;        // of what could change, in the release as it is
  Verdict then = Verdict::kUndecided;       // ... and with the cell published
  std::int64_t asked = 0;                   // how many requirements and questions these are
  std::int64_t exposed = 0, undecided = 0;  // of those that hold now
  std::vector<CellId> keeps_safe{};         // the cells that these are about, rising
  // Some of them: one of each cell, as far as there is room, then others of the same cells.
  std::vector<Consequence> consequences{};
};

struct CellExplanation {
  CellId cell;
  CellRole role = CellRole::kPublished;
  std::vector<Finding> findings;  // of the cell itself, in the release as it is
  IfPublished if_published;       // of cells that are not sensitive themselves
  Exchange exchange;
};

struct ExplainOptions {
  bool exchange = true;  // look for one
  ExchangeOptions search{};
};

// The problem as the release was judged by, with the weights of its run. Errors: those of audits.
Result<CellExplanation> explain_cell(const std::shared_ptr<const Problem>& problem,
                                     const Draft& draft,
                                     CellId cell,
                                     const ExplainOptions& options,
                                     const RunContext& run);

}  // namespace lacuna::explain
