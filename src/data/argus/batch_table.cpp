// SPDX-License-Identifier: Apache-2.0
// <SPECIFYTABLE> and <WRITETABLE>.
#include <algorithm>
#include <array>
#include <span>

#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "data/argus/batch_reader.h"

namespace lacuna::argus {
namespace {

Result<std::vector<Word>> read_explanatory(CommandReader& reader) {
  LineReader& line = reader.line();
  std::vector<Word> names;
  while (line.next() != '|' && !line.at_end()) {
    if (line.next() == ',') {
      reader.note(line.here(), "a comma between two explanatory variables is ignored");
      line.take(',');
      continue;
    }
    Word name = line.token("|,\"");
    if (name.text.empty())
      return reader.error(name, "expected the name of an explanatory variable, not \"\"");
    names.push_back(std::move(name));
  }
  if (names.empty())
    return reader.error({"", line.here()}, "expected the name of an explanatory variable");
  return names;
}

void set_cost(SpecifyTable& table, Word cost) {
  if (cost.text.empty())
    return;
  table.cost_kind = cost.text == "-1"   ? CostKind::kFrequency
                    : cost.text == "-2" ? CostKind::kUnity
                    : cost.text == "-3" ? CostKind::kDistance
                                        : CostKind::kVariable;
  table.cost = std::move(cost);
}

Status read_lambda(CommandReader& reader, SpecifyTable& table) {
  LineReader& line = reader.line();
  const files::Position place = line.here();
  const bool bar = line.take('|');
  if (!bar && !line.take(','))
    return line.at_end()
               ? ok_status()
               : line.expect(',', "the cost variable " + base::in_quotes(table.cost.text));
  const Word word = line.rest();
  if (word.text.empty())
    return ok_status();
  if (bar)
    reader.note(place, "'|' before lambda is read as ','");
  std::string text = word.text;
  std::replace(text.begin(), text.end(), ',', '.');
  LACUNA_TRY(const double lambda, reader.amount({text, word.place}, "lambda"));
  table.lambda = lambda;
  return ok_status();
}

struct WriteSwitch {
  std::string_view letters;
  bool WriteOptions::*field;
};

constexpr std::array<WriteSwitch, 12> kWriteSwitches{{
    {"AS", &WriteOptions::status},
    {"SE", &WriteOptions::skip_empty},
    {"FL", &WriteOptions::first_line},
    {"QU", &WriteOptions::quotes},
    {"HL", &WriteOptions::levels},
    {"SO", &WriteOptions::status_only},
    {"AR", &WriteOptions::audit},
    {"HI", &WriteOptions::holdings},
    {"TR", &WriteOptions::remove_trivial},
    {"AO", &WriteOptions::original},
    {"AD", &WriteOptions::difference},
    {"AC", &WriteOptions::cell_key},
}};

// The option of tau-ARGUS 3, a digit whose meaning depends on the type.
Status read_old_option(CommandReader& reader, const Word& word, WriteTable& write) {
  const int digit = word.text[0] - '0';
  WriteOptions& options = write.options;
  std::string meaning = "nothing";
  if (write.type == 2 || write.type == 3) {
    options.status = digit == 1 || digit == 3;
    options.skip_empty = write.type == 3 && digit >= 2;
    meaning = std::string(options.status ? "AS+" : "AS-") + (options.skip_empty ? "SE+" : "SE-");
  } else if (write.type == 4) {
    options.levels = digit == 1;
    meaning = options.levels ? "HL+" : "HL-";
  } else if (write.type == 5) {
    options.status_only = digit == 0;
    meaning = options.status_only ? "SO+" : "SO-";
  }
  if (digit > 3)
    return reader.error(
        word, "an option given as a digit must be 0 to 3, not " + base::in_quotes(word.text));
  reader.note(
      word.place,
      "the option " + base::in_quotes(word.text) + " of older versions is read as " + meaning);
  return ok_status();
}

Error unknown_option(CommandReader& reader, const Word& word, std::string_view letters) {
  std::vector<std::string_view> known;
  std::string list;
  for (const WriteSwitch& entry : kWriteSwitches) {
    known.push_back(entry.letters);
    list += (list.empty() ? "" : ", ") + std::string(entry.letters);
  }
  return reader.error(word,
                      "expected options such as AS+SE-, made of " + list + ", not " +
                          base::in_quotes(letters) + base::did_you_mean(letters, known));
}

bool is_sign(char c) {
  return c == '+' || c == '-';
}

// "AS+SE-", also with the signs first or blanks between.
Status read_options(CommandReader& reader, const Word& word, WriteTable& write) {
  std::string text;
  for (const char c : upper_case(word.text)) {
    if (c != ' ' && c != '\t')
      text += c;
  }
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9')
    return read_old_option(reader, {text, word.place}, write);
  const bool signs_first = !text.empty() && is_sign(text[0]);
  if (signs_first)
    reader.note(word.place,
                "the signs of " + base::in_quotes(word.text) + " stand before their letters");
  for (std::size_t at = 0; at < text.size(); at += 3) {
    const std::string part = text.substr(at, 3);
    const std::string letters = part.substr(signs_first ? 1 : 0, 2);
    const auto entry =
        std::find_if(kWriteSwitches.begin(), kWriteSwitches.end(), [&](const WriteSwitch& known) {
          return known.letters == letters;
        });
    if (entry == kWriteSwitches.end())
      return unknown_option(reader, word, letters);
    const char sign = part.size() < 3 ? '\0' : part[signs_first ? 0 : 2];
    if (!is_sign(sign))
      return reader.error(word, "expected '+' or '-' after the option " + base::in_quotes(letters));
    write.options.*entry->field = sign == '+';
  }
  return ok_status();
}

// What stands after the type: options, in several parts too, and the file.
Status read_options_and_file(CommandReader& reader, WriteTable& write) {
  LineReader& line = reader.line();
  bool options_given = false;
  while (true) {
    const bool quoted = line.quoted_next();
    Word part = quoted ? line.token() : line.field(",\")");
    const bool last = line.next() == ')' || line.at_end();
    if (last) {
      if (part.text.empty())
        return reader.error(part, "expected the name of the file to write");
      if (!options_given)
        reader.note(part.place, "no options before the name of the file: the defaults");
      write.file = std::move(part);
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(read_options(reader, part, write));
    options_given = true;
    if (!line.take(','))
      reader.note(line.here(),
                  "a comma is missing after the options " + base::in_quotes(part.text));
  }
}

}  // namespace

Result<Action> read_specify_table(CommandReader& reader) {
  LineReader& line = reader.line();
  SpecifyTable table;
  LACUNA_TRY(table.explanatory, read_explanatory(reader));
  LACUNA_RETURN_IF_ERROR(line.expect('|', "the explanatory variables"));
  table.response = line.field("|");
  if (table.response.text.empty())
    return reader.error(table.response, "expected the response variable or <freq>");
  if (line.take('|'))
    table.shadow = line.field("|");
  else if (!line.at_end())
    return line.expect('|', "the response " + base::in_quotes(table.response.text)).error();
  if (line.take('|'))
    set_cost(table, line.field("|,"));
  LACUNA_RETURN_IF_ERROR(read_lambda(reader, table));
  return Action(table);
}

Result<Action> read_write_table(CommandReader& reader) {
  LineReader& line = reader.line();
  WriteTable write;
  const bool bracket = line.take('(');
  if (!bracket)
    reader.note(line.here(), "the arguments of <WRITETABLE> stand without brackets");
  LACUNA_TRY(write.table, reader.table(line.field(",)"), 1));
  LACUNA_RETURN_IF_ERROR(line.expect(',', "the number of the table"));
  const Word type = line.field(",)");
  LACUNA_TRY(const auto number, reader.integer(type, "the type of the output", 1, 7));
  write.type = static_cast<int>(number);
  write.options.first_line = write.type == 2;
  LACUNA_RETURN_IF_ERROR(line.expect(',', "the type of the output"));
  LACUNA_RETURN_IF_ERROR(read_options_and_file(reader, write));
  if (bracket)
    LACUNA_RETURN_IF_ERROR(line.expect(')', "the name of the file"));
  return Action(write);
}

}  // namespace lacuna::argus
