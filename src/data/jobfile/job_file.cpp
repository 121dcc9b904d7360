// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/hierarchy_file.h"
#include "data/files/number_text.h"
#include "data/files/position.h"
#include "data/infer/column_roles.h"
#include "data/infer/csv_guess.h"
#include "data/jobfile/job_counts.h"
#include "data/jobfile/job_differencing.h"
#include "data/jobfile/job_dimension.h"
#include "data/jobfile/job_keys.h"
#include "data/jobfile/job_rules.h"
#include "data/jobfile/record_job.h"
#include "data/problems/table_csv.h"
#include "data/spec/spec_text.h"

namespace lacuna::jobfile {
namespace {

struct CellFacts {  // an entry of an attacker's `known` or `levels`, before the cells are known
  std::string path;
  std::vector<std::string> codes;
  std::string lower;
  std::string upper;
  std::string sliding;
  bool exact = false;  // known, and no bounds are given
};

struct AttackerPlan {
  std::string name;
  std::vector<CellFacts> known;
  std::vector<CellFacts> levels;
  bool has_levels = false;
};

std::string place_of(std::size_t cell,
                     const std::vector<files::CsvFile>& files,
                     const problems::CsvCells& cells,
                     const std::string& job) {
  const problems::CsvOrigin& origin = cells.origins[cell];
  return origin.row == problems::CsvOrigin::kAdded
             ? job
             : files[origin.file].where(origin.row, origin.column);
}

// An error that names a cell by its label, moved to the cell's place in its file.
Error placed_in(Error error,
                const std::vector<files::CsvFile>& files,
                const problems::CsvCells& cells,
                const std::vector<Dimension>& dimensions,
                const std::string& job) {
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    const auto codes = cells.codes_of(c, dimensions.size());
    std::string label;
    for (std::size_t d = 0; d < codes.size(); ++d)
      label += (d > 0 ? "|" : "") + dimensions[d].name() + "=" + dimensions[d].code(codes[d]);
    if (label == error.where)
      return base::moved_to(std::move(error), place_of(c, files, cells, job));
  }
  return base::moved_to(std::move(error), job);
}

class JobReader {
 public:
  JobReader(const spec::ReadSpec& spec, const FileLoader& load)
      : spec_(spec), given_(spec.job), load_(load) {}

  Result<Job> read() {
    LACUNA_RETURN_IF_ERROR(read_input());
    LACUNA_RETURN_IF_ERROR(read_columns());
    LACUNA_RETURN_IF_ERROR(read_status_words());
    LACUNA_RETURN_IF_ERROR(read_defaults());
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    LACUNA_RETURN_IF_ERROR(read_tables());
    LACUNA_RETURN_IF_ERROR(read_differencing());
    LACUNA_RETURN_IF_ERROR(read_attackers());
    LACUNA_RETURN_IF_ERROR(read_rules());
    LACUNA_TRY(job_.counts, read_count_section(spec_));
    job_.options = options_of(spec_);
    LACUNA_RETURN_IF_ERROR(make_numbers_plain());
    LACUNA_TRY(cells_, problems::read_table_csv(files_, dimensions_, job_.tables, csv_, numbers_));
    job_.notes.insert(job_.notes.end(), cells_.notes.begin(), cells_.notes.end());
    job_.status_reading = cells_.status_reading;
    if (cells_.levels_rounded)
      job_.notes.push_back(files::rounded_levels_note(spec_.places.filename(), cells_.decimals));
    LACUNA_RETURN_IF_ERROR(build_problem());
    add_contributions();
    return finished();
  }

 private:
  Error error(const std::string& path, std::string message) const {
    return spec_.places.error(path, std::move(message));
  }

  Error missing_at(const std::string& path, std::string message) const {
    return spec_.places.error(path, std::move(message), ErrorCode::kMissingKey);
  }

  Error missing(const std::string& what) const {
    return {ErrorCode::kMissingKey, what, spec_.places.filename()};
  }

