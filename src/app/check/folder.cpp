// SPDX-License-Identifier: Apache-2.0
#include "app/check/folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "app/check/acro_results.h"
#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "data/files/number_text.h"
#include "data/formats/printed_table.h"
#include "data/formats/recognise.h"
#include "data/formats/workbook.h"
#include "data/infer/open_table.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/published_table.h"

namespace lacuna::checking {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 18> kCountWords{"n",
                                                       "nobs",
                                                       "freq",
                                                       "freq.",
                                                       "frequency",
                                                       "count",
                                                       "counts",
                                                       "cases",
                                                       "obs",
                                                       "number",
                                                       "persons",
                                                       "people",
                                                       "patients",
                                                       "units",
                                                       "records",
                                                       "size",
                                                       "total_n",
                                                       "firms"};
constexpr std::array<std::string_view, 24> kAmountWords{
    "mean",  "avg",  "average",    "sum",    "amount",   "median",  "sd",    "std",
    "stdev", "var",  "min",        "max",    "pct",      "percent", "share", "rate",
    "ratio", "prop", "proportion", "income", "turnover", "wage",    "cost",  "q1"};

Texts words_in(std::string_view name) {
  Texts words(1);
  for (const char c : base::lower_case(name)) {
    if (c == '_' || c == ' ' || c == '(' || c == ')' || c == '-')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

template <std::size_t N>
bool has_word(std::string_view name, const std::array<std::string_view, N>& known) {
  const Texts words = words_in(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  });
}

bool is_count_name(std::string_view name) {
  return has_word(name, kCountWords) && !has_word(name, kAmountWords);
}

std::string csv_of(const std::vector<Texts>& rows) {
  std::string text;
  for (const Texts& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text += (c > 0 ? "," : "") + files::csv_quoted(row[c], ',');
    text += '\n';
  }
  return text;
}

// A first column without a name holds what the rows are called; one that counts the rows is none.
std::optional<std::string> with_named_rows(const std::string& bytes, const std::string& name) {
  const bool nameless = bytes.starts_with(",") || bytes.starts_with("\"\",");
  if (!nameless)
    return std::nullopt;
  const auto read = files::CsvFile::parse(bytes, name, ',');
  if (!read || read->num_columns() < 2)
    return std::nullopt;
  const files::CsvFile& file = *read;
  bool numbered = file.num_rows() > 1;
  const int from = numbered && file.field(0, 0) == "0" ? 0 : 1;
  for (std::size_t r = 0; r < file.num_rows() && numbered; ++r)
    numbered = file.field(r, 0) == std::to_string(from + static_cast<int>(r));
  std::vector<Texts> rows(1);
  for (std::size_t c = numbered ? 1 : 0; c < file.num_columns(); ++c)
    rows.front().push_back(c == 0 ? "rows" : std::string(file.header(c)));
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    rows.emplace_back();
    for (std::size_t c = numbered ? 1 : 0; c < file.num_columns(); ++c)
      rows.back().emplace_back(file.field(r, c));
  }
  return csv_of(rows);
}

// ---- one table of a file

class TableReader {
 public:
  TableReader(const Notes& notes, Outputs& outputs) : notes_(notes), outputs_(outputs) {}

  // All tables that one file holds. Errors: what is not read.
  Status read_file(std::size_t output, std::string bytes) {
    const std::string& name = outputs_.outputs[output].name;
    const formats::Format format = formats::recognise(bytes);
    if (format == formats::Format::kXlsx || format == formats::Format::kXls ||
        format == formats::Format::kOds)
      return read_sheets(output, bytes);
    if (format == formats::Format::kUnknown && is_text_name(name)) {
      const Status printed = read_printed(output, bytes);
      if (printed)
        return ok_status();
    }
    if (auto named = with_named_rows(bytes, name))
      bytes = std::move(*named);
    return read_table(output, std::move(bytes), "", name);
  }

 private:
  static bool is_text_name(const std::string& name) {
    for (const std::string_view end : {".txt", ".log", ".lst", ".out", ".text"}) {
      if (base::lower_case(name).ends_with(end))
        return true;
    }
    return false;
  }

