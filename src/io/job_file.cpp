// SPDX-License-Identifier: Apache-2.0
#include "io/job_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "base/decimal.h"
#include "base/nearest.h"
#include "io/column_files.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/hierarchy_file.h"
#include "io/job_dimension.h"
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

class JobReader {
 public:
  JobReader(const TomlDocument& document, const FileLoader& load)
      : document_(document), load_(load) {}

  Result<Job> read() {
    constexpr std::array<std::string_view, 8> kSections{
        "input", "dimension", "columns", "defaults", "table", "attacker", "options", "output"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(document_.root(), kSections, "the job"));
    LACUNA_RETURN_IF_ERROR(read_input());
    LACUNA_RETURN_IF_ERROR(read_columns());
    LACUNA_RETURN_IF_ERROR(read_defaults());
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    LACUNA_RETURN_IF_ERROR(read_tables());
    LACUNA_RETURN_IF_ERROR(read_attackers());
    LACUNA_RETURN_IF_ERROR(read_options());
    LACUNA_TRY(cells_, read_table_csv(files_, dimensions_, job_.tables, csv_, numbers_));
    if (cells_.levels_rounded)
      job_.notes.push_back(rounded_levels_note(document_.filename(), cells_.decimals));
    LACUNA_RETURN_IF_ERROR(build_problem());
    return std::move(job_);
  }

 private:
  Error missing(const std::string& what) const {
    return {ErrorCode::kBadInput, what, document_.filename()};
  }

  Result<const toml::table*> section(const char* name) const {  // null if absent
    const toml::node* node = document_.root().get(name);
    if (node == nullptr)
      return static_cast<const toml::table*>(nullptr);
    if (!node->is_table())
      return document_.error(*node, "expected a section [" + std::string(name) + "]");
    return node->as_table();
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
    if (is_column_file(name))
      return column_table(std::move(text).value(), name);
    return CsvFile::parse(std::move(text).value(), name, separator_);
  }

  // ---- [input]

