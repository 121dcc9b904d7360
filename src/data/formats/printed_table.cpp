// SPDX-License-Identifier: Apache-2.0
#include "data/formats/printed_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace lacuna::formats {
namespace {

using Texts = std::vector<std::string>;

struct Word {
  std::size_t begin = 0, end = 0;  // in its line
  std::string text;
};

// Words are parted by blanks: by one, or only by two and more.
std::vector<Word> words_of(std::string_view line, std::size_t least_blanks) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < line.size()) {
    while (i < line.size() && line[i] == ' ')
      ++i;
    if (i == line.size())
      break;
    Word word{i, i, {}};
    std::size_t blanks = 0;
    for (; i < line.size() && blanks < least_blanks; ++i) {
      blanks = line[i] == ' ' ? blanks + 1 : 0;
      if (line[i] != ' ')
        word.end = i + 1;
    }
    word.text = std::string(line.substr(word.begin, word.end - word.begin));
    words.push_back(std::move(word));
  }
  return words;
}

bool is_number_or_sign(std::string_view text) {
  if (text == "NaN" || text == "NA" || text == "<NA>" || text == "." || text == ".." ||
      text == "*" || text == "x" || text == "-" || text == ":" || text == "nan")
    return true;
  if (text.starts_with('<') || text.starts_with('>'))
    text.remove_prefix(text.starts_with("<=") || text.starts_with(">=") ? 2 : 1);
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789.,-+eE") == std::string_view::npos;
}

// Lines without tabulators and what ends them.
Texts lines_of(std::string_view text) {
  Texts lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else if (c == '\t')
      lines.back().append(8 - lines.back().size() % 8, ' ');
    else if (c != '\r')
      lines.back() += c;
  }
  for (std::string& line : lines)
    line.resize(line.find_last_not_of(' ') == std::string::npos ? 0
                                                                : line.find_last_not_of(' ') + 1);
  return lines;
}

// ---- Stata: a bar behind the codes, rules of - and +

bool is_rule(std::string_view line) {
  return line.find('+') != std::string_view::npos &&
         line.find_first_not_of("-+ ") == std::string_view::npos &&
         line.find("--") != std::string_view::npos;
}

std::vector<std::string> at_bars(std::string_view line) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == '|')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

class StataTable {
 public:
  StataTable(const Texts& lines, std::size_t first, std::size_t last)
      : lines_(lines), first_(first), last_(last) {}

  std::optional<Grid> read() {
    std::size_t rule = first_;
    while (rule < last_ && !is_rule(lines_[rule]))
      ++rule;
    if (rule == first_ || rule == last_ || lines_[rule - 1].find('|') == std::string::npos)
      return std::nullopt;
    const auto names = at_bars(lines_[rule - 1]);
    Texts heading = texts(names);
    const std::string row(base::trimmed(names.front()));
    std::string column;
    if (rule >= first_ + 2 && lines_[rule - 2].find('|') != std::string::npos)
      column = std::string(base::trimmed(at_bars(lines_[rule - 2]).at(1)));
    const bool one_way = !heading.empty() && heading.front() == "Freq.";
    for (std::size_t i = rule + 1; i < last_; ++i) {
      if (is_rule(lines_[i]) || lines_[i].find('|') == std::string::npos)
        continue;
      const auto parts = at_bars(lines_[i]);
      const std::string code(base::trimmed(parts.front()));
      Texts numbers = texts(parts);
      if (code.empty() || numbers.empty())
        continue;  // percentages below the counts
      codes_.push_back(code);
      numbers_.push_back(std::move(numbers));
    }
    return one_way ? one_column(row) : crossed(row, column, heading);
  }

 private:
  static Texts texts(const std::vector<std::string>& parts) {
    Texts all;
    for (std::size_t p = 1; p < parts.size(); ++p) {
      for (const Word& word : words_of(parts[p], 1))
        all.push_back(word.text);
    }
    return all;
  }

  std::optional<Grid> one_column(const std::string& row) const {
    Grid grid;
    grid.rows.push_back({row, "Freq"});
    for (std::size_t r = 0; r < codes_.size(); ++r)
      grid.rows.push_back({codes_[r], numbers_[r].front()});
    return finished(std::move(grid));
  }

  std::optional<Grid> crossed(const std::string& row,
                              const std::string& column,
                              const Texts& heading) const {
    Grid grid;
    grid.rows.push_back({row, column.empty() ? "column" : column, "Freq"});
    for (std::size_t r = 0; r < codes_.size(); ++r) {
      if (numbers_[r].size() != heading.size())
        return std::nullopt;
      for (std::size_t c = 0; c < heading.size(); ++c)
        grid.rows.push_back({codes_[r], heading[c], numbers_[r][c]});
    }
    return finished(std::move(grid));
  }

