// SPDX-License-Identifier: Apache-2.0
// Per leaf l and contributor i: c(l, i), the sum of w x over the records of i in l. The large step
// is this sum and the number of leaves of each contributor ("pair"); all others are small. Sums are
// 64-bit integers, whose overflow is an error in all three engines; ties are ordered by identity,
// byte by byte. Source of the scheme and of its tests: docs/scale.md.
#include "data/tabulate/aggregate_sql.h"

#include <algorithm>

#include "core/base/spelling.h"
#include "data/tabulate/aggregate_columns.h"
#include "data/tabulate/cell_facts.h"
#include "data/tabulate/roll_up.h"

namespace lacuna::tabulation {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : between) + part;
  return text;
}

std::string power_of_ten(int exponent) {
  return "1" + std::string(static_cast<std::size_t>(exponent), '0');
}

class SqlWriter {
 public:
  SqlWriter(const TabulateOptions& options, const SqlOptions& sql) : options_(options), sql_(sql) {
    for (std::size_t d = 0; d < options.dimensions.size(); ++d) {
      const std::size_t count = columns_of(options.dimensions[d]).size();
      for (std::size_t i = 0; i < count; ++i)
        codes_.push_back(code_column(d, i, count));
      cells_.push_back(cell_column(d));
    }
  }

  Result<SqlText> write() {
    SqlText text;
    add_checks(text);
    text.sums.push_back("CREATE TEMPORARY VIEW lacuna_records AS\n" + records());
    if (is_anonymous()) {
      text.sums.push_back(table("lacuna_leaf", anonymous_leaf()));
      text.sums.push_back(table("lacuna_top_leaf", anonymous_top()));
      text.results = {"leaf", "top_leaf"};
      return text;
    }
    text.sums.push_back(table("lacuna_pair", pair()));
    text.sums.push_back(table("lacuna_leaf", leaf()));
    text.sums.push_back(table("lacuna_top_leaf", top_leaf()));
    text.results = {"leaf", "top_leaf", "spread"};
    if (!sql_.plan_b) {
      text.sums.push_back("CREATE TEMPORARY VIEW lacuna_spread AS\n" + spread());
      return text;
    }
    LACUNA_TRY(const std::string above, ancestors());
    text.sums.push_back(table("lacuna_anc", above));
    text.sums.push_back(table("lacuna_sc", spread_cells()));
    text.sums.push_back(table("lacuna_celltop", celltop()));
    text.sums.push_back(table("lacuna_cellnum", cellnum()));
    text.results = {"leaf", "celltop", "cellnum"};
    return text;
  }

 private:
  bool is_anonymous() const { return options_.respondent.empty() && options_.holding.empty(); }
  std::string quoted(const std::string& text) const { return sql_text(text, sql_.dialect); }
  std::string bytes(const std::string& column) const {  // ordered byte by byte
    return sql_.dialect == SqlDialect::kPostgresql ? column + " COLLATE \"C\"" : column;
  }

  std::string text_type() const {
    switch (sql_.dialect) {
      case SqlDialect::kPostgresql:
        return "TEXT";
      case SqlDialect::kSpark:
        return "STRING";
      default:
        return "VARCHAR";
    }
  }

  // Spark keeps what is asked for again only if told so.
  std::string table(const std::string& name, const std::string& select) const {
    return (sql_.dialect == SqlDialect::kSpark ? "CACHE TABLE " : "CREATE TEMPORARY TABLE ") +
           name + " AS\n" + select;
  }

  // The text of a column; '' for a null.
  std::string text_of(const std::string& column) const {
    std::string text = "CAST(" + sql_name(column, sql_.dialect) + " AS " + text_type() + ")";
    if (sql_.booleans.contains(column))
      text = "UPPER(" + text + ")";
    if (sql_.trim)
      text = "TRIM(" + text + ")";
    return "COALESCE(" + text + ", '')";
  }

  std::string list(const std::vector<std::string>& texts) const {
    std::vector<std::string> parts;
    for (const std::string& text : texts)
      parts.push_back(quoted(text));
    return "(" + joined(parts, ", ") + ")";
  }

  // ---- records

  std::string is_missing(const DimensionSpec& spec) const {
    std::vector<std::string> missing{""};
    missing.insert(missing.end(), spec.missing.codes.begin(), spec.missing.codes.end());
    std::vector<std::string> parts;
    for (const std::string& column : columns_of(spec))
      parts.push_back(text_of(column) + " IN " + list(missing));
    return "(" + joined(parts, " OR ") + ")";
  }

