// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>

#include "lacuna/table.h"
#include "lacuna/tabulate_options.h"

namespace lacuna {
namespace {

constexpr int kMaxTop = 100;

Error bad_option(std::string message, std::string where) {
  return {ErrorCode::kOptionValue, std::move(message), std::move(where)};
}

Status check_chains(const DimensionSpec& spec, const std::string& where) {
  if (spec.chains.empty())
    return bad_option("the dimension has no column", where);
  for (const auto& chain : spec.chains) {
    const bool named = std::none_of(
        chain.begin(), chain.end(), [](const std::string& column) { return column.empty(); });
    if (chain.empty() || !named)
      return bad_option("the dimension has a column without a name", where);
    if (chain.back() != spec.chains.front().back())
      return bad_option("the hierarchies end in different columns", where);
  }
  const bool one_column = spec.chains.size() == 1 && spec.chains.front().size() == 1;
  if (spec.kind != DimensionSpec::Kind::kNested && !one_column)
    return bad_option("only a nested dimension may have several columns", where);
  return ok_status();
}

Status check_missing(const DimensionSpec& spec, const std::string& where) {
  const MissingOptions& missing = spec.missing;
  if (missing.policy != MissingPolicy::kCode)
    return ok_status();
  if (missing.code.empty())
    return bad_option("records without a code need a code of their own", where);
  if (!spec.given)
    return ok_status();
  const std::int32_t code = spec.given->find(missing.code);
  if (code < 0 || !spec.given->is_leaf(code)) {
    return bad_option(
        "the code '" + missing.code + "' for records without a code is not a leaf of the dimension",
        where);
  }
  return ok_status();
}

Status check_dimension(const DimensionSpec& spec) {
  const std::string where = "dimension " + spec.name;
  if (spec.name.empty())
    return bad_option("a dimension has no name", "");
  LACUNA_RETURN_IF_ERROR(check_chains(spec, where));
  if (spec.given.has_value() != (spec.kind == DimensionSpec::Kind::kGiven))
    return bad_option("a dimension has codes in advance exactly if it is a given one", where);
  if (!spec.given && spec.total.empty())
    return bad_option("the total has no name", where);
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    const auto bad = [](int digits) { return digits < 1; };
    if (spec.digits.empty() || std::any_of(spec.digits.begin(), spec.digits.end(), bad))
      return bad_option("every level needs at least one digit", where);
  }
  return check_missing(spec, where);
}

Status check_tables(const TabulateOptions& options, const std::set<std::string>& names) {
  std::set<std::string> used;
  for (const TableSpec& table : options.tables) {
    std::set<std::string> own;
    for (const std::string& name : table.dimensions) {
      if (!names.contains(name))
        return bad_option("there is no dimension '" + name + "'", "table " + table.name);
      if (!own.insert(name).second)
        return bad_option("dimension '" + name + "' stands twice", "table " + table.name);
      used.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (!options.tables.empty() && !used.contains(name))
      return bad_option("no table uses the dimension", "dimension " + name);
  }
  return ok_status();
}

Status check_numbers(const TabulateOptions& options) {
  constexpr int kMost = TableBuilder::kMaxDecimals;
  if (options.decimals < -1 || options.decimals > kMost)
    return bad_option("the number of decimals must be from 0 to 18", "decimals");
  if (options.weight_decimals < -1 || options.weight_decimals > kMost)
    return bad_option("the number of decimals must be from 0 to 18", "weight-decimals");
  if (options.round_values && options.decimals < 0)
    return bad_option("rounding needs a number of decimals", "round-values");
  if (options.decimal_mark != '.' && options.decimal_mark != ',')
    return bad_option("the decimal mark must be a point or a comma", "decimal-mark");
  if (options.top < 0 || options.top > kMaxTop)
    return bad_option("the number of largest contributions must be from 0 to 100", "top");
  return ok_status();
}

DimensionSpec plain(std::string name, std::string column, DimensionSpec::Kind kind) {
  DimensionSpec spec;
  spec.name = std::move(name);
  spec.kind = kind;
  spec.chains = {{std::move(column)}};
  return spec;
}

}  // namespace

Status TabulateOptions::validate() const {
  if (dimensions.empty())
    return bad_option("a table needs at least one dimension", "dimensions");
  std::set<std::string> names;
  for (const DimensionSpec& spec : dimensions) {
    LACUNA_RETURN_IF_ERROR(check_dimension(spec));
    if (!names.insert(spec.name).second)
      return bad_option("two dimensions have this name", "dimension " + spec.name);
  }
  LACUNA_RETURN_IF_ERROR(check_tables(*this, names));
  LACUNA_RETURN_IF_ERROR(keys.validate());
  if (std::any_of(unique.begin(), unique.end(), [](const auto& name) { return name.empty(); }))
    return bad_option("a column that tells records apart has no name", "unique");
  if (duplicates != DuplicatePolicy::kError && unique.empty())
    return bad_option("name the columns that tell records apart", "unique");
  return check_numbers(*this);
}

DimensionSpec given_dimension(Dimension dimension, std::string column) {
  DimensionSpec spec = plain(dimension.name(), std::move(column), DimensionSpec::Kind::kGiven);
  spec.given = std::move(dimension);
  return spec;
}

DimensionSpec flat_dimension(std::string name, std::string column) {
  return plain(std::move(name), std::move(column), DimensionSpec::Kind::kFlat);
}

DimensionSpec digit_dimension(std::string name, std::string column, std::vector<int> digits) {
  DimensionSpec spec = plain(std::move(name), std::move(column), DimensionSpec::Kind::kDigits);
  spec.digits = std::move(digits);
  return spec;
}

DimensionSpec nested_dimension(std::string name, std::vector<std::vector<std::string>> chains) {
  DimensionSpec spec;
  spec.name = std::move(name);
  spec.kind = DimensionSpec::Kind::kNested;
  spec.chains = std::move(chains);
  return spec;
}

}  // namespace lacuna
