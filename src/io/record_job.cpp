// SPDX-License-Identifier: Apache-2.0
#include "io/record_job.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "base/decimal.h"
#include "base/nearest.h"
#include "io/column_files.h"
#include "io/file.h"
#include "io/job_counts.h"
#include "io/job_differencing.h"
#include "io/job_dimension.h"
#include "io/job_keys.h"
#include "io/job_rules.h"
#include "io/job_sections.h"
#include "io/position.h"
#include "io/toml_document.h"
#include "lacuna/table.h"

namespace lacuna::inline io {
namespace {

class RecordJobReader {
 public:
  RecordJobReader(const TomlDocument& document, const FileLoader& load, std::string folder)
      : document_(document), load_(load), folder_(std::move(folder)) {}

  Result<RecordJob> read() {
    constexpr std::array<std::string_view, 15> kSections{"input",
                                                         "dimension",
                                                         "columns",
                                                         "counts",
                                                         "differencing",
                                                         "table",
                                                         "rule",
                                                         "levels",
                                                         "bounds",
                                                         "attackers",
                                                         "weights",
                                                         "apriori",
                                                         "keys",
                                                         "options",
                                                         "output"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(document_.root(), kSections, "a job over records"));
    job_.filename = document_.filename();
    LACUNA_RETURN_IF_ERROR(read_input());
    LACUNA_RETURN_IF_ERROR(read_columns());
    LACUNA_TRY(job_.tabulate.keys, read_key_options(document_, job_.tabulate.keys.column, load_));
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    LACUNA_RETURN_IF_ERROR(read_tables());
    LACUNA_RETURN_IF_ERROR(read_differencing());
    RuleReader rules(document_);
    LACUNA_RETURN_IF_ERROR(rules.read_rules(!job_.tabulate.request.empty()));
    LACUNA_RETURN_IF_ERROR(rules.read_levels());
    LACUNA_RETURN_IF_ERROR(rules.read_weights());
    LACUNA_RETURN_IF_ERROR(rules.read_bounds());
    LACUNA_RETURN_IF_ERROR(rules.read_attackers());
    job_.rules = std::move(rules).take();
    add_rules_of_counts();
    LACUNA_TRY(job_.counts, read_count_section(document_));
    LACUNA_RETURN_IF_ERROR(read_apriori_section());
    return std::move(job_);
  }

 private:
  std::string path_of(const std::string& name) const {
    return (std::filesystem::path(folder_) / name).string();
  }

  Result<std::string> text_at(const toml::table& table,
                              std::string_view key,
                              std::string_view fallback) const {
    return string_at(document_, table, key, fallback);
  }

  // ---- [input] and [columns]