  std::string number_text(const std::string& column, bool zero_if_empty) const {
    if (sql_.exact.contains(column)) {
      const std::string name = sql_name(column, sql_.dialect);
      return zero_if_empty ? "COALESCE(" + name + ", 0)" : name;
    }
    std::string text = "TRIM(" + text_of(column) + ")";
    if (options_.decimal_mark == ',')
      text = "REPLACE(" + text + ", ',', '.')";
    return zero_if_empty ? "COALESCE(NULLIF(" + text + ", ''), '0')" : "NULLIF(" + text + ", '')";
  }

  static std::string decimal(const std::string& text, int decimals) {
    return "CAST(" + text + " AS DECIMAL(18," + std::to_string(decimals) + "))";
  }
  static std::string units(const std::string& text, int decimals) {
    return "CAST(" + decimal(text, decimals) + " * " + power_of_ten(decimals) + " AS BIGINT)";
  }
  // As it is, with all the decimals that a decimal type has.
  std::string exact(const std::string& text) const {
    return "CAST(" + text +
           (sql_.dialect == SqlDialect::kPostgresql ? " AS NUMERIC)" : " AS DECIMAL(38,18))");
  }

  std::string value_text() const {
    return number_text(options_.value, options_.empty_value == EmptyValue::kZero);
  }

  std::string who() const {
    std::string who;
    if (options_.holding.empty()) {
      who = text_of(options_.respondent);
    } else {
      const std::string holding = text_of(options_.holding);
      const std::string other =
          options_.respondent.empty() ? "''" : "'R' || " + text_of(options_.respondent);
      who = "CASE WHEN " + holding + " <> '' THEN 'H' || " + holding + " ELSE " + other + " END";
    }
    return sql_.salt.empty() ? who : hash(who);
  }

  std::string hash(const std::string& who) const {
    const std::string salted = quoted(sql_.salt) + " || " + who_in_brackets(who);
    switch (sql_.dialect) {
      case SqlDialect::kPostgresql:
        return "ENCODE(SHA256(CONVERT_TO(" + salted + ", 'UTF8')), 'hex')";
      case SqlDialect::kSpark:
        return "SHA2(" + salted + ", 256)";
      default:
        return "SHA256(" + salted + ")";
    }
  }
  static std::string who_in_brackets(const std::string& who) { return "(" + who + ")"; }

  std::string flag(const std::string& column, const std::vector<std::string>& codes) const {
    if (column.empty() || codes.empty())
      return "0";
    return "CASE WHEN TRIM(" + text_of(column) + ") IN " + list(codes) + " THEN 1 ELSE 0 END";
  }

  std::string records() const {
    std::vector<std::string> columns;
    std::vector<std::string> kept;
    std::size_t next = 0;
    for (const DimensionSpec& spec : options_.dimensions) {
      for (const std::string& column : columns_of(spec)) {
        const std::string text = text_of(column);
        columns.push_back(spec.missing.policy == MissingPolicy::kCode
                              ? "CASE WHEN " + is_missing(spec) + " THEN '' ELSE " + text + " END"
                              : text);
        columns.back() += " AS " + codes_[next++];
      }
      if (spec.missing.policy == MissingPolicy::kDrop)
        kept.push_back("NOT " + is_missing(spec));
    }
    if (!is_anonymous())
      columns.push_back(who() + " AS who");
    const bool has_value = !options_.value.empty();
    const bool has_weight = !options_.weight.empty();
    columns.push_back((has_value ? units(value_text(), options_.decimals) : "CAST(1 AS BIGINT)") +
                      " AS x");
    columns.push_back((has_weight
                           ? units(number_text(options_.weight, false), options_.weight_decimals)
                           : "CAST(1 AS BIGINT)") +
                      " AS w");
    columns.push_back(flag(options_.request, options_.request_codes) + " AS req");
    columns.push_back(flag(options_.waiver, options_.waiver_codes) + " AS waive");
    if (has_value && options_.empty_value == EmptyValue::kDrop)
      kept.push_back(value_text() + " IS NOT NULL");
    return "  SELECT " + joined(columns, ",\n    ") + "\n  FROM " + source() +
           (kept.empty() ? "" : "\n  WHERE " + joined(kept, "\n    AND "));
  }

  std::string source() const { return sql_.from + " AS lacuna_source"; }

  // ---- checks