  Status read_sheets(std::size_t output, const std::string& bytes) {
    const std::string& name = outputs_.outputs[output].name;
    LACUNA_TRY(const std::vector<formats::Grid> grids, formats::read_workbook(bytes, name));
    std::size_t seen = 0;
    std::optional<Error> first;
    for (const formats::Grid& grid : grids) {
      if (grid.rows.size() < 2)
        continue;
      ++seen;
      const Status read = read_table(output, bytes, grid.name, name);
      if (!read && !first)
        first = Error{read.error().code,
                      "sheet " + base::in_quotes(grid.name) + ": " + read.error().message,
                      read.error().where};
    }
    if (first)
      return *first;
    if (seen == 0)
      return Error{ErrorCode::kNoRows, "no sheet holds a table", name};
    return ok_status();
  }

  Status read_printed(std::size_t output, const std::string& bytes) {
    const std::string& name = outputs_.outputs[output].name;
    const std::vector<formats::Grid> grids = formats::printed_tables(bytes, name);
    if (grids.empty())
      return Error{ErrorCode::kUnclearFormat, "no table is found in this text", name};
    for (const formats::Grid& grid : grids) {
      const std::size_t before = outputs_.tables.size();
      LACUNA_RETURN_IF_ERROR(
          read_table(output, csv_of(grid.rows), grids.size() > 1 ? grid.name : "", name));
      for (std::size_t t = before; t < outputs_.tables.size(); ++t) {
        for (CheckRow& row : outputs_.tables[t].rows)
          row.where = grid.where;
      }
    }
    return ok_status();
  }

  // Every column of numbers of a file is a table of its own.
  Status read_table(std::size_t output,
                    std::string bytes,
                    const std::string& sheet,
                    const std::string& name) {
    TableNote note = notes_.of(name, sheet);
    if (outputs_.outputs[output].acro)
      take_acro(*outputs_.outputs[output].acro, bytes, note);
    std::vector<std::string> values = note.value;
    if (values.empty())
      values = columns_of_numbers(bytes, sheet, name, note);
    if (values.empty())
      values.emplace_back();
    for (const std::string& value : values)
      LACUNA_RETURN_IF_ERROR(read_value(output, bytes, sheet, name, note, value));
    return ok_status();
  }

  // The variables that the heading does not name are those whose codes stand in it.
  static void take_acro(const AcroRecord& record, const std::string& bytes, TableNote& note) {
    if (note.measure.empty())
      note.measure = record.measure.empty() ? "count" : record.measure;
    if (!note.columns.empty())
      return;
    const std::string heading = bytes.substr(0, bytes.find('\n'));
    for (const std::string& variable : record.variables) {
      const auto read = files::CsvFile::parse(heading + "\n", "", ',');
      if (read && read->find_column(variable) == read->num_columns())
        note.columns.push_back(variable);
    }
  }

  static JobSpec said(const std::string& sheet, const TableNote& note, const std::string& value) {
    JobSpec job;
    const bool is_sheet = !sheet.empty() && !sheet.starts_with("line ");
    if (is_sheet)
      job.input.sheet = {sheet};
    job.input.wide = note.columns;
    if (!value.empty()) {
      job.columns = JobSpec::Columns{};
      job.columns->value = value;
    }
    for (const auto& [dimension, total] : note.totals) {
      JobSpec::Dimension& each = job.dimensions.emplace_back();
      each.name = dimension;
      each.total = total;
    }
    return job;
  }

  // By their names, where a file has one row per cell; nothing: the guess finds the one there is.
  static std::vector<std::string> columns_of_numbers(const std::string& bytes,
                                                     const std::string& sheet,
                                                     const std::string& name,
                                                     const TableNote& note) {
    std::vector<std::string> found;
    if (!note.columns.empty())
      return found;
    infer::TableFileStyle style;
    style.alone = true;
    style.shape.alone = true;
    if (!sheet.empty() && !sheet.starts_with("line "))
      style.shape.sheets = {sheet};
    const auto opened = infer::open_tables(bytes, name, style);
    if (!opened || opened->size() != 1)
      return found;
    const files::CsvFile& file = opened->front().table.file;
    std::size_t others = 0;
    for (std::size_t c = 0; c < file.num_columns(); ++c) {
      const std::string header(file.header(c));
      if (!infer::numbers_of(file, c))
        continue;
      if (has_word(header, kCountWords) || has_word(header, kAmountWords))
        found.push_back(header);
      else
        ++others;
    }
    // In the heading of a wide table one such word is a code.
    if (found.size() == 1 && others > 1)
      found.clear();
    return found;
  }

