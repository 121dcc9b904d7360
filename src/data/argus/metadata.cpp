// SPDX-License-Identifier: Apache-2.0
#include "data/argus/metadata.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/argus/metadata_checks.h"

namespace lacuna::argus {
namespace {

constexpr std::int64_t kLongestRecord = 32'000;  // characters, as there
constexpr std::size_t kMostLevels = 10;
constexpr std::size_t kMostDistances = 5;

class MetadataReader {
 public:
  MetadataReader(const std::string& filename, DataKind kind) : kind_(kind) {
    metadata_.filename = filename;
    metadata_.fixed = kind == DataKind::kMicrodata;
  }

  Result<Metadata> run(const std::vector<Line>& lines) {
    LACUNA_RETURN_IF_ERROR(find_format(lines));
    for (const Line& line : lines) {
      LineReader reader(line, metadata_.filename);
      LACUNA_RETURN_IF_ERROR(read_line(reader));
    }
    LACUNA_RETURN_IF_ERROR(check_metadata(metadata_, kind_));
    return std::move(metadata_);
  }

 private:
  using Setter = Status (MetadataReader::*)(LineReader&, const Word& keyword);
  enum class For : std::uint8_t { kBoth, kRecords, kTables };
  struct Keyword {
    std::string_view name;
    For data;
    Setter set;
  };
  static const std::vector<Keyword>& keywords();

  void note(files::Position place, const std::string& text) {
    metadata_.notes.push_back(files::location(metadata_.filename, place) + ": " + text);
  }

  // Whether microdata are fixed or free is said on any line, and changes how all are read.
  Status find_format(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      LineReader reader(line, metadata_.filename);
      if (kind_ != DataKind::kMicrodata || reader.next() != '<')
        continue;
      const Word keyword = reader.token();
      if (keyword.text == "<SPSS>") {
        return reader.error(keyword,
                            "system files of SPSS are not read: export the data as text, and "
                            "describe it with <SEPARATOR> or with the place of every variable");
      }
      if (keyword.text != "<SEPARATOR>")
        continue;
      metadata_.fixed = false;
      if (line.number != 1)
        note(keyword.place, "<SEPARATOR> is not on the first line, where tau-ARGUS wants it");
    }
    return ok_status();
  }

  Status read_line(LineReader& reader) {
    if (reader.at_end())
      return ok_status();
    if (reader.next() != '<')
      return read_head(reader);
    while (!reader.at_end()) {
      const Word keyword = reader.token();
      if (keyword.text[0] != '<') {
        note(keyword.place, "ignored: " + base::in_quotes(keyword.text));
        continue;
      }
      LACUNA_RETURN_IF_ERROR(read_keyword(reader, keyword));
    }
    if (reader.unclosed_quote())
      note(reader.here(), "a quote is not closed: read to the end of the line");
    return ok_status();
  }

  Result<std::int64_t> integer(LineReader& reader,
                               const std::string& what,
                               std::int64_t lowest,
                               std::int64_t highest) {
    return integer_of(reader, reader.token(), what, lowest, highest);
  }
  static Result<std::int64_t> integer_of(const LineReader& reader,
                                         const Word& word,
                                         const std::string& what,
                                         std::int64_t lowest,
                                         std::int64_t highest) {
    std::int64_t value = 0;
    const char* const end = word.text.data() + word.text.size();
    const auto [at, code] = std::from_chars(word.text.data(), end, value);
    if (code == std::errc() && at == end && !word.text.empty() && value >= lowest &&
        value <= highest)
      return value;
    return reader.error(word,
                        what + " must be a whole number from " + std::to_string(lowest) + " to " +
                            std::to_string(highest) + ", not " +
                            (word.text.empty() ? "nothing" : base::in_quotes(word.text)));
  }

  // NAME [START] [LENGTH] [MISSING1 [MISSING2]]
  Status read_head(LineReader& reader) {
    Variable variable;
    const Word name = reader.token();
    variable.name = name.text;
    variable.place = name.place;
    if (base::trimmed(name.text).empty())
      return reader.error(name, "expected the name of a variable");
    const std::string of = " of " + base::in_quotes(name.text);
    if (metadata_.fixed) {
      if (reader.at_end())
        return reader.error(reader.here(),
                            "expected the first character and the length" + of +
                                "; separated data have <SEPARATOR> on the first line");
      LACUNA_TRY(const auto start, integer(reader, "the first character" + of, 1, kLongestRecord));
      variable.start = static_cast<std::size_t>(start);
    }
    if (kind_ == DataKind::kMicrodata) {
      LACUNA_TRY(const auto length, integer(reader, "the length" + of, 1, kLongestRecord));
      variable.length = static_cast<std::size_t>(length);
    }
    LACUNA_RETURN_IF_ERROR(read_missing(reader, variable));
    metadata_.variables.push_back(std::move(variable));
    return ok_status();
  }

