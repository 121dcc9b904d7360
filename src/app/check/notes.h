// SPDX-License-Identifier: Apache-2.0
// What the files of a folder do not say: `lacuna-check.toml` beside them.
//   threshold = 10                       # or policy = "uk-llc"
//   ignore = ["*.log", "code/*"]
//   [[variable]]
//   name = "sex"
//   also = ["gender"]                    # its names in other tables
//   codes = { F = ["female", "2"] }      # its codes in other tables
//   [[table]]
//   file = "adults*.csv"
//   sheet = "Table 2"
//   subset = "age >= 18 and sex = F"     # or "all"
//   columns = ["sex"]                    # what the codes in the heading are
//   value = ["n"]                        # columns of numbers
//   measure = "sum of income"            # or "count"
//   total = { region = "All" }
//   [[within]]
//   part = "linked to the register"
//   whole = "age >= 18"
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/check/condition.h"
#include "lacuna/result.h"

namespace lacuna::checking {

inline constexpr std::string_view kNotesName = "lacuna-check.toml";

struct VariableNote {
  std::string name;
  std::vector<std::string> also;
  std::map<std::string, std::string> codes;  // as compared, to the code that stands for it
};

struct TableNote {
  std::string file, sheet;  // patterns; an empty sheet is any
  std::optional<std::string> subset;
  std::vector<Condition> conditions;
  std::vector<std::string> columns, value;
  std::string measure;
  std::vector<std::pair<std::string, std::string>> totals;
  std::string where;
};

struct WithinNote {
  std::vector<Condition> part, whole;
};

struct Notes {
  std::optional<std::int64_t> threshold;
  std::string policy;
  std::vector<std::string> ignore;
  std::vector<VariableNote> variables;
  std::vector<TableNote> tables;
  std::vector<WithinNote> within;

  // What is said of a table: a later section goes before an earlier one, key by key.
  TableNote of(std::string_view file, std::string_view sheet) const;
  bool ignores(std::string_view file) const;
  // The name that stands for it, and how it is shown.
  std::pair<std::string, std::string> variable(const std::string& name) const;
  std::string code(const std::string& variable, const std::string& code) const;
};

// Errors: no TOML, a key that is not known, a subset that cannot be read.
Result<Notes> read_notes(std::string text, const std::string& filename);

// "*" stands for any text, "?" for one character.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace lacuna::checking
