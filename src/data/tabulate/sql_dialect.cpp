// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/sql_dialect.h"

#include <array>

namespace lacuna::tabulation {
namespace {

// In the order of SqlDialect.
constexpr std::array<DialectWords, 3> kWords{{
    {
        .text_type = "VARCHAR",
        .exact_type = "DECIMAL(38,18)",
        .keep_table = "CREATE TEMPORARY TABLE",
        .records_by_who = "lacuna_records",
        .who_by_bytes = "who",
        .sha256 = "SHA256({text})",
        .begin_script = "",
        .save = "COPY (SELECT * FROM {table}) TO '{name}.parquet' (FORMAT PARQUET);\n",
        .name_quote = '"',
        .escaped = "'",
        .escape = '\'',
    },
    {
        .text_type = "TEXT",
        .exact_type = "NUMERIC",
        .keep_table = "CREATE TEMPORARY TABLE",
        .records_by_who = "lacuna_records",
        .who_by_bytes = "who COLLATE \"C\"",  // the default follows the locale of the server
        .sha256 = "ENCODE(SHA256(CONVERT_TO({text}, 'UTF8')), 'hex')",
        .begin_script = "\\set ON_ERROR_STOP on\n",
        .save = "\\copy (SELECT * FROM {table}) TO '{name}.csv' WITH (FORMAT csv, HEADER)\n",
        .name_quote = '"',
        .escaped = "'",
        .escape = '\'',
    },
    {
        .text_type = "STRING",
        .exact_type = "DECIMAL(38,18)",
        .keep_table = "CACHE TABLE",  // Spark keeps what is asked for again only if told so
        .records_by_who = "(SELECT * FROM lacuna_records DISTRIBUTE BY who)",
        .who_by_bytes = "who",
        .sha256 = "SHA2({text}, 256)",
        .begin_script = "SET spark.sql.ansi.enabled=true;\n",  // or overflow would go unnoticed
        .save = "INSERT OVERWRITE DIRECTORY '{name}' USING parquet\n  SELECT * FROM {table};\n",
        .name_quote = '`',
        .escaped = "'\\",
        .escape = '\\',
    },
}};

}  // namespace

const DialectWords& words_of(SqlDialect dialect) {
  return kWords[static_cast<std::size_t>(dialect)];
}

std::string sql_text(const std::string& text, SqlDialect dialect) {
  const DialectWords& words = words_of(dialect);
  std::string quoted = "'";
  for (const char c : text) {
    if (words.escaped.find(c) != std::string_view::npos)
      quoted += words.escape;
    quoted += c;
  }
  return quoted + "'";
}

std::string sql_name(const std::string& name, SqlDialect dialect) {
  const char mark = words_of(dialect).name_quote;
  std::string quoted(1, mark);
  for (const char c : name) {
    quoted += c;
    if (c == mark)
      quoted += c;
  }
  return quoted + mark;
}

}  // namespace lacuna::tabulation
