// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/record_sql.h"

#include <numeric>

#include "data/tabulate/aggregate_columns.h"
#include "data/tabulate/sql_template.h"

namespace lacuna::tabulation {
namespace {

std::string decimal(const std::string& number, int decimals) {
  return filled("CAST({number} AS DECIMAL(18,{decimals}))",
                {{"number", number}, {"decimals", std::to_string(decimals)}});
}

// A number times ten to the power of its decimals, as an integer.
std::string units(const std::string& number, int decimals) {
  const std::string scale = "1" + std::string(static_cast<std::size_t>(decimals), '0');
  return filled("CAST({decimal} * {scale} AS BIGINT)",
                {{"decimal", decimal(number, decimals)}, {"scale", scale}});
}

}  // namespace

std::string RecordSql::text_of(const std::string& column) const {
  std::string text =
      filled("CAST({name} AS {type})",
             {{"name", sql_name(column, sql_.dialect)}, {"type", std::string(words_.text_type)}});
  if (sql_.booleans.contains(column))
    text = filled("UPPER({text})", {{"text", text}});
  if (sql_.trim)
    text = filled("TRIM({text})", {{"text", text}});
  return filled("COALESCE({text}, '')", {{"text", text}});
}

std::string RecordSql::list(const std::vector<std::string>& texts) const {
  std::vector<std::string> parts;
  for (const std::string& text : texts)
    parts.push_back(sql_text(text, sql_.dialect));
  return "(" + joined(parts, ", ") + ")";
}

std::string RecordSql::is_missing(const DimensionSpec& spec) const {
  std::vector<std::string> missing{""};
  missing.insert(missing.end(), spec.missing.codes.begin(), spec.missing.codes.end());
  std::vector<std::string> parts;
  for (const std::string& column : columns_of(spec))
    parts.push_back(text_of(column) + " IN " + list(missing));
  return "(" + joined(parts, " OR ") + ")";
}

std::string RecordSql::number_text(const std::string& column, bool zero_if_empty) const {
  if (sql_.exact.contains(column)) {
    const std::string name = sql_name(column, sql_.dialect);
    return zero_if_empty ? filled("COALESCE({name}, 0)", {{"name", name}}) : name;
  }
  std::string text = filled("TRIM({text})", {{"text", text_of(column)}});
  if (options_.decimal_mark == ',')
    text = filled("REPLACE({text}, ',', '.')", {{"text", text}});
  return filled(zero_if_empty ? "COALESCE(NULLIF({text}, ''), '0')" : "NULLIF({text}, '')",
                {{"text", text}});
}

std::string RecordSql::value_text() const {
  return number_text(options_.value, options_.empty_value == EmptyValue::kZero);
}

// As it is, with all the decimals that a decimal type has.
std::string RecordSql::exact(const std::string& number) const {
  return filled("CAST({number} AS {type})",
                {{"number", number}, {"type", std::string(words_.exact_type)}});
}

// The holding if there is one, else the respondent; marked, so that no two of them are the same.
std::string RecordSql::who() const {
  std::string who;
  if (options_.holding.empty()) {
    who = text_of(options_.respondent);
  } else {
    const std::string other =
        options_.respondent.empty() ? "''" : "'R' || " + text_of(options_.respondent);
    who = filled("CASE WHEN {holding} <> '' THEN 'H' || {holding} ELSE {other} END",
                 {{"holding", text_of(options_.holding)}, {"other", other}});
  }
  if (sql_.salt.empty())
    return who;
  const std::string salted =
      filled("{salt} || ({who})", {{"salt", sql_text(sql_.salt, sql_.dialect)}, {"who", who}});
  return filled(words_.sha256, {{"text", salted}});
}

std::string RecordSql::flag(const std::string& column,
                            const std::vector<std::string>& codes) const {
  if (column.empty() || codes.empty())
    return "0";
  return filled("CASE WHEN TRIM({text}) IN {codes} THEN 1 ELSE 0 END",
                {{"text", text_of(column)}, {"codes", list(codes)}});
}

std::vector<std::string> RecordSql::columns(const std::vector<std::string>& code_columns) const {
  std::vector<std::string> columns;
  for (const DimensionSpec& spec : options_.dimensions) {
    for (const std::string& column : columns_of(spec)) {
      std::string text = text_of(column);
      if (spec.missing.policy == MissingPolicy::kCode)
        text = filled("CASE WHEN {missing} THEN '' ELSE {text} END",
                      {{"missing", is_missing(spec)}, {"text", text}});
      columns.push_back(text + " AS " + code_columns[columns.size()]);
    }
  }
  if (!is_anonymous(options_))
    columns.push_back(who() + " AS who");
  const std::string one = "CAST(1 AS BIGINT)";
  columns.push_back((options_.value.empty() ? one : units(value_text(), options_.decimals)) +
                    " AS x");
  columns.push_back(
      (options_.weight.empty() ? one : units(weight_text(), options_.weight_decimals)) + " AS w");
  columns.push_back(flag(options_.request, options_.request_codes) + " AS req");
  columns.push_back(flag(options_.waiver, options_.waiver_codes) + " AS waive");
  return columns;
}

std::vector<std::string> RecordSql::kept() const {
  std::vector<std::string> kept;
  for (const DimensionSpec& spec : options_.dimensions) {
    if (spec.missing.policy == MissingPolicy::kDrop)
      kept.push_back("NOT " + is_missing(spec));
  }
  if (!options_.value.empty() && options_.empty_value == EmptyValue::kDrop)
    kept.push_back(value_text() + " IS NOT NULL");
  return kept;
}

void RecordSql::add_code_troubles(const DimensionSpec& spec, std::vector<Trouble>& troubles) const {
  const std::string name = "dimension " + spec.name + ": ";
  const std::string known = "NOT " + is_missing(spec);
  const std::string first = text_of(spec.chains.front().front());
  if (spec.missing.policy == MissingPolicy::kError)
    troubles.push_back({name + "records without a code", is_missing(spec)});
  if (spec.given) {
    std::vector<std::string> leaves;
    for (std::int32_t code = 0; code < spec.given->num_codes(); ++code) {
      if (spec.given->is_leaf(code))
        leaves.push_back(spec.given->code(code));
    }
    troubles.push_back({name + "codes that are not of the lowest level",
                        filled("{known} AND {text} NOT IN {leaves}",
                               {{"known", known}, {"text", first}, {"leaves", list(leaves)}})});
    return;
  }
  std::vector<std::string> totals;
  for (const std::string& column : columns_of(spec))
    totals.push_back(text_of(column) + " = " + sql_text(spec.total, sql_.dialect));
  troubles.push_back(
      {name + "codes with the name of the total",
       filled("{known} AND ({totals})", {{"known", known}, {"totals", joined(totals, " OR ")}})});
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    const int length = std::accumulate(spec.digits.begin(), spec.digits.end(), 0);
    troubles.push_back(
        {name + "codes of another length",
         filled("{known} AND LENGTH({text}) <> {length}",
                {{"known", known}, {"text", first}, {"length", std::to_string(length)}})});
  }
}

