// SPDX-License-Identifier: Apache-2.0
// Job files: a TOML text that names the table, its dimensions and hierarchies, its columns, linked
// tables, attackers and the options of a run (docs/formats.md).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/cross.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

struct JobOption {  // an entry of [options], for job/ to interpret
  std::string name;
  std::string value;  // text of the string, number or truth value
  std::string where;  // "job.toml:30:1"
};

struct Job {
  Problem problem;
  std::vector<CrossTable> tables;
  std::vector<JobOption> options;
  std::vector<std::string> notes;  // what was read differently from what the files say
};

// Loads a file that a job names; the path is as the job spells it.
using FileLoader = std::function<Result<std::string>(const std::string& name)>;

Result<Job> read_job(const std::string& path);  // files are relative to the job's folder
Result<Job> read_job_text(std::string text, const std::string& filename, const FileLoader& load);

struct JobFiles {
  std::string toml;
  std::string csv;
};
// A job that reads back to the same problem. `tables` as in Job (empty: one table that crosses all
// dimensions). Errors: no dimensions, equations that are not those of the tables, empty codes.
Result<JobFiles> write_job(const Problem& problem,
                           std::span<const CrossTable> tables,
                           const std::string& csv_name);

}  // namespace lacuna::inline io
