// SPDX-License-Identifier: Apache-2.0
// Wide tables: which columns are the codes of a dimension, and what they are as rows.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/infer/csv_guess.h"
#include "data/infer/shape.h"

namespace lacuna::infer {
namespace {

using formats::ColumnRole;
using Texts = std::vector<std::string>;

std::string common_start(const Texts& texts) {
  std::string start = texts.front();
  for (const std::string& text : texts) {
    std::size_t same = 0;
    while (same < std::min(start.size(), text.size()) && start[same] == text[same])
      ++same;
    start.resize(same);
  }
  return start;
}

std::string common_end(Texts texts) {
  for (std::string& text : texts)
    std::reverse(text.begin(), text.end());
  std::string end = common_start(texts);
  std::reverse(end.begin(), end.end());
  return end;
}

// "Tenure: Owned; measures: Value" is the code "Owned" of the dimension "Tenure".
struct Codes {
  std::string name;  // of the dimension; empty: the headings do not say
  Texts codes;
};

Codes codes_of(Texts headings) {
  Codes found;
  const std::string start = common_start(headings);
  const std::string end = common_end(headings);
  const std::size_t colon = start.find(": ");
  const std::size_t cut = colon == std::string::npos ? 0 : colon + 2;
  const std::size_t semicolon = end.find("; ");
  const std::size_t tail = semicolon == std::string::npos ? 0 : end.size() - semicolon;
  for (const std::string& heading : headings) {
    if (heading.size() <= cut + tail)
      return {"", std::move(headings)};
  }
  for (std::string& heading : headings)
    heading = heading.substr(cut, heading.size() - cut - tail);
  found.name = cut > 0 ? start.substr(0, colon) : "";
  found.codes = std::move(headings);
  return found;
}

class Melter {
 public:
  Melter(const std::shared_ptr<const ShapedTable>& table,
         const std::vector<std::size_t>& columns,
         const ShapeChoice& choice)
      : table_(table), file_(table->file), columns_(columns), choice_(choice) {}

  Result<ShapedTable> melt() {
    LACUNA_RETURN_IF_ERROR(find_codes());
    LACUNA_RETURN_IF_ERROR(name_dimensions());
    take_columns();
    return make();
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kUnclearFormat, std::move(message), file_.where_header()};
  }

  bool is_wide(std::size_t column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }

  // ---- codes

  Texts level_texts(std::size_t level) const {
    Texts texts;
    for (const std::size_t column : columns_) {
      const Texts* levels = column < table_->headings.size() ? &table_->headings[column] : nullptr;
      texts.push_back(levels != nullptr && level < levels->size()
                          ? (*levels)[level]
                          : std::string(file_.header(column)));
    }
    return texts;
  }

  Texts joined_texts() const {
    Texts texts;
    for (const std::size_t column : columns_)
      texts.emplace_back(base::trimmed(file_.header(column)));
    return texts;
  }

  // Levels of one text say what all columns are. `wide` may also take the whole heading as one.
  Status find_codes() {
    std::size_t most = 1;
    for (const std::size_t column : columns_) {
      if (column < table_->headings.size())
        most = std::max(most, table_->headings[column].size());
    }
    std::vector<Texts> levels;
    for (std::size_t level = 0; level < most && most > 1; ++level) {
      Texts texts = level_texts(level);
      const std::unordered_set<std::string> distinct(texts.begin(), texts.end());
      if (distinct.size() > 1)
        levels.push_back(std::move(texts));
    }
    if (levels.size() < 2 || choice_.wide.size() == 1) {
      Codes codes = codes_of(levels.size() == 1 ? levels.front() : joined_texts());
      proposed_.push_back(std::move(codes.name));
      codes_.push_back(std::move(codes.codes));
    } else {
      proposed_.assign(levels.size(), "");
      codes_ = std::move(levels);
    }
    if (!choice_.wide.empty() && choice_.wide.size() != codes_.size())
      return error("the heading holds the codes of " + std::to_string(codes_.size()) +
                   (codes_.size() == 1 ? " dimension" : " dimensions") + ", and " +
                   std::to_string(choice_.wide.size()) + " are named (" +
                   base::named_key("[input]", "wide") + ")");
    return check_codes();
  }