  Status read_value(std::size_t output,
                    const std::string& bytes,
                    const std::string& sheet,
                    const std::string& name,
                    const TableNote& note,
                    const std::string& value) {
    LACUNA_TRY(infer::GuessedJob guessed,
               infer::guess_published(bytes, name, name, said(sheet, note, value)));
    const Texts wide = guessed.job.input.wide;
    const spec::ReadSpec spec{std::move(guessed.job), spec::SpecPlaces(name)};
    const auto load = [&](const std::string&) -> Result<std::string> { return bytes; };
    LACUNA_TRY(const auto tables, jobfile::read_published(spec, load));
    for (const jobfile::PublishedTable& table : tables)
      add(output, sheet, name, note, wide, table);
    return ok_status();
  }

  void add(std::size_t output,
           const std::string& sheet,
           const std::string& name,
           const TableNote& note,
           const Texts& wide,
           const jobfile::PublishedTable& from) {
    CheckTable table;
    table.output = output;
    table.file = name;
    table.sheet = sheet;
    table.name = sheet.empty()                ? name
                 : sheet.starts_with("line ") ? name + ", " + sheet
                                              : name + ", sheet " + sheet;
    table.value = from.value;
    table.subset_text = note.subset;
    table.subset = note.conditions;
    for (const jobfile::PublishedDimension& each : from.dimensions) {
      const bool in_heading = std::find(wide.begin(), wide.end(), each.name) != wide.end();
      const bool made_up =
          each.name.starts_with("column") || each.name.starts_with("period") || each.name == "rows";
      add_dimension(
          each, (in_heading || each.name == "rows") && made_up && note.columns.empty(), table);
    }
    for (std::size_t r = 0; r < from.rows.size(); ++r)
      add_row(from, r, table);
    // A column of one text in all rows is a filter that the file tells of itself.
    for (const auto& [column, code] : from.constants) {
      if (files::style_of(code) || is_count_name(column) || has_word(column, kAmountWords))
        continue;
      const auto [variable, shown] = notes_.variable(column);
      table.filters.push_back({variable, shown, notes_.code(variable, code)});
      table.subset.push_back(condition_of_code(variable, shown, table.filters.back().code));
    }
    for (std::size_t d = 0; d < table.dimensions.size(); ++d)
      name_total(d, table);
    measure(note, from, table);
    outputs_.tables.push_back(std::move(table));
  }

  // Sums that do not hold, as where margins leave out what is missing, show no total; names may.
  static void name_total(std::size_t d, CheckTable& table) {
    for (const CheckRow& row : table.rows) {
      const std::string code = compared(row.codes[d]);
      if (table.dimensions[d].total.empty() &&
          (code == "all" || code == "total" || code == "sum" || code == "margin"))
        table.dimensions[d].total = row.codes[d];
    }
  }

  void add_dimension(const jobfile::PublishedDimension& from, bool unnamed, CheckTable& table) {
    CheckDimension dimension;
    std::tie(dimension.variable, dimension.shown) = notes_.variable(from.name);
    dimension.unnamed = unnamed;
    const auto code = [&](const std::string& text) {
      return notes_.code(dimension.variable, text);
    };
    dimension.total = from.total.empty() ? "" : code(from.total);
    for (const files::NamedRelation& each : from.relations) {
      files::NamedRelation relation{code(each.parent), {}};
      for (const std::string& child : each.children)
        relation.children.push_back(code(child));
      dimension.relations.push_back(std::move(relation));
    }
    table.dimensions.push_back(std::move(dimension));
  }