  Status read_missing(LineReader& reader, Variable& variable) {
    std::vector<Word> codes;
    while (!reader.at_end()) {
      const bool comma = reader.next() == ',';
      Word code = reader.token(",");
      if (comma)
        continue;
      if (codes.size() == 2) {
        note(code.place, "ignored: " + base::in_quotes(code.text));
        continue;
      }
      if (kind_ == DataKind::kMicrodata && characters_in(code.text) > variable.length) {
        return reader.error(code,
                            "the missing code " + base::in_quotes(code.text) + " is longer than " +
                                base::in_quotes(variable.name) + ", which has " +
                                std::to_string(variable.length) +
                                (variable.length == 1 ? " character" : " characters"));
      }
      codes.push_back(std::move(code));
    }
    if (codes.size() == 2 && codes[0].text.empty() && !codes[1].text.empty())
      return reader.error(codes[1], "the second missing code is given and the first is empty");
    for (const Word& code : codes) {
      if (!code.text.empty())
        variable.missing.push_back(code.text);
    }
    return ok_status();
  }

  Status read_keyword(LineReader& reader, const Word& keyword) {
    std::vector<std::string_view> known;
    for (const Keyword& entry : keywords()) {
      const bool fits =
          entry.data == For::kBoth || (entry.data == For::kTables) == (kind_ == DataKind::kTable);
      if (fits)
        known.push_back(entry.name);
      if (entry.name != keyword.text)
        continue;
      if (!fits) {
        return reader.error(
            keyword,
            std::string(keyword.text) + " is about " +
                (entry.data == For::kTables ? "tables, and these are metadata of records"
                                            : "records, and these are metadata of a table"));
      }
      return (this->*entry.set)(reader, keyword);
    }
    return reader.error(keyword,
                        "unknown keyword " + base::in_quotes(keyword.text) +
                            base::did_you_mean(upper_case(keyword.text), known));
  }

  // The variable that the keyword is about.
  Result<Variable*> current(LineReader& reader, const Word& keyword) {
    if (metadata_.variables.empty())
      return reader.error(keyword, keyword.text + " stands before the first variable");
    return &metadata_.variables.back();
  }

  template <bool Variable::*kFlag>
  Status set_flag(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->*kFlag = true;
    return ok_status();
  }
  template <bool Variable::*kFlag>
  Status set_numeric_flag(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->*kFlag = variable->numeric = true;
    return ok_status();
  }
  template <Word Variable::*kFile>
  Status set_file(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->*kFile = reader.field("<");
    if ((variable->*kFile).text.empty())
      return reader.error(variable->*kFile, "expected the name of a file after " + keyword.text);
    return ok_status();
  }

  Status set_separator(LineReader& reader, const Word& keyword) {
    const Word word = reader.token();
    if (word.text.size() != 1 || word.text == " ") {
      return reader.error(word,
                          "expected one character other than a blank after " + keyword.text +
                              ", not " + base::in_quotes(word.text));
    }
    metadata_.separator = word.text[0];
    return ok_status();
  }
  template <std::string Metadata::*kLetter>
  Status set_letter(LineReader& reader, const Word& keyword) {
    const Word word = reader.token();
    if (word.text.empty())
      return reader.error(word, "expected a letter after " + keyword.text);
    metadata_.*kLetter = word.text;
    return ok_status();
  }

  Status set_total(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    const Word word = reader.token();
    if (word.text.empty())
      return ok_status();
    variable->total_code = word.text;
    variable->total_given = true;
    return ok_status();
  }
  Status set_lead(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->lead = reader.token().text;
    return ok_status();
  }
  Status set_hierarchical(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->hierarchical = variable->tree_from_file = true;
    return ok_status();
  }
  Status set_decimals(LineReader& reader, const Word& keyword) {
    constexpr std::int64_t kMostDecimals = 15;
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    LACUNA_TRY(const auto value, integer(reader, keyword.text, 0, kMostDecimals));
    variable->decimals = static_cast<int>(value);
    return ok_status();
  }

