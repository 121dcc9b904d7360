// SPDX-License-Identifier: Apache-2.0
#include "io/job_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/confidential.h"
#include "base/decimal.h"
#include "base/nearest.h"
#include "base/text.h"
#include "io/column_roles.h"
#include "io/csv.h"
#include "io/csv_guess.h"
#include "io/file.h"
#include "io/hierarchy_file.h"
#include "io/job_counts.h"
#include "io/job_differencing.h"
#include "io/job_dimension.h"
#include "io/job_keys.h"
#include "io/job_rules.h"
#include "io/job_sections.h"
#include "io/number_text.h"
#include "io/position.h"
#include "io/table_csv.h"
#include "io/toml_document.h"

namespace lacuna::inline io {
namespace {

struct CellFacts {  // an entry of an attacker's `known` or `levels`, before the cells are known
  const toml::table* node = nullptr;
  std::vector<std::string> codes;
  std::string lower;
  std::string upper;
  std::string sliding;
};

struct AttackerPlan {
  const toml::table* node = nullptr;
  std::string name;
  std::vector<CellFacts> known;
  std::vector<CellFacts> levels;
  bool has_levels = false;
};

std::string place_of(std::size_t cell,
                     const std::vector<CsvFile>& files,
                     const CsvCells& cells,
                     const std::string& job) {
  const CsvOrigin& origin = cells.origins[cell];
  return origin.row == CsvOrigin::kAdded ? job
                                         : files[origin.file].where(origin.row, origin.column);
}

// An error that names a cell by its label, moved to the cell's place in its file.
Error placed_in(Error error,
                const std::vector<CsvFile>& files,
                const CsvCells& cells,
                const std::vector<Dimension>& dimensions,
                const std::string& job) {
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    const auto codes = cells.codes_of(c, dimensions.size());
    std::string label;
    for (std::size_t d = 0; d < codes.size(); ++d)
      label += (d > 0 ? "|" : "") + dimensions[d].name() + "=" + dimensions[d].code(codes[d]);
    if (label == error.where)
      return moved_to(std::move(error), place_of(c, files, cells, job));
  }
  return moved_to(std::move(error), job);
}

class JobReader {
 public:
  JobReader(const TomlDocument& document, const FileLoader& load)
      : document_(document), load_(load) {}

  Result<Job> read() {
    constexpr std::array<std::string_view, 15> kSections{"input",
                                                         "dimension",
                                                         "columns",
                                                         "counts",
                                                         "differencing",
                                                         "status_words",
                                                         "defaults",
                                                         "table",
                                                         "rule",
                                                         "levels",
                                                         "attacker",
                                                         "attackers",
                                                         "keys",
                                                         "options",
                                                         "output"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(document_.root(), kSections, "the job"));
    LACUNA_RETURN_IF_ERROR(read_input());
    LACUNA_RETURN_IF_ERROR(read_columns());
    LACUNA_RETURN_IF_ERROR(read_status_words());
    LACUNA_RETURN_IF_ERROR(read_defaults());
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    LACUNA_RETURN_IF_ERROR(read_tables());
    LACUNA_RETURN_IF_ERROR(read_differencing());
    LACUNA_RETURN_IF_ERROR(read_attackers());
    LACUNA_RETURN_IF_ERROR(read_rules());
    LACUNA_TRY(job_.counts, read_count_section(document_));
    LACUNA_RETURN_IF_ERROR(read_options());
    LACUNA_RETURN_IF_ERROR(make_numbers_plain());
    LACUNA_TRY(cells_, read_table_csv(files_, dimensions_, job_.tables, csv_, numbers_));
    job_.notes.insert(job_.notes.end(), cells_.notes.begin(), cells_.notes.end());
    job_.status_reading = cells_.status_reading;
    if (cells_.levels_rounded)
      job_.notes.push_back(rounded_levels_note(document_.filename(), cells_.decimals));
    LACUNA_RETURN_IF_ERROR(build_problem());
    add_contributions();
    return finished();
  }

 private:
  Error missing(const std::string& what) const {
    return {ErrorCode::kBadInput, what, document_.filename()};
  }

  Result<std::vector<const toml::table*>> sections(const char* name) const {
    const toml::node* node = document_.root().get(name);
    if (node == nullptr)
      return std::vector<const toml::table*>{};
    return document_.tables(*node);
  }