  Status check_codes() const {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::string key;
      for (const Texts& codes : codes_)
        key += codes[i] + '\x1F';
      if (!seen.insert(key).second)
        return error("two columns of the heading are called " +
                     base::in_quotes(base::trimmed(file_.header(columns_[i]))));
    }
    return ok_status();
  }

  // ---- names

  bool is_taken(const std::string& name) const {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (!is_wide(c) && file_.header(c) == name)
        return true;
    }
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  std::string free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; is_taken(name); ++i)
      name = wanted + " " + std::to_string(i);
    return name;
  }

  Status name_dimensions() {
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (!choice_.wide.empty()) {
        if (is_taken(choice_.wide[i]))
          return error("there is a column " + base::in_quotes(choice_.wide[i]) +
                       " already: name the dimension of the heading otherwise (" +
                       base::named_key("[input]", "wide") + ")");
        names_.push_back(choice_.wide[i]);
        continue;
      }
      const std::string name = !proposed_[i].empty()    ? proposed_[i]
                               : are_periods(codes_[i]) ? "period"
                                                        : "column";
      names_.push_back(free_name(name));
    }
    return ok_status();
  }

  // ---- rows

  std::size_t flag_of(std::size_t column) const {
    return file_.find_column("flag of " + std::string(file_.header(column)));
  }

  void take_columns() {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (!is_wide(c) &&
          !(c < table_->roles.size() && table_->roles[c] == ColumnRole::kObservationStatus &&
            file_.header(c).starts_with("flag of ")))
        kept_.push_back(c);
    }
    for (const std::size_t column : columns_)
      has_flags_ = has_flags_ || flag_of(column) < file_.num_columns();
  }

  Result<ShapedTable> make() const {
    ShapedTable melted;
    Texts names;
    for (const std::size_t c : kept_) {
      names.emplace_back(file_.header(c));
      melted.roles.push_back(c < table_->roles.size() ? table_->roles[c] : ColumnRole::kOpen);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      names.push_back(names_[i]);
      melted.roles.push_back(are_periods(codes_[i]) ? ColumnRole::kTime : ColumnRole::kDimension);
    }
    melted.value = free_name("value");
    names.push_back(melted.value);
    melted.roles.push_back(ColumnRole::kValue);
    if (has_flags_) {
      names.push_back(free_name("flag"));
      melted.roles.push_back(ColumnRole::kObservationStatus);
    }
    std::vector<Texts> texts(names.size());
    std::vector<RawCell> from;  // of the table, not of the file
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        add_row(r, i, texts);
        from.push_back({r, columns_[i]});
        if (!table_->raw_rows.empty())
          melted.cells.push_back({table_->raw_rows[r], table_->raw_columns[columns_[i]]});
      }
    }
    melted.file = files::CsvFile::from_columns(
        names,
        texts,
        file_.filename(),
        [table = table_, kept = kept_, from](std::size_t row, std::size_t column) {
          return table->file.where(from[row].row,
                                   column < kept.size() ? kept[column] : from[row].column);
        });
    melted.name = table_->name;
    melted.trees = table_->trees;
    melted.signs = table_->signs;
    melted.notes = table_->notes;
    melted.notes.push_back(note());
    melted.raw = table_->raw;
    melted.block = table_->block;
    melted.wide = names_;
    melted.wide_columns = columns_;
    return melted;
  }

  std::string note() const {
    std::string dimensions;
    for (const std::string& name : names_)
      dimensions += (dimensions.empty() ? "" : " and ") + base::in_quotes(name);
    return "the names of " + std::to_string(columns_.size()) + " columns, " +
           base::strange_field_in_quotes(file_.header(columns_.front())) + " to " +
           base::strange_field_in_quotes(file_.header(columns_.back())) +
           ", are read as codes of " + dimensions;
  }

  void add_row(std::size_t row, std::size_t index, std::vector<Texts>& texts) const {
    std::size_t at = 0;
    for (const std::size_t c : kept_)
      texts[at++].emplace_back(file_.field(row, c));
    for (const Texts& codes : codes_)
      texts[at++].push_back(codes[index]);
    texts[at++].emplace_back(base::trimmed(file_.field(row, columns_[index])));
    if (!has_flags_)
      return;
    const std::size_t flag = flag_of(columns_[index]);
    texts[at].emplace_back(flag < file_.num_columns() ? file_.field(row, flag)
                                                      : std::string_view());
  }

  std::shared_ptr<const ShapedTable> table_;
  const files::CsvFile& file_;
  const std::vector<std::size_t>& columns_;
  const ShapeChoice& choice_;
  std::vector<Texts> codes_;  // by level and column
  Texts proposed_, names_;    // of the dimensions
  std::vector<std::size_t> kept_;
  bool has_flags_ = false;
};

