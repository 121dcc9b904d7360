// SPDX-License-Identifier: Apache-2.0
// What has to be withheld if a withheld cell is to be published all the same. Withholding more
// never tells more, so that with the other cells of the release withheld as they are only those
// requirements are open that the cell was needed for: suppression finds the cheapest cells that
// keep them, and proves it as far as its work goes. Some of what was withheld may not be needed any
// more then; the most expensive of it are tried first. What comes out is audited, and is no
// exchange before it has passed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::explain {

enum class ExchangeState : std::uint8_t {
  kNotSought,   // not asked for, or not possible for such a release: `why` says which
  kNotNeeded,   // the cell can be published, and nothing else has to be withheld
  kFound,       // audited
  kImpossible,  // proven: no release that withholds cells can publish this one
  kNotFound,    // neither found nor disproved within the work
};
std::span<const std::string_view> enum_names(ExchangeState state);

struct Exchange {
  ExchangeState state = ExchangeState::kNotSought;
  std::vector<CellId> withheld;            // in place of the cell
  std::vector<CellId> published;           // besides the cell: not needed any more
  double cost_before = 0, cost_after = 0;  // weight of all that is withheld
  double bound = 0;       // proven: no release that keeps the rest withheld costs less ...
  bool cheapest = false;  // ... and what is withheld in place of the cell costs just this
  std::string why;
  Draft draft{};  // of kNotNeeded and kFound
};

struct ExchangeOptions {
  std::int64_t work = 10'000'000;  // of the search, units
  std::string engine;
};

// `open`: the requirements and questions that publishing the cell would break, as a problem with
// these alone. The release withholds cells and does nothing else. Errors: of engines and audits.
Result<Exchange> find_exchange(const Problem& problem,
                               const Draft& draft,
                               CellId cell,
                               const Problem& open,
                               const ExchangeOptions& options,
                               const RunContext& run);

// The weight of what a draft withholds.
double cost_of(const Table& table, const Draft& draft);

}  // namespace lacuna::explain