  void add_row(const jobfile::PublishedTable& from, std::size_t r, CheckTable& table) {
    const jobfile::PublishedRow& given = from.rows[r];
    CheckRow row;
    for (std::size_t d = 0; d < given.codes.size(); ++d)
      row.codes.push_back(notes_.code(table.dimensions[d].variable, given.codes[d]));
    row.number = given.number;
    row.range = given.range;
    row.sign = given.sign;
    row.where = from.where(r);
    if (!row.number.empty() && !files::style_of(row.number)) {
      row.sign = std::exchange(row.number, "");  // a sign of several meanings: at least no number
      row.range = infer::range_of(row.sign);
    }
    for (const char* name : {"largest", "max1", "top1", "max", "largest2", "max2", "top2"}) {
      const std::size_t column = from.text->find_column(name);
      if (column < from.text->num_columns() && column != from.column)
        row.largest.emplace_back(from.text->field(r, column));
    }
    table.rows.push_back(std::move(row));
  }

  // Whole numbers are counts unless something says otherwise; that is printed beside the verdict.
  static void measure(const TableNote& note,
                      const jobfile::PublishedTable& from,
                      CheckTable& table) {
    table.stated_measure = !note.measure.empty();
    const std::string stated = compared(note.measure);
    const bool whole = std::all_of(table.rows.begin(), table.rows.end(), [](const CheckRow& row) {
      return compared(row.number).find_first_not_of("0123456789") == std::string::npos;
    });
    if (table.stated_measure)
      table.counts = stated == "count" || stated == "counts";
    else
      table.counts = whole && !has_word(from.value, kAmountWords);
    table.measure = table.counts                         ? "count"
                    : table.stated_measure               ? note.measure
                    : has_word(from.value, kAmountWords) ? from.value
                                                         : "amount";
  }

  const Notes& notes_;
  Outputs& outputs_;
};

// ---- all files of a folder

Result<Texts> files_below(const std::string& folder, const Notes& notes) {
  std::error_code trouble;
  if (!fs::is_directory(folder, trouble))
    return Error{ErrorCode::kFileMissing,
                 "this is no folder; name the folder that holds the outputs of the project",
                 folder};
  Texts names;
  for (auto at = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, trouble);
       !trouble && at != fs::recursive_directory_iterator();
       at.increment(trouble)) {
    const std::string base = at->path().filename().string();
    if (base.starts_with(".")) {
      if (at->is_directory(trouble))
        at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file(trouble))
      continue;
    const std::string name = at->path().lexically_relative(folder).generic_string();
    const bool is_store = base.ends_with(".released.log");
    if (base != kNotesName && !is_store && !notes.ignores(name))
      names.push_back(name);
  }
  if (trouble)
    return Error{
        ErrorCode::kFileUnreadable, "the folder cannot be read: " + trouble.message(), folder};
  std::sort(names.begin(), names.end());
  return names;
}

Status check_named_tables(const Notes& notes, const Texts& names, const std::string& folder) {
  for (const TableNote& note : notes.tables) {
    const bool any = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return matches(note.file, name);
    });
    if (!any)
      return Error{ErrorCode::kNoSuchThing,
                   "no file of " + folder + " is called " + base::in_quotes(note.file),
                   note.where};
  }
  return ok_status();
}

// What ACRO says of the files beside its results.
struct AcroFiles {
  std::map<std::string, AcroRecord> records;
  std::set<std::string> folders;

  bool is_own(const std::string& name) const {
    const auto record = records.find(name);
    if (record != records.end())
      return record->second.for_checkers;
    const fs::path path(name);
    const std::string beside = path.parent_path().generic_string();
    const std::string above = path.parent_path().parent_path().generic_string();
    return is_acro_housekeeping(name) && (folders.contains(beside) || folders.contains(above));
  }
};