  std::optional<Grid> finished(Grid grid) const {
    grid.first_row = first_;
    return grid.rows.size() > 2 ? std::optional(std::move(grid)) : std::nullopt;
  }

  const Texts& lines_;
  const std::size_t first_, last_;
  Texts codes_;
  std::vector<Texts> numbers_;
};

// ---- pandas and R: words below each other

class AlignedTable {
 public:
  AlignedTable(const Texts& lines, std::size_t first, std::size_t last) : first_(first) {
    for (std::size_t i = first; i < last; ++i) {
      lines_.push_back(lines[i]);
      words_.push_back(words_of(lines[i], 1));
    }
  }

  std::optional<Grid> read() {
    if (lines_.size() < 3)
      return vector_of_counts();
    data_ = first_row_of_numbers();
    if (data_ == 0 || data_ > 3 || data_ >= lines_.size())
      return vector_of_counts();
    count_ = trailing_numbers(data_);
    for (std::size_t i = data_; i < lines_.size(); ++i)
      count_ = std::min(count_, trailing_numbers(i));
    count_ = std::min(count_, codes_above_names());
    if (count_ == 0)
      return std::nullopt;
    if (auto grid = data_frame())
      return grid;
    auto grid = cross_table();
    return grid ? std::move(grid) : vector_of_counts();
  }

 private:
  std::size_t trailing_numbers(std::size_t line) const {
    std::size_t count = 0;
    while (count < words_[line].size() &&
           is_number_or_sign(words_[line][words_[line].size() - 1 - count].text))
      ++count;
    return count;
  }

  // pandas: how many codes stand behind the name of their variable, above the names of the rows'
  // variables. Codes of the rows may be numbers, too, and are not counted as such.
  std::size_t codes_above_names() const {
    const bool named = data_ >= 2 && words_[data_ - 2].size() > 1;
    return named ? words_[data_ - 2].size() - 1 : count_;
  }

  // Codes of a heading may be numbers, too: below the name of their variable, which stands alone.
  std::size_t first_row_of_numbers() const {
    const bool name_alone = words_[0].size() == 1 && words_[0].front().begin > 0;
    for (std::size_t i = name_alone ? 2 : 1; i < lines_.size(); ++i) {
      if (trailing_numbers(i) > 0)
        return i;
    }
    return lines_.size();
  }

  std::size_t numbers_begin(std::size_t line) const {
    return words_[line][words_[line].size() - count_].begin;
  }

