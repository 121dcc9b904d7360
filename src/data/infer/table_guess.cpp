// SPDX-License-Identifier: Apache-2.0
#include "data/infer/table_guess.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/text.h"
#include "data/files/column_files.h"
#include "data/files/number_text.h"
#include "data/files/position.h"
#include "data/infer/column_roles.h"
#include "data/infer/csv_guess.h"
#include "data/infer/sum_guess.h"

namespace lacuna::infer {
namespace {

constexpr std::array<std::string_view, 6> kValueNames{
    "value", "obs_value", "response", "turnover", "amount", "tot"};

// How a text is written; files of columns have no such thing.
struct TextStyle {
  char separator = ';';
  files::Encoding encoding = files::Encoding::kUtf8;
  bool has_header = true;
};

class JobGuess {
 public:
  JobGuess(files::CsvFile file, std::optional<TextStyle> text, std::string name)
      : file_(std::move(file)), text_(text), name_(std::move(name)) {}

  Result<GuessedJob> guess() {
    LACUNA_RETURN_IF_ERROR(find_numbers());
    LACUNA_TRY(roles_, find_roles(file_, numeric_));
    LACUNA_RETURN_IF_ERROR(choose_value());
    LACUNA_RETURN_IF_ERROR(choose_style());
    return job();
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kUnclearFormat, std::move(message), file_.where_header()};
  }

  // ---- numbers

  Status find_numbers() {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      auto numbers = numbers_of(file_, c);
      numeric_.push_back(numbers.has_value());
      texts_.push_back(numbers ? std::move(numbers->marked) : std::vector<std::string_view>{});
    }
    return std::find(numeric_.begin(), numeric_.end(), true) == numeric_.end() ? no_numbers()
                                                                               : ok_status();
  }