Result<AcroFiles> acro_files(const std::string& folder,
                             const Texts& names,
                             const load::Inputs& inputs) {
  AcroFiles found;
  for (const std::string& name : names) {
    if (fs::path(name).filename() != "results.json")
      continue;
    const std::string path = (fs::path(folder) / name).string();
    LACUNA_TRY(const std::string bytes, inputs.read(path));
    if (!is_acro_results(name, bytes))
      continue;
    LACUNA_TRY(const auto records, read_acro_results(bytes, path));
    const fs::path beside = fs::path(name).parent_path();
    found.folders.insert(beside.generic_string());
    for (const auto& [file, record] : records)
      found.records.emplace((beside / file).generic_string(), record);
  }
  return found;
}

std::string reason_of(const Error& error) {
  return base::in_full(error.message);
}

}  // namespace

Result<Outputs> read_folder(const std::string& folder,
                            const Notes& notes,
                            const load::Inputs& inputs) {
  LACUNA_TRY(const Texts names, files_below(folder, notes));
  LACUNA_RETURN_IF_ERROR(check_named_tables(notes, names, folder));
  Outputs outputs;
  TableReader reader(notes, outputs);
  LACUNA_TRY(const AcroFiles acro, acro_files(folder, names, inputs));
  for (const std::string& name : names) {
    const auto record = acro.records.find(name);
    if (acro.is_own(name))
      continue;
    LACUNA_TRY(std::string bytes, inputs.read((fs::path(folder) / name).string()));
    Output& output = outputs.outputs.emplace_back();
    output.name = name;
    output.sha256 = base::sha256_hex(bytes);
    if (record != acro.records.end())
      output.acro = record->second;
    const Status read = reader.read_file(outputs.outputs.size() - 1, std::move(bytes));
    if (!read)
      outputs.outputs.back().unread = reason_of(read.error());
  }
  for (const auto& [file, record] : acro.records) {
    if (std::find(names.begin(), names.end(), file) == names.end())
      outputs.notes.push_back("the results of ACRO name " + file + ", which is not in the folder");
  }
  if (outputs.outputs.empty())
    return Error{ErrorCode::kNoRows, "there is no output in this folder", folder};
  return outputs;
}

void name_variables(Outputs& outputs) {
  std::map<std::string, std::set<std::string>> codes;  // of named variables
  std::map<std::string, std::string> shown;
  const auto codes_of = [](const CheckTable& table, std::size_t d) {
    std::set<std::string> all;
    for (const CheckRow& row : table.rows) {
      if (row.codes[d] != table.dimensions[d].total)
        all.insert(compared(row.codes[d]));
    }
    return all;
  };
  for (const CheckTable& table : outputs.tables) {
    for (std::size_t d = 0; d < table.dimensions.size(); ++d) {
      if (table.dimensions[d].unnamed)
        continue;
      const auto own = codes_of(table, d);
      codes[table.dimensions[d].variable].insert(own.begin(), own.end());
      shown.emplace(table.dimensions[d].variable, table.dimensions[d].shown);
    }
  }
  for (CheckTable& table : outputs.tables) {
    for (std::size_t d = 0; d < table.dimensions.size(); ++d) {
      CheckDimension& dimension = table.dimensions[d];
      if (!dimension.unnamed)
        continue;
      const auto own = codes_of(table, d);
      Texts fitting;
      for (const auto& [variable, known] : codes) {
        const bool taken = std::any_of(table.dimensions.begin(),
                                       table.dimensions.end(),
                                       [&](const auto& each) { return each.variable == variable; });
        if (!taken && own.size() > 1 &&
            std::includes(known.begin(), known.end(), own.begin(), own.end()))
          fitting.push_back(variable);
      }
      if (fitting.size() != 1) {
        dimension.variable = "\x02" + table.name + "\x02" + std::to_string(d);
        dimension.shown = dimension.shown == "rows" ? "row" : dimension.shown;
        continue;
      }
      dimension.variable = fitting.front();
      dimension.shown = shown[fitting.front()];
      table.guess =
          "the codes in the heading of " + table.name + " are taken as those of " + dimension.shown;
      outputs.notes.push_back(table.guess + ", because they are the same (say columns = [\"" +
                              dimension.shown + "\"] in " + std::string(kNotesName) + ")");
    }
  }
}

}  // namespace lacuna::checking
