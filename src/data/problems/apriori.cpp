// SPDX-License-Identifier: Apache-2.0
#include "data/problems/apriori.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/number_text.h"
#include "data/files/position.h"

namespace lacuna::problems {
namespace {

struct StatusWord {
  std::string_view word;
  AprioriStatus status;
};
constexpr std::array<StatusWord, 9> kStatusWords{{
    {"s", AprioriStatus::kSafe},
    {"u", AprioriStatus::kUnsafe},
    {"p", AprioriStatus::kMustPublish},
    {"m", AprioriStatus::kSecondary},
    {"ml", AprioriStatus::kSecondary},
    {"safe", AprioriStatus::kSafe},
    {"unsafe", AprioriStatus::kUnsafe},
    {"protected", AprioriStatus::kMustPublish},
    {"secondary", AprioriStatus::kSecondary},
}};
constexpr std::size_t kFirstLongWord = 5;
constexpr std::string_view kCollapse = "collapse";

Error bad(std::string message) {
  return {ErrorCode::kBadField, std::move(message), ""};
}

std::optional<AprioriStatus> find_status(std::string_view word) {
  const std::string lower = base::lower_case(word);
  for (const StatusWord& known : kStatusWords) {
    if (known.word == lower)
      return known.status;
  }
  return std::nullopt;
}

Result<AprioriStatus> parse_status(std::string_view text) {
  if (const auto status = find_status(text))
    return *status;
  std::array<std::string_view, kStatusWords.size()> words;
  std::transform(kStatusWords.begin(), kStatusWords.end(), words.begin(), [](const StatusWord& w) {
    return w.word;
  });
  return bad("the status " + base::strange_field_in_quotes(text) + " is not one of S, U, P, M" +
             base::did_you_mean(base::lower_case(text), std::span(words).subspan(kFirstLongWord)));
}

Result<std::int32_t> parse_code(std::string_view text, const Dimension& dimension) {
  if (text.empty())
    return dimension.total();
  const std::int32_t code = dimension.find(text);
  if (code >= 0)
    return code;
  const std::vector<std::string_view> names(dimension.codes().begin(), dimension.codes().end());
  return bad("dimension " + dimension.name() + " has no code " +
             base::strange_field_in_quotes(text) + base::did_you_mean(text, names));
}

Result<double> parse_cost(std::string_view text) {
  const auto cost = base::parse_double(text);
  if (!cost)
    return bad("the cost " + base::confidential(base::in_quotes(text)) + " is not a number");
  if (cost.value() < 0)
    return bad("a cost may not be negative");
  return cost.value() == 0 ? 1.0 : cost.value();
}

Result<Units> parse_level(std::string_view text, int decimals) {
  LACUNA_TRY(const Units level, files::parse_level_upward(text, decimals));
  if (level < 0)
    return bad("a protection level may not be negative");
  return level;
}

enum Column : std::size_t {
  kStatus,
  kCost,
  kLower,
  kUpper,
  kSliding,
  kLowerBound,
  kUpperBound,
  kNumColumns,
};
constexpr std::array<std::string_view, kNumColumns> kColumnNames{
    "status", "cost", "lower", "upper", "sliding", "lower_bound", "upper_bound"};

Status set_field(AprioriEntry& entry, Column column, std::string_view text, int decimals) {
  switch (column) {
    case kStatus: {
      LACUNA_TRY(entry.status, parse_status(text));
      break;
    }
    case kCost: {
      LACUNA_TRY(entry.cost, parse_cost(text));
      break;
    }
    case kLower: {
      LACUNA_TRY(entry.lower, parse_level(text, decimals));
      break;
    }
    case kUpper: {
      LACUNA_TRY(entry.upper, parse_level(text, decimals));
      break;
    }
    case kSliding: {
      LACUNA_TRY(entry.sliding, parse_level(text, decimals));
      break;
    }
    case kLowerBound: {
      LACUNA_TRY(entry.lower_bound, files::parse_bound(text, decimals, true));
      break;
    }
    case kUpperBound: {
      LACUNA_TRY(entry.upper_bound, files::parse_bound(text, decimals, false));
      break;
    }
    case kNumColumns:
      break;
  }
  return ok_status();
}

// A line for all cells that equal its cell, because they differ by codes joined by relations with a
// single child.
class Expander {
 public:
  Expander(const std::vector<Dimension>& dimensions, bool expand) {
    for (std::size_t d = 0; expand && d < dimensions.size(); ++d)
      same_.push_back(same_codes(dimensions[d]));
  }

