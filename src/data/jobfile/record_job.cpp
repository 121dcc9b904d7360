// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/record_job.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/files/position.h"
#include "data/jobfile/job_counts.h"
#include "data/jobfile/job_differencing.h"
#include "data/jobfile/job_dimension.h"
#include "data/jobfile/job_keys.h"
#include "data/jobfile/job_rules.h"
#include "data/jobfile/record_files.h"
#include "data/spec/spec_text.h"
#include "lacuna/table.h"

namespace lacuna::jobfile {
namespace {

bool is_frame(const SpecSource& source) {
  return source.kind == SpecSource::Kind::kFrame;
}

class RecordJobReader {
 public:
  RecordJobReader(const spec::ReadSpec& spec, const FileLoader& load, std::string folder)
      : spec_(spec), given_(spec.job), load_(load), folder_(std::move(folder)) {}

  Result<RecordJob> read() {
    job_.filename = spec_.places.filename();
    LACUNA_RETURN_IF_ERROR(read_input());
    LACUNA_RETURN_IF_ERROR(read_columns());
    LACUNA_TRY(job_.tabulate.keys, read_key_options(spec_, job_.tabulate.keys.column, load_));
    job_.states_keys = given_.keys && (given_.keys->digits || given_.keys->modulus);
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    LACUNA_RETURN_IF_ERROR(read_tables());
    LACUNA_RETURN_IF_ERROR(read_differencing());
    LACUNA_TRY(job_.rules, rules_of(spec_, !job_.tabulate.request.empty()));
    add_rules_of_counts();
    LACUNA_TRY(job_.counts, read_count_section(spec_));
    LACUNA_RETURN_IF_ERROR(read_apriori_section());
    job_.options = options_of(spec_);
    return std::move(job_);
  }

 private:
  Error error(const std::string& path, std::string message) const {
    return spec_.places.error(path, std::move(message));
  }

  std::string path_of(const std::string& name) const {
    return (std::filesystem::path(folder_) / name).string();
  }

  // ---- [input] and [columns]

  Status read_input() {
    const JobSpec::Input& input = given_.input;
    if (!input.table.empty() || spec_.places.has("input.table"))
      return error("input.table", "give either records or table");
    LACUNA_TRY(job_.engine, read_engine(spec_, folder_, load_));
    job_.records = job_.engine.files.empty() ? "" : job_.engine.files.front();
    job_.is_frame = std::any_of(input.records.begin(), input.records.end(), is_frame);
    job_.shape = infer::shape_choice_of(spec_.job);
    job_.records_where =
        input.records.empty() ? job_.engine.where : spec_.places.where("input.records");
    LACUNA_TRY(job_.csv.separator, separator_of(input.separator, "input.separator", spec_.places));
    job_.csv.header = input.header;
    LACUNA_RETURN_IF_ERROR(read_fixed());
    if (input.trim)
      job_.csv.trim = job_.fixed.trim = *input.trim;
    return read_numbers();
  }

  Status read_numbers() {
    const JobSpec::Input& input = given_.input;
    TabulateOptions& options = job_.tabulate;
    options.decimals = input.decimals;
    options.weight_decimals = input.weight_decimals;
    options.top = input.largest;
    options.round_values = input.round;
    if (options.round_values && options.decimals < 0)
      return error("input.round", "rounding needs a number of decimals");
    options.allow_negative = input.negative;
    options.keep_empty_cells = input.empty_cells;
    options.decimal_mark = input.decimal_mark == SpecMark::kComma ? ',' : '.';
    options.empty_value = input.empty_value;
    options.unique = input.unique;
    options.duplicates = input.duplicates;
    if (options.unique.empty() && spec_.places.has("input.duplicates"))
      return error("input.duplicates",
                   "name the columns that tell records apart: " +
                       base::named_setting("unique", "[\"<column>\", ...]"));
    return ok_status();
  }

