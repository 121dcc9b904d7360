// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_input.h"

#include <filesystem>
#include <string_view>

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/files/number_text.h"
#include "data/infer/open_table.h"
#include "data/jobfile/job_dimension.h"

namespace lacuna::jobfile {
namespace {

Result<infer::TableFileStyle> file_style(const JobSpec::Input& input,
                                         const spec::SpecPlaces& places) {
  infer::TableFileStyle style;
  if (!input.separator.empty() || places.has("input.separator")) {
    LACUNA_TRY(style.separator, separator_of(input.separator, "input.separator", places));
  }
  if (input.encoding)
    style.encoding = static_cast<files::Encoding>(*input.encoding);
  style.header = input.header;
  return style;
}

// Nothing if the job states neither the decimal mark nor the thousands separator.
Result<std::optional<files::NumberStyle>> number_style(const JobSpec::Input& input,
                                                       const spec::SpecPlaces& places) {
  if (!input.decimal_mark && !input.thousands)
    return std::optional<files::NumberStyle>();
  const SpecMark mark = input.decimal_mark.value_or(SpecMark::kPoint);
  const SpecThousands group = input.thousands.value_or(SpecThousands::kNone);
  const std::string_view mark_text = enum_names(mark)[static_cast<std::size_t>(mark)];
  const std::string_view group_text = enum_names(group)[static_cast<std::size_t>(group)];
  if (mark_text == group_text)
    return places.error("input.thousands", "decimal_mark and thousands cannot be the same");
  return std::optional<files::NumberStyle>({mark_text[0], std::string(group_text)});
}

Status check_round_totals(const std::string& text, const spec::SpecPlaces& places) {
  if (text.empty())
    return ok_status();
  const auto tolerance = files::parse_level_upward(text, 0);
  if (!tolerance)
    return places.moved(tolerance.error(), "input.round_totals");
  if (text.starts_with('-'))
    return places.error("input.round_totals", "round_totals must not be negative");
  return ok_status();
}

// What [input] says, without the files.
Result<TableInput> read_settings(const JobSpec::Input& given, const spec::SpecPlaces& places) {
  TableInput input;
  LACUNA_TRY(input.style, file_style(given, places));
  LACUNA_TRY(input.numbers, number_style(given, places));
  input.decimals = given.decimals;
  input.round = given.round;
  if (input.round && input.decimals < 0)
    return places.error(
        "input.round", "rounding needs a number of decimals: decimals = 2", ErrorCode::kMissingKey);
  input.empty_value = given.empty_value;
  input.totals = static_cast<problems::TotalsRule>(given.totals);
  input.round_totals = given.round_totals.text;
  LACUNA_RETURN_IF_ERROR(check_round_totals(input.round_totals, places));
  input.lists_empty = given.empty_cells;
  return input;
}

Status check_is_table(const JobSpec::Input& given, const spec::SpecPlaces& places) {
  if (!places.has("input") && given == JobSpec::Input{})
    return Error{ErrorCode::kMissingKey,
                 "the section " + base::named_section("[input]") + " is missing",
                 places.filename()};
  if (!given.records.empty() || places.has("input.records"))
    return places.error("input.records", "the job is over records; tabulate them first");
  return ok_status();
}

Status check_names_table(const JobSpec::Input& given, const spec::SpecPlaces& places) {
  if (given.table.empty() && !places.has("input.table"))
    return places.error(
        "input",
        base::named_section("[input]") + " needs " + base::named_setting("table", "\"<file>\""),
        ErrorCode::kMissingKey);
  if (given.table.empty())
    return places.error(
        "input.table", base::named_section("[input]") + " names no table", ErrorCode::kMissingKey);
  return ok_status();
}

void take_notes(const std::string& name, const infer::ShapedTable& table, TableInput& input) {
  for (const std::string& note : table.notes)
    input.notes.push_back(name + ": " + note);
}

// A point is a decimal mark unless that cannot be.
Result<files::NumberStyle> guessed_style(const files::CsvFile& file,
                                         const std::vector<std::size_t>& columns) {
  std::vector<std::string_view> texts;
  for (const std::size_t column : columns) {
    if (const auto numbers = infer::numbers_of(file, column))
      texts.insert(texts.end(), numbers->marked.begin(), numbers->marked.end());
  }
  const std::vector<files::NumberStyle> styles = files::possible_styles(texts);
  if (styles.empty() || styles.front().is_plain())
    return files::NumberStyle{};
  if (styles.size() > 1)
    return Error{ErrorCode::kUnclearFormat,
                 "a number such as " + base::confidential(base::in_quotes(texts.front())) +
                     " could be read" + infer::style_text(styles[0]) + ", or" +
                     infer::style_text(styles[1]) + ": say which" +
                     base::words_of_files(" in [input]"),
                 file.where_header()};
  return styles.front();
}

}  // namespace

Result<TableInput> read_table_input(const spec::ReadSpec& spec,
                                    const FileLoader& load,
                                    TableKind kind) {
  const JobSpec::Input& given = spec.job.input;
  LACUNA_RETURN_IF_ERROR(check_is_table(given, spec.places));
  LACUNA_TRY(TableInput input, read_settings(given, spec.places));
  input.style.shape = infer::shape_choice_of(spec.job);
  input.style.shape.released = input.style.shape.alone = kind == TableKind::kPublished;
  for (const auto& [sign, meaning] : given.means) {
    if (const Status known = infer::check_meaning(meaning); !known)
      return spec.places.error("input.means." + sign, known.error().message);
  }
  LACUNA_RETURN_IF_ERROR(check_names_table(given, spec.places));
  for (const SpecSource& source : given.table) {
    auto text = load(source.name);
    if (!text)
      return spec.places.moved(text.error(), "input.table");
    const bool is_frame = source.kind == SpecSource::Kind::kFrame;
    const bool is_alone = is_frame && given.table.size() == 1;  // needs no name in its places
    LACUNA_TRY(
        std::vector<infer::OpenedTable> opened,
        infer::open_tables(std::move(text).value(), is_alone ? "" : source.name, input.style));
    for (infer::OpenedTable& each : opened) {
      take_notes(source.name, each.table, input);
      input.files.push_back(std::move(each.table.file));
      input.names.push_back(is_frame ? source.name
                            : opened.size() > 1
                                ? each.table.name
                                : std::filesystem::path(source.name).stem().string());
      input.shapes.push_back(std::move(each.table));
    }
  }
  return input;
}

Status make_numbers_plain(const std::vector<std::string>& columns, TableInput& input) {
  for (files::CsvFile& file : input.files) {
    std::vector<std::size_t> found;
    for (const std::string& name : columns) {
      const std::size_t column = name.empty() ? file.num_columns() : file.find_column(name);
      if (column < file.num_columns())
        found.push_back(column);
    }
    files::NumberStyle style;
    if (input.numbers) {
      style = *input.numbers;
    } else {
      LACUNA_TRY(style, guessed_style(file, found));
    }
    for (const std::size_t column : found)
      LACUNA_RETURN_IF_ERROR(infer::make_plain(file, column, style));
  }
  return ok_status();
}

}  // namespace lacuna::jobfile