  Status read_input() {
    LACUNA_TRY(const toml::table* input, section("input"));
    if (input == nullptr)
      return missing("the section [input] is missing");
    constexpr std::array<std::string_view, 5> kKeys{
        "table", "separator", "decimals", "totals", "records"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*input, kKeys, "[input]"));
    if (const toml::node* records = input->get("records"); records != nullptr)
      return document_.error(*records, "the job is over records; tabulate them first");
    LACUNA_TRY(separator_, read_separator(document_, *input));
    if (const toml::node* node = input->get("decimals"); node != nullptr) {
      const auto* decimals = node->as_integer();
      if (decimals == nullptr || decimals->get() < 0 ||
          decimals->get() > TableBuilder::kMaxDecimals)
        return document_.error(*node, "the decimals must be a whole number from 0 to 18");
      csv_.decimals = static_cast<int>(decimals->get());
    }
    if (const toml::node* node = input->get("totals"); node != nullptr) {
      LACUNA_TRY(const std::string totals, document_.string(*node));
      if (totals != "given" && totals != "computed")
        return document_.error(*node, "totals must be \"given\" or \"computed\"");
      csv_.compute_totals = totals == "computed";
    }
    const toml::node* table = input->get("table");
    if (table == nullptr)
      return document_.error(*input, "[input] needs table = \"<file>\"");
    LACUNA_TRY(const std::vector<std::string> names, document_.strings(*table));
    if (names.empty())
      return document_.error(*table, "[input] names no table");
    for (const std::string& name : names) {
      LACUNA_TRY(CsvFile file, load_csv(*table, name));
      files_.push_back(std::move(file));
    }
    return ok_status();
  }

  // ---- [columns] and [defaults]

  Status read_columns() {
    LACUNA_TRY(const toml::table* columns, section("columns"));
    if (columns == nullptr)
      return missing("the section [columns] is missing: it needs value = \"<column>\"");
    constexpr std::array<std::string_view, 9> kKeys{"value",
                                                    "frequency",
                                                    "weight",
                                                    "status",
                                                    "lower",
                                                    "upper",
                                                    "lower_level",
                                                    "upper_level",
                                                    "sliding_level"};
    LACUNA_RETURN_IF_ERROR(document_.check_keys(*columns, kKeys, "[columns]"));
    TableColumns& names = csv_.columns;
    const std::array<std::string*, 9> targets{&names.value,
                                              &names.frequency,
                                              &names.weight,
                                              &names.status,
                                              &names.lower,
                                              &names.upper,
                                              &names.lower_level,
                                              &names.upper_level,
                                              &names.sliding_level};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      LACUNA_TRY(*targets[i], string_at(document_, *columns, kKeys[i], ""));
    }
    if (names.value.empty())
      return document_.error(*columns, "[columns] needs value = \"<column>\"");
    return ok_status();
  }

  Status read_defaults() {
    LACUNA_TRY(const toml::table* defaults, section("defaults"));
    if (defaults == nullptr)
      return ok_status();
    constexpr std::array<std::string_view, 8> kKeys{"lower",
                                                    "upper",
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
    const DimensionReader reader(document_, load_, separator_);
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
      constexpr std::array<std::string_view, 2> kKeys{"name", "dimensions"};
      LACUNA_RETURN_IF_ERROR(document_.check_keys(*node, kKeys, "[[table]]"));
      CrossTable table;
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
    if (job_.tables.empty()) {
      CrossTable all;
      for (std::size_t d = 0; d < dimensions_.size(); ++d)
        all.dimensions.push_back(static_cast<std::int32_t>(d));
      job_.tables.push_back(std::move(all));
    }
    return ok_status();
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
    LACUNA_TRY(const toml::table* options, section("options"));
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

  std::string where_of(std::size_t cell) const {
    const CsvOrigin& origin = cells_.origins[cell];
    if (origin.row == CsvOrigin::kAdded)
      return document_.filename();
    return files_[origin.file].where(origin.row, origin.column);
  }

  // An error that names a cell by its label, moved to the cell's place in its file.
  Error placed(Error error) const {
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      const auto codes = cells_.codes_of(c, dimensions_.size());
      std::string label;
      for (std::size_t d = 0; d < codes.size(); ++d)
        label += (d > 0 ? "|" : "") + dimensions_[d].name() + "=" + dimensions_[d].code(codes[d]);
      if (label == error.where)
        return moved_to(std::move(error), where_of(c));
    }
    return moved_to(std::move(error), document_.filename());
  }

  Result<Table> build_table() const {
    TableBuilder builder(cells_.decimals, dimensions_);
    for (std::size_t c = 0; c < cells_.cells.size(); ++c) {
      auto added = builder.add_cell(cells_.cells[c], cells_.codes_of(c, dimensions_.size()));
      if (!added)
        return moved_to(added.error(), where_of(c));
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
    return ok_status();
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
  char separator_ = kDefaultSeparator;
  TableCsvOptions csv_;
  DecimalsChooser numbers_;
  std::vector<CsvFile> files_;
  std::vector<Dimension> dimensions_;
  std::vector<AttackerPlan> attackers_;
  CsvCells cells_;
  std::unordered_map<std::string, CellId> cell_index_;
  Job job_;
};

// ---- writing

Error cannot_hold(const std::string& what, std::string where) {
  return {ErrorCode::kUnsupported,
          "a job file cannot hold " + what + "; write the problem as JSON instead",
          std::move(where)};
}

bool same_equations(const Table& a, const Table& b) {
  if (a.num_equations() != b.num_equations())
    return false;
  for (std::int32_t e = 0; e < a.num_equations(); ++e) {
    const auto left = a.equation(EquationId{e});
    const auto right = b.equation(EquationId{e});
    if (a.rhs(EquationId{e}) != b.rhs(EquationId{e}) ||
        !std::equal(left.begin(), left.end(), right.begin(), right.end()))
      return false;
  }
  return true;
}

// The job stores no equations: those that its tables imply must be the problem's own.
Status check_equations(const Table& table, std::span<const CrossTable> tables) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    auto added = builder.add_cell(table.cell(CellId{c}), table.codes(CellId{c}));
    if (!added)
      return added.error();
  }
  if (auto crossed = add_cross_equations(builder, tables); !crossed)
    return cannot_hold("equations other than those of its dimensions", crossed.error().where);
  LACUNA_TRY(const Table rebuilt, std::move(builder).build());
  if (!same_equations(table, rebuilt))
    return cannot_hold("equations other than those of its dimensions", "");
  return ok_status();
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts)
    out += (out.size() > 1 ? ", " : "") + toml_quoted(text);
  return out + "]";
}