  Status add(AprioriEntry entry, std::vector<AprioriEntry>& entries) {
    const std::string where = entry.where;
    const std::size_t first = entries.size();
    entries.push_back(std::move(entry));
    for (std::size_t d = 0; d < same_.size(); ++d) {
      const std::size_t last = entries.size();
      const std::int32_t own = entries[first].codes[d];
      const Codes& same = *same_[d][static_cast<std::size_t>(own)];
      // Hierarchies have a few trivial levels; chains could fill the memory with a few lines.
      copies_ += (last - first) * (same.size() - 1);
      if (copies_ > kMostCopies)
        return Error{ErrorCode::kTooLarge, "the lines stand for too many cells", where};
      for (const std::int32_t code : same) {
        if (code == own)
          continue;
        for (std::size_t i = first; i < last; ++i) {
          AprioriEntry copy = entries[i];
          copy.codes[d] = code;
          copy.if_present = true;
          entries.push_back(std::move(copy));
        }
      }
    }
    return ok_status();
  }

 private:
  using Codes = std::vector<std::int32_t>;
  static constexpr std::size_t kMostCopies = 4'000'000;

  // For every code all that stand for the same cells, itself included.
  static std::vector<std::shared_ptr<const Codes>> same_codes(const Dimension& dimension) {
    const auto count = static_cast<std::size_t>(dimension.num_codes());
    std::vector<Codes> next(count);
    for (const Relation& relation : dimension.relations()) {
      if (relation.children.size() != 1)
        continue;
      next[static_cast<std::size_t>(relation.parent)].push_back(relation.children[0]);
      next[static_cast<std::size_t>(relation.children[0])].push_back(relation.parent);
    }
    std::vector<std::shared_ptr<const Codes>> same(count);
    std::vector<bool> seen(count, false);
    for (std::size_t code = 0; code < count; ++code) {
      if (seen[code])
        continue;
      auto group = std::make_shared<Codes>(1, static_cast<std::int32_t>(code));
      seen[code] = true;
      for (std::size_t i = 0; i < group->size(); ++i) {
        for (const std::int32_t other : next[static_cast<std::size_t>((*group)[i])]) {
          if (!seen[static_cast<std::size_t>(other)])
            group->push_back(other);
          seen[static_cast<std::size_t>(other)] = true;
        }
      }
      for (const std::int32_t member : *group)
        same[static_cast<std::size_t>(member)] = group;
    }
    return same;
  }

  std::vector<std::vector<std::shared_ptr<const Codes>>> same_;  // dimension, code; or empty
  std::size_t copies_ = 0;
};

// ---- CSV

struct CsvColumns {
  std::vector<std::size_t> dimensions;  // num_columns() if there is none
  std::array<std::size_t, kNumColumns> fields{};
};

Result<CsvColumns> find_columns(const files::CsvFile& file,
                                const std::vector<Dimension>& dimensions) {
  CsvColumns columns;
  columns.fields.fill(file.num_columns());
  columns.dimensions.assign(dimensions.size(), file.num_columns());
  std::vector<std::string_view> names(kColumnNames.begin(), kColumnNames.end());
  for (const Dimension& dimension : dimensions)
    names.push_back(dimension.name());
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string_view name = base::trimmed(file.header(c));
    const auto at = std::find(names.begin(), names.end(), name);
    const auto which = static_cast<std::size_t>(at - names.begin());
    if (at == names.end()) {
      return Error{ErrorCode::kMissingColumn,
                   "the column " + base::strange_field_in_quotes(name) +
                       " is neither a dimension nor one of status, cost, lower, upper, sliding, "
                       "lower_bound, upper_bound" +
                       base::did_you_mean(name, names),
                   file.where_header()};
    }
    std::size_t& place =
        which < kNumColumns ? columns.fields[which] : columns.dimensions[which - kNumColumns];
    if (place != file.num_columns()) {
      return Error{ErrorCode::kRepeatedColumn,
                   "there are two columns " + base::strange_field_in_quotes(name),
                   file.where_header()};
    }
    place = c;
  }
  return columns;
}

class CsvReader {
 public:
  CsvReader(const files::CsvFile& file, const std::vector<Dimension>& dimensions, int decimals)
      : file_(file), dimensions_(dimensions), decimals_(decimals) {}