  Status read_fixed() {
    const JobSpec::Input& input = given_.input;
    job_.is_fixed = !input.fixed.empty() || spec_.places.has("input.fixed");
    if (!job_.is_fixed)
      return ok_status();
    if (!input.separator.empty())
      return error("input.fixed", "fixed columns have no separator");
    if (!input.header.empty())
      return error("input.fixed", "fixed columns have no header");
    for (std::size_t i = 0; i < input.fixed.size(); ++i) {
      const JobSpec::FixedColumn& column = input.fixed[i];
      if (column.name.empty() || column.start < 1 || column.length < 1)
        return error("input.fixed[" + std::to_string(i) + "]",
                     "a fixed column needs a name, a start from 1 and a length of at least 1");
      job_.fixed.columns.push_back({column.name,
                                    static_cast<std::size_t>(column.start),
                                    static_cast<std::size_t>(column.length)});
    }
    return ok_status();
  }

  Status read_columns() {
    if (!given_.columns)
      return ok_status();  // every record counts 1
    const JobSpec::Columns& columns = *given_.columns;
    TabulateOptions& options = job_.tabulate;
    options.value = columns.value;
    options.weight = columns.weight;
    options.respondent = columns.respondent;
    options.missing_respondent = columns.missing_respondent;
    if (options.missing_respondent != RespondentPolicy::kError && columns.respondent.empty() &&
        columns.holding.empty())
      return error("columns.missing_respondent",
                   "there is no column of respondents: " +
                       base::named_setting("respondent", "\"<column>\""));
    options.holding = columns.holding;
    options.request = columns.request;
    options.waiver = columns.waiver;
    options.keys.column = columns.key;
    options.request_codes = columns.request_codes;
    options.waiver_codes = columns.waiver_codes;
    return read_counts(columns);
  }

  // Counts instead of single records: a record stands for as many as the column says, and each of
  // them counts 1.
  Status read_counts(const JobSpec::Columns& columns) {
    if (columns.frequency.empty() && !spec_.places.has("columns.frequency"))
      return ok_status();
    const std::array<std::pair<const char*, const std::string*>, 5> others{
        {{"value", &columns.value},
         {"weight", &columns.weight},
         {"respondent", &columns.respondent},
         {"holding", &columns.holding},
         {"key", &columns.key}}};
    for (const auto& [name, column] : others) {
      if (!column->empty())
        return error("columns.frequency",
                     "records with a frequency are counts: they have no " + std::string(name));
    }
    job_.tabulate.weight = columns.frequency;
    are_counts_ = true;
    return ok_status();
  }

  // Persons are counted, not rows of a frequency.
  void add_rules_of_counts() {
    const TabulateOptions& options = job_.tabulate;
    job_.counted = options.value.empty() && (options.weight.empty() || are_counts_);
    const bool stated = std::any_of(job_.rules.begin(), job_.rules.end(), [](const auto& rule) {
      return rule.name == "frequency-counts";
    });
    if (are_counts_ && !stated)
      job_.rules.push_back({"frequency-counts", "weighted", job_.filename});
  }

  // ---- [[dimension]] and [[table]]

  Status read_dimensions() {
    if (given_.dimensions.empty())
      return Error{ErrorCode::kMissingKey,
                   "the job has no " + base::named_section("[[dimension]]"),
                   job_.filename};
    const DimensionReader reader(spec_.places, load_, job_.csv.separator);
    std::unordered_set<std::string> names;
    for (std::size_t d = 0; d < given_.dimensions.size(); ++d) {
      const std::string path = "dimension[" + std::to_string(d) + "]";
      LACUNA_TRY(DimensionSpec spec, read_dimension(reader, given_.dimensions[d], path));
      if (!names.insert(spec.name).second)
        return error(path, "two dimensions are called " + base::in_quotes(spec.name));
      job_.tabulate.dimensions.push_back(std::move(spec));
    }
    return ok_status();
  }