  void add_check(SqlText& text,
                 std::vector<std::string>& counts,
                 std::string trouble,
                 const std::string& condition) const {
    const std::string column = "k" + std::to_string(text.checks.size() + 1);
    counts.push_back("COALESCE(SUM(CASE WHEN " + condition + " THEN 1 ELSE 0 END), 0) AS " +
                     column);
    text.checks.push_back({std::move(trouble), column});
  }

  void add_code_checks(SqlText& text,
                       std::vector<std::string>& counts,
                       const DimensionSpec& spec) const {
    const std::string known = "NOT " + is_missing(spec);
    const std::string name = "dimension " + spec.name + ": ";
    if (spec.missing.policy == MissingPolicy::kError)
      add_check(text, counts, name + "records without a code", is_missing(spec));
    if (spec.given) {
      std::vector<std::string> leaves;
      for (std::int32_t code = 0; code < spec.given->num_codes(); ++code) {
        if (spec.given->is_leaf(code))
          leaves.push_back(spec.given->code(code));
      }
      add_check(text,
                counts,
                name + "codes that are none of the lowest level",
                known + " AND " + text_of(spec.chains.front().front()) + " NOT IN " + list(leaves));
      return;
    }
    std::vector<std::string> totals;
    for (const std::string& column : columns_of(spec))
      totals.push_back(text_of(column) + " = " + quoted(spec.total));
    add_check(text,
              counts,
              name + "codes with the name of the total",
              known + " AND (" + joined(totals, " OR ") + ")");
    if (spec.kind == DimensionSpec::Kind::kDigits) {
      int length = 0;
      for (const int digits : spec.digits)
        length += digits;
      add_check(text,
                counts,
                name + "codes of another length",
                known + " AND LENGTH(" + text_of(spec.chains.front().front()) + ") <> " +
                    std::to_string(length));
    }
  }

  void add_number_checks(SqlText& text, std::vector<std::string>& counts) const {
    if (!options_.value.empty()) {
      const std::string value = value_text();
      if (options_.empty_value == EmptyValue::kError)
        add_check(text, counts, "values that are empty", value + " IS NULL");
      if (!options_.round_values)
        add_check(text,
                  counts,
                  "values with more than " + std::to_string(options_.decimals) + " decimals",
                  exact(value) + " <> " + decimal(value, options_.decimals));
      if (!options_.allow_negative)
        add_check(text, counts, "values below zero", exact(value) + " < 0");
    }
    if (!options_.weight.empty()) {
      const std::string weight = number_text(options_.weight, false);
      add_check(text,
                counts,
                "weights that are empty or below zero",
                weight + " IS NULL OR " + exact(weight) + " < 0");
      add_check(text,
                counts,
                "weights with more than " + std::to_string(options_.weight_decimals) + " decimals",
                exact(weight) + " <> " + decimal(weight, options_.weight_decimals));
    }
  }

  void add_checks(SqlText& text) const {
    std::vector<std::string> counts;
    for (const DimensionSpec& spec : options_.dimensions)
      add_code_checks(text, counts, spec);
    add_number_checks(text, counts);
    if (!is_anonymous()) {
      std::vector<std::string> empty;
      for (const std::string& column : {options_.holding, options_.respondent}) {
        if (!column.empty())
          empty.push_back(text_of(column) + " = ''");
      }
      add_check(text, counts, "records that do not say whose they are", joined(empty, " AND "));
    }
    if (!counts.empty())
      text.check.push_back(table("lacuna_checked",
                                 "  SELECT " + joined(counts, ",\n    ") + "\n  FROM " + source()));
  }

  // ---- sums

  std::string codes() const { return joined(codes_, ", "); }

  std::string pair() const {
    const std::string from = sql_.dialect == SqlDialect::kSpark
                                 ? "(SELECT * FROM lacuna_records DISTRIBUTE BY who) r"
                                 : "lacuna_records r";
    return "  SELECT t.*, COUNT(*) OVER (PARTITION BY who) AS leaves FROM (\n"
           "    SELECT " +
           codes() +
           ", who, CAST(SUM(x * w) AS BIGINT) AS c,\n"
           "      COUNT(*) AS n, CAST(SUM(w) AS BIGINT) AS w, MAX(req) AS req, MIN(waive) AS "
           "waive\n"
           "    FROM " +
           from + " GROUP BY " + codes() + ", who) t";
  }

