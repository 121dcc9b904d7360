// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/papers.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/check.h"
#include "core/base/decimal.h"
#include "data/files/csv.h"

namespace lacuna::bench {
namespace {

// Comment lines are emptied, not removed: the reader skips empty lines and counts them.
std::string without_comments(std::string_view text) {
  std::string rest;
  bool on_top = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    on_top = on_top && line.starts_with('#');
    rest += on_top ? "\n" : line;
    at = end;
  }
  return rest;
}

std::string header_of(const files::CsvFile& file) {
  std::string text;
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    text += (c == 0 ? "" : ",") + std::string(file.header(c));
  return text;
}

Result<files::CsvFile> parse_paper(const PaperText& paper, std::string_view header) {
  LACUNA_TRY(files::CsvFile file,
             files::CsvFile::parse(
                 without_comments(paper.text), "papers/" + std::string(paper.name) + ".csv", ','));
  if (header_of(file) != header)
    return Error{ErrorCode::kMissingColumn,
                 "the columns must be " + std::string(header),
                 file.where_header()};
  if (file.num_rows() == 0)
    return Error{ErrorCode::kNoRows, "there are no rows", file.where(0, 0)};
  return file;
}

// The fields of one row after the other; the first that is wrong is remembered.
class Fields {
 public:
  explicit Fields(const files::CsvFile& file) : file_(file) {}

  void begin(std::size_t row) {
    row_ = row;
    column_ = 0;
  }
  bool at_end() const { return column_ == file_.num_columns(); }
  const std::optional<Error>& wrong() const { return wrong_; }

  std::string text() {
    const std::string_view field = file_.field(row_, column_);
    expect(!field.empty(), "this field must not be empty");
    ++column_;
    return std::string(field);
  }
  std::int32_t whole() {
    const std::string_view field = file_.field(row_, column_);
    std::int32_t value = 0;
    const auto [end, trouble] = std::from_chars(field.data(), field.data() + field.size(), value);
    expect(trouble == std::errc{} && end == field.data() + field.size() && value >= 0,
           "this field must be a whole number from 0");
    ++column_;
    return value;
  }
  double number() {
    const auto value = base::parse_double(file_.field(row_, column_));
    expect(value && *value >= 0, "this field must be a number from 0");
    ++column_;
    return value ? *value : 0;
  }
  // Of the field read last.
  void expect_last(bool holds, const std::string& message) {
    --column_;
    expect(holds, message);
    ++column_;
  }

 private:
  void expect(bool holds, const std::string& message) {
    if (!holds && !wrong_)
      wrong_ = file_.error(row_, column_, message);
  }

  const files::CsvFile& file_;
  std::size_t row_ = 0, column_ = 0;
  std::optional<Error> wrong_;
};

template <class Row>
Result<std::vector<Row>> rows_of(const PaperText& paper,
                                 std::string_view header,
                                 Row (*read)(Fields& fields)) {
  LACUNA_TRY(const files::CsvFile file, parse_paper(paper, header));
  Fields fields(file);
  std::vector<Row> rows;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    fields.begin(r);
    rows.push_back(read(fields));
    if (fields.wrong())
      return *fields.wrong();
  }
  return rows;
}

// How many numbers, "-" and "*" there are; nothing if there is anything else.
std::optional<std::size_t> count_printed(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (word != "-" && word != "*" && !base::parse_double(word))
      return std::nullopt;
    ++count;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return count;
}

CtaRow cta_row(Fields& fields) {
  constexpr std::int32_t kFirst = 4, kWithinFive = 8, kUtility = 11, kLast = 13;
  CtaRow row;
  row.table = fields.whole();
  fields.expect_last(row.table >= kFirst && row.table <= kLast, "there are Tables 4 to 13");
  row.instance = fields.text();
  row.printed = fields.text();
  const std::size_t columns = row.table < kWithinFive ? 16 : row.table < kUtility ? 9 : 6;
  fields.expect_last(count_printed(row.printed) == columns,
                     "a row of this table has " + std::to_string(columns) + " numbers, '-' or '*'");
  return row;
}

}  // namespace

PaperText paper_text(std::string_view name) {
  const auto texts = paper_texts();
  const auto found = std::find_if(
      texts.begin(), texts.end(), [&](const PaperText& each) { return each.name == name; });
  LACUNA_CHECK(found != texts.end());
  return *found;
}

