// SPDX-License-Identifier: Apache-2.0
// The same tabulation from sums that a database has made of the records, instead of from the
// records: what leaves the database is small, and the database may be a cluster (docs/scale.md).
#pragma once

#include "lacuna/export.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/tabulation.h"

namespace LACUNA_API lacuna {

// Rows with the columns that docs/scale.md lists. A leaf is a combination of codes of the lowest
// level; a contributor with records in one leaf is settled, others are spread.
//
// Plan A: leaf, top_leaf and spread (no spread where records are anonymous). Plan B, for more
// spread contributors than one wants to move: leaf, celltop and cellnum.
struct AggregateSources {
  RecordSource* leaf = nullptr;
  RecordSource* top_leaf = nullptr;
  RecordSource* spread = nullptr;
  RecordSource* celltop = nullptr;
  RecordSource* cellnum = nullptr;
  bool hashed = false;  // contributors are hashes; else their names, behind H or R with holdings

  bool is_by_cell() const { return celltop != nullptr; }
};

// Every field as by tabulate() of the same records; with hashes, ties are broken by these, and the
// respondents' names are these. The decimals of values and weights must be given, and there are no
// keys of records. Holdings of respondents need plan A.
//
// Errors: a row that is wrong and where; rows that do not belong together, as from two runs or for
// fewer largest contributors.
Result<Tabulation> tabulate_from_aggregates(const AggregateSources& sources,
                                            const TabulateOptions& options,
                                            const RunContext& run);

}  // namespace lacuna