  std::string leaf() const {
    return "  SELECT " + codes() +
           ", CAST(SUM(c) AS BIGINT) AS value,\n"
           "    CAST(SUM(n) AS BIGINT) AS records, CAST(SUM(w) AS BIGINT) AS weight,\n"
           "    CAST(SUM(CASE WHEN leaves = 1 THEN 1 ELSE 0 END) AS BIGINT) AS settled,\n"
           "    CAST(SUM(CASE WHEN leaves = 1 THEN ABS(c) ELSE 0 END) AS BIGINT) AS settled_abs,\n"
           "    CAST(SUM(CASE WHEN leaves = 1 THEN 0 ELSE 1 END) AS BIGINT) AS spread\n"
           "  FROM lacuna_pair GROUP BY " +
           codes();
  }

  std::string top_leaf() const {
    return "  SELECT " + codes() +
           ", who, c, req, waive FROM (\n"
           "    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY " +
           codes() + " ORDER BY ABS(c) DESC, " + bytes("who") +
           ") AS rk\n"
           "    FROM lacuna_pair p WHERE leaves = 1) t WHERE rk <= " +
           std::to_string(options_.top);
  }

  std::string spread() const {
    return "  SELECT " + codes() + ", who, c, req, waive FROM lacuna_pair WHERE leaves > 1";
  }

  std::string anonymous_leaf() const {
    return "  SELECT " + codes() +
           ", CAST(SUM(x * w) AS BIGINT) AS value,\n"
           "    COUNT(*) AS records, CAST(SUM(w) AS BIGINT) AS weight,\n"
           "    COUNT(*) AS settled, CAST(SUM(ABS(x * w)) AS BIGINT) AS settled_abs,\n"
           "    0 AS spread\n"
           "  FROM lacuna_records GROUP BY " +
           codes();
  }

  std::string anonymous_top() const {
    return "  SELECT " + codes() +
           ", c, req, waive FROM (\n"
           "    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY " +
           codes() +
           " ORDER BY ABS(c) DESC, c DESC, req + 2 * (1 - waive) DESC) AS rk\n"
           "    FROM (SELECT " +
           codes() +
           ", x * w AS c, req, waive FROM lacuna_records) p) t\n"
           "  WHERE rk <= " +
           std::to_string(options_.top);
  }

  // ---- plan B

  // The column that holds the code of the lowest level.
  std::string leaf_column(std::size_t d) const {
    const DimensionSpec& spec = options_.dimensions[d];
    const std::vector<std::string> columns = columns_of(spec);
    const auto at = std::find(columns.begin(), columns.end(), spec.chains.front().back());
    return code_column(d, static_cast<std::size_t>(at - columns.begin()), columns.size());
  }

  std::string total_of(std::size_t d) const {
    const DimensionSpec& spec = options_.dimensions[d];
    return spec.given ? spec.given->code(spec.given->total()) : spec.total;
  }

  // dim, code, anc: every code of the lowest level with itself and all codes above it, distinct.
  Result<std::string> ancestors() const {
    std::vector<std::string> parts;
    for (std::size_t d = 0; d < options_.dimensions.size(); ++d)
      LACUNA_RETURN_IF_ERROR(add_ancestors(d, parts));
    return "  SELECT dim, code, anc FROM (\n    " + joined(parts, "\n    UNION ") + ") a";
  }

  Status add_ancestors(std::size_t d, std::vector<std::string>& parts) const {
    const DimensionSpec& spec = options_.dimensions[d];
    const std::string begin = "SELECT DISTINCT " + std::to_string(d + 1) + " AS dim, ";
    const std::string column = leaf_column(d);
    const auto add = [&](const std::string& anc, const std::string& where) {
      parts.push_back(begin + column + " AS code, " + anc + " AS anc FROM lacuna_leaf" + where);
    };
    if (spec.given)
      return add_given(d, begin, parts);
    const std::string known = " WHERE " + column + " <> ''";
    add(quoted(spec.total), "");
    if (spec.missing.policy == MissingPolicy::kCode)
      add(quoted(spec.missing.code), " WHERE " + column + " = ''");
    if (spec.kind == DimensionSpec::Kind::kDigits) {
      int length = 0;
      for (const int digits : spec.digits) {
        length += digits;
        add("SUBSTR(" + column + ", 1, " + std::to_string(length) + ")", known);
      }
      return ok_status();
    }
    const std::size_t count = columns_of(spec).size();
    for (std::size_t i = 0; i < count; ++i)
      add(code_column(d, i, count), known);
    return ok_status();
  }