Result<std::vector<CastroViaRow>> read_castro_via(const PaperText& paper) {
  return rows_of<CastroViaRow>(
      paper,
      "table,cells,sensitive,equations,benders_cpu,benders_iterations,benders_objective,"
      "monolithic_cpu,our_columns,our_depth,our_open_least,our_open_most,our_rows",
      [](Fields& fields) {
        CastroViaRow row;
        row.name = fields.text();
        for (std::int32_t* each : {&row.cells, &row.sensitive, &row.equations})
          *each = fields.whole();
        for (std::string* each : {&row.benders_cpu,
                                  &row.benders_iterations,
                                  &row.benders_objective,
                                  &row.monolithic_cpu})
          *each = fields.text();
        for (std::int32_t* each :
             {&row.columns, &row.depth, &row.open_least, &row.open_most, &row.rows})
          *each = fields.whole();
        return row;
      });
}

Result<std::vector<CtaRow>> read_cta(const PaperText& paper) {
  return rows_of<CtaRow>(paper, "table,instance,printed", cta_row);
}

Result<std::vector<SerpellRow>> read_serpell(const PaperText& paper) {
  return rows_of<SerpellRow>(
      paper,
      "rows,columns,zeros,primaries,exposed,classical_variables,classical_constraints,"
      "classical_seconds,modified_variables,modified_constraints,modified_seconds",
      [](Fields& fields) {
        SerpellRow row;
        for (std::int32_t* each :
             {&row.rows, &row.columns, &row.zeros, &row.primaries, &row.exposed})
          *each = fields.whole();
        row.classical_variables = fields.whole();
        row.classical_constraints = fields.whole();
        row.classical_seconds = fields.number();
        row.modified_variables = fields.whole();
        row.modified_constraints = fields.whole();
        row.modified_seconds = fields.number();
        return row;
      });
}

Result<ThesisPaper> read_thesis(const PaperText& paper) {
  constexpr std::size_t kTables = 5, kVariants = 6;
  LACUNA_TRY(const files::CsvFile file,
             parse_paper(paper, "table,variant,1LINKED,1B,2C,3ALT,2LINKED,1ALT,2ALT"));
  ThesisPaper thesis;
  for (std::size_t c = 2; c < file.num_columns(); ++c)
    thesis.instances.emplace_back(file.header(c));
  Fields fields(file);
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    fields.begin(r);
    const std::string table = fields.text();
    const bool complete =
        thesis.tables.empty() || thesis.tables.back().size() == thesis.variants.size();
    if (r == 0 || table != file.field(r - 1, 0))
      thesis.tables.emplace_back();
    fields.expect_last(
        table == "B." + std::to_string(thesis.tables.size()) &&
            (complete || !thesis.tables.back().empty()),
        "the tables are B.1 to B.5, in this order, and have as many rows as the first");
    ThesisPaper::Cells& cells = thesis.tables.back();
    const std::string variant = fields.text();
    if (thesis.tables.size() == 1)
      thesis.variants.push_back(variant);
    fields.expect_last(
        cells.size() < thesis.variants.size() && thesis.variants[cells.size()] == variant,
        "every table has the same variants as the first, in the same order");
    cells.emplace_back();
    while (!fields.at_end())
      cells.back().push_back(fields.text());
    if (fields.wrong())
      return *fields.wrong();
  }
  if (thesis.tables.size() != kTables || thesis.tables.back().size() != kVariants ||
      thesis.variants.size() != kVariants)
    return file.error(file.num_rows(), 0, "there must be five tables of six variants");
  return thesis;
}

Result<std::vector<TurnoverRow>> read_turnover(const PaperText& paper) {
  return rows_of<TurnoverRow>(
      paper, "table,first_dimension,second_dimension,modular_secondaries", [](Fields& fields) {
        TurnoverRow row;
        row.table = fields.text();
        row.first_dimension = fields.text();
        row.second_dimension = fields.text();
        row.modular = fields.whole();
        return row;
      });
}

Result<std::vector<ArgusRow>> read_argus(const PaperText& paper) {
  return rows_of<ArgusRow>(paper, "job,secondaries,cost", [](Fields& fields) {
    ArgusRow row;
    row.job = fields.text();
    row.secondary = fields.whole();
    row.cost = fields.number();
    return row;
  });
}

}  // namespace lacuna::bench
