// SPDX-License-Identifier: Apache-2.0
#include "app/load/change_bounds.h"

#include <algorithm>

#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "data/files/csv.h"

namespace lacuna::load {
namespace {

// Null if there is none of this name.
const Dimension* find_dimension(const Table& table, std::string_view name) {
  for (const Dimension& dimension : table.dimensions()) {
    if (dimension.name() == name)
      return &dimension;
  }
  return nullptr;
}

std::string code_of(const Table& table, CellId cell, std::string_view name) {
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    if (table.dimensions()[d].name() == name)
      return table.dimensions()[d].code(codes[d]);
  }
  return "";
}

Error unknown(const std::string& what,
              const std::string& name,
              const std::vector<std::string_view>& known,
              const std::string& where) {
  return {ErrorCode::kJobValue,
          "there is no " + what + " " + base::in_quotes(name) + base::did_you_mean(name, known),
          where};
}

}  // namespace

Result<std::optional<Decimal>> percent_of(const std::string& text, const std::string& where) {
  if (text.empty() || text == "unbounded")
    return std::optional<Decimal>();
  const auto number =
      text.ends_with('%') ? Decimal::parse(text.substr(0, text.size() - 1)) : Decimal::parse("x");
  if (!number || *number < Decimal(0))
    return Error{ErrorCode::kJobValue,
                 "change must be a percentage such as \"20%\", or \"unbounded\", not " +
                     base::in_quotes(text),
                 where};
  return std::optional<Decimal>(*number);
}

Result<ChangeBounds> ChangeBounds::make(
    const JobSpec::Changes& said,
    const std::string& where,
    const Table& table,
    const std::function<Result<std::string>(const std::string& name)>& load) {
  ChangeBounds bounds;
  LACUNA_TRY(bounds.general_, percent_of(said.change, where));
  std::vector<std::string_view> names;
  for (const Dimension& dimension : table.dimensions())
    names.push_back(dimension.name());
  for (const JobSpec::ChangeClass& each : said.classes) {
    const Dimension* dimension = find_dimension(table, each.dimension);
    if (dimension == nullptr)
      return unknown("dimension", each.dimension, names, where);
    LACUNA_TRY(const auto percent, percent_of(each.change, where));
    for (const std::string& code : each.codes) {
      if (dimension->find(code) < 0)
        return unknown("code", code, {}, where);
      bounds.classes_.push_back({each.dimension, code, percent});
    }
  }
  if (!said.change_file.empty()) {
    LACUNA_TRY(const std::string text, load(said.change_file));
    LACUNA_RETURN_IF_ERROR(bounds.read_file(text, said.change_file, table));
  }
  return bounds;
}

Status ChangeBounds::read_file(const std::string& text,
                               const std::string& name,
                               const Table& table) {
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(text, name, files::likely_separator(text)));
  std::vector<std::size_t> at;
  std::size_t numbers = file.num_columns();
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    if (find_dimension(table, file.header(c)) != nullptr) {
      columns_.emplace_back(file.header(c));
      at.push_back(c);
    } else {
      numbers = c;
    }
  }
  if (at.empty() || at.size() + 1 != file.num_columns())
    return Error{ErrorCode::kMissingColumn,
                 "a file of changes needs columns with the names of dimensions and one more with "
                 "percentages",
                 file.where_header()};
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    Key key;
    for (std::size_t i = 0; i < at.size(); ++i) {
      key.emplace_back(file.field(row, at[i]));
      if (find_dimension(table, columns_[i])->find(key.back()) < 0)
        return file.error(row, at[i], "there is no code " + base::in_quotes(key.back()));
    }
    LACUNA_TRY(const auto percent,
               percent_of(std::string(file.field(row, numbers)), file.where(row, numbers)));
    if (!lines_.emplace(std::move(key), percent).second)
      return file.error(row, at[0], "an earlier line has the same codes");
  }
  return ok_status();
}

std::optional<Decimal> ChangeBounds::of(const Table& table, CellId cell) const {
  if (!lines_.empty()) {
    Key key;
    for (const std::string& column : columns_)
      key.push_back(code_of(table, cell, column));
    if (const auto found = lines_.find(key); found != lines_.end())
      return found->second;
  }
  bool in_class = false;
  std::optional<Decimal> narrowest;
  for (const Class& each : classes_) {
    if (code_of(table, cell, each.dimension) != each.code)
      continue;
    in_class = true;
    if (each.percent && (!narrowest || *each.percent < *narrowest))
      narrowest = each.percent;
  }
  return in_class ? narrowest : general_;
}

}  // namespace lacuna::load