  Status add_given(std::size_t d, const std::string& begin, std::vector<std::string>& parts) const {
    const DimensionSpec& spec = options_.dimensions[d];
    LACUNA_TRY(const auto above, codes_above(*spec.given));
    std::vector<std::string> rows;
    const auto add = [&](const std::string& text, std::int32_t code) {
      for (const std::int32_t anc : above[static_cast<std::size_t>(code)])
        rows.push_back("(" + quoted(text) + ", " + quoted(spec.given->code(anc)) + ")");
    };
    for (std::int32_t code = 0; code < spec.given->num_codes(); ++code) {
      if (spec.given->is_leaf(code))
        add(spec.given->code(code), code);
    }
    if (spec.missing.policy == MissingPolicy::kCode)
      add("", spec.given->find(spec.missing.code));
    parts.push_back(begin + "code, anc FROM (VALUES " + joined(rows, ", ") + ") AS v(code, anc)");
    return ok_status();
  }

  // "SELECT 0 AS tab, a1.anc AS c1, ..." from a table of leaves, for one table of the job.
  struct CellSelect {
    std::string columns;
    std::string joins;
    std::string groups;  // the same without names
  };
  CellSelect cells_of(std::size_t number, const LinkedTable& table) const {
    CellSelect select;
    select.columns = std::to_string(number) + " AS tab";
    for (std::size_t d = 0; d < cells_.size(); ++d) {
      const bool used = std::find(table.dimensions.begin(),
                                  table.dimensions.end(),
                                  static_cast<std::int32_t>(d)) != table.dimensions.end();
      const std::string alias = "a" + std::to_string(d + 1);
      select.columns += ", " + (used ? alias + ".anc" : quoted(total_of(d))) + " AS " + cells_[d];
      if (!used)
        continue;
      select.joins += " JOIN lacuna_anc " + alias + " ON " + alias +
                      ".dim = " + std::to_string(d + 1) + " AND " + alias + ".code = p." +
                      leaf_column(d);
      select.groups += (select.groups.empty() ? "" : ", ") + alias + ".anc";
    }
    return select;
  }

  // One select per table of the job, one below the other.
  template <class Write>
  std::string for_tables(const Write& write) const {
    std::vector<std::string> parts;
    const std::vector<LinkedTable> tables = cross_tables(options_);
    for (std::size_t t = 0; t < tables.size(); ++t)
      parts.push_back(write(cells_of(t, tables[t])));
    return joined(parts, "\n    UNION ALL\n    ");
  }

  std::string spread_cells() const {
    return "    " + for_tables([](const CellSelect& cells) {
             return "SELECT " + cells.columns +
                    ", p.who, CAST(SUM(p.c) AS BIGINT) AS c, MAX(p.req) AS req, MIN(p.waive) AS "
                    "waive\n    FROM lacuna_pair p" +
                    cells.joins + "\n    WHERE p.leaves > 1 GROUP BY " +
                    (cells.groups.empty() ? "" : cells.groups + ", ") + "p.who";
           });
  }

  std::string celltop() const {
    const std::string names = "tab, " + joined(cells_, ", ");
    return "  SELECT " + names +
           ", who, c, req, waive FROM (\n    SELECT u.*, ROW_NUMBER() OVER "
           "(PARTITION BY " +
           names + " ORDER BY ABS(c) DESC, " + bytes("who") +
           ") AS rk FROM (\n"
           "    SELECT " +
           names + ", who, c, req, waive FROM lacuna_sc\n    UNION ALL\n    " +
           for_tables([](const CellSelect& cells) {
             return "SELECT " + cells.columns +
                    ", p.who, p.c, p.req, p.waive\n"
                    "    FROM lacuna_top_leaf p" +
                    cells.joins;
           }) +
           ") u) t WHERE rk <= " + std::to_string(options_.top);
  }

  std::string cellnum() const {
    const std::string names = "tab, " + joined(cells_, ", ");
    return "  SELECT " + names +
           ", CAST(SUM(value) AS BIGINT) AS value,\n"
           "    CAST(SUM(records) AS BIGINT) AS records,\n"
           "    CAST(SUM(contributors) AS BIGINT) AS contributors,\n"
           "    CAST(SUM(absolute) AS BIGINT) AS absolute FROM (\n    " +
           for_tables([](const CellSelect& cells) {
             return "SELECT " + cells.columns +
                    ", p.value, p.records, p.settled AS contributors, "
                    "p.settled_abs AS absolute\n    FROM lacuna_leaf p" +
                    cells.joins;
           }) +
           "\n    UNION ALL\n    SELECT " + names +
           ", 0, 0, 1, ABS(c) FROM lacuna_sc) u GROUP BY " + names;
  }

