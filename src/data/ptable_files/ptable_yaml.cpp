// SPDX-License-Identifier: Apache-2.0
#include "data/ptable_files/ptable_yaml.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "data/files/position.h"
#include "data/ptable_files/ptable_lines.h"

namespace lacuna::ptable_files {
namespace {

struct YamlLine {
  std::string_view text;   // without indent, comment and blanks at the end
  std::size_t offset = 0;  // of the text in the file
  std::size_t indent = 0;
};

std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' '))
      return line.substr(0, i);
  }
  return line;
}

std::vector<YamlLine> lines_of(std::string_view text) {
  std::vector<YamlLine> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min<std::size_t>(text.find('\n', start), text.size());
    const std::string_view line = without_comment(text.substr(start, end - start));
    const std::string_view content = base::trimmed(line);
    if (!content.empty()) {
      const auto indent = static_cast<std::size_t>(content.data() - line.data());
      lines.push_back({content, start + indent, indent});
    }
    start = end + 1;
  }
  return lines;
}

std::string_view unquoted(std::string_view text) {
  text = base::trimmed(text);
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& filename)
      : text_(text), filename_(filename), lines_(lines_of(text)) {}

  Result<Ptable> read() {
    std::size_t at = 0;
    while (at < lines_.size() && lines_[at].text != "ptable:" && lines_[at].text != "ptab:")
      ++at;
    if (at == lines_.size())
      return error(text_.size(),
                   "there is no table in this file; cellKey writes it as ptable or ptab below "
                   "params");
    const YamlLine start = lines_[at];
    const std::size_t around = start.indent;
    for (++at; at < lines_.size() && lines_[at].indent > around;)
      LACUNA_RETURN_IF_ERROR(read_column(at));
    LACUNA_RETURN_IF_ERROR(check_columns(start.offset));
    table_.where = [this](std::size_t line, PtableColumn column) {
      return files::location(
          filename_, files::position_of(text_, offsets_[static_cast<std::size_t>(column)][line]));
    };
    return ptable_from_lines(table_);
  }

 private:
  Error error(std::size_t offset, std::string message) const {
    return files::error_at(filename_, text_, offset, std::move(message));
  }

  // "name:" with its items on the lines below, or "name: [a, b]".
  Status read_column(std::size_t& at) {
    const YamlLine line = lines_[at++];
    const std::size_t colon = line.text.find(':');
    if (colon == std::string_view::npos)
      return error(line.offset, "expected the name of a column and a colon");
    const std::string_view name = unquoted(line.text.substr(0, colon));
    const std::size_t column = ptable_column_named(base::lower_case(name));
    if (column == kPtableColumns)
      return error(
          line.offset,
          "there is no column " + base::in_quotes(name) + "; a table has i, j, p, v, lb, ub, type");
    if (!table_.columns[column].empty())
      return error(line.offset, "the column " + base::in_quotes(name) + " is there twice");
    const std::string_view rest = base::trimmed(line.text.substr(colon + 1));
    if (!rest.empty())
      return read_brackets(column, rest);
    while (at < lines_.size() && lines_[at].indent >= line.indent &&
           lines_[at].text.starts_with('-') &&
           lines_[at].text.substr(1, 1).find_first_not_of(' ') == std::string_view::npos) {
      add(column, lines_[at].text.substr(1));
      ++at;
    }
    return ok_status();
  }

  Status read_brackets(std::size_t column, std::string_view list) {
    if (list.size() < 2 || list.front() != '[' || list.back() != ']') {
      add(column, list);  // a table of one line
      return ok_status();
    }
    list = list.substr(1, list.size() - 2);
    for (std::size_t start = 0; start <= list.size();) {
      const std::size_t end = std::min(list.find(',', start), list.size());
      add(column, list.substr(start, end - start));
      start = end + 1;
    }
    return ok_status();
  }

  void add(std::size_t column, std::string_view item) {
    const std::string_view plain = unquoted(item);
    table_.columns[column].push_back(plain);
    offsets_[column].push_back(static_cast<std::size_t>(plain.data() - text_.data()));
  }

  Status check_columns(std::size_t start) const {
    const std::size_t wanted = table_.of(PtableColumn::kCount).size();
    for (const PtableColumn needed :
         {PtableColumn::kCount, PtableColumn::kTarget, PtableColumn::kUpper}) {
      if (!table_.has(needed))
        return error(start, "the table needs the columns i, j and ub");
    }
    for (std::size_t c = 0; c < kPtableColumns; ++c) {
      const std::size_t size = table_.columns[c].size();
      if (size != 0 && size != wanted)
        return error(offsets_[c].back(),
                     "this column has " + std::to_string(size) + " items, but i has " +
                         std::to_string(wanted));
    }
    return ok_status();
  }

  std::string_view text_;
  const std::string& filename_;
  std::vector<YamlLine> lines_;
  PtableLines table_;
  std::array<std::vector<std::size_t>, kPtableColumns> offsets_;
};

}  // namespace

bool looks_like_yaml_ptable(std::string_view text, std::string_view filename) {
  const std::string_view start =
      base::trimmed(text.substr(0, std::min<std::size_t>(text.find('\n'), text.size())));
  return filename.ends_with(".yaml") || filename.ends_with(".yml") || start == "params:" ||
         start == "ptable:" || start == "ptab:" || start == "---";
}

Result<Ptable> read_yaml_ptable(std::string_view text, const std::string& filename) {
  if (const std::size_t bad = base::find_bad_utf8(text); bad != std::string_view::npos)
    return files::error_at(filename, text, bad, "this byte is not UTF-8 text");
  return YamlReader(text, filename).read();
}

}  // namespace lacuna::ptable_files
