// SPDX-License-Identifier: Apache-2.0
// What a table file says by itself: which column is the value, which are codes, what is known of
// the cells besides, and the totals and hierarchies that the sums show. The answer is a job file
// that reads the table; a guess that is not certain is an error that shows the candidates.
#pragma once

#include <string>
#include <vector>

#include "data/infer/csv_guess.h"
#include "data/spec/spec_text.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::infer {

struct GuessedJob {
  JobSpec job;
  spec::SpecRemarks remarks;       // what was left aside, and where the job should say it
  std::vector<std::string> notes;  // columns that may be a status, and were not read as one
  std::vector<Error> open;         // what is not certain; empty: the job reads the table
  std::string text() const { return spec::spec_toml(job, remarks); }
};

// `name` is how the job calls the file.
bool is_table_name(
    const std::string& path);  // .csv, .tsv, .txt, .tab (also packed), .parquet, .arrow, .xlsx ...
// How the file is written and shaped, as far as [input] of the job says it.
TableFileStyle style_said(const JobSpec& said);
// `said` is what the user says: of [input], of [columns] and of the totals of dimensions.
Result<GuessedJob> guess_job(std::string bytes,
                             const std::string& filename,
                             const std::string& name,
                             const JobSpec& said = {});

// The same as far as it goes: what is not certain is open, with its candidates as remarks. Errors:
// no table is found at all.
Result<GuessedJob> guess_as_far(std::string bytes,
                                const std::string& filename,
                                const std::string& name,
                                const JobSpec& said = {});

// The job of a published table of which nobody has the truth. Sums in which a number is missing
// show nothing; totals that were rounded or revised are found by their names, or by sums that hold
// but for `slack` (in the unit of the file) per number, or but for a few. A column without a total
// has no sums, which is no error: its codes stand beside each other. Errors: no table is found at
// all.
Result<GuessedJob> guess_published(std::string bytes,
                                   const std::string& filename,
                                   const std::string& name,
                                   const JobSpec& said,
                                   const std::string& slack = "");

}  // namespace lacuna::infer
