// SPDX-License-Identifier: Apache-2.0
// The table and its release as compact JSON for the script of the report page: one character or one
// line of text per cell, so that 100,000 cells are a few megabytes that a browser reads at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/report.h"

namespace lacuna::report {

// Pages of the office have the cells that nobody publishes, too. (Without dimensions all pages
// have: equations go by the numbers of cells.)
enum class Listed : std::uint8_t { kAll, kPublished };

// What any reader of the release may see: codes, sums among them, the tables by name, states,
// published numbers. Of an adjusted table not even the states: readers know neither which numbers
// were altered nor by how much. An object, for a <script> element.
std::string public_data(const Table& table,
                        const Draft& draft,
                        const std::vector<LinkedTable>& tables,
                        Listed listed,
                        const std::vector<PageColumn>& columns = {});

// The same of all cells, and what only the office may see: true values, statuses, frequencies,
// levels, inferred intervals, verdicts and reasons (one text per cell, or none at all). Of the
// attackers of a cell those that were not confirmed are told, and of the others the few that come
// nearest to the truth: a table with thousands of contributors has a hundred times as many findings
// as sensitive cells.
std::string office_data(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const std::vector<LinkedTable>& tables,
                        const std::vector<std::string>& reasons,
                        const std::vector<PageColumn>& columns = {});

}  // namespace lacuna::report