  // Each row begins with its number, and the heading with blanks.
  std::optional<Grid> data_frame() const {
    if (data_ != 1 || words_[0].empty() || words_[0].front().begin == 0)
      return std::nullopt;
    const std::size_t columns = words_[0].size();
    Grid grid;
    grid.rows.emplace_back();
    for (const Word& word : words_[0])
      grid.rows.front().push_back(word.text);
    const int from = words_[1].front().text == "0" ? 0 : 1;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (words_[i].size() < columns + 1 ||
          words_[i].front().text != std::to_string(from + static_cast<int>(i) - 1))
        return std::nullopt;
      grid.rows.push_back(fields_below(i));
    }
    return finished(std::move(grid));
  }

  // A field belongs to the name that ends where it ends, or begins where it begins: codes of
  // several words lie between the ends of two names.
  Texts fields_below(std::size_t line) const {
    Texts fields(words_[0].size());
    std::size_t column = 0;
    for (std::size_t w = 1; w < words_[line].size(); ++w) {
      while (column + 1 < fields.size() && words_[line][w].begin >= words_[0][column].end)
        ++column;
      std::string& field = fields[column];
      field += (field.empty() ? "" : " ") + words_[line][w].text;
    }
    return fields;
  }

  // The heading has the codes of one dimension; the codes of the rows stand before the numbers.
  std::optional<Grid> cross_table() {
    Texts codes, names;
    std::string column;
    if (!find_heading(codes, names, column) || codes.size() != count_)
      return std::nullopt;
    Grid grid;
    Texts heading = names;
    heading.push_back(column.empty() ? "column" : column);
    heading.emplace_back("Freq");
    grid.rows.push_back(std::move(heading));
    Texts before(names.size());
    for (std::size_t i = data_; i < lines_.size(); ++i) {
      if (words_[i].size() < count_ || !labels(i, before))
        return std::nullopt;
      for (std::size_t c = 0; c < count_; ++c) {
        Texts row = before;
        row.push_back(codes[c]);
        row.push_back(words_[i][words_[i].size() - count_ + c].text);
        grid.rows.push_back(std::move(row));
      }
    }
    return finished(std::move(grid));
  }

  bool find_heading(Texts& codes, Texts& names, std::string& column) {
    const std::vector<Word>& above = words_[data_ - 1];
    const bool two = data_ >= 2;
    // pandas: "sex  F  M" above "region", the line of names without numbers below codes
    const bool names_below = two && words_[data_ - 2].size() == count_ + 1 && !above.empty() &&
                             above.back().end <= numbers_begin(data_);
    if (names_below) {
      column = words_[data_ - 2].front().text;
      take(words_[data_ - 2], 1, codes);
      return name_rows(above, 0, above.size(), names);
    }
    if (above.size() < count_)
      return false;
    take(above, above.size() - count_, codes);
    // R: "sex" above "region  F  M"; ftable has the name in the line of the codes, and the names
    // of the rows below
    if (two && words_[data_ - 2].size() == 1)
      column = words_[data_ - 2].front().text;
    if (two && words_[data_ - 2].size() > count_)
      return false;
    return name_rows(above, 0, above.size() - count_, names);
  }

  static void take(const std::vector<Word>& words, std::size_t from, Texts& texts) {
    for (std::size_t w = from; w < words.size(); ++w)
      texts.push_back(words[w].text);
  }

  bool name_rows(const std::vector<Word>& words, std::size_t from, std::size_t to, Texts& names) {
    starts_.clear();
    for (std::size_t w = from; w < to; ++w) {
      names.push_back(words[w].text);
      starts_.push_back(words[w].begin);
    }
    if (names.empty()) {
      names.emplace_back("rows");
      starts_.push_back(0);
    }
    return true;
  }

  // The codes of a row; one that is not repeated stands in a row above.
  bool labels(std::size_t line, Texts& before) const {
    const std::size_t end = numbers_begin(line);
    for (std::size_t d = 0; d < starts_.size(); ++d) {
      const std::size_t from = d == 0 ? 0 : starts_[d];
      const std::size_t to = std::min(end, d + 1 < starts_.size() ? starts_[d + 1] : end);
      if (from >= to)
        return d > 0 && !before[d].empty();
      const std::string text(base::trimmed(std::string_view(lines_[line]).substr(from, to - from)));
      if (text.empty() && before[d].empty())
        return false;
      if (!text.empty())
        before[d] = text;
    }
    return true;
  }

  // "region" above "North South" above "12 34": a table of one dimension in R.
  std::optional<Grid> vector_of_counts() const {
    if (lines_.size() != 3 || words_[0].size() != 1 || words_[1].size() != words_[2].size() ||
        words_[1].size() < 2)
      return std::nullopt;
    Grid grid;
    grid.rows.push_back({words_[0].front().text, "Freq"});
    for (std::size_t w = 0; w < words_[1].size(); ++w) {
      if (!is_number_or_sign(words_[2][w].text))
        return std::nullopt;
      grid.rows.push_back({words_[1][w].text, words_[2][w].text});
    }
    return finished(std::move(grid));
  }

  std::optional<Grid> finished(Grid grid) const {
    grid.first_row = first_;
    return grid.rows.size() > 2 ? std::optional(std::move(grid)) : std::nullopt;
  }

  const std::size_t first_;
  Texts lines_;
  std::vector<std::vector<Word>> words_;
  std::size_t data_ = 0, count_ = 0;
  std::vector<std::size_t> starts_;
};

bool is_command(std::string_view line) {  // of a log: ". tabulate", "> table(", ">>> print("
  return line.starts_with(". ") || line.starts_with("> ") || line.starts_with(">>> ") ||
         line.starts_with("In [") || line.starts_with("Key:");
}

}  // namespace

std::vector<Grid> printed_tables(std::string_view text, const std::string& filename) {
  const Texts lines = lines_of(text);
  std::vector<Grid> grids;
  for (std::size_t i = 0; i < lines.size();) {
    if (lines[i].empty() || is_command(lines[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < lines.size() && !lines[end].empty() && !is_command(lines[end]))
      ++end;
    auto grid = StataTable(lines, i, end).read();
    if (!grid)
      grid = AlignedTable(lines, i, end).read();
    if (grid) {
      grid->where = filename + ", line " + std::to_string(i + 1);
      grid->name = "line " + std::to_string(i + 1);
      grids.push_back(std::move(*grid));
    }
    i = end;
  }
  return grids;
}

}  // namespace lacuna::formats
