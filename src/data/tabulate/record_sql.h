// SPDX-License-Identifier: Apache-2.0
// What a column of a record says, as SQL: its text, the number in it, whose record it is. And what
// must not be in a record.
#pragma once

#include <string>
#include <vector>

#include "data/tabulate/aggregate_sql.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

class RecordSql {
 public:
  RecordSql(const TabulateOptions& options, const SqlOptions& sql)
      : options_(options), sql_(sql), words_(words_of(sql.dialect)) {}

  // The column `code_columns` (one per column of the dimensions), who, x, w, req and waive.
  std::vector<std::string> columns(const std::vector<std::string>& code_columns) const;
  // Conditions of the records that are tabulated; empty: all are.
  std::vector<std::string> kept() const;

  struct Trouble {
    std::string text;
    std::string condition;  // that records with it meet
  };
  std::vector<Trouble> troubles() const;

 private:
  std::string text_of(const std::string& column) const;  // '' for a null
  std::string list(const std::vector<std::string>& texts) const;
  std::string is_missing(const DimensionSpec& spec) const;
  std::string number_text(const std::string& column, bool zero_if_empty) const;
  std::string value_text() const;
  std::string weight_text() const { return number_text(options_.weight, false); }
  std::string exact(const std::string& number) const;
  std::string who() const;
  std::string flag(const std::string& column, const std::vector<std::string>& codes) const;
  void add_code_troubles(const DimensionSpec& spec, std::vector<Trouble>& troubles) const;
  void add_number_troubles(std::vector<Trouble>& troubles) const;

  const TabulateOptions& options_;
  const SqlOptions& sql_;
  const DialectWords& words_;
};

}  // namespace lacuna::tabulation
