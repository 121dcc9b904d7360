// SPDX-License-Identifier: Apache-2.0
// What a job over a table says of those who contribute to its cells: [[rule]], and who of them
// attacks. What follows from it is for sensitivity/ to say.
#pragma once

#include <optional>
#include <vector>

#include "data/jobfile/job_columns.h"
#include "data/jobfile/job_file.h"
#include "data/problems/table_csv.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// The rules of a job over a table. Errors: rules beside attackers that the job names.
Result<std::vector<JobOption>> read_table_rules(const spec::ReadSpec& spec);

// Whether counted persons are no attackers because the job says nothing of any: neither by rules
// nor by name.
bool leaves_persons_out(const spec::ReadSpec& spec,
                        const std::vector<JobOption>& rules,
                        bool counted);

// Nothing if there are no rules, and nobody who is alone in a sensitive cell attacks. The largest
// contributions are taken out of `cells`.
std::optional<TableContributions> contributions_of(const spec::ReadSpec& spec,
                                                   const std::vector<JobOption>& rules,
                                                   const TableColumnSection& columns,
                                                   const problems::TableDefaults& defaults,
                                                   std::size_t num_dimensions,
                                                   problems::CsvCells& cells);

}  // namespace lacuna::jobfile