  Result<CsvFile> load_csv(const toml::node& node, const std::string& name) const {
    auto text = load_(name);
    if (!text)
      return moved_to(text.error(), document_.where(node.source()));
    return read_table_file(std::move(text).value(), name, style_);
  }

  // ---- [input]

  Status read_input() {
    LACUNA_TRY(const toml::table* input, section(document_, "input"));
    if (input == nullptr)
      return missing("the section [input] is missing");
    constexpr std::array<std::string_view, 13> kKeys{"table",
                                                     "empty_cells",
                                                     "separator",
                                                     "encoding",
                                                     "header",
                                                     "decimal_mark",
                                                     "thousands",
                                                     "decimals",
                                                     "round",
                                                     "totals",
                                                     "round_totals",
                                                     "empty_value",
                                                     "records"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*input, kKeys, "[input]"));
    if (const toml::node* records = input->get("records"); records != nullptr)
      return document_.error(*records, "the job is over records; tabulate them first");
    LACUNA_RETURN_IF_ERROR(read_file_style(*input));
    LACUNA_RETURN_IF_ERROR(read_number_style(*input));
    LACUNA_RETURN_IF_ERROR(read_totals(*input));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, *input, "empty_cells", job_.lists_empty));
    const toml::node* table = input->get("table");
    if (table == nullptr)
      return document_.error(*input, "[input] needs table = \"<file>\"");
    LACUNA_TRY(const std::vector<std::string> names, document_.strings(*table));
    if (names.empty())
      return document_.error(*table, "[input] names no table");
    for (const std::string& name : names) {
      LACUNA_TRY(CsvFile file, load_csv(*table, name));
      files_.push_back(std::move(file));
      names_.push_back(std::filesystem::path(name).stem().string());
    }
    return ok_status();
  }

  Status read_file_style(const toml::table& input) {
    if (input.contains("separator")) {
      LACUNA_TRY(style_.separator, read_separator(document_, input));
    }
    if (input.contains("encoding")) {
      LACUNA_TRY(const std::size_t found,
                 choice_at(document_, input, "encoding", encoding_names()));
      style_.encoding = static_cast<Encoding>(found);
    }
    return read_texts(document_, input, "header", style_.header);
  }

  Status read_number_style(const toml::table& input) {
    constexpr std::array<std::string_view, 2> kMarks{".", ","};
    constexpr std::array<std::string_view, 5> kThousands{"", ",", ".", " ", "'"};
    states_style_ = input.contains("decimal_mark") || input.contains("thousands");
    LACUNA_TRY(const std::size_t mark, choice_at(document_, input, "decimal_mark", kMarks));
    LACUNA_TRY(const std::size_t group, choice_at(document_, input, "thousands", kThousands));
    numbers_style_ = {kMarks[mark][0], std::string(kThousands[group])};
    if (kMarks[mark] == kThousands[group])
      return document_.error(*input.get("thousands"),
                             "decimal_mark and thousands cannot be the same");
    LACUNA_RETURN_IF_ERROR(
        read_int(document_, input, "decimals", TableBuilder::kMaxDecimals, csv_.decimals));
    LACUNA_RETURN_IF_ERROR(read_flag(document_, input, "round", csv_.round));
    if (csv_.round && csv_.decimals < 0)
      return document_.error(*input.get("round"),
                             "rounding needs a number of decimals: decimals = 2");
    constexpr std::array<std::string_view, 3> kEmpty{"error", "drop", "zero"};
    LACUNA_TRY(const std::size_t empty, choice_at(document_, input, "empty_value", kEmpty));
    csv_.empty_value = static_cast<EmptyValue>(empty);
    return ok_status();
  }

  Status read_totals(const toml::table& input) {
    constexpr std::array<std::string_view, 3> kTotals{"given", "computed", "recomputed"};
    LACUNA_TRY(const std::size_t totals, choice_at(document_, input, "totals", kTotals));
    csv_.totals = static_cast<TotalsRule>(totals);
    const toml::node* node = input.get("round_totals");
    if (node == nullptr)
      return ok_status();
    LACUNA_TRY(csv_.round_totals, document_.number_text(*node));
    const auto tolerance = parse_level_upward(csv_.round_totals, 0);
    if (!tolerance)
      return moved_to(tolerance.error(), document_.where(node->source()));
    if (csv_.round_totals.starts_with('-'))
      return document_.error(*node, "round_totals must not be negative");
    return ok_status();
  }

  // The numbers of all files as plain text. What the job does not say the texts must tell.
  Status make_numbers_plain() {
    const TableColumns& names = csv_.columns;
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
    for (CsvFile& file : files_) {
      if (!states_style_)
        LACUNA_RETURN_IF_ERROR(guess_style(file, columns));
      for (const std::string& name : columns) {
        const std::size_t column = name.empty() ? file.num_columns() : file.find_column(name);
        if (column < file.num_columns())
          LACUNA_RETURN_IF_ERROR(make_plain(file, column, numbers_style_));
      }
    }
    return ok_status();
  }

  // A point is a decimal mark unless that cannot be.
  Status guess_style(const CsvFile& file, const std::vector<std::string>& columns) {
    std::vector<std::string_view> texts;
    for (const std::string& name : columns) {
      const std::size_t column = name.empty() ? file.num_columns() : file.find_column(name);
      const auto numbers =
          column < file.num_columns() ? numbers_of(file, column) : std::optional<NumberTexts>();
      if (numbers)
        texts.insert(texts.end(), numbers->marked.begin(), numbers->marked.end());
    }
    const std::vector<NumberStyle> styles = possible_styles(texts);
    if (styles.empty() || styles.front().is_plain()) {
      numbers_style_ = {};
      return ok_status();
    }
    if (styles.size() > 1)
      return Error{ErrorCode::kBadInput,
                   "a number such as " + confidential(in_quotes(texts.front())) + " could be read" +
                       style_text(styles[0]) + ", or" + style_text(styles[1]) +
                       ": say which in [input]",
                   file.where_header()};
    numbers_style_ = styles.front();
    return ok_status();
  }

  // ---- [columns] and [defaults]

  Status read_columns() {
    LACUNA_TRY(const toml::table* columns, section(document_, "columns"));
    if (columns == nullptr)
      return missing("the section [columns] is missing: it needs value = \"<column>\"");
    columns_where_ = document_.where(columns->source());
    constexpr std::array<std::string_view, 11> kKeys{"value",
                                                     "frequency",
                                                     "weight",
                                                     "status",
                                                     "lower",
                                                     "upper",
                                                     "lower_level",
                                                     "upper_level",
                                                     "sliding_level",
                                                     "key",
                                                     "largest"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*columns, kKeys, "[columns]"));
    TableColumns& names = csv_.columns;
    const std::array<std::string*, 10> targets{&names.value,
                                               &names.frequency,
                                               &names.weight,
                                               &names.status,
                                               &names.lower,
                                               &names.upper,
                                               &names.lower_level,
                                               &names.upper_level,
                                               &names.sliding_level,
                                               &names.key};
    for (std::size_t i = 0; i < targets.size(); ++i) {
      LACUNA_TRY(*targets[i], string_at(document_, *columns, kKeys[i], ""));
    }
    LACUNA_RETURN_IF_ERROR(read_texts(document_, *columns, "largest", names.largest));
    LACUNA_RETURN_IF_ERROR(read_keys(*columns));
    if (names.value.empty())
      names.value = names.frequency;  // a table of counts
    job_.counted = names.value == names.frequency && names.largest.empty();
    if (names.frequency.empty() && is_frequency_name(names.value))
      job_.named_count = names.value;
    if (names.value.empty())
      return document_.error(*columns,
                             "[columns] needs value = \"<column>\", or frequency = \"<column>\" "
                             "for a table of counts");
    return ok_status();
  }

  Status read_keys(const toml::table& columns) {
    LACUNA_TRY(csv_.keys, read_key_options(document_, csv_.columns.key, load_));
    if (!csv_.keys.from.empty())
      return document_.error(columns, "keys are made from records, not from a table");
    return ok_status();
  }

  // Words of the office's own for the status of a cell.
  Status read_status_words() {
    LACUNA_TRY(const toml::table* words, section(document_, "status_words"));
    if (words == nullptr)
      return ok_status();
    for (const auto& [key, node] : TomlDocument::in_order(*words)) {
      LACUNA_TRY(const std::string meaning, document_.string(*node));
      const auto status = status_of_word(meaning);
      if (!status)
        return document_.error(*node, unknown_status(meaning));
      csv_.status_words[lower_case(key->str())] = *status;
    }
    return ok_status();
  }

  Status read_defaults() {
    LACUNA_TRY(const toml::table* defaults, section(document_, "defaults"));
    if (defaults == nullptr)
      return ok_status();
    constexpr std::array<std::string_view, 9> kKeys{"lower",
                                                    "upper",
                                                    "level",
                                                    "lower_percent",
                                                    "upper_percent",
                                                    "weight",
                                                    "lower_level_percent",
                                                    "upper_level_percent",
                                                    "sliding_level_percent"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*defaults, kKeys, "[defaults]"));
    TableDefaults& rules = csv_.defaults;
    LACUNA_TRY(rules.lower, read_bound_rule(*defaults, "lower", "lower_percent"));
    LACUNA_TRY(rules.upper, read_bound_rule(*defaults, "upper", "upper_percent"));
    LACUNA_TRY(rules.lower_level_percent, read_percent(*defaults, "lower_level_percent"));
    LACUNA_TRY(rules.upper_level_percent, read_percent(*defaults, "upper_level_percent"));
    LACUNA_TRY(rules.sliding_level_percent, read_percent(*defaults, "sliding_level_percent"));
    LACUNA_RETURN_IF_ERROR(read_default_level(*defaults));
    const toml::node* weight = defaults->get("weight");
    if (weight == nullptr)
      return ok_status();
    LACUNA_TRY(rules.weight, document_.number_text(*weight));
    if (rules.weight == "value" || rules.weight == "frequency")
      return ok_status();
    const auto number = parse_double(rules.weight);
    if (!number || *number < 0)
      return document_.error(*weight,
                             "the default weight must be a number, \"value\" or \"frequency\"");
    return ok_status();
  }

  // level = "10%" or a number.
  Status read_default_level(const toml::table& defaults) {
    const toml::node* node = defaults.get("level");
    if (node == nullptr)
      return ok_status();
    LACUNA_TRY(std::string text, document_.number_text(*node));
    csv_.defaults.level_is_number = !text.ends_with('%');
    if (!csv_.defaults.level_is_number)
      text.pop_back();
    const auto number = parse_level_upward(text, 0);
    if (!number || text.starts_with('-'))
      return document_.error(*node, "the default level must be a percentage, \"10%\", or a number");
    csv_.defaults.level = std::move(text);
    return ok_status();
  }

  Result<BoundRule> read_bound_rule(const toml::table& defaults,
                                    std::string_view key,
                                    std::string_view percent_key) {
    const toml::node* node = defaults.get(key);
    const toml::node* percent = defaults.get(percent_key);
    if (node != nullptr && percent != nullptr) {
      return document_.error(*percent,
                             "give either " + std::string(key) + " or " + std::string(percent_key));
    }
    if (percent != nullptr) {
      LACUNA_TRY(std::string text, read_percent(defaults, percent_key));
      return BoundRule{BoundRule::Kind::kPercent, std::move(text)};
    }
    if (node == nullptr)
      return BoundRule{};
    LACUNA_TRY(std::string text, document_.number_text(*node));
    if (is_infinite_text(text))
      return BoundRule{BoundRule::Kind::kUnbounded, ""};
    LACUNA_RETURN_IF_ERROR(note_number(*node, text));
    return BoundRule{BoundRule::Kind::kNumber, std::move(text)};
  }

  // A share between 0 and a million percent with at most nine decimals, as text; empty if absent.
  Result<std::string> read_percent(const toml::table& table, std::string_view key) const {
    constexpr int kMostDecimals = 9;
    constexpr Units kMostPercent = 1'000'000'000'000'000;  // 1e6 with nine decimals
    const toml::node* node = table.get(key);
    if (node == nullptr)
      return std::string();
    LACUNA_TRY(std::string text, document_.number_text(*node));
    const auto number = parse_units(text, kMostDecimals);
    if (!number)
      return moved_to(number.error(), document_.where(node->source()));
    if (*number < 0 || *number > kMostPercent)
      return document_.error(*node, "the percentage must be between 0 and 1000000");
    return text;
  }

  Status note_number(const toml::node& node, const std::string& text) {
    // Whether it is a number at all is checked here: later the place would be lost.
    auto needed = decimals_needed(text);
    if (!needed)
      return moved_to(needed.error(), document_.where(node.source()));
    if (auto noted = numbers_.add_number(text); !noted)
      return moved_to(noted.error(), document_.where(node.source()));
    return ok_status();
  }

  // ---- [[dimension]]

  Status read_dimensions() {
    LACUNA_TRY(const auto nodes, sections("dimension"));
    if (nodes.empty())
      return missing("the job has no [[dimension]]");
    const DimensionReader reader(document_, load_, style_.separator);
    std::unordered_set<std::string> names;
    for (const toml::table* node : nodes) {
      LACUNA_TRY(DimensionPlan plan, reader.read(*node, {}));
      if (!names.insert(plan.name).second)
        return document_.error(*node, "two dimensions are called " + in_quotes(plan.name));
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
    for (const CsvFile& file : files_) {
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
    LACUNA_TRY(const auto nodes, sections("table"));
    for (const toml::table* node : nodes) {
      constexpr std::array<std::string_view, 3> kKeys{"name", "dimensions", "open"};
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*node, kKeys, "[[table]]"));
      CrossTable table;
      LACUNA_RETURN_IF_ERROR(read_flag(document_, *node, "open", table.open));
      LACUNA_TRY(table.name, string_at(document_, *node, "name", ""));
      const toml::node* dimensions = node->get("dimensions");
      if (dimensions == nullptr)
        return document_.error(*node, "a [[table]] needs dimensions = [\"<name>\", ...]");
      LACUNA_TRY(const auto names, document_.strings(*dimensions));
      for (const std::string& name : names) {
        LACUNA_TRY(const std::int32_t index, find_dimension(*dimensions, name));
        if (std::find(table.dimensions.begin(), table.dimensions.end(), index) !=
            table.dimensions.end())
          return document_.error(*dimensions, "dimension " + in_quotes(name) + " is listed twice");
        table.dimensions.push_back(index);
      }
      job_.tables.push_back(std::move(table));
    }
    if (job_.tables.empty() && files_.size() > 1)
      add_table_per_file();
    if (job_.tables.empty()) {
      CrossTable all;
      for (std::size_t d = 0; d < dimensions_.size(); ++d)
        all.dimensions.push_back(static_cast<std::int32_t>(d));
      job_.tables.push_back(std::move(all));
    }
    return ok_status();
  }

  Status read_differencing() {
    std::vector<std::string> names;
    CrossTable all{kAtomTable, {}};
    for (const Dimension& dimension : dimensions_) {
      all.dimensions.push_back(static_cast<std::int32_t>(names.size()));
      names.push_back(dimension.name());
    }
    LACUNA_TRY(job_.differencing, read_differencing_section(document_, names));
    if (job_.differencing)
      job_.tables.push_back(std::move(all));
    return ok_status();
  }

  // Files that do not all have the same columns of codes are linked tables, one each.
  void add_table_per_file() {
    std::vector<CrossTable> tables;
    bool same = true;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      CrossTable table{names_[f], {}};
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

  Result<std::int32_t> find_dimension(const toml::node& node, const std::string& name) const {
    std::vector<std::string_view> names;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (dimensions_[d].name() == name)
        return static_cast<std::int32_t>(d);
      names.push_back(dimensions_[d].name());
    }
    return document_.error(node,
                           "there is no dimension " + in_quotes(name) + did_you_mean(name, names));
  }

  // ---- [[rule]], [levels], [attackers]

  Status read_rules() {
    RuleReader rules(document_);
    LACUNA_RETURN_IF_ERROR(rules.read_rules(false));
    LACUNA_RETURN_IF_ERROR(rules.read_levels());
    LACUNA_RETURN_IF_ERROR(rules.read_attackers());
    rules_ = std::move(rules).take();
    job_.rules = rules_;
    const toml::node* list = document_.root().get("rule");
    if (list != nullptr && !attackers_.empty())
      return document_.error(*list,
                             "[[rule]] and [[attacker]] do not go together: attackers follow from "
                             "the contributions then");
    return ok_status();
  }

  bool has_rules() const { return document_.root().contains("rule"); }

  // Who is alone in a sensitive cell attacks, unless the job names the attackers itself, or says
  // there are none. Those who are counted attack if the job says so.
  bool respondents_attack() const {
    const auto stated = std::find_if(rules_.begin(), rules_.end(), [](const JobOption& rule) {
      return rule.name == "attackers";
    });
    const bool outsider_only =
        stated == rules_.end() ? job_.counted : stated->value == "outsider";
    const bool any = std::any_of(cells_.cells.begin(), cells_.cells.end(), [](const Cell& cell) {
      return cell.frequency == 1 && cell.status == CellStatus::kPrimary;
    });
    return any && attackers_.empty() && !outsider_only;
  }

  void add_contributions() {
    job_.persons_left_out =
        job_.counted && attackers_.empty() &&
        std::none_of(rules_.begin(), rules_.end(), [](const JobOption& rule) {
          return rule.name == "attackers";
        });
    if (!has_rules() && !respondents_attack())
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
    else if (read.status == CellStatus::kWithheld)
      entry.status = AprioriStatus::kSecondary;
    else if (read.status == CellStatus::kPublished || read.status == CellStatus::kKnown)
      entry.status = AprioriStatus::kProtected;
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
      std::vector<CsvFile> files;
      CsvCells cells;
      std::vector<Dimension> dimensions;
      std::string filename;
    };
    auto places = std::make_shared<Places>(
        std::move(files_), std::move(cells_), dimensions_, document_.filename());
    job_.placed = [places](Error error) {
      return placed_in(
          std::move(error), places->files, places->cells, places->dimensions, places->filename);
    };
    return std::move(job_);
  }

  // ---- [[attacker]] and [options]

  Status read_attackers() {
    LACUNA_TRY(const auto nodes, sections("attacker"));
    std::unordered_set<std::string> names;
    for (const toml::table* node : nodes) {
      constexpr std::array<std::string_view, 3> kKeys{"name", "known", "levels"};
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*node, kKeys, "[[attacker]]"));
      AttackerPlan plan;
      plan.node = node;
      LACUNA_TRY(plan.name, string_at(document_, *node, "name", ""));
      if (plan.name.empty())
        return document_.error(*node, "an [[attacker]] needs a name");
      if (!names.insert(plan.name).second)
        return document_.error(*node, "two attackers are called " + in_quotes(plan.name));
      if (const toml::node* known = node->get("known"); known != nullptr) {
        LACUNA_TRY(plan.known, read_facts(*known, false));
      }
      if (const toml::node* levels = node->get("levels"); levels != nullptr) {
        plan.has_levels = true;
        LACUNA_TRY(plan.levels, read_facts(*levels, true));
      }
      attackers_.push_back(std::move(plan));
    }
    return ok_status();
  }

  Result<std::vector<CellFacts>> read_facts(const toml::node& list, bool levels) {
    constexpr std::array<std::string_view, 4> kKeys{"cell", "lower", "upper", "sliding"};
    const auto keys = std::span(kKeys).first(levels ? 4 : 3);
    LACUNA_TRY(const auto nodes, document_.tables(list));
    std::vector<CellFacts> all;
    for (const toml::table* node : nodes) {
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*node, keys, levels ? "levels" : "known"));
      const toml::node* cell = node->get("cell");
      if (cell == nullptr)
        return document_.error(*node, "expected cell = [\"<code>\", ...]");
      CellFacts facts;
      facts.node = node;
      LACUNA_TRY(facts.codes, document_.strings(*cell));
      LACUNA_TRY(facts.lower, read_fact_number(*node, "lower", levels));
      LACUNA_TRY(facts.upper, read_fact_number(*node, "upper", levels));
      LACUNA_TRY(facts.sliding, read_fact_number(*node, "sliding", levels));
      all.push_back(std::move(facts));
    }
    return all;
  }

  Result<std::string> read_fact_number(const toml::table& table, std::string_view key, bool level) {
    const toml::node* node = table.get(key);
    if (node == nullptr)
      return std::string();
    LACUNA_TRY(std::string text, document_.number_text(*node));
    if (!level && is_infinite_text(text))
      return std::string();
    if (!level) {
      LACUNA_RETURN_IF_ERROR(note_number(*node, text));
      return text;
    }
    auto needed = decimals_needed(text);
    if (!needed)
      return moved_to(needed.error(), document_.where(node->source()));
    if (text[0] == '-' && !is_zero_number(text))
      return document_.error(*node, "the protection level is negative");
    if (auto noted = numbers_.add_level(text); !noted)
      return moved_to(noted.error(), document_.where(node->source()));
    return text;
  }

  Status read_options() {
    LACUNA_TRY(const toml::table* options, section(document_, "options"));
    if (options == nullptr)
      return ok_status();
    for (const auto& [key, node] : TomlDocument::in_order(*options)) {
      std::string value;
      if (const auto* truth = node->as_boolean(); truth != nullptr) {
        value = truth->get() ? "true" : "false";
      } else {
        LACUNA_TRY(value, document_.number_text(*node));
      }
      job_.options.push_back(
          {std::string(key->str()), std::move(value), document_.where(key->source())});
    }
    return ok_status();
  }

  // ---- the problem

  Result<CellId> find_cell(const CellFacts& facts) {
    if (facts.codes.size() != dimensions_.size()) {
      return document_.error(
          *facts.node,
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
        return document_.error(*facts.node,
                               "dimension " + dimension.name() + " has no code " + in_quotes(text) +
                                   did_you_mean(text, known));
      }
      codes.push_back(code);
    }
    if (cell_index_.empty())
      index_cells();
    const auto at = cell_index_.find(cell_key(codes));
    if (at == cell_index_.end())
      return document_.error(*facts.node, "the table has no such cell");
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
    return placed_in(std::move(error), files_, cells_, dimensions_, document_.filename());
  }

  Result<Table> build_table() const {
    TableBuilder builder(cells_.decimals, dimensions_);
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      auto added = builder.add_cell(cells_.cells[c], cells_.codes_of(c, dimensions_.size()));
      if (!added)
        return moved_to(added.error(), place_of(c, files_, cells_, document_.filename()));
    }
    if (auto crossed = add_cross_equations(builder, job_.tables); !crossed)
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
    add_keys();
    return ok_status();
  }

  // Contributions, if their columns are given, make it a table of magnitudes.
  void add_keys() {
    if (csv_.columns.key.empty())
      return;
    CellKeys keys;
    keys.modulus = csv_.keys.modulus;
    keys.keys = cells_.keys;
    for (const Cell& cell : cells_.cells)
      keys.records.push_back(cell.frequency);
    if (!csv_.columns.largest.empty()) {
      keys.largest = cells_.largest;
      keys.spread.assign(cells_.cells.size(), 0);
    }
    job_.problem.keys = std::make_shared<const CellKeys>(std::move(keys));
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
    auto number =
        level ? parse_level_upward(text, cells_.decimals) : parse_units(text, cells_.decimals);
    if (!number)
      return moved_to(number.error(), document_.where(facts.node->source()));
    return number;
  }

  Result<Knowledge> knowledge_of(const CellFacts& facts) {
    Knowledge knowledge;
    LACUNA_TRY(knowledge.cell, find_cell(facts));
    const bool exact = !facts.node->contains("lower") && !facts.node->contains("upper");
    if (exact) {
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

  const TomlDocument& document_;
  const FileLoader& load_;
  TableFileStyle style_;
  NumberStyle numbers_style_;
  bool states_style_ = false;
  std::vector<std::string> names_;  // of the files, without folder and ending
  std::string columns_where_;
  std::vector<JobOption> rules_;
  TableCsvOptions csv_;
  DecimalsChooser numbers_;
  std::vector<CsvFile> files_;
  std::vector<Dimension> dimensions_;
  std::vector<AttackerPlan> attackers_;
  CsvCells cells_;
  std::unordered_map<std::string, CellId> cell_index_;
  Job job_;
};

}  // namespace

Result<Job> read_job_text(std::string text, const std::string& filename, const FileLoader& load) {
  LACUNA_TRY(const TomlDocument document, TomlDocument::parse(std::move(text), filename));
  return JobReader(document, load).read();
}

Result<Job> read_job(const std::string& path) {
  LACUNA_TRY(std::string text, read_file(path));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return read_job_text(std::move(text), path, [&](const std::string& name) {
    return read_file((folder / name).string());
  });
}

}  // namespace lacuna::inline io