std::string dimension_toml(const Dimension& dimension, const std::string& column) {
  std::string out = "\n[[dimension]]\nname = " + toml_quoted(dimension.name()) + "\n";
  if (column != dimension.name())
    out += "column = " + toml_quoted(column) + "\n";
  out += "total = " + toml_quoted(dimension.code(dimension.total())) + "\n";
  const std::vector<CodeTree> trees = trees_of(dimension);
  out += "codes = " + toml_list(dimension.codes()) + "\n";
  for (const CodeTree& tree : trees) {
    if (tree.relations.empty())
      continue;
    out += trees.size() == 1 ? "[dimension.tree]\n" : "[[dimension.tree]]\n";
    for (const NamedRelation& relation : tree.relations)
      out += toml_quoted(relation.parent) + " = " + toml_list(relation.children) + "\n";
  }
  return out;
}

std::string cell_toml(const Table& table, CellId cell) {
  std::vector<std::string> codes;
  const auto indices = table.codes(cell);
  for (std::size_t d = 0; d < indices.size(); ++d)
    codes.push_back(table.dimensions()[d].code(indices[d]));
  return "{ cell = " + toml_list(codes);
}

std::string bound_toml(const Table& table, Units end) {
  const bool unbounded = end == kUnboundedBelow || end == kUnboundedAbove;
  return unbounded ? "\"unbounded\"" : format_units(end, table.decimals());
}

std::string attacker_toml(const Problem& problem, std::int32_t index) {
  const Table& table = problem.table;
  const Attacker& attacker = problem.attackers[static_cast<std::size_t>(index)];
  std::string known;
  for (const Knowledge& fact : attacker.known) {
    known += "  " + cell_toml(table, fact.cell) +
             ", lower = " + bound_toml(table, fact.bounds.lower) +
             ", upper = " + bound_toml(table, fact.bounds.upper) + " },\n";
  }
  std::string levels;
  for (const Requirement& need : problem.requirements) {
    const bool in_csv = index == 0 && table.cell(need.cell).status == CellStatus::kPrimary;
    if (need.attacker != index || in_csv)
      continue;
    levels += "  " + cell_toml(table, need.cell) +
              ", lower = " + format_units(need.lower, table.decimals()) +
              ", upper = " + format_units(need.upper, table.decimals()) +
              ", sliding = " + format_units(need.given_sliding(), table.decimals()) + " },\n";
  }
  if (index == 0 && known.empty() && levels.empty())
    return "";
  return "\n[[attacker]]\nname = " + toml_quoted(attacker.name) + "\nknown = [\n" + known +
         "]\nlevels = [\n" + levels + "]\n";
}

// Column names that no dimension uses.
std::string free_name(std::string name, const std::vector<Dimension>& dimensions) {
  const auto taken = [&](const Dimension& dimension) { return dimension.name() == name; };
  while (std::any_of(dimensions.begin(), dimensions.end(), taken))
    name += "_";
  return name;
}

