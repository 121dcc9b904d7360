// SPDX-License-Identifier: Apache-2.0
#include "data/infer/raw_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "data/files/position.h"

namespace lacuna::infer {
namespace {

class RawReader {
 public:
  RawReader(RawTable& table, std::string_view text) : table_(table), text_(text) {}

  Status read() {
    while (at_ < text_.size()) {
      table_.lines.push_back(line_);
      auto& spans = table_.spans.emplace_back();
      auto& fields = table_.grid.rows.emplace_back();
      for (;;) {
        LACUNA_RETURN_IF_ERROR(field(spans, fields));
        if (at_ < text_.size() && text_[at_] == table_.separator) {
          ++at_;
          continue;
        }
        break;
      }
      end_line();
    }
    std::size_t most = 0;
    for (const auto& row : table_.grid.rows)
      most = std::max(most, row.size());
    for (auto& row : table_.grid.rows)
      row.resize(most);
    return ok_status();
  }

 private:
  bool at_end_of_line() const { return text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n"; }

  void end_line() {
    if (at_ < text_.size())
      at_ += text_[at_] == '\n' ? 1U : 2U;
    ++line_;
  }

  Status field(std::vector<TextSpan>& spans, std::vector<std::string>& fields) {
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '"')
      return quoted(spans, fields);
    while (at_ < text_.size() && text_[at_] != table_.separator && !at_end_of_line())
      ++at_;
    spans.push_back({start, at_});
    fields.emplace_back(text_.substr(start, at_ - start));
    return ok_status();
  }

  Status quoted(std::vector<TextSpan>& spans, std::vector<std::string>& fields) {
    const std::size_t start = at_++;
    std::string plain;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && text_.substr(at_, 2) != "\"\"")
        break;
      at_ += text_[at_] == '"' ? 1U : 0U;
      line_ += text_[at_] == '\n' ? 1U : 0U;
      plain += text_[at_];
    }
    if (at_ == text_.size())
      return files::error_at(
          table_.grid.where, text_, start, "the quote that opens here is never closed");
    ++at_;
    while (at_ < text_.size() && text_[at_] != table_.separator && !at_end_of_line())
      plain += text_[at_++];  // what follows a quote, as spreadsheets take it
    spans.push_back({start, at_});
    fields.push_back(std::move(plain));
    return ok_status();
  }

  RawTable& table_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// Fields of each line, whatever quotes hold.
std::map<std::size_t, std::size_t> fields_by_line(std::string_view text, char separator) {
  constexpr std::size_t kLinesSeen = 2000;
  std::map<std::size_t, std::size_t> counts;
  std::size_t fields = 1;
  std::size_t lines = 0;
  bool quoted = false;
  bool blank = true;
  for (std::size_t at = 0; at <= text.size() && lines < kLinesSeen; ++at) {
    const char c = at < text.size() ? text[at] : '\n';
    quoted = c == '"' ? !quoted : quoted && at < text.size();
    if (!quoted && c == '\n') {
      lines += blank ? 0U : 1U;
      if (!blank)
        ++counts[fields];
      fields = 1;
      blank = true;
      continue;
    }
    fields += !quoted && c == separator ? 1U : 0U;
    blank = blank && (c == ' ' || c == '\r' || c == separator);
  }
  return counts;
}

}  // namespace

std::string RawTable::place(std::size_t row, std::size_t column) const {
  if (!is_text)
    return grid.place(row, column);
  if (row >= spans.size() || spans[row].empty())
    return grid.where;
  const std::size_t at = spans[row][std::min(column, spans[row].size() - 1)].begin;
  return files::location(grid.where, files::position_of(*bytes, at));
}

Result<RawTable> raw_csv(std::string text, const std::string& filename, char separator) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.erase(0, 3);
  if (const std::size_t bad = base::find_bad_utf8(text); bad != std::string_view::npos)
    return files::error_at(filename, text, bad, "this byte is not UTF-8 text");
  RawTable table;
  table.is_text = true;
  table.separator = separator;
  table.grid.where = filename;
  table.bytes = std::make_shared<const std::string>(std::move(text));
  LACUNA_RETURN_IF_ERROR(RawReader(table, *table.bytes).read());
  return table;
}

char separator_of_most(std::string_view text) {
  constexpr std::array<char, 4> kSeparators{';', ',', '\t', '|'};
  char best = '\0';
  std::size_t most = 0;
  bool certain = true;
  for (const char separator : kSeparators) {
    std::size_t lines = 0;
    for (const auto& [fields, count] : fields_by_line(text, separator)) {
      if (fields > 1)
        lines = std::max(lines, count);
    }
    certain = lines == most ? lines == 0 && certain : lines > most || certain;
    if (lines > most) {
      most = lines;
      best = separator;
    }
  }
  return certain && most > 1 ? best : '\0';
}

}  // namespace lacuna::infer
