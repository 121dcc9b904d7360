// SPDX-License-Identifier: Apache-2.0
// Records to a problem, as a job over records says: tabulate, apply the rules, find the attackers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/load/assessment.h"
#include "data/jobfile/record_job.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/sensitivity.h"
#include "lacuna/tabulation.h"

namespace lacuna::load {

struct SensitiveTables {
  Tabulation tabulation;
  Problem problem;  // its cells are those of the tabulation, in the same order
  SensitivityReport report;
  SensitivityOptions rules;  // by which it was judged
  CountReading counts{};
  bool persons_left_out = false;   // as of RecordAssessment
  std::vector<std::string> notes;  // what was asked otherwise than the job says
  std::string policy;              // the published rules that were applied, in a line; or empty
};

// Keys for a method that needs some: what the job says of them stays; where it says nothing they
// are of the kind that the method's table is for, and where there are none they are made from the
// seed.
void take_keys(jobfile::RecordJob& job, const KeyNeeds& needs);

// What a job asks of a tabulation: its rules, and from these how much is to be kept of each cell.
struct RecordAssessment {
  std::vector<jobfile::JobOption> given;
  SensitivityOptions rules;
  TabulateOptions tabulate;
  // Counts of persons, and nothing is said of attackers: those who are counted are none. Each would
  // know of being in a cell, and a release that keeps all of them from all cells hardly exists.
  bool persons_left_out = false;
};
Result<RecordAssessment> assessment_of_records(const jobfile::RecordJob& job);

// The rules of the job, for a tabulation of its records.
Result<SensitiveTables> judge_tabulation(const jobfile::RecordJob& job,
                                         const RecordAssessment& asked,
                                         Tabulation tabulation,
                                         const jobfile::FileLoader& load);

// Settings of the job's [options] that name a rule count like those of its sections. Errors carry
// the place in the job where the option was set. The a-priori file comes from `load`.
Result<SensitiveTables> tabulate_records(const jobfile::RecordJob& job,
                                         RecordSource& source,
                                         const jobfile::FileLoader& load,
                                         const RunContext& run);

// Names of all options of the rules, for checks of [options].
std::vector<std::string> rule_option_names();

// The options that the sections of a job set, and an error that names an option moved to where the
// job sets it.
Result<SensitivityOptions> sensitivity_options(const std::vector<jobfile::JobOption>& rules);
bool states(const std::vector<jobfile::JobOption>& rules, std::string_view name);
Error moved_to_option(const Error& error, const std::vector<jobfile::JobOption>& rules);

}  // namespace lacuna::load
