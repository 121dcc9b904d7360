// SPDX-License-Identifier: Apache-2.0
#include "data/argus/table_rows.h"

#include <algorithm>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/argus/record_lines.h"
#include "data/files/file.h"
#include "data/tabulate/text_table.h"

namespace lacuna::argus {
namespace {

struct FoundTexts {
  tabulation::CodeTable texts;
  std::vector<files::Position> first_seen;
};

bool is_absent_number(std::string_view text) {
  return text.empty() || text == "-" || text == ".";  // SAS writes a point
}

class RowReader {
 public:
  RowReader(const Metadata& metadata, const SpecifyTable& spec, const std::string& path)
      : metadata_(metadata), spec_(spec) {
    rows_.path = path;
  }
  Status choose_columns();
  Status read(std::string_view text);
  Result<TableRows> finish(FileFinder& finder);

 private:
  Result<const Variable*> variable(const Word& name) const;
  std::size_t column_of(const Variable& variable) const {
    return static_cast<std::size_t>(&variable - metadata_.variables.data());
  }
  OptionalNumbers numbers_of(const Variable& variable) const;
  Status choose_response();
  Status choose_others();
  Status read_line(const Line& line);
  bool stands_elsewhere() const;
  void take_code(std::size_t which, std::string_view text, files::Position place);
  Status take_number(OptionalNumbers& numbers);
  Status list(RowCodes& codes, FoundTexts& found, FileFinder& finder);
  std::vector<OptionalNumbers*> all_numbers();

