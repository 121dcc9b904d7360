// SPDX-License-Identifier: Apache-2.0
// Type 5 of <WRITETABLE>: everything of a table that <READTABLE> takes back, one line per cell, and
// the metadata (.rda) that describe the columns. SO+ leaves out the shadow and the largest
// contributions, HI+ has those of holdings, AR+ adds what a reader of the release can infer.

#include <algorithm>

#include "core/base/rational.h"
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

constexpr char kTreeLead = '@';

class IntermediateWriter {
 public:
  IntermediateWriter(const Table& table, const WriteOptions& options)
      : table_(table),
        options_(options),
        digits_(response_digits(table)),
        shadow_digits_(shadow_digits(table)),
        lower_bound_(outer_bounds(table).lower),
        largest_(largest_needed(table, options)) {}

  // As many as the rules look at, or as a table that was read has.
  static int largest_needed(const Table& table, const WriteOptions& options) {
    if (options.status_only)
      return 0;
    const SafetyRule& rules = table.rules;
    auto columns = static_cast<std::size_t>(options.holdings ? rules.holdings_needed()
                                                             : rules.records_needed());
    for (const Cell& cell : table.cells)
      columns = std::max(columns, (options.holdings ? cell.largest_holdings : cell.largest).size());
    return static_cast<int>(columns);
  }

  std::string text() {
    for (std::size_t c = 0; c < table_.cells.size(); ++c) {
      const Cell& cell = table_.cells[c];
      if (options_.skip_empty && cell.status == CellStatus::kEmpty)
        continue;
      const auto codes = table_.codes_of(c);
      for (std::size_t v = 0; v < codes.size(); ++v)
        text_ += code_text(table_.variables[v], codes[v], options_.quotes) + ";";
      write_numbers(cell);
      write_levels(cell);
      if (options_.audit)
        write_interval(cell);
      text_ += kLineEnd;
    }
    return std::move(text_);
  }

 private:
  void write_numbers(const Cell& cell) {
    text_ += fixed_text(released_value(table_, cell), table_.decimals, digits_) + ";";
    if (!table_.counts) {
      text_ += std::to_string(options_.holdings ? cell.holdings : cell.frequency) + ";";
      if (!options_.status_only)
        text_ += fixed_text(cell.shadow, table_.shadow_decimals, shadow_digits_) + ";";
    }
    text_ += fixed_text(mpq_class(priced(table_, cell)), digits_) + ";";
    const auto& parts = options_.holdings ? cell.largest_holdings : cell.largest;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(largest_); ++rank) {
      const Units part = rank < parts.size() ? parts[rank] : 0;
      text_ += fixed_text(part, table_.shadow_decimals, shadow_digits_) + ";";
    }
    text_ += letter_of(cell.status);
  }

  void write_levels(const Cell& cell) {
    ProtectionLevels levels;
    if (is_unsafe(cell.status) && cell.levels)
      levels = *cell.levels;
    else
      levels.lower = levels.upper = base::units_to_fraction(1, digits_);
    levels = levels_for_file(
        base::units_to_fraction(cell.response, table_.decimals), levels, lower_bound_, digits_);
    text_ += ";" + level_text(levels.lower, digits_) + ";" + level_text(levels.upper, digits_);
  }

  // Ends and width, then in percent of the response; all 0 of a cell that was not audited.
  void write_interval(const Cell& cell) {
    const bool known = is_withheld(cell.status) && cell.lowest && cell.highest;
    const mpq_class lowest = known ? *cell.lowest : mpq_class(0);
    const mpq_class highest = known ? *cell.highest : mpq_class(0);
    for (const mpq_class& end : {lowest, highest, mpq_class(highest - lowest)})
      text_ += ";" + fixed_text(end, digits_);
    if (!known || cell.response == 0) {
      text_ += ";0;0;0";
      return;
    }
    const mpq_class value = base::units_to_fraction(cell.response, table_.decimals);
    for (const mpq_class& width :
         {mpq_class(value - lowest), mpq_class(highest - value), mpq_class(highest - lowest)})
      text_ += ";" + fixed_text(100 * width / value, 2);
  }

  const Table& table_;
  const WriteOptions& options_;
  int digits_;
  int shadow_digits_;
  mpq_class lower_bound_;
  int largest_;
  std::string text_;
};

std::string without_extension(const std::string& path) {
  const std::size_t name = path.find_last_of("/\\") + 1;  // npos + 1 is 0
  const std::size_t point = path.rfind('.');
  return point == std::string::npos || point <= name ? path : path.substr(0, point);
}

