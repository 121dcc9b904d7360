// SPDX-License-Identifier: Apache-2.0
// Lines "code1;code2;...;ACTION[;x1[;x2]]" on the cells of a table. data/problems/apriori.h reads
// the same files for tables of ours; here codes may have blanks at the left, lines depend on the
// status that a cell has at their turn, and M differs from ML.
#include "data/argus/apriori.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "core/base/rational.h"
#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/argus/rules.h"
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

constexpr std::size_t kNotesOfLines = 20;  // more are counted only

std::string with_decimal_point(std::string text) {
  if (text.find('.') == std::string::npos)
    std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

class AprioriRun {
 public:
  AprioriRun(Table& table, const Apriori& command, std::string filename)
      : table_(table), command_(command), filename_(std::move(filename)), book_(table) {
    for (const CodeList& list : table.variables) {
      std::vector<std::int32_t>& count = num_children_.emplace_back(list.codes.size(), 0);
      for (std::size_t i = 1; i < list.codes.size(); ++i)
        ++count[static_cast<std::size_t>(list.parents[i])];
    }
  }

  Result<AprioriResult> apply(std::string_view text);

 private:
  Status apply_line(const Line& line);
  Status apply_all(const Line& line);
  Result<std::vector<std::size_t>> cells_of(LineReader& reader) const;
  Result<std::int32_t> code_of(const Word& word, const CodeList& list, LineReader& reader) const;
  std::vector<std::int32_t> same_codes(std::size_t variable, std::int32_t code) const;
  Status act(std::size_t cell,
             const Word& action,
             LineReader& reader,
             const std::vector<Word>& numbers);
  Status set_status(std::size_t cell, const Word& action, const LineReader& reader);
  Status set_cost(std::size_t cell, const Word& number, const LineReader& reader);
  Status set_levels(std::size_t cell, const std::vector<Word>& numbers, const LineReader& reader);
  Result<mpq_class> level(const Word& word, const LineReader& reader) const;
  void change(std::size_t cell) { before_.emplace_back(cell, table_.cells[cell]); }
  void undo();

  Table& table_;
  const Apriori& command_;
  std::string filename_;
  RuleBook book_;
  std::vector<std::vector<std::int32_t>> num_children_;
  std::vector<std::pair<std::size_t, Cell>> before_;  // what has been changed, as it was
  AprioriResult result_;
};

Result<std::int32_t> AprioriRun::code_of(const Word& word,
                                         const CodeList& list,
                                         LineReader& reader) const {
  const std::int32_t code = list.find(word.text);
  if (code >= 0)
    return code;
  std::vector<std::string_view> names;
  for (const std::string& name : list.codes)
    names.push_back(base::trimmed(name));
  return reader.error(word,
                      list.variable + " has no code " + base::strange_field_in_quotes(word.text) +
                          base::did_you_mean(word.text, names));
}

// Codes that stand for the same cells, because each is the only one below the one before it.
std::vector<std::int32_t> AprioriRun::same_codes(std::size_t variable, std::int32_t code) const {
  std::vector<std::int32_t> same{code};
  if (!command_.expand_trivial)
    return same;
  const CodeList& list = table_.variables[variable];
  const auto only_child = [&](std::int32_t parent) {
    return num_children_[variable][static_cast<std::size_t>(parent)] == 1;
  };
  const auto parent_of = [&](std::int32_t of) {
    return list.parents[static_cast<std::size_t>(of)];
  };
  for (std::int32_t up = parent_of(code); up >= 0 && only_child(up); up = parent_of(up))
    same.push_back(up);
  for (std::int32_t down = code; only_child(down);) {
    const auto child = std::find(list.parents.begin(), list.parents.end(), down);
    down = static_cast<std::int32_t>(child - list.parents.begin());
    same.push_back(down);
  }
  return same;
}

Result<std::vector<std::size_t>> AprioriRun::cells_of(LineReader& reader) const {
  const std::string mark(1, command_.separator);
  std::vector<std::size_t> cells{0};
  for (std::size_t v = 0; v < table_.variables.size(); ++v) {
    const Word word = reader.field(mark);
    LACUNA_TRY(const std::int32_t code, code_of(word, table_.variables[v], reader));
    LACUNA_RETURN_IF_ERROR(
        reader.expect(command_.separator, "the code " + base::in_quotes(word.text)));
    std::vector<std::size_t> longer;
    for (const std::int32_t same : same_codes(v, code)) {
      for (const std::size_t cell : cells)
        longer.push_back(cell * table_.variables[v].codes.size() + static_cast<std::size_t>(same));
    }
    cells = std::move(longer);
  }
  return cells;
}

Status AprioriRun::set_status(std::size_t index, const Word& action, const LineReader& reader) {
  Cell& cell = table_.cells[index];
  const std::string name = upper_case(action.text);
  const bool safe = cell.status == CellStatus::kSafe || cell.status == CellStatus::kSafeManual;
  const bool allowed = name == "S"
                           ? safe || is_unsafe(cell.status) || cell.status == CellStatus::kProtected
                       : name == "U" ? safe || is_unsafe(cell.status)
                       : name == "P" ? safe || cell.status == CellStatus::kProtected
                                     : safe || is_secondary(cell.status);
  if (!allowed) {
    return reader.error(action,
                        "the cell " + table_.label_of(index) + " is '" +
                            std::string(words_for(cell.status)) + "', which " + name +
                            " may not change");
  }
  const CellStatus by_rules = book_.status(index);
  change(index);
  if (name == "S")
    cell.status = by_rules == CellStatus::kSafe ? CellStatus::kSafe : CellStatus::kSafeManual;
  else if (name == "U")
    cell.status = is_unsafe(by_rules) ? by_rules : CellStatus::kUnsafeManual;
  else if (name == "P")
    cell.status = CellStatus::kProtected;
  else if (!is_secondary(cell.status))
    cell.status = name == "M" || cell.status == CellStatus::kSafeManual
                      ? CellStatus::kSecondaryManual
                      : CellStatus::kSecondary;
  cell.levels = book_.levels(index, cell.status);
  return ok_status();
}

Status AprioriRun::set_cost(std::size_t cell, const Word& number, const LineReader& reader) {
  const auto cost = base::parse_double(with_decimal_point(number.text));
  if (!cost || *cost < 0)
    return reader.error(
        number,
        "expected a cost of 0 or more, not " + base::confidential(base::in_quotes(number.text)));
  change(cell);
  table_.cells[cell].cost = *cost == 0 ? 1 : *cost;
  return ok_status();
}

Result<mpq_class> AprioriRun::level(const Word& word, const LineReader& reader) const {
  const auto level = base::parse_fraction(with_decimal_point(word.text));
  if (!level || *level < 0) {
    return reader.error(word,
                        "expected a protection level of 0 or more, not " +
                            base::confidential(base::in_quotes(word.text)));
  }
  return *level;
}

Status AprioriRun::set_levels(std::size_t index,
                              const std::vector<Word>& numbers,
                              const LineReader& reader) {
  ProtectionLevels levels;
  LACUNA_TRY(levels.lower, level(numbers[0], reader));
  LACUNA_TRY(levels.upper, level(numbers[1], reader));
  if (!is_unsafe(table_.cells[index].status)) {
    return reader.error(numbers[0],
                        "the cell " + table_.label_of(index) + " is '" +
                            std::string(words_for(table_.cells[index].status)) +
                            "', and only unsafe cells have protection levels");
  }
  change(index);
  table_.cells[index].levels = levels;
  return ok_status();
}

Status AprioriRun::act(std::size_t cell,
                       const Word& action,
                       LineReader& reader,
                       const std::vector<Word>& numbers) {
  const std::string name = upper_case(action.text);
  if (name == "S" || name == "U" || name == "P" || name == "M" || name == "ML")
    return set_status(cell, action, reader);
  if (name == "C" || name == "W")
    return set_cost(cell, numbers[0], reader);
  if (name == "PL")
    return set_levels(cell, numbers, reader);
  if (name == "AB")
    return reader.error(action, "AB (bounds of a cell) is not possible, as in tau-ARGUS");
  return reader.error(action,
                      "the action " + base::strange_field_in_quotes(action.text) +
                          " is not one of S, U, P, M, ML, C, W and PL");
}

Status AprioriRun::apply_line(const Line& line) {
  LineReader reader(line, filename_);
  LACUNA_TRY(const std::vector<std::size_t> cells, cells_of(reader));
  const std::string mark(1, command_.separator);
  const Word action = reader.field(mark);
  std::vector<Word> numbers;
  while (numbers.size() < 2) {
    reader.take(command_.separator);
    numbers.push_back(reader.field(mark));
  }
  for (const std::size_t cell : cells)
    LACUNA_RETURN_IF_ERROR(act(cell, action, reader, numbers));
  ++result_.applied;
  return ok_status();
}

void AprioriRun::undo() {
  for (auto at = before_.rbegin(); at != before_.rend(); ++at)
    table_.cells[at->first] = std::move(at->second);
}

Status AprioriRun::apply_all(const Line& line) {
  const std::size_t changes = before_.size();
  const auto applied = apply_line(line);
  if (applied)
    return ok_status();
  if (!command_.ignore_errors)
    return applied.error();
  for (; before_.size() > changes; before_.pop_back())
    table_.cells[before_.back().first] = std::move(before_.back().second);
  ++result_.skipped;
  if (result_.notes.size() < kNotesOfLines)
    result_.notes.push_back(applied.error().text() + "; the line is skipped");
  return ok_status();
}

Result<AprioriResult> AprioriRun::apply(std::string_view text) {
  bool first = true;
  for (const Line& line : lines_of(text)) {
    const std::string_view words = base::trimmed(line.text);
    if (words.empty() || words.starts_with("//"))
      continue;
    if (first && words.find(command_.separator) == std::string_view::npos) {
      return Error{ErrorCode::kDamaged,
                   "the first line has no separator '" + std::string(1, command_.separator) + "'",
                   files::location(filename_, {line.number, 1})};
    }
    first = false;
    if (auto applied = apply_all(line); !applied) {
      undo();
      return applied.error();
    }
  }
  return std::move(result_);
}

}  // namespace

Result<AprioriResult> apply_apriori(Table& table,
                                    const Apriori& command,
                                    std::string bytes,
                                    const std::string& filename) {
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  return AprioriRun(table, command, filename).apply(text);
}

}  // namespace lacuna::argus
