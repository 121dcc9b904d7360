// SPDX-License-Identifier: Apache-2.0
// Rows of sums, as a database gives them: codes, whole numbers, contributors and flags.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/tabulate/code_reader.h"
#include "data/tabulate/text_table.h"
#include "data/tabulate/top_list.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

// Calls `use` with every row of the source, and `end_block` (if any) when texts of the rows so far
// are about to go.
Status for_each_row(RecordSource& source,
                    const std::vector<std::string>& columns,
                    const RunContext& run,
                    const std::function<Status(const RecordPlace&)>& use,
                    const std::function<void()>& end_block = nullptr);

// A whole number of a row, from `least` on.
Result<Units> whole_number(const RecordPlace& place, std::size_t column, Units least);

// A column of zeros and ones.
Result<bool> truth(const RecordPlace& place, std::size_t column);

// The columns c, req and waive from `first` on; the respondent is still to be filled in.
Result<Share> share_of_row(const RecordPlace& place, std::size_t first);

}  // namespace lacuna::tabulation