  Result<AprioriFile> read(const AprioriOptions& options) {
    LACUNA_TRY(columns_, find_columns(file_, dimensions_));
    lines_ = file_.row_lines();
    AprioriFile result;
    Expander expander(dimensions_, options.expand_trivial);
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      if (base::lower_case(field(row, columns_.fields[kStatus])) == kCollapse) {
        LACUNA_TRY(CollapsedCode code, read_collapse(row));
        result.collapsed.push_back(std::move(code));
        continue;
      }
      LACUNA_TRY(AprioriEntry entry, read_row(row));
      LACUNA_RETURN_IF_ERROR(expander.add(std::move(entry), result.entries));
    }
    return result;
  }

 private:
  std::string_view field(std::size_t row, std::size_t column) const {
    return column == file_.num_columns() ? "" : base::trimmed(file_.field(row, column));
  }

  Result<CollapsedCode> read_collapse(std::size_t row) const {
    CollapsedCode found{"", files::location(file_.filename(), {lines_[row], 1})};
    bool sound = true;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::string_view code = field(row, columns_.dimensions[d]);
      if (code.empty())
        continue;
      if (const auto known = parse_code(code, dimensions_[d]); !known)
        return file_.error(row, columns_.dimensions[d], known.error().message);
      sound = sound && found.text.empty();
      found.text = dimensions_[d].name() + "=" + std::string(code);
    }
    for (std::size_t c = 0; c < kNumColumns; ++c)
      sound = sound && (c == kStatus || field(row, columns_.fields[c]).empty());
    if (!sound || found.text.empty())
      return file_.error(
          row, columns_.fields[kStatus], "a row that collapses has one code, and nothing else");
    return found;
  }

  Result<AprioriEntry> read_row(std::size_t row) const {
    AprioriEntry entry;
    entry.where = files::location(file_.filename(), {lines_[row], 1});
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::size_t column = columns_.dimensions[d];
      const bool given = column != file_.num_columns();
      const auto code =
          parse_code(given ? base::trimmed(file_.field(row, column)) : "", dimensions_[d]);
      if (!code)
        return file_.error(row, column, code.error().message, code.error().code);
      entry.codes.push_back(code.value());
    }
    for (std::size_t c = 0; c < kNumColumns; ++c) {
      const std::size_t column = columns_.fields[c];
      if (column == file_.num_columns() || base::trimmed(file_.field(row, column)).empty())
        continue;
      const Status set = set_field(
          entry, static_cast<Column>(c), base::trimmed(file_.field(row, column)), decimals_);
      if (!set)
        return file_.error(row, column, set.error().message, set.error().code);
    }
    return entry;
  }

  const files::CsvFile& file_;
  const std::vector<Dimension>& dimensions_;
  int decimals_;
  CsvColumns columns_;
  std::vector<std::size_t> lines_;  // of the rows
};

// ---- .hst

struct HstField {
  std::string_view text;
  std::size_t offset = 0;  // in the file
};

class HstReader {
 public:
  HstReader(std::string_view text,
            const std::string& filename,
            const std::vector<Dimension>& dimensions,
            int decimals,
            const AprioriOptions& options)
      : text_(text),
        filename_(filename),
        dimensions_(dimensions),
        decimals_(decimals),
        options_(options) {}

