// SPDX-License-Identifier: Apache-2.0
// Per leaf l and contributor i: c(l, i), the sum of w x over the records of i in l. The large step
// is this sum and the number of leaves of each contributor ("pair"); all others are small. Sums are
// 64-bit integers, whose overflow is an error in all three engines; ties are ordered by identity,
// byte by byte. Source of the scheme and of its tests: docs/scale.md. The statements stand in
// aggregate_templates.h; here their holes are filled.
#include "data/tabulate/aggregate_sql.h"

#include <algorithm>

#include "core/base/spelling.h"
#include "data/tabulate/aggregate_columns.h"
#include "data/tabulate/aggregate_templates.h"
#include "data/tabulate/cell_facts.h"
#include "data/tabulate/record_sql.h"
#include "data/tabulate/roll_up.h"
#include "data/tabulate/sql_template.h"

namespace lacuna::tabulation {
namespace {

// Columns of leaves: d1, d2_1, d2_2, ...
std::vector<std::string> code_columns(const TabulateOptions& options) {
  std::vector<std::string> columns;
  for (std::size_t d = 0; d < options.dimensions.size(); ++d) {
    const std::size_t count = columns_of(options.dimensions[d]).size();
    for (std::size_t i = 0; i < count; ++i)
      columns.push_back(code_column(d, i, count));
  }
  return columns;
}

// Columns of cells: tab, c1, c2, ...
std::vector<std::string> cell_columns(const TabulateOptions& options) {
  std::vector<std::string> columns{"tab"};
  for (std::size_t d = 0; d < options.dimensions.size(); ++d)
    columns.push_back(cell_column(d));
  return columns;
}

// The holes that all statements share.
SqlHoles shared_holes(const TabulateOptions& options, const SqlOptions& sql) {
  const DialectWords& words = words_of(sql.dialect);
  return {{"codes", joined(code_columns(options), ", ")},
          {"cells", joined(cell_columns(options), ", ")},
          {"from", sql.from},
          {"top", std::to_string(options.top)},
          {"keep_table", std::string(words.keep_table)},
          {"records_by_who", std::string(words.records_by_who)},
          {"who_by_bytes", std::string(words.who_by_bytes)}};
}

std::string records_sql(const RecordSql& record,
                        const TabulateOptions& options,
                        const SqlHoles& shared) {
  const std::vector<std::string> kept = record.kept();
  return filled(kRecordsSql,
                {{"columns", joined(record.columns(code_columns(options)), ",\n    ")},
                 {"where", kept.empty() ? "" : "\n  WHERE " + joined(kept, "\n    AND ")}},
                shared);
}

void add_checks(const RecordSql& record, const SqlHoles& shared, SqlText& text) {
  std::vector<std::string> counts;
  for (const RecordSql::Trouble& trouble : record.troubles()) {
    const std::string column = "k" + std::to_string(counts.size() + 1);
    counts.push_back(filled(kCountSql, {{"condition", trouble.condition}, {"column", column}}));
    text.checks.push_back({trouble.text, column});
  }
  if (!counts.empty())
    text.check.push_back(filled(kCheckedSql, {{"counts", joined(counts, ",\n    ")}}, shared));
}

// ---- plan B

// The column that holds the code of the lowest level.
std::string leaf_column(const DimensionSpec& spec, std::size_t d) {
  const std::vector<std::string> columns = columns_of(spec);
  const auto at = std::find(columns.begin(), columns.end(), spec.chains.front().back());
  return code_column(d, static_cast<std::size_t>(at - columns.begin()), columns.size());
}

// Codes that the job lists: each leaf with all above it.
Result<std::string> given_ancestors(const DimensionSpec& spec, std::size_t d, SqlDialect dialect) {
  LACUNA_TRY(const auto above, codes_above(*spec.given));
  std::vector<std::string> rows;
  const auto add = [&](const std::string& text, std::int32_t code) {
    for (const std::int32_t anc : above[static_cast<std::size_t>(code)])
      rows.push_back(filled(
          "({code}, {anc})",
          {{"code", sql_text(text, dialect)}, {"anc", sql_text(spec.given->code(anc), dialect)}}));
  };
  for (std::int32_t code = 0; code < spec.given->num_codes(); ++code) {
    if (spec.given->is_leaf(code))
      add(spec.given->code(code), code);
  }
  if (spec.missing.policy == MissingPolicy::kCode)
    add("", spec.given->find(spec.missing.code));
  return filled(kGivenAncestorsSql, {{"dim", std::to_string(d + 1)}, {"rows", joined(rows, ", ")}});
}

// Codes that the records show: the total, the code of what is missing, and a code per level.
std::vector<std::string> seen_ancestors(const DimensionSpec& spec,
                                        std::size_t d,
                                        SqlDialect dialect) {
  const std::string leaf = leaf_column(spec, d);
  std::vector<std::string> selects;
  const auto add = [&](const std::string& anc, const std::string& where) {
    selects.push_back(
        filled(kAncestorOfLeavesSql,
               {{"dim", std::to_string(d + 1)}, {"leaf", leaf}, {"anc", anc}, {"where", where}}));
  };
  const std::string is_known = " WHERE " + leaf + " <> ''";
  add(sql_text(spec.total, dialect), "");
  if (spec.missing.policy == MissingPolicy::kCode)
    add(sql_text(spec.missing.code, dialect), " WHERE " + leaf + " = ''");
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    int length = 0;
    for (const int digits : spec.digits) {
      length += digits;
      add(filled("SUBSTR({leaf}, 1, {length})",
                 {{"leaf", leaf}, {"length", std::to_string(length)}}),
          is_known);
    }
    return selects;
  }
  const std::size_t count = columns_of(spec).size();
  for (std::size_t i = 0; i < count; ++i)
    add(code_column(d, i, count), is_known);
  return selects;
}

Result<std::string> ancestors_sql(const TabulateOptions& options,
                                  SqlDialect dialect,
                                  const SqlHoles& shared) {
  std::vector<std::string> selects;
  for (std::size_t d = 0; d < options.dimensions.size(); ++d) {
    const DimensionSpec& spec = options.dimensions[d];
    if (spec.given) {
      LACUNA_TRY(std::string select, given_ancestors(spec, d, dialect));
      selects.push_back(std::move(select));
      continue;
    }
    for (std::string& select : seen_ancestors(spec, d, dialect))
      selects.push_back(std::move(select));
  }
  return filled(kAncestorsSql, {{"ancestors", joined(selects, "\n    UNION ")}}, shared);
}

// {cell}, {joins} and {groups} for one table of the job.
SqlHoles holes_of(const LinkedTable& table,
                  std::size_t number,
                  const TabulateOptions& options,
                  SqlDialect dialect) {
  std::string cell = std::to_string(number) + " AS tab";
  std::string joins;
  std::string groups;
  for (std::size_t d = 0; d < options.dimensions.size(); ++d) {
    const DimensionSpec& spec = options.dimensions[d];
    const bool is_used =
        std::find(table.dimensions.begin(), table.dimensions.end(), static_cast<std::int32_t>(d)) !=
        table.dimensions.end();
    const std::string dim = std::to_string(d + 1);
    const std::string alias = "a" + dim;
    const std::string total = spec.given ? spec.given->code(spec.given->total()) : spec.total;
    cell += ", " + (is_used ? alias + ".anc" : sql_text(total, dialect)) + " AS " + cell_column(d);
    if (!is_used)
      continue;
    joins += filled(kJoinSql, {{"alias", alias}, {"dim", dim}, {"leaf", leaf_column(spec, d)}});
    groups += alias + ".anc, ";
  }
  return {{"cell", cell}, {"joins", joins}, {"groups", groups}};
}

// The statement, with a select for every table of the job.
std::string for_tables(std::string_view statement,
                       std::string_view select,
                       const std::vector<SqlHoles>& tables,
                       const SqlHoles& shared) {
  std::vector<std::string> selects;
  for (const SqlHoles& table : tables)
    selects.push_back(filled(select, table));
  return filled(statement, {{"tables", joined(selects, "\n    UNION ALL\n    ")}}, shared);
}

Status add_cells(const TabulateOptions& options,
                 SqlDialect dialect,
                 const SqlHoles& shared,
                 SqlText& text) {
  LACUNA_TRY(std::string ancestors, ancestors_sql(options, dialect, shared));
  std::vector<SqlHoles> tables;
  for (const LinkedTable& table : cross_tables(options))
    tables.push_back(holes_of(table, tables.size(), options, dialect));
  text.sums.push_back(std::move(ancestors));
  text.sums.push_back(for_tables(kSpreadCellsSql, kSpreadCellsOfTableSql, tables, shared));
  text.sums.push_back(for_tables(kCelltopSql, kCelltopOfTableSql, tables, shared));
  text.sums.push_back(for_tables(kCellnumSql, kCellnumOfTableSql, tables, shared));
  return ok_status();
}

Error needs(std::string message, const char* where) {
  return {ErrorCode::kUnsupported, std::move(message), where};
}

Status check_possible(const TabulateOptions& options, const SqlOptions& sql) {
  if (options.keys.given())
    return needs("keys of records are read by the program itself: use engine = \"lacuna\"", "keys");
  LACUNA_RETURN_IF_ERROR(check_by_database(options));
  if (!options.value.empty() && options.decimals < 0)
    return needs("a database needs the number of decimals of the values: set " +
                     base::named_key("[input]", "decimals"),
                 "");
  if (!options.weight.empty() && options.weight_decimals < 0)
    return needs("a database needs the number of decimals of the weights: set " +
                     base::named_key("[input]", "weight_decimals"),
                 "");
  if (sql.plan_b && (is_anonymous(options) || options.keep_contributions))
    return needs(is_anonymous(options)
                     ? "records without respondents need no plan B: use plan A"
                     : "attackers that know all their contributions need plan A, or "
                       "[attackers] with another knowledge",
                 "");
  return ok_status();
}

std::string comment(const std::string& text) {
  std::string line = "-- " + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + "\n";
}

std::string terminated(const std::vector<std::string>& statements) {
  std::string text;
  for (const std::string& statement : statements)
    text += statement + ";\n";
  return text;
}

}  // namespace