  Result<DimensionSpec> read_dimension(const DimensionReader& reader,
                                       const JobSpec::Dimension& given,
                                       const std::string& path) {
    LACUNA_TRY(const DimensionPlan plan, reader.read(given, path));
    const bool nested = !given.columns.empty() || spec_.places.has(path + ".columns");
    const int forms = (plan.flat ? 0 : 1) + (nested ? 1 : 0) + (given.digits.empty() ? 0 : 1);
    if (forms > 1)
      return error(path, "give only one of hierarchy, parents, tree, codes, columns and digits");
    DimensionSpec spec = flat_dimension(plan.name, plan.column);
    if (nested) {
      if (!given.column.empty())
        return error(path + ".columns", "give either column or columns");
      LACUNA_RETURN_IF_ERROR(check_chains(given.columns, path + ".columns"));
      spec = nested_dimension(plan.name, given.columns);
    } else if (!given.digits.empty()) {
      spec = digit_dimension(plan.name, plan.column, {given.digits.begin(), given.digits.end()});
    } else if (!plan.flat) {
      LACUNA_TRY(Dimension dimension, reader.build(plan));
      spec = given_dimension(std::move(dimension), plan.column);
    }
    spec.total = plan.total;
    spec.missing = {given.missing, given.missing_values, given.missing_code};
    spec.unknown = given.unknown;
    spec.longer = given.longer;
    const bool has_wrong_codes = spec.given || spec.kind == DimensionSpec::Kind::kDigits;
    if (spec.unknown != UnknownPolicy::kError && !has_wrong_codes)
      return error(path + ".unknown",
                   "this dimension takes every code that occurs, so no code is unknown: list its "
                   "codes with codes, tree, a hierarchy or digits");
    if (spec.longer != LongerPolicy::kAuto && spec.kind != DimensionSpec::Kind::kDigits)
      return error(path + ".longer", "codes are cut only in a dimension with digits");
    if (spec.unknown == UnknownPolicy::kMissing && given.missing == MissingPolicy::kError)
      return error(path + ".unknown",
                   "say what to do with records without a code: " +
                       base::named_setting("missing", "\"drop\" or \"code\""));
    const bool wants_code = spec.missing.policy == MissingPolicy::kCode;
    if (wants_code != !spec.missing.code.empty())
      return error(path, "missing = \"code\" and missing_code must be given together");
    return spec;
  }

  Status check_chains(const std::vector<std::vector<std::string>>& chains,
                      const std::string& path) const {
    for (const auto& chain : chains) {
      if (chain.empty())
        return error(path, "the list of columns is empty");
      if (chain.back() != chains.front().back())
        return error(path, "the hierarchies must end in the same column");
    }
    return ok_status();
  }

  Status read_tables() {
    std::vector<std::string_view> known;
    for (const DimensionSpec& spec : job_.tabulate.dimensions)
      known.push_back(spec.name);
    for (std::size_t i = 0; i < given_.tables.size(); ++i) {
      const JobSpec::Table& table = given_.tables[i];
      const std::string path = "table[" + std::to_string(i) + "]";
      if (table.dimensions.empty() && !spec_.places.has(path + ".dimensions"))
        return error(path,
                     "a table needs " + base::named_setting("dimensions", "[\"<name>\", ...]"));
      for (const std::string& name : table.dimensions) {
        if (std::find(known.begin(), known.end(), name) == known.end())
          return error(
              path + ".dimensions",
              "there is no dimension " + base::in_quotes(name) + base::did_you_mean(name, known));
      }
      job_.tabulate.tables.push_back({table.name, table.dimensions});
    }
    return ok_status();
  }

  Status read_differencing() {
    std::vector<std::string> names;
    for (const DimensionSpec& spec : job_.tabulate.dimensions)
      names.push_back(spec.name);
    LACUNA_TRY(job_.differencing, read_differencing_section(spec_, names));
    if (job_.differencing)
      job_.tabulate.tables.push_back({kAtomTable, std::move(names)});
    return ok_status();
  }

  Status read_apriori_section() {
    if (!given_.apriori)
      return ok_status();
    const JobSpec::Apriori& apriori = *given_.apriori;
    if (apriori.file.empty() && !spec_.places.has("apriori.file"))
      return error(
          "apriori",
          base::named_section("[apriori]") + " needs " + base::named_setting("file", "\"<file>\""));
    job_.apriori = path_of(apriori.file);
    job_.apriori_where = spec_.places.where("apriori.file");
    LACUNA_TRY(job_.apriori_options.separator,
               separator_of(apriori.separator, "apriori.separator", spec_.places));
    job_.apriori_options.ignore_errors = apriori.ignore_errors;
    job_.apriori_options.expand_trivial = apriori.expand_trivial;
    return ok_status();
  }

  const spec::ReadSpec& spec_;
  const JobSpec& given_;
  const FileLoader& load_;
  std::string folder_;
  bool are_counts_ = false;
  RecordJob job_;
};

std::string without_packing(std::string name) {
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - packed.size());
  }
  return name;
}