  Result<AprioriFile> read() {
    if (const std::size_t at = base::find_bad_utf8(text_); at != std::string_view::npos)
      return files::error_at(filename_, text_, at, "this is not UTF-8");
    AprioriFile result;
    Expander expander(dimensions_, options_.expand_trivial);
    bool first = true;
    std::size_t line_number = 0;
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      ++line_number;
      const std::string_view line = text_.substr(start, end - start);
      if (!base::trimmed(line).empty()) {
        if (first && line.find(options_.separator) == std::string_view::npos)
          return files::error_at(filename_, text_, start, no_separator());
        first = false;
        auto entry = read_line(line, start, line_number);
        if (!entry && !options_.ignore_errors)
          return entry.error();
        if (entry)
          LACUNA_RETURN_IF_ERROR(expander.add(std::move(entry).value(), result.entries));
        else
          ++result.skipped;
      }
      start = end + 1;
    }
    return result;
  }

 private:
  std::string no_separator() const {
    return std::string("the first line has no separator '") + options_.separator + "'";
  }

  // Of lines that are only counted nobody reads the place, and finding it takes a pass over the
  // file.
  Error error(const HstField& field, std::string message) const {
    if (options_.ignore_errors)
      return bad(std::move(message));
    return files::error_at(filename_, text_, field.offset, std::move(message));
  }

  // Codes may stand in quotes.
  std::vector<HstField> split(std::string_view line, std::size_t start) const {
    std::vector<HstField> fields;
    std::size_t from = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      if (i < line.size() && line[i] == '"')
        quoted = !quoted;
      if (i < line.size() && (quoted || line[i] != options_.separator))
        continue;
      std::string_view text = base::trimmed(line.substr(from, i - from));
      if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
      fields.push_back({text, start + from});
      from = i + 1;
    }
    return fields;
  }

  Result<AprioriEntry> read_line(std::string_view line,
                                 std::size_t start,
                                 std::size_t line_number) const {
    const std::vector<HstField> fields = split(line, start);
    const std::size_t width = dimensions_.size();
    if (fields.size() <= width) {
      return error({line, start},
                   "the line has " + std::to_string(fields.size()) + " fields, but " +
                       std::to_string(width) + " codes and an action are expected");
    }
    AprioriEntry entry;
    entry.where = files::location(filename_, {line_number, 1});
    for (std::size_t d = 0; d < width; ++d) {
      if (options_.ignore_errors && !fields[d].text.empty() &&
          dimensions_[d].find(fields[d].text) < 0)
        return bad("no such code");  // without a search for the nearest, line after line
      const auto code = parse_code(fields[d].text, dimensions_[d]);
      if (!code)
        return error(fields[d], code.error().message);
      entry.codes.push_back(code.value());
    }
    LACUNA_RETURN_IF_ERROR(set_action(entry, std::span(fields).subspan(width)));
    return entry;
  }

  // The action and its numbers.
  Status set_action(AprioriEntry& entry, std::span<const HstField> fields) const {
    const std::string action = base::lower_case(fields[0].text);
    const auto status = action.size() <= 2 ? find_status(action) : std::nullopt;
    const bool cost = action == "c" || action == "w";
    const bool levels = action == "pl";
    if (action == "ab")
      return error(fields[0], "bounds (AB) cannot be set here; use a CSV file with lower_bound");
    if (!status && !cost && !levels) {
      return error(fields[0],
                   "the action " + base::strange_field_in_quotes(fields[0].text) +
                       " is not one of S, U, P, M, C, PL");
    }
    const std::size_t numbers = cost ? 1 : levels ? 2 : 0;
    if (fields.size() != numbers + 1) {
      return error(fields[0],
                   "the action " + base::strange_field_in_quotes(fields[0].text) + " takes " +
                       std::to_string(numbers) + (numbers == 1 ? " number" : " numbers"));
    }
    entry.status = status;
    if (cost)
      return set(entry, kCost, fields[1]);
    if (!levels)
      return ok_status();
    LACUNA_RETURN_IF_ERROR(set(entry, kLower, fields[1]));
    return set(entry, kUpper, fields[2]);
  }

  Status set(AprioriEntry& entry, Column column, const HstField& field) const {
    const Status done = set_field(entry, column, field.text, decimals_);
    return done ? ok_status() : error(field, done.error().message);
  }

  std::string_view text_;
  const std::string& filename_;
  const std::vector<Dimension>& dimensions_;
  int decimals_;
  const AprioriOptions& options_;
};