  Status read_input() {
    LACUNA_TRY(const toml::table* input, section(document_, "input"));
    std::vector<std::string_view> keys{"records",
                                       "separator",
                                       "header",
                                       "fixed",
                                       "trim",
                                       "decimals",
                                       "round",
                                       "decimal_mark",
                                       "weight_decimals",
                                       "negative",
                                       "empty_value",
                                       "empty_cells",
                                       "largest",
                                       "table"};
    keys.insert(keys.end(), engine_keys().begin(), engine_keys().end());
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*input, keys, "[input]"));
    if (const toml::node* table = input->get("table"); table != nullptr)
      return document_.error(*table, "give either records or table");
    LACUNA_TRY(job_.engine, read_engine(document_, *input, folder_, load_));
    const toml::node* records = input->get("records");
    job_.records = job_.engine.files.empty() ? "" : job_.engine.files.front();
    job_.records_where =
        records != nullptr ? document_.where(records->source()) : job_.engine.where;
    LACUNA_TRY(job_.csv.separator, read_separator(document_, *input));
    LACUNA_RETURN_IF_ERROR(read_texts(document_, *input, "header", job_.csv.header));
    LACUNA_RETURN_IF_ERROR(read_fixed(*input));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, *input, "trim", job_.csv.trim));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, *input, "trim", job_.fixed.trim));
    return read_numbers(*input);
  }

  Status read_numbers(const toml::table& input) {
    TabulateOptions& options = job_.tabulate;
    constexpr int kMost = TableBuilder::kMaxDecimals;
    LACUNA_RETURN_IF_ERROR(read_int(document_, input, "decimals", kMost, options.decimals));
    LACUNA_RETURN_IF_ERROR(
        read_int(document_, input, "weight_decimals", kMost, options.weight_decimals));
    constexpr int kMostListed = 100;
    LACUNA_RETURN_IF_ERROR(read_int(document_, input, "largest", kMostListed, options.top));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, input, "round", options.round_values));
    if (options.round_values && options.decimals < 0)
      return document_.error(*input.get("round"), "rounding needs a number of decimals");
    LACUNA_RETURN_IF_ERROR(read_flag(document_, input, "negative", options.allow_negative));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, input, "empty_cells", options.keep_empty_cells));
    constexpr std::array<std::string_view, 2> kMarks{".", ","};
    LACUNA_TRY(const std::size_t mark, choice_at(document_, input, "decimal_mark", kMarks));
    options.decimal_mark = kMarks[mark][0];
    constexpr std::array<std::string_view, 3> kEmpty{"error", "drop", "zero"};
    LACUNA_TRY(const std::size_t empty, choice_at(document_, input, "empty_value", kEmpty));
    options.empty_value = static_cast<EmptyValue>(empty);
    return ok_status();
  }

  Status read_fixed(const toml::table& input) {
    const toml::node* node = input.get("fixed");
    if (node == nullptr)
      return ok_status();
    for (const char* other : {"separator", "header"}) {
      if (input.contains(other))
        return document_.error(*node, "fixed columns have no " + std::string(other));
    }
    job_.is_fixed = true;
    LACUNA_TRY(const auto columns, document_.tables(*node));
    for (const toml::table* column : columns) {
      constexpr std::array<std::string_view, 3> kKeys{"name", "start", "length"};
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*column, kKeys, "fixed"));
      constexpr int kLongest = 1'000'000;
      int start = 0;
      int length = 0;
      FixedColumn fixed;
      LACUNA_TRY(fixed.name, text_at(*column, "name", ""));
      LACUNA_RETURN_IF_ERROR(read_int(document_, *column, "start", kLongest, start));
      LACUNA_RETURN_IF_ERROR(read_int(document_, *column, "length", kLongest, length));
      if (fixed.name.empty() || start < 1 || length < 1)
        return document_.error(
            *column, "a fixed column needs a name, a start from 1 and a length of at least 1");
      fixed.start = static_cast<std::size_t>(start);
      fixed.length = static_cast<std::size_t>(length);
      job_.fixed.columns.push_back(std::move(fixed));
    }
    return ok_status();
  }

  Status read_columns() {
    LACUNA_TRY(const toml::table* columns, section(document_, "columns"));
    if (columns == nullptr)
      return ok_status();  // every record counts 1
    constexpr std::array<std::string_view, 10> kKeys{"value",
                                                     "weight",
                                                     "respondent",
                                                     "holding",
                                                     "request",
                                                     "waiver",
                                                     "key",
                                                     "frequency",
                                                     "request_codes",
                                                     "waiver_codes"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*columns, kKeys, "[columns]"));
    TabulateOptions& options = job_.tabulate;
    const std::array<std::string*, 7> targets{&options.value,
                                              &options.weight,
                                              &options.respondent,
                                              &options.holding,
                                              &options.request,
                                              &options.waiver,
                                              &options.keys.column};
    for (std::size_t i = 0; i < targets.size(); ++i) {
      LACUNA_TRY(*targets[i], text_at(*columns, kKeys[i], ""));
    }
    LACUNA_RETURN_IF_ERROR(read_counts(*columns));
    LACUNA_RETURN_IF_ERROR(read_texts(document_, *columns, "request_codes", options.request_codes));
    return read_texts(document_, *columns, "waiver_codes", options.waiver_codes);
  }

  // Counts instead of single records: a record stands for as many as the column says, and each of
  // them counts 1.
  Status read_counts(const toml::table& columns) {
    const toml::node* node = columns.get("frequency");
    if (node == nullptr)
      return ok_status();
    for (const char* other : {"value", "weight", "respondent", "holding", "key"}) {
      if (columns.contains(other))
        return document_.error(
            *node, "records with a frequency are counts: they have no " + std::string(other));
    }
    LACUNA_TRY(job_.tabulate.weight, document_.string(*node));
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
      job_.rules.push_back({"frequency-counts", "weighted", document_.filename()});
  }

  // ---- [[dimension]] and [[table]]

  Status read_dimensions() {
    const toml::node* list = document_.root().get("dimension");
    if (list == nullptr)
      return Error{ErrorCode::kBadInput, "the job has no [[dimension]]", document_.filename()};
    LACUNA_TRY(const auto nodes, document_.tables(*list));
    const DimensionReader reader(document_, load_, job_.csv.separator);
    std::unordered_set<std::string> names;
    for (const toml::table* node : nodes) {
      LACUNA_TRY(DimensionSpec spec, read_dimension(reader, *node));
      if (!names.insert(spec.name).second)
        return document_.error(*node, "two dimensions are called " + in_quotes(spec.name));
      job_.tabulate.dimensions.push_back(std::move(spec));
    }
    return ok_status();
  }

  Result<DimensionSpec> read_dimension(const DimensionReader& reader, const toml::table& node) {
    constexpr std::array<std::string_view, 5> kMore{
        "columns", "digits", "missing", "missing_code", "missing_values"};
    LACUNA_TRY(const DimensionPlan plan, reader.read(node, kMore));
    const toml::node* columns = node.get("columns");
    const toml::node* digits = node.get("digits");
    const int forms =
        (plan.flat ? 0 : 1) + (columns != nullptr ? 1 : 0) + (digits != nullptr ? 1 : 0);
    if (forms > 1)
      return document_.error(node,
                             "give one of hierarchy, parents, tree, codes, columns and digits");
    DimensionSpec spec = flat_dimension(plan.name, plan.column);
    if (columns != nullptr) {
      if (node.contains("column"))
        return document_.error(*columns, "give either column or columns");
      LACUNA_TRY(auto chains, read_chains(*columns));
      spec = nested_dimension(plan.name, std::move(chains));
    } else if (digits != nullptr) {
      LACUNA_TRY(auto lengths, read_digits(*digits));
      spec = digit_dimension(plan.name, plan.column, std::move(lengths));
    } else if (!plan.flat) {
      LACUNA_TRY(Dimension dimension, reader.build(plan));
      spec = given_dimension(std::move(dimension), plan.column);
    }
    spec.total = plan.total;
    LACUNA_RETURN_IF_ERROR(read_missing(node, spec));
    return spec;
  }

  // ["section", "division"], or a list of such lists.
  Result<std::vector<std::vector<std::string>>> read_chains(const toml::node& node) const {
    std::vector<std::vector<std::string>> chains;
    const auto* array = node.as_array();
    const bool several = array != nullptr && !array->empty() && array->front().is_array();
    if (!several) {
      LACUNA_TRY(auto chain, document_.strings(node));
      chains.push_back(std::move(chain));
    } else {
      for (const toml::node& item : *array) {
        LACUNA_TRY(auto chain, document_.strings(item));
        chains.push_back(std::move(chain));
      }
    }
    for (const auto& chain : chains) {
      if (chain.empty())
        return document_.error(node, "the list of columns is empty");
      if (chain.back() != chains.front().back())
        return document_.error(node, "the hierarchies must end in the same column");
    }
    return chains;
  }

  Result<std::vector<int>> read_digits(const toml::node& node) const {
    constexpr std::int64_t kMost = 1000;
    std::vector<int> digits;
    const auto* array = node.as_array();
    const Error wrong =
        document_.error(node, "digits must be a list of whole numbers from 1, such as [3, 1, 1]");
    if (array == nullptr || array->empty())
      return wrong;
    for (const toml::node& item : *array) {
      const auto* number = item.as_integer();
      if (number == nullptr || number->get() < 1 || number->get() > kMost)
        return wrong;
      digits.push_back(static_cast<int>(number->get()));
    }
    return digits;
  }

  Status read_missing(const toml::table& node, DimensionSpec& spec) const {
    constexpr std::array<std::string_view, 3> kPolicies{"error", "drop", "code"};
    LACUNA_TRY(const std::size_t policy, choice_at(document_, node, "missing", kPolicies));
    spec.missing.policy = static_cast<MissingPolicy>(policy);
    LACUNA_RETURN_IF_ERROR(read_texts(document_, node, "missing_values", spec.missing.codes));
    LACUNA_TRY(spec.missing.code, text_at(node, "missing_code", ""));
    const bool wants_code = spec.missing.policy == MissingPolicy::kCode;
    if (wants_code != !spec.missing.code.empty())
      return document_.error(node, "missing = \"code\" and missing_code belong together");
    return ok_status();
  }

  Status read_tables() {
    const toml::node* list = document_.root().get("table");
    if (list == nullptr)
      return ok_status();
    LACUNA_TRY(const auto nodes, document_.tables(*list));
    std::vector<std::string_view> known;
    for (const DimensionSpec& spec : job_.tabulate.dimensions)
      known.push_back(spec.name);
    for (const toml::table* node : nodes) {
      constexpr std::array<std::string_view, 2> kKeys{"name", "dimensions"};
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*node, kKeys, "[[table]]"));
      TableSpec table;
      LACUNA_TRY(table.name, text_at(*node, "name", ""));
      const toml::node* names = node->get("dimensions");
      if (names == nullptr)
        return document_.error(*node, "a [[table]] needs dimensions = [\"<name>\", ...]");
      LACUNA_TRY(table.dimensions, document_.strings(*names));
      for (const std::string& name : table.dimensions) {
        if (std::find(known.begin(), known.end(), name) == known.end())
          return document_.error(
              *names, "there is no dimension " + in_quotes(name) + did_you_mean(name, known));
      }
      job_.tabulate.tables.push_back(std::move(table));
    }
    return ok_status();
  }

  Status read_differencing() {
    std::vector<std::string> names;
    for (const DimensionSpec& spec : job_.tabulate.dimensions)
      names.push_back(spec.name);
    LACUNA_TRY(job_.differencing, read_differencing_section(document_, names));
    if (job_.differencing)
      job_.tabulate.tables.push_back({kAtomTable, std::move(names)});
    return ok_status();
  }

  Status read_apriori_section() {
    LACUNA_TRY(const toml::table* apriori, section(document_, "apriori"));
    if (apriori == nullptr)
      return ok_status();
    constexpr std::array<std::string_view, 4> kKeys{
        "file", "separator", "ignore_errors", "expand_trivial"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*apriori, kKeys, "[apriori]"));
    const toml::node* file = apriori->get("file");
    if (file == nullptr)
      return document_.error(*apriori, "[apriori] needs file = \"<file>\"");
    LACUNA_TRY(const std::string name, document_.string(*file));
    job_.apriori = path_of(name);
    job_.apriori_where = document_.where(file->source());
    LACUNA_TRY(job_.apriori_options.separator, read_separator(document_, *apriori));
    LACUNA_RETURN_IF_ERROR(
        read_flag(document_, *apriori, "ignore_errors", job_.apriori_options.ignore_errors));
    return read_flag(document_, *apriori, "expand_trivial", job_.apriori_options.expand_trivial);
  }

  const TomlDocument& document_;
  const FileLoader& load_;
  std::string folder_;
  bool are_counts_ = false;
  RecordJob job_;
};