  Result<files::CsvFile> load_csv(const SpecSource& source) const {
    auto text = load_(source.name);
    if (!text)
      return spec_.places.moved(text.error(), "input.table");
    const bool is_alone =  // the one frame of a call needs no name in its places
        source.kind == SpecSource::Kind::kFrame && given_.input.table.size() == 1;
    return infer::read_table_file(std::move(text).value(), is_alone ? "" : source.name, style_);
  }

  // ---- [input]

  Status read_input() {
    const JobSpec::Input& input = given_.input;
    if (!spec_.places.has("input") && input == JobSpec::Input{})
      return missing("the section " + base::named_section("[input]") + " is missing");
    if (!input.records.empty() || spec_.places.has("input.records"))
      return error("input.records", "the job is over records; tabulate them first");
    LACUNA_RETURN_IF_ERROR(read_file_style(input));
    LACUNA_RETURN_IF_ERROR(read_number_style(input));
    LACUNA_RETURN_IF_ERROR(read_totals(input));
    job_.lists_empty = input.empty_cells;
    if (input.table.empty() && !spec_.places.has("input.table"))
      return missing_at(
          "input",
          base::named_section("[input]") + " needs " + base::named_setting("table", "\"<file>\""));
    if (input.table.empty())
      return missing_at("input.table", base::named_section("[input]") + " names no table");
    for (const SpecSource& source : input.table) {
      LACUNA_TRY(files::CsvFile file, load_csv(source));
      files_.push_back(std::move(file));
      names_.push_back(source.kind == SpecSource::Kind::kFrame
                           ? source.name
                           : std::filesystem::path(source.name).stem().string());
    }
    return ok_status();
  }

  Status read_file_style(const JobSpec::Input& input) {
    if (!input.separator.empty() || spec_.places.has("input.separator")) {
      LACUNA_TRY(style_.separator, separator_of(input.separator, "input.separator", spec_.places));
    }
    if (input.encoding)
      style_.encoding = static_cast<files::Encoding>(*input.encoding);
    style_.header = input.header;
    return ok_status();
  }

  Status read_number_style(const JobSpec::Input& input) {
    states_style_ = input.decimal_mark.has_value() || input.thousands.has_value();
    const SpecMark mark = input.decimal_mark.value_or(SpecMark::kPoint);
    const SpecThousands group = input.thousands.value_or(SpecThousands::kNone);
    const std::string_view mark_text = enum_names(mark)[static_cast<std::size_t>(mark)];
    const std::string_view group_text = enum_names(group)[static_cast<std::size_t>(group)];
    numbers_style_ = {mark_text[0], std::string(group_text)};
    if (mark_text == group_text)
      return error("input.thousands", "decimal_mark and thousands cannot be the same");
    csv_.decimals = input.decimals;
    csv_.round = input.round;
    if (csv_.round && csv_.decimals < 0)
      return missing_at("input.round", "rounding needs a number of decimals: decimals = 2");
    csv_.empty_value = input.empty_value;
    return ok_status();
  }

  Status read_totals(const JobSpec::Input& input) {
    csv_.totals = static_cast<problems::TotalsRule>(input.totals);
    csv_.round_totals = input.round_totals.text;
    if (csv_.round_totals.empty())
      return ok_status();
    const auto tolerance = files::parse_level_upward(csv_.round_totals, 0);
    if (!tolerance)
      return spec_.places.moved(tolerance.error(), "input.round_totals");
    if (csv_.round_totals.starts_with('-'))
      return error("input.round_totals", "round_totals must not be negative");
    return ok_status();
  }

  // The numbers of all files as plain text. What the job does not say the texts must tell.
  Status make_numbers_plain() {
    const problems::TableColumns& names = csv_.columns;
    std::vector<std::string> columns{names.value,
                                     names.frequency,
                                     names.weight,
                                     names.lower,
                                     names.upper,
                                     names.lower_level,
                                     names.upper_level,
                                     names.sliding_level,
                                     names.key};
    columns.insert(columns.end(), names.largest.begin(), names.largest.end());
    for (files::CsvFile& file : files_) {
      if (!states_style_)
        LACUNA_RETURN_IF_ERROR(guess_style(file, columns));
      for (const std::string& name : columns) {
        const std::size_t column = name.empty() ? file.num_columns() : file.find_column(name);
        if (column < file.num_columns())
          LACUNA_RETURN_IF_ERROR(infer::make_plain(file, column, numbers_style_));
      }
    }
    return ok_status();
  }

