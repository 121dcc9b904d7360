// SPDX-License-Identifier: Apache-2.0
// Derived columns that nobody has stated: columns of a file whose numbers are those of a percentage,
// a ratio, a mean, a rate, growth or an index over the cells of its table. Every kind that a job
// could state is computed as the job would (together.h) and compared number by number: growth and
// indices since each [[before]] of the job, rates by each population that it names and by each
// other column of whole numbers that stands beside all cells.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/load/population.h"
#include "app/load/together.h"
#include "data/files/csv.h"
#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

struct Recognised {
  JobSpec::Derived column;
  Population population;    // of a rate
  bool by_column = false;   // ... which is a column of the file
  std::size_t agree = 0, numbers = 0;
};

// "pct: percentage of cause (1 decimal, half-up); 41 of 42 numbers agree"
std::string recognised_text(const Recognised& found);

// Of the columns of a file that are not among `named`, and whose table has a column for each
// dimension. `beside` has what the job states: earlier periods, and populations of other rates.
std::vector<Recognised> recognise_columns(const files::CsvFile& file,
                                          const std::vector<std::string>& named,
                                          const Problem& problem,
                                          const Together& beside);

// Of the files of a job over a table, those of which the job says nothing.
std::vector<Recognised> recognise_unstated(const spec::ReadSpec& spec,
                                           const Problem& problem,
                                           const jobfile::FileLoader& load,
                                           const Together& beside);

}  // namespace lacuna::load
