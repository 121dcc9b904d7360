// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/field_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/sets/output.h"
#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"

namespace lacuna::bench {
namespace {

constexpr std::array<std::string_view, 4> kNeeded{"table", "tool", "version", "status"};
constexpr std::array<std::string_view, 12> kNumbers{"cells",
                                                    "equations",
                                                    "sensitive",
                                                    "limit",
                                                    "cost",
                                                    "secondary",
                                                    "seconds",
                                                    "cpu",
                                                    "peak_mib",
                                                    "exposed",
                                                    "undecided",
                                                    "exact"};
constexpr std::array<std::string_view, 3> kVerdicts{
    "verdict", "exact_verdict", "respondents_verdict"};
constexpr std::array<std::string_view, 3> kSources{"run", "pattern", "stated"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t column(std::string_view name) {
  return static_cast<std::size_t>(std::find(kFieldColumns.begin(), kFieldColumns.end(), name) -
                                  kFieldColumns.begin());
}

std::string verdict_of(double asked, double exposed, double undecided) {
  if (asked == 0)
    return "unasked";
  if (exposed > 0)
    return "exposed";
  return undecided > 0 ? "undecided" : "protected";
}

std::string whole(double number) {
  return fmt::format("{:.0f}", number);
}

void fill_judged(const FieldRow& row, FieldLine& line) {
  const auto set = [&line](std::string_view name, std::string text) {
    line[column(name)] = std::move(text);
  };
  // A sum of decimals in floating point has digits that nobody wrote.
  constexpr double kDecimals = 1e4;
  set("cost", base::format_double(std::round(row.count("cost") * kDecimals) / kDecimals));
  set("secondary", whole(row.count("secondary")));
  set("verdict", verdict_of(row.count("asked"), row.count("exposed"), row.count("undecided")));
  set("exposed", whole(row.count("exposed")));
  set("undecided", whole(row.count("undecided")));
  set("exact", whole(row.count("exact")));
  set("exact_verdict",
      verdict_of(row.count("asked"), row.count("exact"), row.count("exact_undecided")));
  if (row.count("respondents_asked") > 0) {
    set("respondents_verdict",
        verdict_of(row.count("respondents_asked"),
                   row.count("respondents_exposed"),
                   row.count("respondents_undecided")));
    set("respondents_exposed", whole(row.count("respondents_exposed")));
  }
}

std::string number_or_empty(double number, const char* form) {
  return number > 0 ? fmt::format(fmt::runtime(form), number) : "";
}

Error bad(const files::CsvFile& file, std::size_t row, std::size_t at, std::string message) {
  return file.error(row, at, std::move(message));
}

Status check_field(const files::CsvFile& file, std::size_t row, std::size_t at) {
  const std::string_view name = file.header(at), text = file.field(row, at);
  if (text.empty())
    return is_among(kNeeded, name)
               ? Status(bad(file, row, at, fmt::format("the column '{}' must be filled", name)))
               : ok_status();
  if ((is_among(kNumbers, name) || name == "respondents_exposed") && !base::parse_double(text))
    return bad(file, row, at, fmt::format("'{}' is not a number", text));
  if (is_among(kVerdicts, name) && !find_verdict(text))
    return bad(file,
               row,
               at,
               fmt::format("'{}' is not a verdict: write protected, exposed, undecided, or nothing",
                           text));
  return ok_status();
}

Status check_header(const files::CsvFile& file) {
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    if (!is_among(kFieldColumns, file.header(c)))
      return Error{
          ErrorCode::kBadField,
          fmt::format("there is no column '{}' (docs/field.md lists them)", file.header(c)),
          file.where_header()};
  }
  for (const std::string_view name : kNeeded) {
    if (file.find_column(name) == file.num_columns())
      return Error{ErrorCode::kMissingColumn,
                   fmt::format("there is no column '{}'", name),
                   file.where_header()};
  }
  return ok_status();
}

}  // namespace

FieldLine line_of(const FieldRow& row) {
  FieldLine line;
  const auto set = [&line](std::string_view name, std::string text) {
    line[column(name)] = std::move(text);
  };
  set("table", row.run.instance);
  set("cells", number_or_empty(static_cast<double>(row.run.cells), "{:.0f}"));
  set("equations", number_or_empty(static_cast<double>(row.run.equations), "{:.0f}"));
  if (row.run.cells > 0)
    set("sensitive", std::to_string(row.run.primary));
  set("tool", row.tool);
  set("version", row.version);
  set("options", row.options);
  set("weights", row.weights);
  set("asked", row.asked);
  set("source", std::string(kSources[static_cast<std::size_t>(row.source)]));
  set("limit", number_or_empty(row.limit, "{:g}"));
  set("status", row.run.status);
  set("seconds", number_or_empty(row.run.seconds, "{:.3f}"));
  set("cpu", number_or_empty(row.run.cpu_seconds, "{:.3f}"));
  set("peak_mib", number_or_empty(row.run.peak_memory, "{:.0f}"));
  set("note", row.run.note);
  if (row.is_judged)
    fill_judged(row, line);
  return line;
}

std::string field_csv(std::span<const FieldLine> lines) {
  std::string text;
  for (std::size_t c = 0; c < kFieldColumns.size(); ++c)
    text += fmt::format("{}{}", c == 0 ? "" : ",", kFieldColumns[c]);
  text += "\n";
  for (const FieldLine& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c)
      text += (c == 0 ? "" : ",") + files::csv_quoted(line[c], ',');
    text += "\n";
  }
  return text;
}

Result<std::vector<FieldLine>> read_field_rows(const std::string& path) {
  LACUNA_TRY(std::string text, files::read_file(path));
  LACUNA_TRY(const files::CsvFile file, files::CsvFile::parse(std::move(text), path, ','));
  LACUNA_RETURN_IF_ERROR(check_header(file));
  std::vector<FieldLine> lines(file.num_rows());
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    for (std::size_t c = 0; c < file.num_columns(); ++c) {
      LACUNA_RETURN_IF_ERROR(check_field(file, r, c));
      lines[r][column(file.header(c))] = file.field(r, c);
    }
    lines[r][column("source")] = "stated";
  }
  return lines;
}

std::string field_table_text(std::span<const FieldLine> lines) {
  constexpr std::array<std::string_view, 13> kShown{"table",
                                                    "tool",
                                                    "options",
                                                    "asked",
                                                    "source",
                                                    "status",
                                                    "cost",
                                                    "secondary",
                                                    "seconds",
                                                    "verdict",
                                                    "exposed",
                                                    "exact",
                                                    "respondents_exposed"};
  std::vector<std::vector<std::string>> body;
  for (const FieldLine& line : lines) {
    body.emplace_back();
    for (const std::string_view name : kShown)
      body.back().push_back(line[column(name)]);
  }
  return markdown_table(std::vector<std::string>(kShown.begin(), kShown.end()), body);
}

}  // namespace lacuna::bench