Result<std::vector<JobOption>> options_of(const TomlDocument& document) {
  std::vector<JobOption> options;
  LACUNA_TRY(const toml::table* table, section(document, "options"));
  if (table == nullptr)
    return options;
  for (const auto& [key, node] : TomlDocument::in_order(*table)) {
    LACUNA_TRY(std::string value, scalar_text(document, *node));
    options.push_back({std::string(key->str()), std::move(value), document.where(key->source())});
  }
  return options;
}

std::string without_packing(std::string name) {
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - packed.size());
  }
  return name;
}

// A job with rules and without a table is over records, even if it misspells them.
bool is_over_records(const TomlDocument& document) {
  const toml::node* input = document.root().get("input");
  if (input == nullptr || !input->is_table())
    return false;
  for (const char* place : {"records", "from_table", "from_query"}) {
    if (input->as_table()->contains(place))
      return true;
  }
  return document.root().contains("rule") && !input->as_table()->contains("table");
}

// An error of a whole file, moved to where the job names it.
Error moved_if_whole(const Error& error, const std::string& path, const std::string& where) {
  return error.where == path ? moved_to(error, where) : error;
}

}  // namespace

bool is_job_name(const std::string& path) {
  return without_packing(path).ends_with(".toml");
}

Result<std::optional<RecordJob>> read_record_job_text(std::string text,
                                                      const std::string& filename,
                                                      const std::string& folder,
                                                      const FileLoader& load) {
  LACUNA_TRY(const TomlDocument document, TomlDocument::parse(std::move(text), filename));
  if (!is_over_records(document))
    return std::optional<RecordJob>();
  LACUNA_TRY(RecordJob job, RecordJobReader(document, load, folder).read());
  LACUNA_TRY(job.options, options_of(document));
  return std::optional<RecordJob>(std::move(job));
}

