// SPDX-License-Identifier: Apache-2.0
// A job over a table is read in the order of its sections: what they say first (input, columns,
// dimensions, tables, attackers, rules), then the cells of the files, then the problem that both
// make. The number of decimals follows from all numbers of the job and its files.
#include "data/jobfile/job_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/base/moved_error.h"
#include "data/files/file.h"
#include "data/files/number_text.h"
#include "data/jobfile/job_attackers.h"
#include "data/jobfile/job_columns.h"
#include "data/jobfile/job_contributions.h"
#include "data/jobfile/job_counts.h"
#include "data/jobfile/job_differencing.h"
#include "data/jobfile/job_input.h"
#include "data/jobfile/job_tables.h"
#include "data/jobfile/record_job.h"
#include "data/jobfile/table_cells.h"
#include "data/problems/table_csv.h"

namespace lacuna::jobfile {
namespace {

// What the sections of a job say before a cell is read.
struct TableJob {
  TableInput input;
  TableColumnSection columns;
  infer::StatusWords status_words;
  problems::TableDefaults defaults;
  TableDimensions dimensions;
  std::vector<LinkedTable> tables;
  std::optional<DifferencingSection> differencing;
  std::vector<AttackerPlan> attackers;
  std::vector<JobOption> rules;
  std::optional<CountSection> counts;
};

std::vector<std::string> names_of(const std::vector<Dimension>& dimensions) {
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions)
    names.push_back(dimension.name());
  return names;
}

Result<TableJob> read_sections(const spec::ReadSpec& spec, const FileLoader& load) {
  TableJob job;
  LACUNA_TRY(job.input, read_table_input(spec, load));
  LACUNA_TRY(job.columns, read_column_section(spec, load));
  LACUNA_TRY(job.status_words, read_status_words(spec));
  LACUNA_TRY(job.defaults, read_defaults(spec));
  LACUNA_TRY(job.dimensions, read_dimensions(spec, job.input, load));
  LACUNA_TRY(job.tables, read_tables(spec, job.input, job.dimensions));
  const std::vector<Dimension>& dimensions = job.dimensions.dimensions;
  LACUNA_TRY(job.differencing, read_differencing_section(spec, names_of(dimensions)));
  if (job.differencing)
    job.tables.push_back(atom_table(dimensions));
  LACUNA_TRY(job.attackers, read_attackers(spec));
  LACUNA_TRY(job.rules, read_table_rules(spec));
  LACUNA_TRY(job.counts, read_count_section(spec));
  return job;
}

// The numbers that the job itself states, for the decimals of the table.
Result<files::DecimalsChooser> numbers_of(const TableJob& job) {
  files::DecimalsChooser numbers;
  for (const problems::BoundRule* bound : {&job.defaults.lower, &job.defaults.upper}) {
    if (bound->kind == problems::BoundRule::Kind::kNumber)
      LACUNA_RETURN_IF_ERROR(numbers.add_number(bound->number));
  }
  for (const AttackerPlan& attacker : job.attackers) {
    for (const CellFacts& facts : attacker.known) {
      for (const std::string* text : {&facts.lower, &facts.upper, &facts.sliding}) {
        if (!text->empty())
          LACUNA_RETURN_IF_ERROR(numbers.add_number(*text));
      }
    }
    for (const CellFacts& facts : attacker.levels) {
      for (const std::string* text : {&facts.lower, &facts.upper, &facts.sliding}) {
        if (!text->empty())
          LACUNA_RETURN_IF_ERROR(numbers.add_level(*text));
      }
    }
  }
  return numbers;
}

problems::TableCsvOptions csv_options(const TableJob& job) {
  problems::TableCsvOptions options;
  options.columns = job.columns.names;
  options.defaults = job.defaults;
  options.dimension_columns = job.dimensions.columns;
  options.totals = job.input.totals;
  options.round_totals = job.input.round_totals;
  options.decimals = job.input.decimals;
  options.round = job.input.round;
  options.empty_value = job.input.empty_value;
  options.status_words = job.status_words;
  options.keys = job.columns.keys;
  return options;
}

// Takes the files and dimensions of the job.
Result<TableCells> read_cells(TableJob& job, const std::string& filename) {
  LACUNA_RETURN_IF_ERROR(make_numbers_plain(number_columns(job.columns.names), job.input));
  LACUNA_TRY(const files::DecimalsChooser numbers, numbers_of(job));
  LACUNA_TRY(
      problems::CsvCells read,
      problems::read_table_csv(
          job.input.files, job.dimensions.dimensions, job.tables, csv_options(job), numbers));
  return TableCells{
      std::move(job.input.files), std::move(job.dimensions.dimensions), std::move(read), filename};
}

std::vector<std::string> notes_of(const TableCells& cells) {
  std::vector<std::string> notes = cells.read.notes;
  if (cells.read.levels_rounded)
    notes.push_back(files::rounded_levels_note(cells.job, cells.read.decimals));
  return notes;
}

// Nothing if no file has a shape of its own.
std::shared_ptr<const infer::TableSource> source_of(std::vector<infer::ShapedTable> shapes,
                                                    const std::vector<std::string>& code_columns,
                                                    const spec::ReadSpec& spec,
                                                    const TableCells& cells) {
  if (shapes.empty() ||
      std::any_of(shapes.begin(), shapes.end(), [](const auto& each) { return !each.raw; }))
    return nullptr;
  auto source = std::make_shared<infer::TableSource>();
  source->filename = spec.job.input.table.front().name;
  source->code_columns = code_columns;
  for (infer::ShapedTable& each : shapes)
    source->tables.push_back(std::make_shared<const infer::ShapedTable>(std::move(each)));
  for (std::size_t c = 0; c < cells.read.cells.size(); ++c) {
    const problems::CsvOrigin& from = cells.read.origins[c];
    if (from.row == problems::CsvOrigin::kAdded)
      continue;
    const infer::ShapedTable& table = *source->tables[from.file];
    infer::TableSource::Cell& cell = source->cells.emplace_back();
    cell.table = from.file;
    cell.at = table.is_wide()
                  ? table.cells[from.row]
                  : infer::RawCell{table.raw_rows[from.row], table.raw_columns[from.column]};
    const auto codes = cells.read.codes_of(c, cells.dimensions.size());
    for (std::size_t d = 0; d < codes.size(); ++d)
      cell.codes.push_back(cells.dimensions[d].code(codes[d]));
  }
  for (const auto& [sign, meaning] : spec.job.input.means) {
    if (meaning == "withheld")
      source->withheld = sign;
  }
  return source;
}

Result<Table> table_of(const TableCells& cells, const std::vector<LinkedTable>& tables) {
  TableBuilder builder(cells.read.decimals, cells.dimensions);
  for (std::size_t c = 0; c < cells.read.cells.size(); ++c) {
    auto added =
        builder.add_cell(cells.read.cells[c], cells.read.codes_of(c, cells.dimensions.size()));
    if (!added)
      return base::moved_to(added.error(), cells.place_of(c));
  }
  if (auto crossed = add_table_equations(builder, tables); !crossed)
    return cells.placed(crossed.error());
  return std::move(builder).build();
}

// Contributions, if their columns are given, make it a table of magnitudes.
CellKeys keys_of(const problems::CsvCells& cells, const TableColumnSection& columns) {
  CellKeys keys;
  keys.modulus = columns.keys.modulus;
  keys.keys = cells.keys;
  for (const Cell& cell : cells.cells)
    keys.records.push_back(cell.frequency);
  if (!columns.names.largest.empty()) {
    keys.largest = cells.largest;
    keys.spread.assign(cells.cells.size(), 0);
  }
  return keys;
}

Result<Problem> problem_of(const TableJob& job,
                           const TableCells& cells,
                           const spec::SpecPlaces& places) {
  LACUNA_TRY(Table table, table_of(cells, job.tables));
  LACUNA_TRY(TableAttackers attackers, attackers_of(job.attackers, cells, places));
  auto problem = make_problem(
      std::move(table), std::move(attackers.attackers), std::move(attackers.requirements));
  if (!problem)
    return cells.placed(problem.error());
  if (!job.columns.names.key.empty())
    LACUNA_RETURN_IF_ERROR(problem.value().set_keys(
        std::make_shared<const CellKeys>(keys_of(cells.read, job.columns))));
  return problem;
}

}  // namespace