Status check_by_database(const TabulateOptions& options) {
  const auto by_program = [](const std::string& key) {
    return needs(key + " is what the program itself does: use engine = \"lacuna\"", "");
  };
  if (!options.unique.empty())
    return by_program(base::named_key("[input]", "unique"));
  if (options.missing_respondent != RespondentPolicy::kError)
    return by_program(base::named_key("[columns]", "missing_respondent"));
  for (const DimensionSpec& spec : options.dimensions) {
    if (spec.unknown != UnknownPolicy::kError)
      return by_program(base::named_key("[[dimension]]", "unknown"));
    if (spec.longer == LongerPolicy::kCut)
      return by_program(base::named_key("[[dimension]]", "longer"));
  }
  return ok_status();
}

bool is_anonymous(const TabulateOptions& options) {
  return options.respondent.empty() && options.holding.empty();
}

std::string sql_table_of(const std::string& result) {
  return "lacuna_" + result;
}

Result<SqlText> aggregate_sql(const TabulateOptions& options, const SqlOptions& sql) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  LACUNA_RETURN_IF_ERROR(check_possible(options, sql));
  const SqlHoles shared = shared_holes(options, sql);
  const RecordSql record(options, sql);
  SqlText text;
  add_checks(record, shared, text);
  text.sums.push_back(records_sql(record, options, shared));
  if (is_anonymous(options)) {
    text.sums.push_back(filled(kAnonymousLeafSql, shared));
    text.sums.push_back(
        filled(kAnonymousTopSql, {{"largest_first", std::string(kLargestFirstSql)}}, shared));
    text.results = {"leaf", "top_leaf"};
    return text;
  }
  for (const std::string_view statement : {kPairSql, kLeafSql, kTopLeafSql})
    text.sums.push_back(filled(statement, shared));
  if (sql.plan_b) {
    LACUNA_RETURN_IF_ERROR(add_cells(options, sql.dialect, shared, text));
    text.results = {"leaf", "celltop", "cellnum"};
  } else {
    text.sums.push_back(filled(kSpreadSql, shared));
    text.results = {"leaf", "top_leaf", "spread"};
  }
  return text;
}

std::string sql_script(const SqlText& text, const TabulateOptions& options, const SqlOptions& sql) {
  const DialectWords& words = words_of(sql.dialect);
  std::string dimensions;
  for (std::size_t d = 0; d < options.dimensions.size(); ++d)
    dimensions +=
        comment("d" + std::to_string(d + 1) + ": dimension " + options.dimensions[d].name);
  std::string checks = terminated(text.check);
  for (const SqlCheck& check : text.checks)
    checks += filled(kFailSql,
                     {{"trouble", sql_text(check.trouble + ": ", sql.dialect)},
                      {"column", check.column},
                      {"text_type", std::string(words.text_type)}});
  std::string saves;
  for (const std::string& name : text.results)
    saves += filled(words.save, {{"table", sql_table_of(name)}, {"name", name}});
  return filled(kScriptSql,
                {{"plan", sql.plan_b ? "B" : "A"},
                 {"top", std::to_string(options.top)},
                 {"dimensions", dimensions},
                 {"begin_script", std::string(words.begin_script)},
                 {"checks", checks},
                 {"sums", terminated(text.sums)},
                 {"saves", saves}});
}

}  // namespace lacuna::tabulation
