// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "app/load/records.h"
#include "data/jobfile/record_job.h"
#include "data/problems/apriori.h"
#include "data/problems/problem_json.h"
#include "fuzz/bundle.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"
#include "fuzz/use.h"
#include "lacuna/records.h"
#include "lacuna/sensitivity.h"
#include "lacuna/tabulate.h"

namespace lacuna::fuzz {
namespace {

constexpr std::size_t kSmallBlock = 41;  // bytes: records end at and across the ends of blocks

Result<load::SensitiveTables> tabulate_bundle(const jobfile::RecordJob& job,
                                              const jobfile::FileLoader& load,
                                              std::size_t block_bytes) {
  jobfile::RecordJob small = job;
  small.csv.block_bytes = block_bytes;
  small.fixed.block_bytes = block_bytes;
  LACUNA_TRY(std::string records, load(job.records));
  LACUNA_TRY(const auto source,
             jobfile::records_from(small, files::text_byte_stream(std::move(records))));
  return load::tabulate_records(small, *source, load, {});
}

// One record per inner cell of a small table, with a trivial level in the first dimension.
const Tabulation& fixed_tabulation() {
  static const Tabulation tabulation = [] {
    RowRecords records({"NACE", "REG", "value", "firm"},
                       {{"A1", "1", "70", "f1"},
                        {"A1", "1", "20", "f2"},
                        {"A1", "2", "30.5", "f1"},
                        {"B", "1", "40", "f3"},
                        {"B", "2", "5", "f4"},
                        {"B", "2", "6", "f5"}});
    TabulateOptions options;
    const auto nace = Dimension::build("NACE", {"Total", "A", "B", "A1"}, {{0, {1, 2}}, {1, {3}}});
    options.dimensions = {given_dimension(nace.value(), "NACE"), flat_dimension("REG", "REG")};
    options.value = "value";
    options.respondent = "firm";
    return tabulate(records, options, {}).value();
  }();
  return tabulation;
}

void use_apriori(const problems::AprioriFile& file, bool is_hst) {
  const Tabulation& tabulation = fixed_tabulation();
  const auto& dimensions = tabulation.dimensions;
  const std::string csv =
      problems::write_apriori_csv(file.entries, dimensions, tabulation.decimals, ',');
  const auto again =
      problems::read_apriori_csv(csv, "own.csv", dimensions, tabulation.decimals, {});
  require(again.has_value(), "an a-priori file that was written can be read");
  require(problems::write_apriori_csv(again->entries, dimensions, tabulation.decimals, ',') == csv,
          "an a-priori file reads back the same");
  if (is_hst)
    require(problems::write_hst(file.entries, dimensions, tabulation.decimals, ';').has_value(),
            "what a .hst file says can be written as one");
  SensitivityOptions options;
  options.p_percent = 10;
  SensitivityReport report;
  if (auto problem = make_sensitive_problem(tabulation, options, file.entries, report))
    use_problem(std::move(problem).value());
}

}  // namespace

bool run_records(std::string_view bytes) {
  const Bundle files(bytes);
  const jobfile::FileLoader load = [&](const std::string& name) { return files.load(name); };
  const auto text = files.load("job.toml");
  if (!text)
    return false;
  const auto job = jobfile::read_record_job_text(*text, "job.toml", "", load);
  if (!job || !job->has_value())
    return false;
  auto tables = tabulate_bundle(**job, load, problems::CsvRecordsOptions{}.block_bytes);
  const auto by_blocks = tabulate_bundle(**job, load, kSmallBlock);
  // Of two faults in one file the block decides which is met first.
  require(tables.has_value() == by_blocks.has_value(), "blocks do not decide what is read");
  if (!tables)
    return false;
  require(problems::write_problem_json(tables->problem) ==
              problems::write_problem_json(by_blocks->problem),
          "blocks do not change a table");
  use_problem(std::move(tables->problem));
  return true;
}

bool run_settings(std::string_view bytes) {
  return jobfile::read_job_settings_text(std::string(bytes), "f.toml").has_value();
}

bool run_apriori(std::string_view bytes) {
  const Tabulation& tabulation = fixed_tabulation();
  const auto& dimensions = tabulation.dimensions;
  const int decimals = tabulation.decimals;
  bool accepted = false;
  for (const bool lenient : {false, true}) {
    const problems::AprioriOptions commas{',', lenient, lenient};
    const problems::AprioriOptions semicolons{';', lenient, lenient};
    const auto csv =
        problems::read_apriori_csv(std::string(bytes), "f.csv", dimensions, decimals, commas);
    const auto hst = problems::read_hst(bytes, "f.hst", dimensions, decimals, semicolons);
    if (csv)
      use_apriori(*csv, false);
    if (hst)
      use_apriori(*hst, true);
    accepted = accepted || csv || (hst && hst->skipped == 0);
  }
  return accepted;
}

}  // namespace lacuna::fuzz