std::string last_part(const std::string& path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

// A tree as a file: every code after as many leads as it is deep, less one.
std::string tree_text(const CodeList& list, const std::string& lead) {
  std::string text;
  for (std::int32_t code = 1; code < list.size(); ++code) {
    for (std::int32_t depth = 1; depth < list.level(code); ++depth)
      text += lead;
    text += list.codes[static_cast<std::size_t>(code)] + kLineEnd;
  }
  return text;
}

// As they stand in the table, with their blanks.
std::vector<std::string> missing_codes(const CodeList& list, const Variable& given) {
  std::vector<std::string> codes = given.missing;
  for (std::string& code : codes) {
    const std::int32_t found = code.empty() ? -1 : list.find(code);
    if (found > 0)
      code = list.codes[static_cast<std::size_t>(found)];
  }
  return codes;
}

class IntermediateMetadata {
 public:
  IntermediateMetadata(const Table& table,
                       const WriteOptions& options,
                       const std::string& path,
                       const Metadata& source)
      : table_(table), options_(options), stem_(without_extension(path)), source_(source) {}

  // Of type 7: the published number, and what stands beside it for the office.
  std::vector<OutputText> cell_key_files() {
    for (std::size_t v = 0; v < table_.variables.size(); ++v)
      add_explanatory(v);
    if (table_.counts)
      add("FreqVar").frequency = true;
    else
      add_numeric(table_.response).decimals = table_.shown_decimals;
    if (options_.original)
      add_numeric("OrigVar").decimals = table_.shown_decimals;
    if (options_.difference)
      add_numeric("Difference").decimals = table_.shown_decimals;
    std::string text = write_table_metadata(metadata_);
    if (options_.cell_key)
      text += std::string("CellKey") + kLineEnd + "    <CELLKEY>" + kLineEnd;
    files_.insert(files_.begin(), {stem_ + ".rda", std::move(text)});
    return std::move(files_);
  }

  // The .rda, and the trees that recodes have made.
  std::vector<OutputText> files() {
    for (std::size_t v = 0; v < table_.variables.size(); ++v)
      add_explanatory(v);
    add_numbers();
    const int largest = IntermediateWriter::largest_needed(table_, options_);
    for (int rank = 1; rank <= largest; ++rank)
      add("Top" + std::to_string(rank)).max_score = true;
    add("StatusVar").status = true;
    add_numeric("LowerProtLevel").lower_level = true;
    add_numeric("UpperProtLevel").upper_level = true;
    std::string text = write_table_metadata(metadata_);
    if (options_.audit)
      text += audit_comment();
    files_.insert(files_.begin(), {stem_ + ".rda", std::move(text)});
    return std::move(files_);
  }

 private:
  Variable& add(std::string name) {
    metadata_.variables.emplace_back().name = std::move(name);
    return metadata_.variables.back();
  }
  Variable& add_numeric(std::string name) {
    Variable& variable = add(std::move(name));
    variable.numeric = true;
    return variable;
  }

  void add_explanatory(std::size_t index) {
    const CodeList& list = table_.variables[index];
    Variable& variable = add(list.variable);
    variable.recodeable = true;
    variable.total_code = list.codes.front();
    variable.total_given = true;
    const Variable* given = source_.find(list.variable);
    if (given) {
      variable.missing = missing_codes(list, *given);
      variable.code_list = given->code_list;
      variable.distance = given->distance;
      variable.hierarchical = given->hierarchical || given->has_tree();
      variable.hierarchy_file = given->hierarchy_file;
      variable.lead = given->lead;
      variable.levels = given->levels;
    }
    if (variable.hierarchical && list.recoded)
      replace_tree(variable, index);
  }

  void replace_tree(Variable& variable, std::size_t index) {
    const std::string path = stem_ + "_" + std::to_string(index + 1) + ".hrc";
    if (variable.hierarchy_file.text.empty())
      variable.lead = kTreeLead;
    variable.levels.clear();
    variable.hierarchy_file.text = last_part(path);
    files_.push_back({path, tree_text(table_.variables[index], variable.lead)});
  }

  void add_numbers() {
    if (!table_.counts) {
      Variable& response = add_numeric(table_.response);
      if (const int digits = response_digits(table_); digits > 0)
        response.decimals = digits;
    }
    add("FreqVar").frequency = true;
    if (!table_.counts && !options_.status_only)
      add_numeric(own_name(table_.spec.shadow.text, "_Shadow")).shadow = true;
    add_numeric(cost_name()).cost = true;
  }

  // A name that no column before has; a shadow or cost that is the response gets one of its own.
  std::string own_name(const std::string& name, const std::string& suffix) const {
    if (name.empty())
      return (table_.counts ? "FreqVar" : table_.response) + suffix;
    return metadata_.find(name) ? name + suffix : name;
  }
  std::string cost_name() const {
    switch (table_.spec.cost_kind) {
      case CostKind::kFrequency:
        return "FreqCost";
      case CostKind::kUnity:
        return "UnitCost";
      case CostKind::kDistance:
        return "DistCost";
      case CostKind::kVariable:
        return own_name(table_.spec.cost.text, "_Cost");
      case CostKind::kResponse:
        break;
    }
    return own_name("", "_Cost");
  }

  // Columns behind the last variable: readers stop there.
  static std::string audit_comment() {
    std::string text;
    for (const char* column : {"what a reader of the release can infer is not read back:",
                               "lower end of the interval",
                               "upper end of the interval",
                               "width of the interval",
                               "value less lower end, percent of the value",
                               "upper end less value, percent of the value",
                               "width, percent of the value"})
      text += std::string("//") + column + kLineEnd;
    return text;
  }

  const Table& table_;
  const WriteOptions& options_;
  std::string stem_;
  const Metadata& source_;
  Metadata metadata_;
  std::vector<OutputText> files_;
};

}  // namespace

std::vector<OutputText> intermediate_texts(const Table& table,
                                           const WriteOptions& options,
                                           const std::string& path,
                                           const Metadata& source) {
  std::vector<OutputText> files = {{path, IntermediateWriter(table, options).text()}};
  for (OutputText& file : IntermediateMetadata(table, options, path, source).files())
    files.push_back(std::move(file));
  return files;
}

std::vector<OutputText> cell_key_metadata(const Table& table,
                                          const WriteOptions& options,
                                          const std::string& path,
                                          const Metadata& source) {
  return IntermediateMetadata(table, options, path, source).cell_key_files();
}

}  // namespace lacuna::argus
