// SPDX-License-Identifier: Apache-2.0
// From records to the cells of one table or of several linked ones.
#pragma once

#include "lacuna/export.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/table.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/tabulation.h"

namespace LACUNA_API lacuna {

// Reads all records with run.threads threads; the result does not depend on their number. Cells
// come in the order of their codes. Tabulation::respondents holds those who are among the largest
// contributors of some cell, in the order of their names (holdings first), byte by byte.
//
// With a sampling weight w the response x of a record counts w x, in the value and as a
// contribution alike; the product is exact, with the decimals of both.
//
// Errors: what is wrong with a record and where; a sum that does not fit; no record at all; a run
// that was stopped.
Result<Tabulation> tabulate(RecordSource& source,
                            const TabulateOptions& options,
                            const RunContext& run);

// The cells, in their order, for a builder with the tabulation's decimals and dimensions: value,
// number of contributors, weight 1, not below zero unless there are negative contributions.
Status add_cells(const Tabulation& tabulation, TableBuilder& builder);

// The cells with all equations of the tables.
Result<Table> table_of(const Tabulation& tabulation);

}  // namespace lacuna
