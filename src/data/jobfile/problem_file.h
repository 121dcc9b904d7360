// SPDX-License-Identifier: Apache-2.0
// Problems from files and to files, by the ending of the name: the one list of formats that hold
// a problem.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// .jj, .json or .toml, each possibly .gz or .xz; other names by content. A job's options are left
// aside; `notes` as in Job (job_file.h).
Result<Problem> read_problem(const std::string& path, std::vector<std::string>* notes = nullptr);

// .jj, .json (each also .gz), or .toml, which writes the table as .csv beside it. Nothing is left
// half written. A stream ("-", a pipe) without such an ending gets JSON.
Status write_problem(const Problem& problem, const std::string& path);
// The same of linked tables, which .toml must be told of.
Status write_problem(const Problem& problem,
                     std::span<const LinkedTable> tables,
                     const std::string& path);

}  // namespace lacuna::jobfile
