// SPDX-License-Identifier: Apache-2.0
// A ready table (.tab, .csv) with its metadata: <READTABLE> in its three modes.
#pragma once

#include <string>

#include "data/argus/found_file.h"
#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

Result<Table> read_table_data(const Metadata& metadata,
                              const std::string& path,
                              const SpecifyTable& spec,
                              const SafetyRule& rules,
                              const ReadTable& how,
                              FileFinder& finder);

}  // namespace lacuna::argus