// An error of a whole file, moved to where the job names it.
Error moved_if_whole(const Error& error, const std::string& path, const std::string& where) {
  return error.where == path ? base::moved_to(error, where) : error;
}

}  // namespace

bool is_job_name(const std::string& path) {
  return without_packing(path).ends_with(".toml");
}

std::vector<JobOption> options_of(const spec::ReadSpec& spec) {
  std::vector<JobOption> options;
  for (const auto& [name, value] : spec.job.options)
    options.push_back({name, value.text, spec.places.where_key("options." + name)});
  return options;
}

Result<RecordJob> record_job_of(const spec::ReadSpec& spec,
                                const std::string& folder,
                                const FileLoader& load) {
  LACUNA_RETURN_IF_ERROR(check_policy_applied(spec));
  return RecordJobReader(spec, load, folder).read();
}

Result<std::optional<RecordJob>> read_record_job_text(std::string text,
                                                      const std::string& filename,
                                                      const std::string& folder,
                                                      const FileLoader& load) {
  LACUNA_TRY(const spec::ReadSpec spec, spec::read_spec_toml(std::move(text), filename));
  if (!spec.over_records)
    return std::optional<RecordJob>();
  LACUNA_TRY(RecordJob job, record_job_of(spec, folder, load));
  return std::optional<RecordJob>(std::move(job));
}

Result<std::optional<RecordJob>> read_record_job(const std::string& path) {
  LACUNA_TRY(std::string text, files::read_file(path));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return read_record_job_text(std::move(text), path, folder.string(), [&](const std::string& name) {
    return files::read_file((folder / name).string());
  });
}

Result<std::unique_ptr<RecordSource>> open_records(const RecordJob& job, int threads) {
  if (files::is_column_file(job.records)) {
    auto source = files::open_column_records(job.records, threads);
    if (!source)
      return moved_if_whole(source.error(), job.records, job.records_where);
    return source;
  }
  LACUNA_TRY(auto foreign, open_foreign_records(job.records, job.shape));
  if (foreign)
    return foreign;
  auto stream = files::open_byte_stream(job.records);
  if (!stream)
    return moved_if_whole(stream.error(), job.records, job.records_where);
  return records_from(job, std::move(stream).value());
}

Result<std::unique_ptr<RecordSource>> records_from(const RecordJob& job,
                                                   std::unique_ptr<files::ByteStream> stream) {
  return job.is_fixed ? problems::fixed_records(std::move(stream), job.records, job.fixed)
                      : problems::csv_records(std::move(stream), job.records, job.csv);
}

Result<std::vector<AprioriEntry>> read_apriori(const RecordJob& job,
                                               const std::vector<Dimension>& dimensions,
                                               int decimals,
                                               const FileLoader& load) {
  if (job.apriori.empty())
    return std::vector<AprioriEntry>{};
  auto text = load(job.apriori);
  if (!text)
    return moved_if_whole(text.error(), job.apriori, job.apriori_where);
  const bool is_hst = without_packing(job.apriori).ends_with(".hst");
  LACUNA_TRY(
      problems::AprioriFile file,
      is_hst
          ? problems::read_hst(*text, job.apriori, dimensions, decimals, job.apriori_options)
          : problems::read_apriori_csv(
                std::move(text).value(), job.apriori, dimensions, decimals, job.apriori_options));
  if (!file.collapsed.empty())
    return Error{ErrorCode::kJobValue,
                 "codes are collapsed in a table, not in its records: give the file with " +
                     base::named_option("apriori"),
                 file.collapsed.front().where};
  return std::move(file.entries);
}

Result<JobSettings> read_job_settings(const std::string& path) {
  LACUNA_TRY(std::string text, files::read_file(path));
  return read_job_settings_text(std::move(text), path);
}

Result<JobSettings> read_job_settings_text(std::string text, const std::string& path) {
  LACUNA_TRY(const spec::ReadSpec spec, spec::read_spec_toml(std::move(text), path));
  JobSettings settings;
  settings.options = options_of(spec);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  JobSpec::Output::fields(spec.job.output, [&](const FieldInfo& info, const std::string& name) {
    if (!name.empty())
      settings.outputs.push_back({std::string(info.name),
                                  (folder / name).string(),
                                  spec.places.where("output." + std::string(info.name))});
  });
  return settings;
}

}  // namespace lacuna::jobfile
