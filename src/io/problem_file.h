// SPDX-License-Identifier: Apache-2.0
// Problems to files, by the ending of the name; read_problem (job_file.h) is the way back.
#pragma once

#include <span>
#include <string>

#include "lacuna/cross.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

// .jj, .json (each also .gz), or .toml, which writes the table as .csv beside it. Nothing is left
// half written.
Status write_problem(const Problem& problem, const std::string& path);
// The same of linked tables, which .toml must be told of.
Status write_problem(const Problem& problem,
                     std::span<const CrossTable> tables,
                     const std::string& path);

}  // namespace lacuna::inline io