  // A point is a decimal mark unless that cannot be.
  Status guess_style(const files::CsvFile& file, const std::vector<std::string>& columns) {
    std::vector<std::string_view> texts;
    for (const std::string& name : columns) {
      const std::size_t column = name.empty() ? file.num_columns() : file.find_column(name);
      const auto numbers = column < file.num_columns() ? infer::numbers_of(file, column)
                                                       : std::optional<infer::NumberTexts>();
      if (numbers)
        texts.insert(texts.end(), numbers->marked.begin(), numbers->marked.end());
    }
    const std::vector<files::NumberStyle> styles = files::possible_styles(texts);
    if (styles.empty() || styles.front().is_plain()) {
      numbers_style_ = {};
      return ok_status();
    }
    if (styles.size() > 1)
      return Error{ErrorCode::kUnclearFormat,
                   "a number such as " + base::confidential(base::in_quotes(texts.front())) +
                       " could be read" + infer::style_text(styles[0]) + ", or" +
                       infer::style_text(styles[1]) + ": say which" +
                       base::words_of_files(" in [input]"),
                   file.where_header()};
    numbers_style_ = styles.front();
    return ok_status();
  }

  // ---- [columns] and [defaults]

  Status read_columns() {
    if (!given_.columns)
      return missing("the section " + base::named_section("[columns]") + " is missing: it needs " +
                     base::named_setting("value", "\"<column>\""));
    const JobSpec::Columns& columns = *given_.columns;
    columns_where_ = spec_.places.where("columns");
    problems::TableColumns& names = csv_.columns;
    names = {columns.value,
             columns.frequency,
             columns.weight,
             columns.status,
             columns.lower,
             columns.upper,
             columns.lower_level,
             columns.upper_level,
             columns.sliding_level,
             columns.key,
             columns.largest};
    LACUNA_RETURN_IF_ERROR(read_keys());
    if (names.value.empty())
      names.value = names.frequency;  // a table of counts
    job_.counted = names.value == names.frequency && names.largest.empty();
    if (names.frequency.empty() && infer::is_frequency_name(names.value))
      job_.named_count = names.value;
    if (names.value.empty())
      return error("columns",
                   base::named_section("[columns]") + " needs " +
                       base::named_setting("value", "\"<column>\"") + ", or " +
                       base::named_setting("frequency", "\"<column>\"") + " for a table of counts");
    return ok_status();
  }

  Status read_keys() {
    LACUNA_TRY(csv_.keys, read_key_options(spec_, csv_.columns.key, load_));
    if (!csv_.keys.from.empty())
      return error("columns", "keys are made from records, not from a table");
    return ok_status();
  }

  // Words of the office's own for the status of a cell.
  Status read_status_words() {
    for (const auto& [word, meaning] : given_.status_words) {
      const auto status = infer::status_of_word(meaning);
      if (!status)
        return error("status_words." + word, infer::unknown_status(meaning));
      csv_.status_words[base::lower_case(word)] = *status;
    }
    return ok_status();
  }

  Status read_defaults() {
    const JobSpec::Defaults& given = given_.defaults;
    problems::TableDefaults& rules = csv_.defaults;
    LACUNA_TRY(rules.lower, read_bound_rule("lower", given.lower, given.lower_percent));
    LACUNA_TRY(rules.upper, read_bound_rule("upper", given.upper, given.upper_percent));
    LACUNA_TRY(rules.lower_level_percent,
               read_percent("lower_level_percent", given.lower_level_percent));
    LACUNA_TRY(rules.upper_level_percent,
               read_percent("upper_level_percent", given.upper_level_percent));
    LACUNA_TRY(rules.sliding_level_percent,
               read_percent("sliding_level_percent", given.sliding_level_percent));
    LACUNA_RETURN_IF_ERROR(read_default_level(given.level.text));
    if (given.weight.text.empty())
      return ok_status();
    rules.weight = given.weight.text;
    if (rules.weight == "value" || rules.weight == "frequency")
      return ok_status();
    const auto number = base::parse_double(rules.weight);
    if (!number || *number < 0)
      return error("defaults.weight",
                   "the default weight must be a number, \"value\" or \"frequency\"");
    return ok_status();
  }