void RecordSql::add_number_troubles(std::vector<Trouble>& troubles) const {
  const auto add_decimals = [&](const char* what, const std::string& number, int decimals) {
    troubles.push_back(
        {std::string(what) + " with more than " + std::to_string(decimals) + " decimals",
         exact(number) + " <> " + decimal(number, decimals)});
  };
  if (!options_.value.empty()) {
    const std::string value = value_text();
    if (options_.empty_value == EmptyValue::kError)
      troubles.push_back({"values that are empty", value + " IS NULL"});
    if (!options_.round_values)
      add_decimals("values", value, options_.decimals);
    if (!options_.allow_negative)
      troubles.push_back({"values below zero", exact(value) + " < 0"});
  }
  if (!options_.weight.empty()) {
    const std::string weight = weight_text();
    troubles.push_back({"weights that are empty or below zero",
                        filled("{weight} IS NULL OR {exact} < 0",
                               {{"weight", weight}, {"exact", exact(weight)}})});
    add_decimals("weights", weight, options_.weight_decimals);
  }
}

std::vector<RecordSql::Trouble> RecordSql::troubles() const {
  std::vector<Trouble> troubles;
  for (const DimensionSpec& spec : options_.dimensions)
    add_code_troubles(spec, troubles);
  add_number_troubles(troubles);
  if (is_anonymous(options_))
    return troubles;
  std::vector<std::string> empty;
  for (const std::string& column : {options_.holding, options_.respondent}) {
    if (!column.empty())
      empty.push_back(text_of(column) + " = ''");
  }
  troubles.push_back({"records without a respondent", joined(empty, " AND ")});
  return troubles;
}

}  // namespace lacuna::tabulation