constexpr std::string_view kStatusLetters = "SUPM";  // by AprioriStatus

std::string status_letter(AprioriStatus status) {
  return std::string(1, kStatusLetters[static_cast<std::size_t>(status)]);
}

std::string bound_text(Units bound, int decimals) {
  if (bound == kUnboundedBelow)
    return "-inf";
  return bound == kUnboundedAbove ? "inf" : base::format_units(bound, decimals);
}

}  // namespace

Result<AprioriFile> read_apriori_csv(std::string text,
                                     const std::string& filename,
                                     const std::vector<Dimension>& dimensions,
                                     int decimals,
                                     const AprioriOptions& options) {
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, options.separator));
  return CsvReader(file, dimensions, decimals).read(options);
}

Result<AprioriFile> read_hst(std::string_view text,
                             const std::string& filename,
                             const std::vector<Dimension>& dimensions,
                             int decimals,
                             const AprioriOptions& options) {
  return HstReader(text, filename, dimensions, decimals, options).read();
}

std::string write_apriori_csv(const std::vector<AprioriEntry>& entries,
                              const std::vector<Dimension>& dimensions,
                              int decimals,
                              char separator,
                              const std::vector<std::string>& collapsed) {
  std::string text;
  for (const Dimension& dimension : dimensions)
    text += files::csv_quoted(dimension.name(), separator) + separator;
  for (std::size_t c = 0; c < kNumColumns; ++c)
    text += (c == 0 ? "" : std::string(1, separator)) + std::string(kColumnNames[c]);
  text += '\n';
  for (const std::string& one : collapsed) {
    const std::size_t equals = one.find('=');
    for (const Dimension& dimension : dimensions)
      text += (dimension.name() == one.substr(0, equals)
                   ? files::csv_quoted(one.substr(equals + 1), separator)
                   : "") +
              separator;
    text += std::string(kCollapse) + std::string(kNumColumns - 1, separator) + '\n';
  }
  for (const AprioriEntry& entry : entries) {
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      text += files::csv_quoted(dimensions[d].code(entry.codes[d]), separator) + separator;
    text += (entry.status ? status_letter(*entry.status) : "") + separator;
    text += (entry.cost ? base::format_double(*entry.cost) : "") + separator;
    for (const auto& level : {entry.lower, entry.upper, entry.sliding})
      text += (level ? base::format_units(*level, decimals) : "") + separator;
    text += (entry.lower_bound ? bound_text(*entry.lower_bound, decimals) : "") + separator;
    text += (entry.upper_bound ? bound_text(*entry.upper_bound, decimals) : "") + '\n';
  }
  return text;
}

Result<std::string> write_hst(const std::vector<AprioriEntry>& entries,
                              const std::vector<Dimension>& dimensions,
                              int decimals,
                              char separator) {
  std::string text;
  for (const AprioriEntry& entry : entries) {
    if (entry.sliding || entry.has_bounds())
      return bad("a .hst file has no place for sliding levels or bounds; write CSV");
    if (entry.lower.has_value() != entry.upper.has_value())
      return bad("a .hst file has both protection levels of a cell or none; write CSV");
    std::string codes;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const std::string& code = dimensions[d].code(entry.codes[d]);
      if (code.find_first_of(std::string("\"\n") + separator) != std::string::npos)
        return bad("the code " + base::in_quotes(code) + " cannot stand in a .hst file");
      codes += code + separator;
    }
    if (entry.status)
      text += codes + status_letter(*entry.status) + '\n';
    if (entry.cost)
      text += codes + "C" + separator + base::format_double(*entry.cost) + '\n';
    if (entry.lower) {
      text += codes + "PL" + separator + base::format_units(*entry.lower, decimals) + separator +
              base::format_units(*entry.upper, decimals) + '\n';
    }
  }
  return text;
}

}  // namespace lacuna::problems
