// SPDX-License-Identifier: Apache-2.0
// Where a result comes from: time, hashes of files, and what a result file says of its run.
#pragma once

#include <map>
#include <string>

#include "app/load/inputs.h"
#include "lacuna/result.h"

namespace lacuna::load {

std::string utc_now();  // "2026-11-15T10:00:00Z"

// Of the bytes as they lie on the disk, as sha256sum prints it.
Result<std::string> file_sha256(const std::string& path);

// The members of "run" of a result JSON that are texts, numbers or truth values, as text. Errors:
// not a result.
Result<std::map<std::string, std::string>> read_run(const std::string& path,
                                                    const Inputs& inputs = {});
// A JSON object with "release".
bool is_result_file(const std::string& path, const Inputs& inputs = {});

// The table that the result at `path` is of: `given` if it is not empty, else the one that the
// result names, from here or from the folder of the result.
Result<std::string> table_of_result(const std::string& path,
                                    const std::string& given,
                                    const Inputs& inputs = {});

}  // namespace lacuna::load