  // level = "10%" or a number.
  Status read_default_level(std::string text) {
    if (text.empty())
      return ok_status();
    csv_.defaults.level_is_number = !text.ends_with('%');
    if (!csv_.defaults.level_is_number)
      text.pop_back();
    const auto number = files::parse_level_upward(text, 0);
    if (!number || text.starts_with('-'))
      return error("defaults.level",
                   "the default level must be a percentage, \"10%\", or a number");
    csv_.defaults.level = std::move(text);
    return ok_status();
  }

  Result<problems::BoundRule> read_bound_rule(const std::string& key,
                                              const SpecNumber& number,
                                              const SpecNumber& percent) {
    const std::string percent_key = key + "_percent";
    if (!number.text.empty() && !percent.text.empty())
      return error("defaults." + percent_key, "give either " + key + " or " + percent_key);
    if (!percent.text.empty()) {
      LACUNA_TRY(std::string text, read_percent(percent_key, percent));
      return problems::BoundRule{problems::BoundRule::Kind::kPercent, std::move(text)};
    }
    if (number.text.empty())
      return problems::BoundRule{};
    if (files::is_infinite_text(number.text))
      return problems::BoundRule{problems::BoundRule::Kind::kUnbounded, ""};
    LACUNA_RETURN_IF_ERROR(note_number("defaults." + key, number.text));
    return problems::BoundRule{problems::BoundRule::Kind::kNumber, number.text};
  }

  // A share between 0 and a million percent with at most nine decimals, as text; empty if absent.
  Result<std::string> read_percent(const std::string& key, const SpecNumber& percent) const {
    constexpr int kMostDecimals = 9;
    constexpr Units kMostPercent = 1'000'000'000'000'000;  // 1e6 with nine decimals
    if (percent.text.empty())
      return std::string();
    const auto number = base::parse_units(percent.text, kMostDecimals);
    if (!number)
      return spec_.places.moved(number.error(), "defaults." + key);
    if (*number < 0 || *number > kMostPercent)
      return error("defaults." + key, "the percentage must be between 0 and 1000000");
    return percent.text;
  }

  Status note_number(const std::string& path, const std::string& text) {
    // Whether it is a number at all is checked here: later the place would be lost.
    auto needed = base::decimals_needed(text);
    if (!needed)
      return spec_.places.moved(needed.error(), path);
    if (auto noted = numbers_.add_number(text); !noted)
      return spec_.places.moved(noted.error(), path);
    return ok_status();
  }

  // ---- [[dimension]]

  Status read_dimensions() {
    if (given_.dimensions.empty())
      return missing("the job has no " + base::named_section("[[dimension]]"));
    const DimensionReader reader(spec_.places, load_, style_.separator);
    std::unordered_set<std::string> names;
    for (std::size_t d = 0; d < given_.dimensions.size(); ++d) {
      const std::string path = "dimension[" + std::to_string(d) + "]";
      LACUNA_TRY(DimensionPlan plan, reader.read(given_.dimensions[d], path));
      if (!names.insert(plan.name).second)
        return error(path, "two dimensions are called " + base::in_quotes(plan.name));
      if (plan.flat)
        plan.trees.push_back(flat_tree(codes_seen(plan), plan.total));
      LACUNA_TRY(Dimension dimension, reader.build(plan));
      csv_.dimension_columns.push_back(plan.column);
      dimensions_.push_back(std::move(dimension));
    }
    return ok_status();
  }

  std::vector<std::string> codes_seen(const DimensionPlan& plan) const {
    std::vector<std::string> codes{plan.total};
    std::unordered_set<std::string_view> seen{plan.total};
    for (const files::CsvFile& file : files_) {
      const std::size_t column = file.find_column(plan.column);
      if (column == file.num_columns())
        continue;  // reported when the columns are bound
      for (std::size_t r = 0; r < file.num_rows(); ++r) {
        const std::string_view code = file.field(r, column);
        if (!code.empty() && seen.insert(code).second)
          codes.emplace_back(code);
      }
    }
    return codes;
  }