  // Numbers up to the end of the line or the next keyword.
  Result<std::vector<int>> numbers(LineReader& reader, const Word& keyword, std::size_t most) {
    constexpr std::int64_t kLargest = 1'000'000;
    std::vector<int> values;
    while (!reader.at_end() && reader.next() != '<') {
      if (reader.take(','))
        continue;
      const files::Position place = reader.here();
      LACUNA_TRY(const auto value, integer(reader, "a number of " + keyword.text, 0, kLargest));
      if (values.size() == most)
        return reader.error(place,
                            keyword.text + " has at most " + std::to_string(most) + " numbers");
      values.push_back(static_cast<int>(value));
    }
    return values;
  }

  Status set_distance(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    LACUNA_TRY(std::vector<int> steps, numbers(reader, keyword, kMostDistances));
    if (steps.empty())
      steps.push_back(1);
    steps.resize(kMostDistances, steps.back());
    variable->distance = std::move(steps);
    return ok_status();
  }

  Status set_levels(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    LACUNA_TRY(std::vector<int> levels, numbers(reader, keyword, kMostLevels));
    while (!levels.empty() && levels.back() == 0)
      levels.pop_back();
    if (levels.size() < 2 || std::count(levels.begin(), levels.end(), 0) > 0) {
      return reader.error(keyword,
                          "<HIERLEVELS> has the digits of every level, at least two numbers above "
                          "0; zeros may stand at the end");
    }
    variable->levels = std::move(levels);
    variable->tree_from_file = false;
    return ok_status();
  }

  Status set_request(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    variable->request = true;
    while (!reader.at_end() && reader.next() != '<' && variable->request_codes.size() < 2) {
      if (Word code = reader.token(","); !code.text.empty() && code.text != ",")
        variable->request_codes.push_back(std::move(code.text));
    }
    return ok_status();
  }

  Status ignore(LineReader& reader, const Word& keyword) {
    LACUNA_RETURN_IF_ERROR(current(reader, keyword));
    note(keyword.place, keyword.text + " is not read: the column is skipped");
    return ok_status();
  }

  // N, M, D, V or T(k).
  Status set_cell_key(LineReader& reader, const Word& keyword) {
    constexpr std::int64_t kMostTops = 100;
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    const Word type = reader.token("(");
    const std::string letter = upper_case(type.text);
    if (letter.size() != 1 || std::string_view("NMDVT").find(letter[0]) == std::string_view::npos)
      return reader.error(
          type, "expected N, M, D, V or T(k) after <CKM>, not " + base::in_quotes(type.text));
    if (!variable->cell_key)
      variable->cell_key.emplace();
    variable->cell_key->type = letter[0];
    if (letter != "T")
      return ok_status();
    LACUNA_RETURN_IF_ERROR(reader.expect('(', "T"));
    const Word count = reader.field(")");
    LACUNA_TRY(const auto top, integer_of(reader, count, "k of T(k)", 1, kMostTops));
    variable->cell_key->top = static_cast<int>(top);
    return reader.expect(')', base::in_quotes(count.text));
  }

  Result<CellKeyOptions*> cell_key(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(Variable * variable, current(reader, keyword));
    if (!variable->cell_key)
      return reader.error(keyword, keyword.text + " stands after <CKM>");
    return &*variable->cell_key;
  }
  template <bool CellKeyOptions::*kFlag>
  Status set_yes_no(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(CellKeyOptions * options, cell_key(reader, keyword));
    const Word word = reader.token();
    if (!same_word(word.text, "Y") && !same_word(word.text, "N"))
      return reader.error(
          word, "expected Y or N after " + keyword.text + ", not " + base::in_quotes(word.text));
    options->*kFlag = same_word(word.text, "Y");
    return ok_status();
  }
  Status set_scaling(LineReader& reader, const Word& keyword) {
    LACUNA_TRY(CellKeyOptions * options, cell_key(reader, keyword));
    const Word letter = reader.token("(");
    const std::string upper = upper_case(letter.text);
    if (upper != "F" && upper != "N") {
      return reader.error(
          letter, "expected F(...) or N(...) after <SCALING>, not " + base::in_quotes(letter.text));
    }
    LACUNA_RETURN_IF_ERROR(reader.expect('(', upper));
    const Word inside = reader.field(")");
    LACUNA_RETURN_IF_ERROR(reader.expect(')', base::in_quotes(inside.text)));
    options->scaling = upper + "(" + inside.text + ")";
    return ok_status();
  }

