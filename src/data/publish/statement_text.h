// SPDX-License-Identifier: Apache-2.0
// What a file says of one cell, as text, turned into a Statement. Result files, public files and
// certificates all come here, so that a word means the same in each: exactly the numbers that the
// state has, nothing less and nothing more (docs/audit.md, section 1). A number beside a withheld
// cell, or an altered number without its range, is an error and never a guess. A range may say
// besides which of its numbers the truth is one of ("among"), and an altered number that it comes
// from the key of its cell ("by": "cellkey").
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json_writer.h"
#include "data/files/json_tree.h"
#include "lacuna/draft.h"

namespace lacuna::publish {

// The names of the numbers, in the order of StatementText::numbers.
inline constexpr std::array<std::string_view, 5> kStatementNumbers{
    "value", "lower", "upper", "base", "steps"};

struct StatementText {
  std::string_view state;
  std::array<std::optional<std::string>, kStatementNumbers.size()> numbers;  // as written
  std::optional<std::string> among{};  // numbers with a blank between, as written
  std::optional<std::string> by{};
};
inline constexpr std::string_view kAmong = "among", kBy = "by", kByKey = "cellkey";

// "state":"altered","value":7,"lower":5,"upper":9,"among":[5,6,9],"by":"cellkey" as members of a
// JSON object, what there is of them; and the last two back.
void write_statement(base::JsonWriter& json, const StatementText& text);
Status read_statement_words(files::JsonNode among, files::JsonNode by, StatementText& text);

struct StatementTrouble {
  static constexpr std::size_t kEntry = kStatementNumbers.size(), kState = kEntry + 1;
  std::size_t number = kEntry;  // which one; or the entry as a whole, or its state
  std::string message;
};

// The states withheld, interval, rounded, altered, adjusted. Numbers have at most `decimals` digits
// after the point.
std::variant<Statement, StatementTrouble> read_statement(const StatementText& text, int decimals);

// The numbers of a statement as text, absent where the state has none.
StatementText statement_text(const CellEntry& entry, int decimals);

}  // namespace lacuna::publish
