// SPDX-License-Identifier: Apache-2.0
#include "data/argus/batch.h"

#include <array>
#include <span>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/argus/batch_reader.h"
#include "data/argus/lines.h"

namespace lacuna::argus {
namespace {

constexpr std::string_view kOwnMark = "lacuna:";

template <class T>
Result<Action> read_file_command(CommandReader& reader) {
  LACUNA_TRY(Word file, reader.file());
  return Action(T{std::move(file)});
}

template <class T>
Result<Action> read_bare_command(CommandReader&) {
  return Action(T{});
}

Result<Action> read_ignored(CommandReader& reader) {
  reader.line().rest();
  return Action(Comment{});
}

Result<Action> read_silent(CommandReader& reader) {
  reader.note(reader.line().here(), "<SILENT> is ignored; tau-ARGUS stops there");
  return read_ignored(reader);
}

Result<Action> read_readtable(CommandReader& reader) {
  const Word whole = reader.line().rest();
  std::string text;
  for (const char c : upper_case(whole.text)) {
    if (c != ' ' && c != '\t')
      text += c;
  }
  if (text.empty())
    return Action(ReadTable{});
  const bool flag = text.size() == 2 && (text[1] == 'T' || text[1] == 'F');
  if (text[0] < '0' || text[0] > '2' || (text.size() > 1 && !flag)) {
    return reader.error(
        whole,
        "expected 0 (additive), 1 (totals are computed), 1T (the same, statuses are "
        "kept) or 2 (need not be additive), not " +
            base::in_quotes(whole.text));
  }
  ReadTable read;
  read.mode = text[0] - '0';
  read.keep_status = read.mode == 1 && text.size() == 2 && text[1] == 'T';
  if (flag && read.mode != 1)
    reader.note(whole.place, "T and F are about mode 1: ignored in " + base::in_quotes(whole.text));
  return Action(read);
}

Status read_apriori_tail(CommandReader& reader, Apriori& apriori) {
  LineReader& line = reader.line();
  for (bool* value : {&apriori.ignore_errors, &apriori.expand_trivial}) {
    if (!line.take(','))
      break;
    const Word word = line.field(",");
    if (!word.text.empty()) {
      LACUNA_TRY(
          *value,
          reader.on_off(word,
                        value == &apriori.ignore_errors ? "the switch to ignore errors"
                                                        : "the switch to expand trivial levels"));
    }
  }
  return ok_status();
}

// "file", table, "separator", ignore errors, expand trivial levels.
Result<Action> read_apriori_command(CommandReader& reader) {
  LineReader& line = reader.line();
  Apriori apriori;
  apriori.ignore_errors = true;  // as there, if nothing is said
  apriori.file = line.field(",");
  if (apriori.file.text.empty())
    return reader.error(apriori.file, "expected the name of a file");
  if (!line.take(',')) {
    if (!line.at_end())
      return line.expect(',', "the name of the file").error();
    reader.note(line.here(), "no table number: table 1 is taken; lines with errors are skipped");
    return Action(apriori);
  }
  const Word number = line.field(",");
  LACUNA_TRY(apriori.table, reader.table(number, 1));
  const std::size_t notes_place = line.here().column;
  if (line.take(',') && !line.at_end()) {
    const Word separator = line.field(",");
    if (separator.text.size() != 1) {
      return reader.error(
          separator,
          "the separator must be one character in quotes, not " + base::in_quotes(separator.text));
    }
    apriori.separator = separator.text[0];
  }
  if (line.at_end())
    reader.note({line.here().line, notes_place},
                "no switches for errors and trivial levels, without which tau-ARGUS stops: lines "
                "with errors are skipped, trivial levels are not expanded");
  LACUNA_RETURN_IF_ERROR(read_apriori_tail(reader, apriori));
  return Action(apriori);
}

// Table, variable, file or level.
Result<Action> read_recode_command(CommandReader& reader) {
  LineReader& line = reader.line();
  Recode recode;
  LACUNA_TRY(recode.table, reader.table(line.field(","), 1));
  LACUNA_RETURN_IF_ERROR(line.expect(',', "the number of the table"));
  recode.variable = line.field(",");
  if (recode.variable.text.empty())
    return reader.error(recode.variable, "expected the name of a variable");
  LACUNA_RETURN_IF_ERROR(line.expect(',', base::in_quotes(recode.variable.text)));
  Word last = line.rest();
  if (last.text.empty())
    return reader.error(last, "expected the name of a recode file or a level from 1 to 9");
  if (last.text.size() == 1 && last.text[0] >= '1' && last.text[0] <= '9')
    recode.level = last.text[0] - '0';
  else
    recode.file = std::move(last);
  return Action(recode);
}

Result<Action> read_solver(CommandReader& reader) {
  LineReader& line = reader.line();
  Solver solver;
  solver.name = line.field(",");
  if (line.take(','))
    solver.licence = line.rest();
  const bool known = same_word(solver.name.text, "XPRESS") ||
                     same_word(solver.name.text, "CPLEX") || same_word(solver.name.text, "FREE");
  if (!known)
    reader.note(solver.name.place,
                "tau-ARGUS knows XPRESS, CPLEX and FREE, not " + base::in_quotes(solver.name.text));
  return Action(solver);
}

// "name values ...", of "//lacuna:" and <LACUNA>.
Result<Action> read_own(CommandReader& reader) {
  LineReader& line = reader.line();
  Own own;
  own.name = line.token();
  if (own.name.text.empty())
    return reader.error(own.name, "expected a task for Lacuna: audit, interval, report, ...");
  own.name.text = base::lower_case(own.name.text);
  while (!line.at_end())
    own.values.push_back(line.token());
  return Action(own);
}

struct KeywordReader {
  std::string_view keyword;
  Result<Action> (*read)(CommandReader&);
};

constexpr std::array<KeywordReader, 23> kKeywords{{
    {"<OPENMICRODATA>", read_file_command<OpenMicrodata>},
    {"<OPENTABLEDATA>", read_file_command<OpenTableData>},
    {"<OPENMETADATA>", read_file_command<OpenMetadata>},
    {"<SPECIFYTABLE>", read_specify_table},
    {"<SAFETYRULE>", read_safety_rule},
    {"<READMICRODATA>", read_bare_command<ReadMicrodata>},
    {"<READTABLE>", read_readtable},
    {"<APRIORI>", read_apriori_command},
    {"<APRIORY>", read_apriori_command},
    {"<RECODE>", read_recode_command},
    {"<SUPPRESS>", read_suppress},
    {"<WRITETABLE>", read_write_table},
    {"<SOLVER>", read_solver},
    {"<LOGBOOK>", read_file_command<Logbook>},
    {"<VERSIONINFO>", read_file_command<VersionInfo>},
    {"<CLEAR>", read_bare_command<Clear>},
    {"<GOINTERACTIVE>", read_bare_command<GoInteractive>},
    {"<COMMENT>", read_ignored},
    {"<COVER>", read_ignored},
    {"<ANCO>", read_ignored},
    {"<JJ>", read_ignored},
    {"<SILENT>", read_silent},
    {"<LACUNA>", read_own},
}};

Error unknown_keyword(CommandReader& reader, const Word& keyword) {
  std::vector<std::string_view> known;
  for (const KeywordReader& entry : kKeywords)
    known.push_back(entry.keyword);
  const bool bare = keyword.text.empty() || keyword.text[0] != '<';
  return reader.error(keyword,
                      (bare ? "expected a command in angle brackets, not " : "unknown command ") +
                          base::in_quotes(keyword.text) +
                          base::did_you_mean(upper_case(keyword.text), known));
}

Result<Command> read_command(CommandReader& reader, const Line& line) {
  const Word keyword = reader.line().token();
  for (const KeywordReader& entry : kKeywords) {
    if (entry.keyword != keyword.text)
      continue;
    LACUNA_TRY(Action action, entry.read(reader));
    reader.ignore_rest();
    if (reader.line().unclosed_quote())
      reader.note(keyword.place, "a quote is not closed: read to the end of the line");
    return Command{keyword.text, line.text, keyword.place, std::move(action)};
  }
  return unknown_keyword(reader, keyword);
}

// Where the words of "//lacuna: name" begin in the line; npos: it is another line.
std::size_t own_start(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line.substr(first, 2) != "//")
    return std::string_view::npos;
  const std::size_t word = line.find_first_not_of(" \t/", first);
  if (word == std::string_view::npos || !same_word(line.substr(word, kOwnMark.size()), kOwnMark))
    return std::string_view::npos;
  return word + kOwnMark.size();
}

Result<Command> read_own_line(const Line& line, std::size_t start, Batch& batch) {
  Line blanked = line;  // what stands before the name as blanks: the columns stay
  blanked.text.replace(0, start, std::string(start, ' '));
  CommandReader reader(blanked, batch.filename, batch.notes);
  const files::Position place = reader.line().here();
  LACUNA_TRY(Action action, read_own(reader));
  return Command{"<LACUNA>", line.text, place, std::move(action)};
}

// Jobs are copied from pages and letters, which have other quotes and blanks than a keyboard.
Line typed_line(const Line& line, Batch& batch) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kTypographic{
      {{"\u201C", '"'}, {"\u201D", '"'}, {"\u201E", '"'}, {"\u00A0", ' '}}};
  Line typed = line;
  for (const auto& [from, to] : kTypographic) {
    for (std::size_t at = 0; (at = typed.text.find(from, at)) != std::string::npos; ++at)
      typed.text.replace(at, from.size(), 1, to);
  }
  if (typed.text != line.text)
    batch.notes.push_back(files::location(batch.filename, {line.number, 1}) +
                          ": typographic quotes and blanks are read as plain ones");
  return typed;
}

bool is_comment_line(std::string_view line) {
  const std::string_view text = base::trimmed(line);
  return text.empty() || text.starts_with("//") || text.starts_with("\\\\");
}

}  // namespace

bool SpecifyTable::counts() const {
  return same_word(response.text, "<freq>");
}

Result<Batch> read_batch(std::string bytes, const std::string& filename) {
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  Batch batch;
  batch.filename = filename;
  for (const Line& line : lines_of(text)) {
    if (const std::size_t start = own_start(line.text); start != std::string_view::npos) {
      LACUNA_TRY(Command command, read_own_line(line, start, batch));
      command.notes_end = batch.notes.size();
      batch.commands.push_back(std::move(command));
      continue;
    }
    if (is_comment_line(line.text))
      continue;
    const Line typed = typed_line(line, batch);
    CommandReader reader(typed, filename, batch.notes);
    LACUNA_TRY(Command command, read_command(reader, line));
    command.notes_end = batch.notes.size();
    batch.commands.push_back(std::move(command));
  }
  if (batch.commands.empty())
    return Error{ErrorCode::kNoRows, "the job has no command", filename};
  return batch;
}

}  // namespace lacuna::argus