Result<std::optional<RecordJob>> read_record_job(const std::string& path) {
  LACUNA_TRY(std::string text, read_file(path));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return read_record_job_text(std::move(text), path, folder.string(), [&](const std::string& name) {
    return read_file((folder / name).string());
  });
}

Result<std::unique_ptr<RecordSource>> open_records(const RecordJob& job, int threads) {
  if (is_column_file(job.records)) {
    auto source = open_column_records(job.records, threads);
    if (!source)
      return moved_if_whole(source.error(), job.records, job.records_where);
    return source;
  }
  auto stream = open_byte_stream(job.records);
  if (!stream)
    return moved_if_whole(stream.error(), job.records, job.records_where);
  return records_from(job, std::move(stream).value());
}

Result<std::unique_ptr<RecordSource>> records_from(const RecordJob& job,
                                                   std::unique_ptr<ByteStream> stream) {
  return job.is_fixed ? fixed_records(std::move(stream), job.records, job.fixed)
                      : csv_records(std::move(stream), job.records, job.csv);
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
      AprioriFile file,
      is_hst
          ? read_hst(*text, job.apriori, dimensions, decimals, job.apriori_options)
          : read_apriori_csv(
                std::move(text).value(), job.apriori, dimensions, decimals, job.apriori_options));
  if (!file.collapsed.empty())
    return Error{ErrorCode::kBadInput,
                 "codes are collapsed in a table, not in its records: give the file by --apriori",
                 file.collapsed.front().where};
  return std::move(file.entries);
}

Result<JobSettings> read_job_settings(const std::string& path) {
  LACUNA_TRY(std::string text, read_file(path));
  return read_job_settings_text(std::move(text), path);
}

Result<JobSettings> read_job_settings_text(std::string text, const std::string& path) {
  LACUNA_TRY(const TomlDocument document, TomlDocument::parse(std::move(text), path));
  JobSettings settings;
  LACUNA_TRY(settings.options, options_of(document));
  LACUNA_TRY(const toml::table* outputs, section(document, "output"));
  if (outputs == nullptr)
    return settings;
  constexpr std::array<std::string_view, 5> kKeys{
      "problem", "table", "result", "certificate", "public"};
  LACUNA_RETURN_IF_ERROR(document.check_keys(*outputs, kKeys, "[output]"));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const auto& [key, node] : TomlDocument::in_order(*outputs)) {
    LACUNA_TRY(const std::string name, document.string(*node));
    settings.outputs.push_back(
        {std::string(key->str()), (folder / name).string(), document.where(node->source())});
  }
  return settings;
}

}  // namespace lacuna::inline io