Status check_policy_applied(const spec::ReadSpec& spec) {
  if (spec.job.policy.empty())
    return ok_status();
  return spec.places.error("policy",
                           "the policy of this job is not applied by what reads it here; protect, "
                           "audit and tabulate apply it",
                           ErrorCode::kUnsupported);
}

Result<Job> job_of(const spec::ReadSpec& spec, const FileLoader& load) {
  LACUNA_RETURN_IF_ERROR(check_policy_applied(spec));
  LACUNA_TRY(TableJob given, read_sections(spec, load));
  LACUNA_TRY(TableCells cells, read_cells(given, spec.places.filename()));
  Job job;
  LACUNA_TRY(job.problem, problem_of(given, cells, spec.places));
  job.contributions = contributions_of(
      spec, given.rules, given.columns, given.defaults, cells.dimensions.size(), cells.read);
  job.counts = std::move(given.counts);
  job.differencing = std::move(given.differencing);
  job.counted = given.columns.counted;
  job.named_count = given.columns.named_count;
  job.lists_empty = given.input.lists_empty;
  job.persons_left_out = leaves_persons_out(spec, given.rules, job.counted);
  job.tables = std::move(given.tables);
  job.rules = std::move(given.rules);
  job.options = options_of(spec);
  job.notes = std::move(given.input.notes);
  for (std::string& note : notes_of(cells))
    job.notes.push_back(std::move(note));
  job.source = source_of(std::move(given.input.shapes), given.dimensions.columns, spec, cells);
  job.status_reading = cells.read.status_reading;
  // The files stay with the job, for places in messages that come later.
  auto kept = std::make_shared<const TableCells>(std::move(cells));
  job.placed = [kept](Error error) { return kept->placed(std::move(error)); };
  return job;
}

Result<Job> read_job_text(std::string text, const std::string& filename, const FileLoader& load) {
  LACUNA_TRY(const spec::ReadSpec spec, spec::read_spec_toml(std::move(text), filename));
  return job_of(spec, load);
}

Result<Job> read_job(const std::string& path) {
  LACUNA_TRY(std::string text, files::read_file(path));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return read_job_text(std::move(text), path, [&](const std::string& name) {
    return files::read_file((folder / name).string());
  });
}

}  // namespace lacuna::jobfile