  DataKind kind_;
  Metadata metadata_;
};

const std::vector<MetadataReader::Keyword>& MetadataReader::keywords() {
  using R = MetadataReader;
  static const std::vector<Keyword> kKeywords{
      {"<SEPARATOR>", For::kBoth, &R::set_separator},
      {"<RECODEABLE>", For::kBoth, &R::set_flag<&Variable::recodeable>},
      {"<RECODABLE>", For::kBoth, &R::set_flag<&Variable::recodeable>},
      {"<TOTCODE>", For::kBoth, &R::set_total},
      {"<NUMERIC>", For::kBoth, &R::set_flag<&Variable::numeric>},
      {"<DECIMALS>", For::kBoth, &R::set_decimals},
      {"<CODELIST>", For::kBoth, &R::set_file<&Variable::code_list>},
      {"<HIERARCHICAL>", For::kBoth, &R::set_hierarchical},
      {"<HIERCODELIST>", For::kBoth, &R::set_file<&Variable::hierarchy_file>},
      {"<HIERLEADSTRING>", For::kBoth, &R::set_lead},
      {"<HIERLEVELS>", For::kBoth, &R::set_levels},
      {"<DISTANCE>", For::kBoth, &R::set_distance},
      {"<TRUNCABLE>", For::kBoth, &R::set_flag<&Variable::truncable>},
      {"<WEIGHT>", For::kRecords, &R::set_flag<&Variable::weight>},
      {"<HOLDING>", For::kRecords, &R::set_flag<&Variable::holding>},
      {"<REQUEST>", For::kRecords, &R::set_request},
      {"<RECORDKEY>", For::kRecords, &R::set_flag<&Variable::record_key>},
      {"<PFILE>", For::kRecords, &R::set_file<&Variable::ptable>},
      {"<PFILE_FREQ>", For::kRecords, &R::set_file<&Variable::ptable>},
      {"<PFILE_CONT>", For::kRecords, &R::set_file<&Variable::ptable_continuous>},
      {"<PFILE_SEP>", For::kRecords, &R::set_file<&Variable::ptable_separation>},
      {"<CKM>", For::kRecords, &R::set_cell_key},
      {"<INCLUDEZEROS>", For::kRecords, &R::set_yes_no<&CellKeyOptions::include_zeros>},
      {"<PARITY>", For::kRecords, &R::set_yes_no<&CellKeyOptions::parity>},
      {"<SEPARATION>", For::kRecords, &R::set_yes_no<&CellKeyOptions::separation>},
      {"<SCALING>", For::kRecords, &R::set_scaling},
      {"<SAFE>", For::kTables, &R::set_letter<&Metadata::safe>},
      {"<UNSAFE>", For::kTables, &R::set_letter<&Metadata::unsafe>},
      {"<PROTECT>", For::kTables, &R::set_letter<&Metadata::protect>},
      {"<SHADOW>", For::kTables, &R::set_numeric_flag<&Variable::shadow>},
      {"<COST>", For::kTables, &R::set_numeric_flag<&Variable::cost>},
      {"<COSTVAR>", For::kTables, &R::set_numeric_flag<&Variable::cost>},
      {"<LOWERPL>", For::kTables, &R::set_numeric_flag<&Variable::lower_level>},
      {"<UPPERPL>", For::kTables, &R::set_numeric_flag<&Variable::upper_level>},
      {"<FREQUENCY>", For::kTables, &R::set_flag<&Variable::frequency>},
      {"<MAXSCORE>", For::kTables, &R::set_flag<&Variable::max_score>},
      {"<STATUS>", For::kTables, &R::set_flag<&Variable::status>},
      {"<CELLKEY>", For::kTables, &R::ignore},
  };
  return kKeywords;
}

}  // namespace

const Variable* Metadata::find(std::string_view name) const {
  for (const Variable& variable : variables) {
    if (same_word(variable.name, name))
      return &variable;
  }
  return nullptr;
}

Result<Metadata> read_metadata(std::string bytes, const std::string& filename, DataKind kind) {
  if (bytes.starts_with("RDX") || bytes.starts_with("BZh")) {
    return Error{ErrorCode::kOtherContent,
                 "this is a data file of R, which has the same ending: metadata are text",
                 filename};
  }
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  return MetadataReader(filename, kind).run(lines_of(text));
}

}  // namespace lacuna::argus
