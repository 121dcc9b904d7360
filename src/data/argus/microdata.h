// SPDX-License-Identifier: Apache-2.0
// Records as tau-ARGUS reads them (fixed width or separated, codes with their blanks), kept for the
// tables of a job and their recodes; and from records to a table: sums, counts, the largest
// contributions of records and holdings, statuses by the rules (rules.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/argus/found_file.h"
#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus {

struct Records;  // of the implementation

struct Microdata {
  Metadata metadata;
  std::string path;
  std::shared_ptr<const Records> records;  // the variables that the tables need
  std::vector<std::string> notes;          // what was read differently from what is written
};

// Reads the variables that the tables name, their trees, weight, holding and request. Errors about
// what a table names carry no place: the job knows it.
Result<Microdata> read_microdata(const Metadata& metadata,
                                 const std::string& path,
                                 const std::vector<SpecifyTable>& tables,
                                 FileFinder& finder,
                                 const RunContext& run);

struct AppliedRecode {  // of one table
  Recode recode;
  std::string path;  // of its file; empty: by level
};

Result<Table> make_table(const Microdata& data,
                         const SpecifyTable& spec,
                         const SafetyRule& rules,
                         const std::vector<AppliedRecode>& recodes,
                         const RunContext& run);

}  // namespace lacuna::argus
