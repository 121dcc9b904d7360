// SPDX-License-Identifier: Apache-2.0
#include "data/formats/eurostat_tsv.h"

#include <algorithm>
#include <set>

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "data/files/position.h"
#include "data/files/text_encoding.h"
#include "data/formats/agency_signs.h"
#include "data/formats/number_field.h"
#include "data/formats/sdmx_names.h"

namespace lacuna::formats {
namespace {

std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = std::min(line.find(separator), line.size());
    fields.push_back(line.substr(0, end));
    if (end == line.size())
      return fields;
    line.remove_prefix(end + 1);
  }
}

class TsvReader {
 public:
  TsvReader(std::string text, const std::string& filename)
      : text_(std::move(text)), filename_(filename) {}

  Result<Grid> read() {
    if (const std::size_t bad = base::find_bad_utf8(text_); bad != std::string::npos)
      return at(bad, "this byte is not UTF-8 text: convert the file to UTF-8");
    grid_.where = filename_;
    grid_.is_cross = true;
    LACUNA_RETURN_IF_ERROR(read_header());
    std::size_t begin = first_line(text_).size() + 1;
    while (begin < text_.size()) {
      const std::string_view line = first_line(std::string_view(text_).substr(begin));
      if (!base::trimmed(line).empty()) {
        LACUNA_RETURN_IF_ERROR(read_line(line, begin));
      }
      begin += line.size() + 1;
    }
    if (grid_.rows.empty())
      return Error{ErrorCode::kNoRows, "the file has no line with figures", filename_};
    finish();
    return std::move(grid_);
  }

 private:
  Error at(std::size_t offset, std::string message, ErrorCode code = ErrorCode::kBadField) const {
    return files::error_at(filename_, text_, offset, std::move(message), code);
  }
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  Status read_header() {
    const std::string_view line = first_line(text_);
    std::vector<std::string_view> fields = fields_of(line, '\t');
    const std::string_view names = base::trimmed(fields.front());
    const std::size_t slash = names.rfind('\\');
    if (slash == std::string_view::npos || fields.size() < 2)
      return at(0,
                "the first column of a file of Eurostat is named as in freq,unit,geo\\TIME_PERIOD",
                ErrorCode::kOtherFormat);
    for (const std::string_view name : fields_of(names.substr(0, slash), ',')) {
      grid_.columns.push_back({std::string(base::trimmed(name)), ColumnRole::kDimension});
    }
    num_keys_ = grid_.columns.size();
    const std::string across(base::trimmed(names.substr(slash + 1)));
    for (GridColumn& column : grid_.columns)
      column.role = is_time_name(column.name) ? ColumnRole::kTime : column.role;
    grid_.columns.push_back(
        {across, is_time_name(across) ? ColumnRole::kTime : ColumnRole::kDimension});
    std::set<std::string> seen;
    for (const GridColumn& column : grid_.columns) {
      if (column.name.empty() || !seen.insert(column.name).second)
        return at(0,
                  column.name.empty()
                      ? std::string("a dimension has no name")
                      : "the dimension " + base::in_quotes(column.name) + " is named twice",
                  ErrorCode::kRepeatedColumn);
    }
    std::set<std::string_view> codes;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const std::string_view code = base::trimmed(fields[i]);
      if (code.empty() && i + 1 == fields.size())
        break;  // a tabulator at the end of the line
      if (code.empty() || !codes.insert(code).second)
        return at(offset_of(fields[i]),
                  code.empty() ? std::string("a column has no name")
                               : "the column " + base::in_quotes(code) + " occurs twice",
                  ErrorCode::kRepeatedColumn);
      across_.emplace_back(code);
    }
    grid_.columns.push_back({"value", ColumnRole::kValue});
    return ok_status();
  }

  Status read_line(std::string_view line, std::size_t begin) {
    std::vector<std::string_view> fields = fields_of(line, '\t');
    if (fields.size() == across_.size() + 2 && base::trimmed(fields.back()).empty())
      fields.pop_back();
    if (fields.size() != across_.size() + 1)
      return at(begin,
                "the line has " + std::to_string(fields.size()) + " fields, but the header has " +
                    std::to_string(across_.size() + 1));
    const std::vector<std::string_view> keys = fields_of(fields.front(), ',');
    if (keys.size() != num_keys_)
      return at(begin,
                "the first field has " + std::to_string(keys.size()) + " codes, but " +
                    std::to_string(num_keys_) + " dimensions are named");
    for (std::size_t i = 0; i < across_.size(); ++i) {
      std::vector<std::string>& row = grid_.rows.emplace_back();
      row.reserve(num_keys_ + 4);
      for (const std::string_view key : keys)
        row.emplace_back(base::trimmed(key));
      row.push_back(across_[i]);
      LACUNA_RETURN_IF_ERROR(read_cell(fields[i + 1], row));
    }
    return ok_status();
  }

  // "429780 e", ": c", ":", "1.2 bp"
  Status read_cell(std::string_view field, std::vector<std::string>& row) {
    const std::string_view text = base::trimmed(field);
    const FlaggedText parts = split_flag(text);
    if (auto number = plain_decimal(parts.number)) {
      row.push_back(std::move(*number));
    } else if (parts.number == ":" || parts.number.empty()) {
      has_absent_ = has_absent_ || !parts.number.empty();
      row.push_back(parts.number);
    } else {
      return at(offset_of(text),
                base::strange_field_in_quotes(text) +
                    " is neither a number nor ':', with or without flags",
                ErrorCode::kBadNumber);
    }
    SplitFlags flags = split_flags(parts.flag);
    has_status_ = has_status_ || !flags.observation.empty();
    has_confidentiality_ = has_confidentiality_ || !flags.confidentiality.empty();
    row.push_back(std::move(flags.confidentiality));
    row.push_back(std::move(flags.observation));
    return ok_status();
  }

  void finish() {
    grid_.columns.push_back({"CONF_STATUS", ColumnRole::kConfidentiality});
    grid_.columns.push_back({"OBS_STATUS", ColumnRole::kObservationStatus});
    if (!has_status_)
      remove_column(grid_, grid_.columns.size() - 1);
    if (!has_confidentiality_)
      remove_column(grid_, grid_.columns.size() - (has_status_ ? 2 : 1));
    if (has_absent_)
      grid_.signs.push_back({":", SignMeaning::kAbsent, "not available (Eurostat)"});
    settle_sdmx(grid_);
  }

  std::string text_, filename_;
  Grid grid_;
  std::size_t num_keys_ = 0;
  std::vector<std::string> across_;
  bool has_absent_ = false, has_status_ = false, has_confidentiality_ = false;
};

}  // namespace

bool is_eurostat_tsv(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF"))
    bytes.remove_prefix(3);
  const std::string_view line = first_line(bytes);
  const std::size_t tab = line.find('\t'), slash = line.find('\\');
  return tab != std::string_view::npos && slash < tab && slash > 0 &&
         line.substr(0, slash).find_first_of("\"';") == std::string_view::npos;
}

Result<Grid> read_eurostat_tsv(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(std::string text,
             files::to_utf8(std::string(bytes), files::likely_encoding(bytes), filename));
  return TsvReader(std::move(text), filename).read();
}

}  // namespace lacuna::formats
