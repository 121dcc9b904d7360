// SPDX-License-Identifier: Apache-2.0
// Job files over records: a TOML text whose [input] names microdata instead of a table, with the
// dimensions to read from them, linked tables, rules, levels, attackers and weights
// (docs/formats.md). Rules stay texts here, under the names of SensitivityOptions::fields: what
// they mean is for sensitivity/ to say. And what any job says of the run: options and outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/infer/shape_choice.h"
#include "data/jobfile/job_engine.h"
#include "data/jobfile/job_file.h"
#include "data/problems/apriori.h"
#include "data/problems/microdata.h"
#include "data/spec/job_spec.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::jobfile {

struct RecordJob {
  std::string filename;
  std::string records;        // path of the microdata; empty if they are in a database
  bool is_frame = false;      // `records` is the name of columns that the caller holds
  std::string records_where;  // place of its name in the job
  infer::ShapeChoice shape;   // of a sheet of records
  EngineSection engine;
  bool is_fixed = false;  // fixed width; else separated text
  problems::CsvRecordsOptions csv;
  problems::FixedRecordsOptions fixed;
  TabulateOptions tabulate;
  bool states_keys = false;        // the job says of which kind keys are: digits, or a modulus
  std::vector<JobOption> rules;    // names of SensitivityOptions, each once
  std::vector<JobOption> options;  // of [options], of which some may be rules as well
  std::optional<CountSection> counts;
  bool counted = false;       // every record counts 1, or as many as its frequency says
  bool counts_later = false;  // what is asked of counts is asked of a system that is made of them
  std::optional<DifferencingSection> differencing;
  std::string apriori;  // path; empty: none
  std::string apriori_where;
  problems::AprioriOptions apriori_options;
};

// What a job says of records. `folder` is put before the names of files; `load` reads hierarchies,
// with names as in the job. Errors carry the place.
Result<RecordJob> record_job_of(const spec::ReadSpec& spec,
                                const std::string& folder,
                                const FileLoader& load);

// [options] of a job, by their places.
std::vector<JobOption> options_of(const spec::ReadSpec& spec);

// The job if its [input] names records, nothing if it names a table. Errors carry the place.
Result<std::optional<RecordJob>> read_record_job(const std::string& path);
Result<std::optional<RecordJob>> read_record_job_text(std::string text,
                                                      const std::string& filename,
                                                      const std::string& folder,
                                                      const FileLoader& load);

Result<std::unique_ptr<RecordSource>> open_records(const RecordJob& job, int threads = 1);
// The same with the bytes of the records from any stream.
Result<std::unique_ptr<RecordSource>> records_from(const RecordJob& job,
                                                   std::unique_ptr<files::ByteStream> stream);
// For the dimensions that the records gave. `load` is called with the path in job.apriori.
Result<std::vector<AprioriEntry>> read_apriori(const RecordJob& job,
                                               const std::vector<Dimension>& dimensions,
                                               int decimals,
                                               const FileLoader& load);

// [options] and [output] of a job of either kind. Paths of outputs begin at the job's folder.
struct JobSettings {
  std::vector<JobOption> options;
  std::vector<JobOption> outputs;  // problem, table, result, certificate
};
Result<JobSettings> read_job_settings(const std::string& path);
Result<JobSettings> read_job_settings_text(std::string text, const std::string& path);

// Whether the name is that of a job: .toml, possibly packed.
bool is_job_name(const std::string& path);

}  // namespace lacuna::jobfile
