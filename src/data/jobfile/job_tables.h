// SPDX-License-Identifier: Apache-2.0
// The dimensions of a job over a table, and the tables that it links: [[dimension]] and [[table]]
// (docs/formats.md). A dimension without a hierarchy has the codes that the files show. A job
// without [[table]] is about one table that crosses all dimensions, or about one per file if the
// files do not all have the same columns of codes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "data/jobfile/job_input.h"
#include "data/spec/job_spec.h"
#include "lacuna/dimension.h"
#include "lacuna/linked_tables.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

struct TableDimensions {
  std::vector<Dimension> dimensions;
  std::vector<std::string> columns;  // of the files, one per dimension
};

Result<TableDimensions> read_dimensions(const spec::ReadSpec& spec,
                                        const TableInput& input,
                                        const FileLoader& load);

Result<std::vector<LinkedTable>> read_tables(const spec::ReadSpec& spec,
                                             const TableInput& input,
                                             const TableDimensions& dimensions);

// The table of a job with [differencing] that nobody publishes: it crosses all dimensions.
LinkedTable atom_table(const std::vector<Dimension>& dimensions);

}  // namespace lacuna::jobfile