  // A column that holds numbers but for a few texts was meant to.
  Error no_numbers() const {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      std::size_t numbers = 0;
      std::size_t bad = file_.num_rows();
      for (std::size_t r = 0; r < file_.num_rows(); ++r) {
        const std::string_view text = base::trimmed(file_.field(r, c));
        const bool number = is_missing_text(text) || files::style_of(text).has_value();
        numbers += number ? 1U : 0U;
        bad = number ? bad : std::min(bad, r);
      }
      if (bad < file_.num_rows() && numbers * 2 > file_.num_rows())
        return file_.error(bad,
                           c,
                           base::confidential(base::in_quotes(file_.field(bad, c))) +
                               " is not a number, as most of its column are: correct it");
    }
    return error("no column holds numbers: a table has one row per cell, with its value");
  }

  Status choose_value() {
    auto& values = roles_.values;
    if (values.empty() && roles_.frequency != kNoColumn)
      return ok_status();  // a table of counts
    if (values.empty())
      return error("no column is left for the value: name it in a job ([columns] with value)");
    if (values.size() == 1) {
      value_ = values.front();
      return ok_status();
    }
    std::vector<std::size_t> named;
    std::copy_if(values.begin(), values.end(), std::back_inserter(named), [&](std::size_t c) {
      const std::string name = base::lower_case(file_.header(c));
      return std::find(kValueNames.begin(), kValueNames.end(), name) != kValueNames.end();
    });
    if (named.size() != 1)
      return error("the value is not certain, it could be any of the columns " +
                   named_columns(file_, values) + ": name it in a job ([columns] with value)");
    value_ = named.front();
    for (const std::size_t column : values) {
      if (column != value_)
        roles_.unused.push_back(column);
    }
    return ok_status();
  }

  std::vector<std::size_t> number_columns() const {
    std::vector<std::size_t> columns = roles_.largest;
    for (const std::size_t c : {value_,
                                roles_.frequency,
                                roles_.weight,
                                roles_.lower,
                                roles_.upper,
                                roles_.lower_level,
                                roles_.upper_level,
                                roles_.sliding_level}) {
      if (c != kNoColumn)
        columns.push_back(c);
    }
    return columns;
  }

  // "1.234" may be either: then the sums decide.
  Status choose_style() {
    std::vector<std::string_view> texts;
    for (const std::size_t c : number_columns())
      texts.insert(texts.end(), texts_[c].begin(), texts_[c].end());
    std::vector<files::NumberStyle> styles = files::possible_styles(texts);
    const auto plain = [](const files::NumberStyle& style) { return style.is_plain(); };
    if (!text_ && std::any_of(styles.begin(), styles.end(), plain))
      styles.assign(1, files::NumberStyle{});  // numbers of a file of columns were no text
    if (styles.empty())
      return error(
          "the numbers are written in different styles: name decimal_mark and thousands "
          "in a job ([input])");
    std::vector<files::NumberStyle> fitting;
    std::optional<Error> trouble;
    std::vector<GuessedTree> found;
    for (const files::NumberStyle& style : styles) {
      auto trees = trees_with(style);
      if (!trees) {
        if (!trouble)
          trouble = trees.error();
        continue;
      }
      fitting.push_back(style);
      found = std::move(trees).value();
    }
    if (fitting.empty())
      return *trouble;
    if (fitting.size() > 1)
      return error("a number such as " + base::confidential(base::in_quotes(texts.front())) +
                   " could be read" + style_text(fitting[0]) + ", or" + style_text(fitting[1]) +
                   ": say which in a job ([input])");
    style_ = fitting.front();
    trees_ = std::move(found);
    return ok_status();
  }

  // ---- totals

  Result<std::vector<Units>> values_with(const files::NumberStyle& style,
                                         std::size_t column) const {
    std::vector<std::string> plain;
    files::DecimalsChooser chooser;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      const std::string_view text = base::trimmed(file_.field(r, column));
      std::string number = is_missing_text(text)
                               ? "0"
                               : files::plain_number(text, style).value_or(std::string(text));
      if (auto added = chooser.add_number(number); !added)
        return base::moved_to(added.error(), file_.where(r, column));
      plain.push_back(std::move(number));
    }
    std::vector<Units> values;
    for (std::size_t r = 0; r < plain.size(); ++r) {
      auto value = base::parse_units(plain[r], chooser.decimals());
      if (!value)
        return base::moved_to(value.error(), file_.where(r, column));
      values.push_back(*value);
    }
    return values;
  }

  Result<CodeValues> code_values(std::size_t dimension,
                                 const std::vector<std::vector<Units>>& all) const {
    CodeValues found;
    std::unordered_map<std::string_view, std::size_t> codes;
    std::unordered_map<std::string, std::size_t> others;
    std::vector<std::pair<std::size_t, std::size_t>> place;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      const std::string_view code = file_.field(r, dimension);
      const auto [at, is_new] = codes.try_emplace(code, codes.size());
      if (is_new)
        found.codes.emplace_back(code);
      std::string key;
      for (const std::size_t other : roles_.dimensions)
        key += (other == dimension ? "" : std::string(file_.field(r, other))) + '\x1F';
      place.emplace_back(at->second,
                         others.try_emplace(std::move(key), others.size()).first->second);
    }
    constexpr std::size_t kMost =
        100'000'000;  // numbers: most combinations are empty in such a table
    if (others.size() * all.size() > kMost / found.codes.size())
      return error(
          "the table is too thin for its totals to be found by the sums: name them in a "
          "job ([[dimension]] with total)");
    found.values.assign(found.codes.size(), std::vector<Units>(others.size() * all.size(), 0));
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t r = 0; r < place.size(); ++r)
        found.values[place[r].first][place[r].second + i * others.size()] = all[i][r];
    }
    return found;
  }

  Result<std::vector<GuessedTree>> trees_with(const files::NumberStyle& style) const {
    // Frequencies tell apart what has no value; but a respondent may count once in a sum and in
    // several of its parts.
    std::vector<std::vector<Units>> all;
    for (const std::size_t column : {value_, roles_.frequency}) {
      if (column == kNoColumn)
        continue;
      LACUNA_TRY(std::vector<Units> values, values_with(style, column));
      all.push_back(std::move(values));
    }
    const std::vector<std::vector<Units>> alone(all.begin(), all.begin() + 1);
    std::vector<GuessedTree> trees;
    for (const std::size_t dimension : roles_.dimensions) {
      LACUNA_TRY(const CodeValues values, code_values(dimension, all));
      auto tree = guess_tree(values);
      if (!tree && all.size() > 1) {
        LACUNA_TRY(const CodeValues fewer, code_values(dimension, alone));
        tree = guess_tree(fewer);
      }
      if (!tree)
        return error("the totals of column " + base::in_quotes(file_.header(dimension)) +
                     " are not certain: " + tree.error().message +
                     "; say in a job which code is the total ([[dimension]] with total, hierarchy, "
                     "or totals = \"computed\" in [input] if the table has none)");
      trees.push_back(std::move(tree).value());
    }
    return trees;
  }

  // ---- the job

  std::string named(std::size_t column) const {
    return column == kNoColumn ? "" : std::string(file_.header(column));
  }
  std::vector<std::string> headers(const std::vector<std::size_t>& columns) const {
    std::vector<std::string> names;
    for (const std::size_t column : columns)
      names.emplace_back(file_.header(column));
    return names;
  }

  JobSpec::Input input() const {
    JobSpec::Input input;
    input.table = {{SpecSource::Kind::kFile, name_}};
    if (!text_)
      return input;
    input.separator = std::string(1, text_->separator);
    if (text_->encoding != files::Encoding::kUtf8)
      input.encoding = static_cast<SpecEncoding>(text_->encoding);
    for (std::size_t c = 0; !text_->has_header && c < file_.num_columns(); ++c)
      input.header.emplace_back(file_.header(c));
    input.decimal_mark = style_.decimal_mark == ',' ? SpecMark::kComma : SpecMark::kPoint;
    const auto signs = enum_names(SpecThousands{});
    const auto at = std::find(signs.begin(), signs.end(), style_.thousands);
    if (!style_.thousands.empty() && at != signs.end())
      input.thousands = static_cast<SpecThousands>(at - signs.begin());
    return input;
  }

  JobSpec::Columns columns() const {
    JobSpec::Columns columns;
    columns.value = named(value_);
    columns.frequency = named(roles_.frequency);
    columns.weight = named(roles_.weight);
    columns.status = named(roles_.status);
    columns.lower = named(roles_.lower);
    columns.upper = named(roles_.upper);
    columns.lower_level = named(roles_.lower_level);
    columns.upper_level = named(roles_.upper_level);
    columns.sliding_level = named(roles_.sliding_level);
    columns.largest = headers(roles_.largest);
    return columns;
  }

  std::vector<std::string> remarks_on_columns() const {
    std::vector<std::string> remarks;
    if (!roles_.unused.empty())
      remarks.push_back("not used: " + base::in_full(named_columns(file_, roles_.unused)));
    if (roles_.status != kNoColumn)
      remarks.push_back(status_reading(file_.header(roles_.status),
                                       words_in(file_, roles_.status),
                                       status_words_of(file_.header(roles_.status))));
    const std::vector<std::string> more = doubts();
    remarks.insert(remarks.end(), more.begin(), more.end());
    if (roles_.status == kNoColumn)
      remarks.emplace_back(
          "nothing says which cells are sensitive: add status = \"<column>\" or a [[rule]]");
    return remarks;
  }

  std::vector<std::string> doubts() const {
    std::vector<std::string> notes;
    for (const std::size_t column : roles_.doubtful) {
      const std::string name(file_.header(column));
      notes.push_back("column " + base::in_quotes(name) +
                      " is not read as a status: " + counted_words(words_in(file_, column)) +
                      "; if it is one, name it in a job ([columns] with status)");
    }
    return notes;
  }

  JobSpec::Dimension dimension(std::size_t index) const {
    const GuessedTree& found = trees_[index];
    JobSpec::Dimension dimension;
    dimension.name = named(roles_.dimensions[index]);
    if (found.flat) {  // rows without a code are the total, whatever it is called
      dimension.total = found.total.empty() ? "Total" : found.total;
      return dimension;
    }
    SpecLists& tree = dimension.tree.emplace_back();
    for (const files::NamedRelation& relation : found.tree.relations)
      tree.emplace_back(relation.parent, relation.children);
    return dimension;
  }

  GuessedJob job() const {
    GuessedJob guessed;
    guessed.job.input = input();
    guessed.job.columns = columns();
    guessed.remarks[""] = {
        "What was understood of the table. Correct what is wrong and run lacuna protect on this "
        "file."};
    guessed.remarks["columns"] = remarks_on_columns();
    for (std::size_t d = 0; d < roles_.dimensions.size(); ++d) {
      guessed.job.dimensions.push_back(dimension(d));
      if (!trees_[d].flat)
        guessed.remarks["dimension[" + std::to_string(d) + "]"] = {"found by the sums"};
    }
    guessed.notes = doubts();
    return guessed;
  }

  files::CsvFile file_;
  std::optional<TextStyle> text_;
  std::string name_;
  std::vector<bool> numeric_;
  std::vector<std::vector<std::string_view>> texts_;  // of numeric columns, with marks
  ColumnRoles roles_;
  std::size_t value_ = kNoColumn;
  files::NumberStyle style_;
  std::vector<GuessedTree> trees_;
};