// "Jan-15", "March 2015"
bool is_month(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths{
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
  const std::string word = base::lower_case(text);
  const std::size_t digit = word.find_first_of("0123456789");
  const std::size_t letters = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  return letters != std::string::npos && letters >= 3 && letters <= 9 &&
         std::find(kMonths.begin(), kMonths.end(), std::string_view(word).substr(0, 3)) !=
             kMonths.end() &&
         digit != std::string::npos && digit <= letters + 1 &&
         word.find_first_not_of("0123456789", digit) == std::string::npos &&
         (word.size() - digit == 2 || word.size() - digit == 4);
}

bool is_period(std::string_view text) {
  if (is_month(text))
    return true;
  const auto digits = [&](std::size_t from, std::size_t count) {
    return text.size() >= from + count &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                       text.begin() + static_cast<std::ptrdiff_t>(from + count),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!digits(0, 4) || (text[0] != '1' && text[0] != '2'))
    return false;
  if (text.size() == 4)
    return true;
  const std::string_view rest = text.substr(4);
  // 2015-Q1, 2015Q1, 2015 Q1, 2015M03, 2015-03, 2015/16, 2014-2015, 2015-W07, 2015S1
  return rest.size() <= 6 &&
         rest.find_first_not_of("0123456789-/ QMWSHqmwsh") == std::string_view::npos &&
         rest.find_first_of("0123456789") != std::string_view::npos &&
         (rest.front() < '0' || rest.front() > '9');
}

}  // namespace

bool are_periods(const std::vector<std::string>& texts) {
  return !texts.empty() && std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
    return is_period(base::trimmed(text));
  });
}

std::vector<std::size_t> wide_columns(const ShapedTable& table, const ShapeChoice& choice) {
  const files::CsvFile& file = table.file;
  std::vector<std::size_t> best;
  std::vector<std::size_t> run;
  const auto is_blank = [&](std::size_t column) {
    for (std::size_t r = 0; r < file.num_rows(); ++r) {
      if (!is_missing_text(base::trimmed(file.field(r, column))))
        return false;
    }
    return true;
  };
  for (std::size_t c = 0; c <= file.num_columns(); ++c) {
    const bool open =
        c < file.num_columns() &&
        (c >= table.roles.size() || table.roles[c] == ColumnRole::kOpen ||
         table.roles[c] == ColumnRole::kValue) &&
        std::find(choice.codes.begin(), choice.codes.end(), file.header(c)) == choice.codes.end() &&
        (numbers_of(file, c).has_value() || (!run.empty() && is_blank(c)));
    if (open) {
      run.push_back(c);
      continue;
    }
    if (run.size() > best.size())
      best = run;
    run.clear();
  }
  if (!best.empty() && best.front() == 0 && choice.codes.empty())
    best.erase(best.begin());  // some column must hold the codes of the rows
  return best.size() > 1 ? best : std::vector<std::size_t>{};
}

Result<ShapedTable> melted(const std::shared_ptr<const ShapedTable>& table,
                           const std::vector<std::size_t>& columns,
                           const ShapeChoice& choice) {
  return Melter(table, columns, choice).melt();
}

}  // namespace lacuna::infer