  // ---- [[table]]

  Status read_tables() {
    for (std::size_t i = 0; i < given_.tables.size(); ++i) {
      LACUNA_TRY(LinkedTable table,
                 read_table(given_.tables[i], "table[" + std::to_string(i) + "]"));
      job_.tables.push_back(std::move(table));
    }
    if (job_.tables.empty() && files_.size() > 1)
      add_table_per_file();
    if (job_.tables.empty()) {
      LinkedTable all;
      for (std::size_t d = 0; d < dimensions_.size(); ++d)
        all.dimensions.push_back(static_cast<std::int32_t>(d));
      job_.tables.push_back(std::move(all));
    }
    return ok_status();
  }

  Result<LinkedTable> read_table(const JobSpec::Table& given, const std::string& path) const {
    LinkedTable table;
    table.stops_above_leaves = given.open;
    table.name = given.name;
    const std::string place = path + ".dimensions";
    if (given.dimensions.empty() && !spec_.places.has(place))
      return missing_at(path,
                        "a table needs " + base::named_setting("dimensions", "[\"<name>\", ...]"));
    for (const std::string& name : given.dimensions) {
      LACUNA_TRY(const std::int32_t index, find_dimension(place, name));
      if (std::find(table.dimensions.begin(), table.dimensions.end(), index) !=
          table.dimensions.end())
        return error(place, "dimension " + base::in_quotes(name) + " is listed twice");
      table.dimensions.push_back(index);
    }
    return table;
  }

  Status read_differencing() {
    std::vector<std::string> names;
    LinkedTable all{kAtomTable, {}};
    for (const Dimension& dimension : dimensions_) {
      all.dimensions.push_back(static_cast<std::int32_t>(names.size()));
      names.push_back(dimension.name());
    }
    LACUNA_TRY(job_.differencing, read_differencing_section(spec_, names));
    if (job_.differencing)
      job_.tables.push_back(std::move(all));
    return ok_status();
  }

  // Files that do not all have the same columns of codes are linked tables, one each.
  void add_table_per_file() {
    std::vector<LinkedTable> tables;
    bool same = true;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      LinkedTable table{names_[f], {}};
      for (std::size_t d = 0; d < dimensions_.size(); ++d) {
        if (files_[f].find_column(csv_.dimension_columns[d]) < files_[f].num_columns())
          table.dimensions.push_back(static_cast<std::int32_t>(d));
      }
      same = same && (tables.empty() || tables.front().dimensions == table.dimensions);
      tables.push_back(std::move(table));
    }
    if (!same)
      job_.tables = std::move(tables);
  }