Status check_names(const Problem& problem) {
  const auto& dimensions = problem.table.dimensions();
  if (dimensions.empty())
    return cannot_hold("a table without dimensions", "");
  std::unordered_set<std::string> names;
  for (const Dimension& dimension : dimensions) {
    if (!names.insert(dimension.name()).second)
      return cannot_hold("two dimensions of one name", "dimension " + dimension.name());
    for (const std::string& code : dimension.codes()) {
      if (code.empty() || find_bad_utf8(code) != std::string::npos)
        return cannot_hold("an empty code or one that is not UTF-8",
                           "dimension " + dimension.name());
    }
    const auto read_back = build_dimension(dimension.name(), trees_of(dimension));
    if (!read_back || !(*read_back == dimension))
      return cannot_hold("the same split of a code twice", "dimension " + dimension.name());
    if (find_bad_utf8(dimension.name()) != std::string::npos)
      return cannot_hold("a name that is not UTF-8", "dimension " + dimension.name());
  }
  names.clear();
  for (std::size_t a = 0; a < problem.attackers.size(); ++a) {
    const std::string& name = problem.attackers[a].name;
    const bool usable = !name.empty() && names.insert(name).second &&
                        find_bad_utf8(name) == std::string::npos &&
                        (a == 0) == (name == outsider().name);
    if (!usable)
      return cannot_hold(
          "this list of attackers: the first must be the outsider, names must differ",
          "attacker " + name);
  }
  return ok_status();
}

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

Result<JobFiles> write_job(const Problem& problem,
                           std::span<const CrossTable> tables,
                           const std::string& csv_name) {
  LACUNA_RETURN_IF_ERROR(check_names(problem));
  const Table& table = problem.table;
  const auto& dimensions = table.dimensions();
  CrossTable all;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    all.dimensions.push_back(static_cast<std::int32_t>(d));
  const std::span<const CrossTable> used =
      tables.empty() ? std::span<const CrossTable>(&all, 1) : tables;
  LACUNA_RETURN_IF_ERROR(check_equations(table, used));

  const bool has_frequency = std::any_of(table.cells().begin(),
                                         table.cells().end(),
                                         [](const Cell& cell) { return cell.frequency >= 0; });
  TableColumns columns{free_name("value", dimensions),
                       has_frequency ? free_name("frequency", dimensions) : "",
                       free_name("weight", dimensions),
                       free_name("status", dimensions),
                       free_name("lower", dimensions),
                       free_name("upper", dimensions),
                       free_name("lower_level", dimensions),
                       free_name("upper_level", dimensions),
                       free_name("sliding_level", dimensions)};
  std::vector<std::string> dimension_columns;
  for (const Dimension& dimension : dimensions)
    dimension_columns.push_back(dimension.name());

  std::string toml = "[input]\ntable = " + toml_quoted(csv_name) +
                     "\nseparator = \";\"\ndecimals = " + std::to_string(table.decimals()) +
                     "\n\n[columns]\nvalue = " + toml_quoted(columns.value) + "\n";
  if (has_frequency)
    toml += "frequency = " + toml_quoted(columns.frequency) + "\n";
  toml += "weight = " + toml_quoted(columns.weight) + "\nstatus = " + toml_quoted(columns.status) +
          "\nlower = " + toml_quoted(columns.lower) + "\nupper = " + toml_quoted(columns.upper) +
          "\nlower_level = " + toml_quoted(columns.lower_level) +
          "\nupper_level = " + toml_quoted(columns.upper_level) +
          "\nsliding_level = " + toml_quoted(columns.sliding_level) + "\n";
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    toml += dimension_toml(dimensions[d], dimension_columns[d]);
  for (const CrossTable& cross : tables) {
    std::vector<std::string> names;
    for (const std::int32_t d : cross.dimensions)
      names.push_back(dimensions[static_cast<std::size_t>(d)].name());
    toml += "\n[[table]]\nname = " + toml_quoted(cross.name) +
            "\ndimensions = " + toml_list(names) + "\n";
  }
  for (std::size_t a = 0; a < problem.attackers.size(); ++a)
    toml += attacker_toml(problem, static_cast<std::int32_t>(a));
  return JobFiles{std::move(toml),
                  write_table_csv(problem, columns, dimension_columns, kDefaultSeparator)};
}

}  // namespace lacuna::inline io