  const Metadata& metadata_;
  const SpecifyTable& spec_;
  TableRows rows_;
  std::vector<FoundTexts> found_;         // by spanning variable
  std::vector<std::size_t> at_total_;     // columns of other variables with codes
  std::vector<std::string_view> fields_;  // of the line at hand
  std::vector<std::size_t> begins_;
  std::size_t elsewhere_ = 0;  // lines below the total of another variable
};

Result<const Variable*> RowReader::variable(const Word& name) const {
  if (const Variable* found = metadata_.find(name.text))
    return found;
  std::vector<std::string_view> names;
  for (const Variable& known : metadata_.variables)
    names.push_back(known.name);
  return Error{ErrorCode::kMissingColumn,
               "there is no variable " + base::in_quotes(name.text) + " in " + metadata_.filename +
                   base::did_you_mean(name.text, names),
               ""};
}

OptionalNumbers RowReader::numbers_of(const Variable& variable) const {
  Variable without_missing = variable;
  without_missing.missing.clear();
  return {column_of(variable), NumberReader(without_missing), {}, {}};
}

Status RowReader::choose_response() {
  const Variable* response = nullptr;
  if (!spec_.counts()) {
    LACUNA_TRY(response, variable(spec_.response));
  }
  rows_.counts = response == nullptr || response->frequency;
  if (!rows_.counts) {
    rows_.response = numbers_of(*response);
    rows_.decimals = response->decimals.value_or(0);
    return ok_status();
  }
  for (const Variable& known : metadata_.variables) {
    if (known.frequency)
      return ok_status();
  }
  return Error{
      ErrorCode::kArgusCommand,
      "a table of counts needs a variable that is the <FREQUENCY> in " + metadata_.filename,
      ""};
}

Status RowReader::choose_others() {
  for (const Variable& known : metadata_.variables) {
    if (known.frequency)
      rows_.frequency = numbers_of(known);
    else if (known.shadow && !rows_.counts)
      rows_.shadow = numbers_of(known);
    else if (known.cost)
      rows_.cost = numbers_of(known);
    else if (known.lower_level)
      rows_.lower = numbers_of(known);
    else if (known.upper_level)
      rows_.upper = numbers_of(known);
    else if (known.max_score)
      rows_.largest.push_back(numbers_of(known));
    else if (known.status)
      rows_.status_column = column_of(known);
  }
  if (!spec_.shadow.text.empty() && !rows_.counts) {
    LACUNA_TRY(const Variable* shadow, variable(spec_.shadow));
    rows_.shadow = numbers_of(*shadow);
  }
  if (spec_.cost_kind == CostKind::kVariable) {
    LACUNA_TRY(const Variable* cost, variable(spec_.cost));
    // "The response" stands for a column of costs, if there is one.
    const bool is_response = rows_.response && rows_.response->column == column_of(*cost);
    if (!rows_.cost || !is_response)
      rows_.cost = numbers_of(*cost);
  }
  return ok_status();
}

Status RowReader::choose_columns() {
  for (const Word& name : spec_.explanatory) {
    LACUNA_TRY(const Variable* found, variable(name));
    if (!found->recodeable) {
      return Error{ErrorCode::kArgusCommand,
                   "the variable " + base::in_quotes(name.text) +
                       " spans the table but is not <RECODEABLE> in " + metadata_.filename,
                   ""};
    }
    rows_.codes.push_back({found, column_of(*found), {}, {}});
  }
  found_.resize(rows_.codes.size());
  for (const Variable& known : metadata_.variables) {
    const bool spans = std::any_of(rows_.codes.begin(),
                                   rows_.codes.end(),
                                   [&](const RowCodes& codes) { return codes.variable == &known; });
    if (known.recodeable && !known.numeric && !spans)
      at_total_.push_back(column_of(known));
  }
  LACUNA_RETURN_IF_ERROR(choose_response());
  return choose_others();
}

bool is_total_text(const Variable& variable, std::string_view text) {
  return text.empty() || same_word(text, base::trimmed(variable.total_code));
}

bool RowReader::stands_elsewhere() const {
  return std::any_of(at_total_.begin(), at_total_.end(), [&](std::size_t column) {
    return !is_total_text(metadata_.variables[column], fields_[column]);
  });
}

void RowReader::take_code(std::size_t which, std::string_view text, files::Position place) {
  RowCodes& codes = rows_.codes[which];
  if (is_total_text(*codes.variable, text)) {
    codes.values.push_back(0);
    return;
  }
  FoundTexts& found = found_[which];
  const std::uint32_t id = found.texts.find_or_add(text);
  if (id == found.first_seen.size())
    found.first_seen.push_back(place);
  codes.values.push_back(static_cast<std::int32_t>(id) + 1);
}

Status RowReader::take_number(OptionalNumbers& numbers) {
  const std::string_view text = fields_[numbers.column];
  const bool given = !is_absent_number(text);
  numbers.given.push_back(given);
  if (auto added = numbers.reader.add(given ? text : std::string_view()); !added)
    return rows_.error(rows_.size() - 1, numbers.column, added.error().message);
  return ok_status();
}

std::vector<OptionalNumbers*> RowReader::all_numbers() {
  std::vector<OptionalNumbers*> all;
  for (auto* one : {&rows_.response,
                    &rows_.shadow,
                    &rows_.cost,
                    &rows_.frequency,
                    &rows_.lower,
                    &rows_.upper}) {
    if (*one)
      all.push_back(&**one);
  }
  for (OptionalNumbers& one : rows_.largest)
    all.push_back(&one);
  return all;
}

Status RowReader::read_line(const Line& line) {
  const std::string_view text = base::trimmed(line.text);
  if (text.empty() || text.starts_with("//"))
    return ok_status();
  const std::size_t count = metadata_.variables.size();
  if (!split_fields(text, metadata_.separator, count, fields_) && fields_.size() < 2 && count > 1) {
    return Error{ErrorCode::kDamaged,
                 "there is no separator '" + std::string(1, metadata_.separator) + "' in the line",
                 files::location(rows_.path, {line.number, 1})};
  }
  fields_.resize(count);  // what is left out at the end is empty
  if (stands_elsewhere()) {
    ++elsewhere_;
    return ok_status();
  }
  begins_.assign(count, characters_in(line.text) + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (fields_[i].data() != nullptr) {
      const auto bytes = static_cast<std::size_t>(fields_[i].data() - line.text.data());
      begins_[i] = characters_in(std::string_view(line.text).substr(0, bytes)) + 1;
    }
  }
  rows_.lines.push_back(line.number);
  rows_.columns.push_back(begins_);
  for (std::size_t i = 0; i < rows_.codes.size(); ++i) {
    const std::size_t column = rows_.codes[i].column;
    take_code(i, fields_[column], {line.number, begins_[column]});
  }
  for (OptionalNumbers* numbers : all_numbers())
    LACUNA_RETURN_IF_ERROR(take_number(*numbers));
  if (rows_.status_column)
    rows_.statuses.push_back(upper_case(fields_[*rows_.status_column]));
  return ok_status();
}

Status RowReader::read(std::string_view text) {
  for (const Line& line : lines_of(text))
    LACUNA_RETURN_IF_ERROR(read_line(line));
  if (rows_.size() == 0)
    return Error{ErrorCode::kNoRows, "the file has no cells of this table", rows_.path};
  if (elsewhere_ > 0) {
    rows_.notes.push_back(rows_.path + ": " + std::to_string(elsewhere_) +
                          " lines are below the total of a variable that does not span the table "
                          "and are left out");
  }
  return ok_status();
}

// Codes of flat variables have blanks at the left up to the longest; those of trees as they are.
Status RowReader::list(RowCodes& codes, FoundTexts& found, FileFinder& finder) {
  const Variable& variable = *codes.variable;
  LACUNA_TRY(const auto tree, find_tree(variable, metadata_.filename, finder));
  std::size_t width = tree ? tree->width : 0;
  for (std::uint32_t id = 0; id < found.texts.size(); ++id)
    width = std::max(width, characters_in(found.texts.text(id)));
  for (const std::string& code : variable.missing)
    width = std::max(width, characters_in(code));
  std::vector<FoundCode> all;
  for (std::uint32_t id = 0; id < found.texts.size(); ++id) {
    const std::string& text = found.texts.text(id);
    const bool missing =
        std::find(variable.missing.begin(), variable.missing.end(), text) != variable.missing.end();
    const bool padded = missing || !variable.has_tree();
    all.push_back({padded ? left_padded(text, width) : text, found.first_seen[id]});
  }
  LACUNA_TRY(ListedCodes listed,
             list_codes(variable, width, tree, all, CodesAllowed::kAll, rows_.path));
  for (std::int32_t& value : codes.values)
    value = value == 0 ? 0 : listed.place_of[static_cast<std::size_t>(value - 1)];
  codes.list = std::move(listed.list);
  return ok_status();
}

Result<TableRows> RowReader::finish(FileFinder& finder) {
  for (std::size_t i = 0; i < rows_.codes.size(); ++i)
    LACUNA_RETURN_IF_ERROR(list(rows_.codes[i], found_[i], finder));
  if (rows_.counts)
    rows_.response = rows_.frequency;
  // Response, shadow and contributions are compared, and stand in for each other.
  std::vector<OptionalNumbers*> alike{&*rows_.response};
  if (rows_.shadow)
    alike.push_back(&*rows_.shadow);
  for (OptionalNumbers& one : rows_.largest)
    alike.push_back(&one);
  int decimals = 0;
  for (const OptionalNumbers* one : alike)
    decimals = std::max(decimals, one->reader.decimals());
  for (OptionalNumbers* one : alike)
    LACUNA_RETURN_IF_ERROR(one->reader.at_least(decimals));
  for (OptionalNumbers* numbers : all_numbers())
    numbers->numbers = numbers->reader.take();
  return std::move(rows_);
}

}  // namespace

Error TableRows::error(std::size_t row, std::size_t column, std::string message) const {
  return {ErrorCode::kBadField,
          std::move(message),
          files::location(path, {lines[row], columns[row][column]})};
}

Result<TableRows> read_table_rows(const Metadata& metadata,
                                  const std::string& path,
                                  const SpecifyTable& spec,
                                  FileFinder& finder) {
  RowReader reader(metadata, spec, path);
  LACUNA_RETURN_IF_ERROR(reader.choose_columns());
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), path));
  LACUNA_RETURN_IF_ERROR(reader.read(text));
  return reader.finish(finder);
}

}  // namespace lacuna::argus