  Result<std::int32_t> find_dimension(const std::string& path, const std::string& name) const {
    std::vector<std::string_view> names;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (dimensions_[d].name() == name)
        return static_cast<std::int32_t>(d);
      names.push_back(dimensions_[d].name());
    }
    return error(
        path, "there is no dimension " + base::in_quotes(name) + base::did_you_mean(name, names));
  }

  // ---- [[rule]], [levels], [attackers]

  Status read_rules() {
    LACUNA_TRY(rules_, rules_of(spec_, false));
    job_.rules = rules_;
    if (!given_.rules.empty() && !attackers_.empty())
      return error("rule",
                   base::named_section("[[rule]]") + " and " + base::named_section("[[attacker]]") +
                       " do not go together: attackers follow from the contributions then");
    return ok_status();
  }

  // Who is alone in a sensitive cell attacks, unless the job names the attackers itself, or says
  // there are none. Those who are counted attack if the job says so.
  bool respondents_attack() const {
    const auto stated = std::find_if(rules_.begin(), rules_.end(), [](const JobOption& rule) {
      return rule.name == "attackers";
    });
    const bool outsider_only = stated == rules_.end() ? job_.counted : stated->value == "outsider";
    const bool any = std::any_of(cells_.cells.begin(), cells_.cells.end(), [](const Cell& cell) {
      return cell.frequency == 1 && cell.status == CellStatus::kPrimary;
    });
    return any && attackers_.empty() && !outsider_only;
  }

  void add_contributions() {
    job_.persons_left_out = job_.counted && attackers_.empty() &&
                            std::none_of(rules_.begin(), rules_.end(), [](const JobOption& rule) {
                              return rule.name == "attackers";
                            });
    if (given_.rules.empty() && !respondents_attack())
      return;
    TableContributions found;
    found.largest = std::move(cells_.largest);
    found.rules = std::move(rules_);
    found.level_percent = csv_.defaults.level_is_number ? "" : csv_.defaults.level;
    found.columns_where = columns_where_;
    found.has_frequency = !csv_.columns.frequency.empty();
    auto need = cells_.requirements.begin();
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      const CellId id{static_cast<std::int32_t>(c)};
      while (need != cells_.requirements.end() && need->cell < id)
        ++need;
      const bool has_levels = need != cells_.requirements.end() && need->cell == id;
      found.given.push_back(given_of(c, has_levels ? &*need : nullptr));
    }
    job_.contributions = std::move(found);
  }

  AprioriEntry given_of(std::size_t cell, const Requirement* need) const {
    const Cell& read = cells_.cells[cell];
    const auto codes = cells_.codes_of(cell, dimensions_.size());
    AprioriEntry entry{.codes = {codes.begin(), codes.end()}};
    entry.cost = read.weight;
    entry.lower_bound = read.prior.lower;
    entry.upper_bound = read.prior.upper;
    if (read.status == CellStatus::kPrimary)
      entry.status = AprioriStatus::kUnsafe;
    else if (read.status == CellStatus::kSecondary)
      entry.status = AprioriStatus::kSecondary;
    else if (read.status == CellStatus::kMustPublish || read.status == CellStatus::kKnown)
      entry.status = AprioriStatus::kMustPublish;
    if (read.status == CellStatus::kKnown)
      entry.lower_bound = entry.upper_bound = read.value;
    if (need != nullptr) {
      entry.lower = need->lower;
      entry.upper = need->upper;
      entry.sliding = need->sliding;
    }
    return entry;
  }

  // The files stay with the job, for places in messages that come later.
  Result<Job> finished() {
    struct Places {
      std::vector<files::CsvFile> files;
      problems::CsvCells cells;
      std::vector<Dimension> dimensions;
      std::string filename;
    };
    auto places = std::make_shared<Places>(
        std::move(files_), std::move(cells_), dimensions_, spec_.places.filename());
    job_.placed = [places](Error error) {
      return placed_in(
          std::move(error), places->files, places->cells, places->dimensions, places->filename);
    };
    return std::move(job_);
  }

  // ---- [[attacker]]

  Status read_attackers() {
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < given_.named_attackers.size(); ++i) {
      const JobSpec::Attacker& given = given_.named_attackers[i];
      const std::string path = "attacker[" + std::to_string(i) + "]";
      AttackerPlan plan;
      plan.name = given.name;
      if (plan.name.empty())
        return missing_at(path, "an attacker needs a name");
      if (!names.insert(plan.name).second)
        return error(path, "two attackers are called " + base::in_quotes(plan.name));
      LACUNA_TRY(plan.known, read_facts(given.known, path + ".known", false));
      plan.has_levels = given.levels.has_value();
      if (plan.has_levels) {
        LACUNA_TRY(plan.levels, read_facts(*given.levels, path + ".levels", true));
      }
      attackers_.push_back(std::move(plan));
    }
    return ok_status();
  }

  Result<std::vector<CellFacts>> read_facts(const std::vector<JobSpec::CellFact>& list,
                                            const std::string& path,
                                            bool levels) {
    std::vector<CellFacts> all;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JobSpec::CellFact& given = list[i];
      CellFacts facts;
      facts.path = path + "[" + std::to_string(i) + "]";
      if (given.cell.empty() && !spec_.places.has(facts.path + ".cell"))
        return error(facts.path, "expected cell = [\"<code>\", ...]");
      facts.codes = given.cell;
      facts.exact = !levels && given.lower.text.empty() && given.upper.text.empty();
      LACUNA_TRY(facts.lower, read_fact_number(facts.path + ".lower", given.lower.text, levels));
      LACUNA_TRY(facts.upper, read_fact_number(facts.path + ".upper", given.upper.text, levels));
      LACUNA_TRY(facts.sliding,
                 read_fact_number(facts.path + ".sliding", given.sliding.text, levels));
      all.push_back(std::move(facts));
    }
    return all;
  }

  Result<std::string> read_fact_number(const std::string& path,
                                       const std::string& text,
                                       bool level) {
    if (text.empty() || (!level && files::is_infinite_text(text)))
      return std::string();
    if (!level) {
      LACUNA_RETURN_IF_ERROR(note_number(path, text));
      return text;
    }
    auto needed = base::decimals_needed(text);
    if (!needed)
      return spec_.places.moved(needed.error(), path);
    if (text[0] == '-' && !files::is_zero_number(text))
      return error(path, "the protection level is negative");
    if (auto noted = numbers_.add_level(text); !noted)
      return spec_.places.moved(noted.error(), path);
    return text;
  }

  // ---- the problem

  Result<CellId> find_cell(const CellFacts& facts) {
    if (facts.codes.size() != dimensions_.size()) {
      return error(facts.path,
                   "the cell needs one code per dimension: " + std::to_string(dimensions_.size()) +
                       ", found " + std::to_string(facts.codes.size()));
    }
    std::vector<std::int32_t> codes;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const Dimension& dimension = dimensions_[d];
      const std::string& text = facts.codes[d];
      const std::int32_t code = text.empty() ? dimension.total() : dimension.find(text);
      if (code < 0) {
        const std::vector<std::string_view> known(dimension.codes().begin(),
                                                  dimension.codes().end());
        return error(facts.path,
                     "dimension " + dimension.name() + " has no code " + base::in_quotes(text) +
                         base::did_you_mean(text, known));
      }
      codes.push_back(code);
    }
    if (cell_index_.empty())
      index_cells();
    const auto at = cell_index_.find(cell_key(codes));
    if (at == cell_index_.end())
      return error(facts.path, "the table has no such cell");
    return at->second;
  }

  static std::string cell_key(std::span<const std::int32_t> codes) {
    std::string key;
    for (const std::int32_t code : codes)
      key += std::to_string(code) + ' ';
    return key;
  }

  void index_cells() {
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      cell_index_.emplace(cell_key(cells_.codes_of(c, dimensions_.size())),
                          CellId{static_cast<std::int32_t>(c)});
    }
  }

  Error placed(Error error) const {
    return placed_in(std::move(error), files_, cells_, dimensions_, spec_.places.filename());
  }

  Result<Table> build_table() const {
    TableBuilder builder(cells_.decimals, dimensions_);
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      auto added = builder.add_cell(cells_.cells[c], cells_.codes_of(c, dimensions_.size()));
      if (!added)
        return base::moved_to(added.error(), place_of(c, files_, cells_, spec_.places.filename()));
    }
    if (auto crossed = add_table_equations(builder, job_.tables); !crossed)
      return placed(crossed.error());
    return std::move(builder).build();
  }

  Status build_problem() {
    LACUNA_TRY(Table table, build_table());
    std::vector<Attacker> attackers{outsider()};
    std::vector<Requirement> requirements = cells_.requirements;
    for (const AttackerPlan& plan : attackers_)
      LACUNA_RETURN_IF_ERROR(add_attacker(plan, attackers, requirements));
    auto problem = make_problem(std::move(table), std::move(attackers), std::move(requirements));
    if (!problem)
      return placed(problem.error());
    job_.problem = std::move(problem).value();
    return add_keys();
  }

  // Contributions, if their columns are given, make it a table of magnitudes.
  Status add_keys() {
    if (csv_.columns.key.empty())
      return ok_status();
    CellKeys keys;
    keys.modulus = csv_.keys.modulus;
    keys.keys = cells_.keys;
    for (const Cell& cell : cells_.cells)
      keys.records.push_back(cell.frequency);
    if (!csv_.columns.largest.empty()) {
      keys.largest = cells_.largest;
      keys.spread.assign(cells_.cells.size(), 0);
    }
    return job_.problem.set_keys(std::make_shared<const CellKeys>(std::move(keys)));
  }

  Status add_attacker(const AttackerPlan& plan,
                      std::vector<Attacker>& attackers,
                      std::vector<Requirement>& requirements) {
    const bool is_outsider = plan.name == attackers[0].name;
    if (!is_outsider)
      attackers.push_back({plan.name, {}});
    Attacker& attacker = is_outsider ? attackers[0] : attackers.back();
    const auto index = is_outsider ? 0 : static_cast<std::int32_t>(attackers.size() - 1);
    for (const CellFacts& facts : plan.known) {
      LACUNA_TRY(const Knowledge knowledge, knowledge_of(facts));
      attacker.known.push_back(knowledge);
    }
    std::sort(attacker.known.begin(),
              attacker.known.end(),
              [](const Knowledge& a, const Knowledge& b) { return a.cell < b.cell; });
    for (const CellFacts& facts : plan.levels) {
      LACUNA_TRY(const Requirement need, requirement_of(facts, index));
      requirements.push_back(need);
    }
    if (!plan.has_levels && !is_outsider)
      copy_levels(attacker, index, requirements);
    return ok_status();
  }

  // Without levels of its own an attacker may learn no more than the outsider, except of cells that
  // it knows something about already.
  void copy_levels(const Attacker& attacker,
                   std::int32_t index,
                   std::vector<Requirement>& requirements) const {
    for (Requirement need : cells_.requirements) {
      const bool knows = std::any_of(attacker.known.begin(),
                                     attacker.known.end(),
                                     [&](const Knowledge& k) { return k.cell == need.cell; });
      need.attacker = index;
      if (!knows)
        requirements.push_back(need);
    }
  }

  Result<Units> number_of(const CellFacts& facts, const std::string& text, bool level) const {
    auto number = level ? files::parse_level_upward(text, cells_.decimals)
                        : base::parse_units(text, cells_.decimals);
    if (!number)
      return spec_.places.moved(number.error(), facts.path);
    return number;
  }

  Result<Knowledge> knowledge_of(const CellFacts& facts) {
    Knowledge knowledge;
    LACUNA_TRY(knowledge.cell, find_cell(facts));
    if (facts.exact) {
      const Units value = cells_.cells[static_cast<std::size_t>(knowledge.cell.value)].value;
      knowledge.bounds = {value, value};
      return knowledge;
    }
    if (!facts.lower.empty()) {
      LACUNA_TRY(knowledge.bounds.lower, number_of(facts, facts.lower, false));
    }
    if (!facts.upper.empty()) {
      LACUNA_TRY(knowledge.bounds.upper, number_of(facts, facts.upper, false));
    }
    return knowledge;
  }

  Result<Requirement> requirement_of(const CellFacts& facts, std::int32_t attacker) {
    Requirement need;
    need.attacker = attacker;
    LACUNA_TRY(need.cell, find_cell(facts));
    if (!facts.lower.empty()) {
      LACUNA_TRY(need.lower, number_of(facts, facts.lower, true));
    }
    if (!facts.upper.empty()) {
      LACUNA_TRY(need.upper, number_of(facts, facts.upper, true));
    }
    if (!facts.sliding.empty()) {
      LACUNA_TRY(need.sliding, number_of(facts, facts.sliding, true));
    }
    return need;
  }

  const spec::ReadSpec& spec_;
  const JobSpec& given_;
  const FileLoader& load_;
  infer::TableFileStyle style_;
  files::NumberStyle numbers_style_;
  bool states_style_ = false;
  std::vector<std::string> names_;  // of the files, without folder and ending
  std::string columns_where_;
  std::vector<JobOption> rules_;
  problems::TableCsvOptions csv_;
  files::DecimalsChooser numbers_;
  std::vector<files::CsvFile> files_;
  std::vector<Dimension> dimensions_;
  std::vector<AttackerPlan> attackers_;
  problems::CsvCells cells_;
  std::unordered_map<std::string, CellId> cell_index_;
  Job job_;
};

}  // namespace

Result<Job> job_of(const spec::ReadSpec& spec, const FileLoader& load) {
  return JobReader(spec, load).read();
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
