// SPDX-License-Identifier: Apache-2.0
#include "data/infer/csv_guess.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/base/confidential.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/column_files.h"
#include "data/files/number_text.h"
#include "data/files/position.h"

namespace lacuna::infer {
namespace {

constexpr std::array<char, 4> kSeparators{';', ',', '\t', '|'};
constexpr std::size_t kLinesSeen = 2000;

// The fields of the first lines, without regard to what the quotes hold.
struct Split {
  char separator = ';';
  std::vector<std::vector<std::string_view>> rows;
  bool even = true;  // all rows have as many fields

  std::size_t columns() const { return rows.empty() ? 0 : rows.front().size(); }
};

Split split_by(std::string_view text, char separator) {
  Split split{separator, {}, true};
  std::vector<std::string_view> row;
  std::size_t start = 0;
  bool quoted = false;
  const auto end_row = [&] {
    const bool blank = row.size() == 1 && base::trimmed(row[0]).empty();
    if (!blank) {
      split.even = split.even && (split.rows.empty() || split.columns() == row.size());
      split.rows.push_back(row);
    }
    row.clear();
  };
  for (std::size_t at = 0; at < text.size() && split.rows.size() < kLinesSeen; ++at) {
    const char c = text[at];
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == separator || c == '\n')) {
      row.push_back(text.substr(start, at - start));
      start = at + 1;
      if (c == '\n')
        end_row();
    }
  }
  if (start < text.size() && split.rows.size() < kLinesSeen) {
    row.push_back(text.substr(start));
    end_row();
  }
  return split;
}

bool is_quoted(std::string_view field) {
  return !field.empty() && field.front() == '"';
}

// Whether the split accounts for the other character: it stands within quotes and numbers only.
bool explains(const Split& split, char other) {
  for (std::size_t r = 1; r < split.rows.size(); ++r) {
    for (const std::string_view raw : split.rows[r]) {
      const std::string_view field = base::trimmed(raw);
      const bool has = !is_quoted(field) && field.find(other) != std::string_view::npos;
      if (has && !files::style_of(field))
        return false;
    }
  }
  return split.rows.front().size() > 1;
}

std::string listed(const std::vector<Split>& splits) {
  std::string text;
  for (const Split& split : splits)
    text += (text.empty() ? "" : ", ") + separator_word(split.separator) + " (" +
            std::to_string(split.columns()) + " columns)";
  return text;
}

}  // namespace

std::string separator_word(char separator) {
  return separator == '\t' ? "\"\\t\"" : "\"" + std::string(1, separator) + "\"";
}

Result<char> guess_separator(std::string_view text, const std::string& filename) {
  std::vector<Split> even;
  for (const char separator : kSeparators) {
    Split split = split_by(text, separator);
    if (split.even && split.columns() > 1)
      even.push_back(std::move(split));
  }
  if (even.empty()) {
    const char likely = files::likely_separator(text);
    if (split_by(text, likely).columns() > 1)
      return likely;  // some row is wrong, and its reader will say which
    return Error{ErrorCode::kUnclearFormat,
                 "the lines split into columns at neither ; nor , nor | nor tabs: name the "
                 "separator in a job ([input] with separator)",
                 files::location(filename, {})};
  }
  std::vector<Split> best;
  for (const Split& split : even) {
    const bool all = std::all_of(even.begin(), even.end(), [&](const Split& other) {
      return other.separator == split.separator || explains(split, other.separator);
    });
    if (all)
      best.push_back(split);
  }
  const bool by_tabs =
      filename.find(".tsv") != std::string::npos || filename.find(".tab") != std::string::npos;
  if (by_tabs && std::any_of(even.begin(), even.end(), [](const Split& split) {
        return split.separator == '\t';
      }))
    return '\t';
  if (best.size() == 1 || even.size() == 1)
    return best.empty() ? even.front().separator : best.front().separator;
  return Error{ErrorCode::kUnclearFormat,
               "the separator is not certain, all lines fit " + listed(best.empty() ? even : best) +
                   ": name it in a job ([input] with separator)",
               files::location(filename, {})};
}

Result<files::CsvFile> read_table_file(std::string bytes,
                                       const std::string& filename,
                                       const TableFileStyle& style) {
  if (files::holds_columns(bytes, filename))
    return files::column_table(std::move(bytes), filename);
  const files::Encoding encoding = style.encoding.value_or(
      files::likely_encoding(bytes) == files::Encoding::kUtf16 ? files::Encoding::kUtf16
                                                               : files::Encoding::kUtf8);
  LACUNA_TRY(std::string text, files::to_utf8(std::move(bytes), encoding, filename));
  files::CsvLayout layout{';', style.header};
  if (style.separator) {
    layout.separator = *style.separator;
  } else {
    LACUNA_TRY(layout.separator, guess_separator(text, filename));
  }
  return files::CsvFile::parse(std::move(text), filename, layout);
}

bool is_missing_text(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords{
      "", "NA", "NaN", "nan", "-", ".", "NULL", "null", "n/a"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

std::optional<NumberTexts> numbers_of(const files::CsvFile& file, std::size_t column) {
  NumberTexts numbers;
  bool any = false;
  std::unordered_set<std::string_view> seen;
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    const std::string_view text = base::trimmed(file.field(row, column));
    if (is_missing_text(text))
      continue;
    any = true;
    const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits || !seen.insert(text).second)
      continue;
    if (!files::style_of(text))
      return std::nullopt;
    numbers.whole = numbers.whole && text.find_first_of(".,eE") == std::string_view::npos;
    numbers.marked.push_back(text);
  }
  return any ? std::optional(std::move(numbers)) : std::nullopt;
}

Status make_plain(files::CsvFile& file, std::size_t column, const files::NumberStyle& style) {
  if (style.is_plain())
    return ok_status();
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    const std::string_view text = base::trimmed(file.field(row, column));
    const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits || is_missing_text(text) || files::is_infinite_text(text))
      continue;
    auto plain = files::plain_number(text, style);
    if (!plain)
      return file.error(
          row,
          column,
          base::confidential(base::in_quotes(text)) + " is not a number" + style_text(style));
    file.set_field(row, column, std::move(*plain));
  }
  return ok_status();
}

std::string style_text(const files::NumberStyle& style) {
  std::string text =
      " with " + base::named_setting("decimal_mark", std::string("\"") + style.decimal_mark + "\"");
  if (!style.thousands.empty())
    text += " and " + base::named_setting("thousands", "\"" + style.thousands + "\"");
  return text;
}

}  // namespace lacuna::infer