  const TabulateOptions& options_;
  const SqlOptions& sql_;
  std::vector<std::string> codes_;  // columns of leaves
  std::vector<std::string> cells_;  // columns of cells
};

Error needs(std::string message, const char* where) {
  return {ErrorCode::kUnsupported, std::move(message), where};
}

std::string commented(const std::string& text) {
  std::string line = "-- " + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + "\n";
}

std::string export_of(const std::string& name, SqlDialect dialect) {
  const std::string select = "SELECT * FROM " + sql_table_of(name);
  switch (dialect) {
    case SqlDialect::kPostgresql:
      return "\\copy (" + select + ") TO '" + name + ".csv' WITH (FORMAT csv, HEADER)\n";
    case SqlDialect::kSpark:
      return "INSERT OVERWRITE DIRECTORY '" + name + "' USING parquet\n  " + select + ";\n";
    default:
      return "COPY (" + select + ") TO '" + name + ".parquet' (FORMAT PARQUET);\n";
  }
}

}  // namespace

std::string sql_table_of(const std::string& result) {
  return "lacuna_" + result;
}

std::string sql_text(const std::string& text, SqlDialect dialect) {
  std::string quoted = "'";
  for (const char c : text) {
    if (dialect == SqlDialect::kSpark && (c == '\'' || c == '\\'))
      quoted += '\\';
    else if (c == '\'')
      quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string sql_name(const std::string& name, SqlDialect dialect) {
  const char mark = dialect == SqlDialect::kSpark ? '`' : '"';
  std::string quoted(1, mark);
  for (const char c : name) {
    quoted += c;
    if (c == mark)
      quoted += c;
  }
  return quoted + mark;
}

Result<SqlText> aggregate_sql(const TabulateOptions& options, const SqlOptions& sql) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (options.keys.given())
    return needs("keys of records are read by the program itself: use engine = \"lacuna\"", "keys");
  if (!options.value.empty() && options.decimals < 0)
    return needs("a database needs the number of decimals of the values: set " +
                     base::named_key("[input]", "decimals"),
                 "");
  if (!options.weight.empty() && options.weight_decimals < 0)
    return needs("a database needs the number of decimals of the weights: set " +
                     base::named_key("[input]", "weight_decimals"),
                 "");
  const bool anonymous = options.respondent.empty() && options.holding.empty();
  if (sql.plan_b && (anonymous || options.keep_contributions))
    return needs(anonymous ? "records without respondents need no plan B: use plan A"
                           : "attackers that know all their contributions need plan A, or "
                             "[attackers] with another knowledge",
                 "");
  return SqlWriter(options, sql).write();
}

std::string sql_script(const SqlText& text, const TabulateOptions& options, const SqlOptions& sql) {
  std::string script;
  script += commented("Sums for lacuna tabulate --aggregates; sql, plan " +
                      std::string(sql.plan_b ? "B" : "A") + ", " + std::to_string(options.top) +
                      " largest contributors.");
  for (std::size_t d = 0; d < options.dimensions.size(); ++d)
    script += commented("d" + std::to_string(d + 1) + ": dimension " + options.dimensions[d].name);
  if (sql.dialect == SqlDialect::kPostgresql)
    script += "\\set ON_ERROR_STOP on\n";
  if (sql.dialect == SqlDialect::kSpark)
    script += "SET spark.sql.ansi.enabled=true;\n";
  script += "\n-- Records that must not be tabulated; a statement fails if there are any.\n";
  for (const std::string& statement : text.check)
    script += statement + ";\n";
  const std::string type = sql.dialect == SqlDialect::kPostgresql ? "TEXT"
                           : sql.dialect == SqlDialect::kSpark    ? "STRING"
                                                                  : "VARCHAR";
  for (const SqlCheck& check : text.checks)
    script += "SELECT CAST(" + sql_text(check.trouble + ": ", sql.dialect) + " || CAST(" +
              check.column + " AS " + type + ") AS INTEGER) AS trouble FROM lacuna_checked WHERE " +
              check.column + " > 0;\n";
  script += "\n-- Sums.\n";
  for (const std::string& statement : text.sums)
    script += statement + ";\n";
  script += "\n-- What leaves.\n";
  for (const std::string& name : text.results)
    script += export_of(name, sql.dialect);
  return script;
}

}  // namespace lacuna::tabulation
