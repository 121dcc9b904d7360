// SPDX-License-Identifier: Apache-2.0
// In what DuckDB, PostgreSQL and Spark differ, as far as the sums of a tabulation need it: one
// table of words and pieces of SQL. Everything else is the same text for all three. Sources: the
// manuals of DuckDB 1.4 (CREATE TABLE, COPY), PostgreSQL 17 (psql, collations) and Spark 3.5 (CACHE
// TABLE, DISTRIBUTE BY, ANSI mode).
#pragma once

#include <string>
#include <string_view>

namespace lacuna::tabulation {

enum class SqlDialect { kDuckdb, kPostgresql, kSpark };

struct DialectWords {
  std::string_view text_type;
  std::string_view exact_type;      // of a number with all the decimals that it has
  std::string_view keep_table;      // what stands before the name of a table that is kept
  std::string_view records_by_who;  // all records, those of one contributor together
  std::string_view who_by_bytes;    // the contributor, to be ordered byte by byte
  std::string_view sha256;          // of {text}, in hexadecimal digits
  std::string_view begin_script;
  std::string_view save;     // writes {table} to a file or folder {name}
  char name_quote;           // stands around a name, and twice within
  std::string_view escaped;  // characters of a text before which `escape` is put
  char escape;
};

const DialectWords& words_of(SqlDialect dialect);

// 'text' and "name" as the dialect writes them.
std::string sql_text(const std::string& text, SqlDialect dialect);
std::string sql_name(const std::string& name, SqlDialect dialect);

}  // namespace lacuna::tabulation
