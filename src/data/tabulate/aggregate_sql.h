// SPDX-License-Identifier: Apache-2.0
// The SQL text that makes the sums of lacuna/aggregates.h where the records are: one text for
// DuckDB, PostgreSQL and Spark, which differ in what sql_dialect.h says. tests/data/sql/ has
// examples.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "data/tabulate/sql_dialect.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

struct SqlOptions {
  SqlDialect dialect = SqlDialect::kDuckdb;
  std::string from;     // what stands after FROM: a table, a query in brackets, a function
  bool plan_b = false;  // cells in the engine, for many spread contributors
  bool trim = false;    // blanks at the ends of fields are no part of them
  std::string salt;     // identities leave as SHA-256 of salt and identity; empty: as they are
  std::set<std::string> exact;     // columns known to hold whole numbers or decimals
  std::set<std::string> booleans;  // columns known to hold truths, whose texts are TRUE and FALSE
};

struct SqlCheck {
  std::string trouble;  // what is wrong with records that meet it
  std::string column;   // of lacuna_checked, which counts them
};

struct SqlText {
  std::vector<std::string> check;  // statements that make lacuna_checked, one row of counts
  std::vector<SqlCheck> checks;
  std::vector<std::string> sums;     // statements that make all tables of sums
  std::vector<std::string> results;  // names of sums that leave: leaf, top_leaf, ...
};

// What a job says of its records that no database does. Errors name the key.
Status check_by_database(const TabulateOptions& options);

// Whether records do not say whose they are.
bool is_anonymous(const TabulateOptions& options);

// The table in which the sums of a name stand.
std::string sql_table_of(const std::string& result);

// Errors: what an engine cannot do (keys of records, open decimals).
Result<SqlText> aggregate_sql(const TabulateOptions& options, const SqlOptions& sql);

// The whole as a script for the engine's own shell: stops where a check fails, and writes the files
// that tabulate --aggregates takes.
std::string sql_script(const SqlText& text, const TabulateOptions& options, const SqlOptions& sql);

}  // namespace lacuna::tabulation