// The first line is data if it has a number where all the others have one.
bool first_line_is_data(const files::CsvFile& file) {
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string_view text = base::trimmed(file.header(c));
    if (!text.empty() && files::style_of(text) && numbers_of(file, c))
      return true;
  }
  return false;
}

}  // namespace

bool is_table_name(const std::string& path) {
  if (files::is_column_file(path))
    return true;
  std::string name = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - packed.size());
  }
  constexpr std::array<std::string_view, 4> kEndings{".csv", ".tsv", ".txt", ".tab"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return name.ends_with(ending);
  });
}

Result<GuessedJob> guess_job(std::string bytes,
                             const std::string& filename,
                             const std::string& name) {
  if (files::is_column_file(filename)) {
    LACUNA_TRY(files::CsvFile file, files::column_table(std::move(bytes), filename));
    if (file.num_rows() == 0)
      return file.error(0, 0, "the file has no rows");
    return JobGuess(std::move(file), std::nullopt, name).guess();
  }
  TextStyle style;
  style.encoding = files::likely_encoding(bytes);
  LACUNA_TRY(const std::string text, files::to_utf8(std::move(bytes), style.encoding, filename));
  LACUNA_TRY(style.separator, guess_separator(text, filename));
  LACUNA_TRY(files::CsvFile file, files::CsvFile::parse(text, filename, style.separator));
  style.has_header = !first_line_is_data(file);
  if (!style.has_header) {
    files::CsvLayout layout{style.separator, {}};
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      layout.header.push_back("column " + std::to_string(c + 1));
    LACUNA_TRY(file, files::CsvFile::parse(text, filename, layout));
  }
  if (file.num_rows() == 0)
    return file.error(0, 0, "the file has a header but no rows", ErrorCode::kNoRows);
  return JobGuess(std::move(file), style, name).guess();
}

}  // namespace lacuna::infer
