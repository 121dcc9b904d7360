// SPDX-License-Identifier: Apache-2.0
// Job files: a TOML text that names the table, its dimensions and hierarchies, its columns, linked
// tables, attackers and the options of a run (docs/formats.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/infer/shape.h"
#include "data/spec/job_spec.h"
#include "data/spec/spec_text.h"
#include "lacuna/apriori.h"
#include "lacuna/counts.h"
#include "lacuna/job_spec.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

struct JobOption {  // an entry of [options], for job/ to interpret
  std::string name;
  std::string value;  // text of the string, number or truth value
  std::string where;  // "job.toml:30:1"
};

// What a job over a table says of the contributions to its cells: how many there are (its frequency
// column), the largest, and rules over them. What follows is for sensitivity/ to say.
struct TableContributions {
  std::vector<std::vector<Units>> largest;  // by cell, as many as its row gives
  std::vector<AprioriEntry> given;          // status, levels, bounds and weight of every cell
  std::vector<JobOption> rules;             // names of SensitivityOptions, each once
  std::string level_percent;                // of cells that a count makes sensitive
  std::string columns_where;                // place of [columns]
  bool has_frequency = false;
};

// [counts]: what a table of counts is judged by.
struct CountSection {
  CountOptions options;
  bool whole = true;              // false: judged as real numbers all the same
  std::vector<JobOption> places;  // of its keys, spelt as options ("withheld-means")
};

// [differencing]: dimensions that are areas of the same units, as one system (core/table/atoms.h).
// The job's last table then crosses all dimensions; it counts what areas have in common, and nobody
// publishes it.
struct DifferencingSection {
  std::vector<std::string> areas;
  std::string where;
};

struct Job {
  Problem problem;  // with what the rows say alone
  // Present if there are rules, or contributors who know their cells.
  std::optional<TableContributions> contributions;
  std::optional<CountSection> counts;
  std::optional<DifferencingSection> differencing;
  bool counted = false;           // the value of a cell is its frequency: a table of counts
  std::string named_count;        // the value's column, if it has the name of a count and is none
  bool lists_empty = false;       // empty_cells: a row that is not there says nothing
  bool persons_left_out = false;  // of counts, where nothing is said of attackers: they are none
  // Of a table that came in a shape of its own (wide, in a workbook, with titles): where its
  // numbers stand.
  std::shared_ptr<const infer::TableSource> source;
  // An error that names a cell by its label, moved to the cell's place in its file.
  std::function<Error(Error)> placed;
  std::vector<LinkedTable> tables;
  std::vector<JobOption>
      rules;  // [[rule]], [levels], [attackers], also where they apply to no cell
  std::vector<JobOption> options;
  std::vector<std::string> notes;  // what was read differently from what the files say
  std::string status_reading;      // what the words of its column were read as; may be empty
};

// Loads a file that a job names; the path is as the job spells it.
using FileLoader = std::function<Result<std::string>(const std::string& name)>;

// Errors: the job names a policy that nobody has put into it (data/policies/apply.h), as no rule of
// it would be asked.
Status check_policy_applied(const spec::ReadSpec& spec);

Result<Job> job_of(const spec::ReadSpec& spec, const FileLoader& load);
Result<Job> read_job(const std::string& path);  // files are relative to the job's folder
Result<Job> read_job_text(std::string text, const std::string& filename, const FileLoader& load);

struct JobFiles {
  JobSpec job;
  std::string csv;
  std::string toml() const { return spec::spec_toml(job); }
};
// A job that reads back to the same problem. `tables` as in Job (empty: one table that crosses all
// dimensions). Errors: no dimensions, equations that are not those of the tables, empty codes.
Result<JobFiles> write_job(const Problem& problem,
                           std::span<const LinkedTable> tables,
                           const std::string& csv_name);

}  // namespace lacuna::jobfile
