// SPDX-License-Identifier: Apache-2.0
// Records that a database adds up: DuckDB's library at once, another engine by the text that its
// administrator runs. Both end in tabulate_from_aggregates.
#pragma once

#include <string>

#include "app/load/inputs.h"
#include "data/jobfile/record_job.h"
#include "data/tabulate/aggregate_sql.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/tabulation.h"

namespace lacuna::load {

// Whether the records are not read by the program itself.
bool is_by_engine(const jobfile::RecordJob& job);

// Sums may be frames of the inputs.
Result<Tabulation> tabulate_by_engine(const jobfile::RecordJob& job,
                                      const TabulateOptions& options,
                                      const RunContext& run,
                                      const Inputs& inputs = {});

// What the job says of its text in a dialect. Errors: records that the engine cannot reach.
Result<tabulation::SqlOptions> sql_options(const jobfile::RecordJob& job, jobfile::Engine engine);

}  // namespace lacuna::load
