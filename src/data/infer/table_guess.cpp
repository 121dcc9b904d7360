// SPDX-License-Identifier: Apache-2.0
#include "data/infer/table_guess.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/column_files.h"
#include "data/files/number_text.h"
#include "data/files/position.h"
#include "data/infer/column_roles.h"
#include "data/infer/csv_guess.h"
#include "data/infer/open_table.h"
#include "data/infer/quotients.h"
#include "data/infer/shape.h"
#include "data/infer/sum_guess.h"

namespace lacuna::infer {
namespace {

constexpr std::array<std::string_view, 6> kValueNames{
    "value", "obs_value", "response", "turnover", "amount", "tot"};

using formats::ColumnRole;

class JobGuess {
 public:
  // `slack`: of a published table, how far a number may be from the truth.
  JobGuess(OpenedTable opened,
           std::string name,
           const JobSpec& said,
           std::optional<std::string> slack = std::nullopt)
      : table_(std::make_shared<ShapedTable>(std::move(opened.table))),
        file_(table_->file),
        text_(opened.text),
        name_(std::move(name)),
        said_(said),
        slack_(std::move(slack)) {}

  // What is not certain is open.
  GuessedJob guess() {
    if (Status numbers = find_numbers(); !numbers)
      return failed(numbers.error());
    const KnownRoles known = known_roles();
    auto roles = find_roles(file_, numeric_, known);
    Status value = ok_status();
    if (roles) {
      roles_ = std::move(roles).value();
      value = choose_value();
    }
    if (!roles || !value) {
      const Error trouble = roles ? value.error() : roles.error();
      if (auto wide = guess_wide())
        return std::move(*wide);
      return failed(trouble);
    }
    if (Status style = choose_style(); !style)
      open_.push_back(style.error());
    return job();
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kUnclearFormat, std::move(message), file_.where_header()};
  }

  bool has(const std::string& column) const {
    return file_.find_column(column) < file_.num_columns();
  }

  // What the user names and this table has: the heading of a wide one is none of its columns yet.
  KnownRoles known_roles() const {
    KnownRoles known;
    known.declared = table_->roles;
    const bool may_melt = said_.input.wide.empty() && !table_->is_wide();
    const auto counts = [&](const std::string& column) { return has(column) || !may_melt; };
    if (said_.columns && !said_.columns->value.empty())
      known.value = said_.columns->value;
    else if (table_->is_wide())
      known.value = table_->value;
    if (said_.columns && counts(said_.columns->status))
      known.status = said_.columns->status;
    for (const JobSpec::Dimension& dimension : said_.dimensions) {
      if (counts(dimension.name))
        known.dimensions.push_back(dimension.name);
    }
    return known;
  }

  // ---- wide tables

  // As one dimension in the heading, if that leaves less open.
  std::optional<GuessedJob> guess_wide() {
    if (table_->is_wide() || (said_.columns && !said_.columns->value.empty()))
      return std::nullopt;
    const ShapeChoice choice = shape_choice_of(said_);
    const std::vector<std::size_t> columns = wide_columns(*table_, choice);
    if (columns.empty())
      return std::nullopt;
    auto table = melted(table_, columns, choice);
    if (!table)
      return std::nullopt;
    JobSpec said = said_;
    said.input.wide = table->wide;
    JobGuess wide({std::move(table).value(), text_}, name_, said, slack_);
    GuessedJob guessed = wide.guess();
    if (guessed.open.empty() || wide.heading_is_certain())
      return guessed;
    if (roles_.values.size() > 1)
      doubt_ = "; or, if these columns are the categories of one dimension, name it: " +
               base::named_option("wide", "NAME");
    return std::nullopt;
  }

  // Sums show that the heading is one dimension, or its names do.
  bool heading_is_certain() const {
    return table_->is_wide() && !trees_.empty() &&
           std::all_of(table_->wide.begin(), table_->wide.end(), [&](const std::string& name) {
             for (std::size_t d = 0; d < roles_.dimensions.size(); ++d) {
               if (file_.header(roles_.dimensions[d]) == name)
                 return certain_[d] || is_role(roles_.dimensions[d], ColumnRole::kTime);
             }
             return false;
           });
  }

  bool is_role(std::size_t column, ColumnRole role) const {
    return column < table_->roles.size() && table_->roles[column] == role;
  }

  // Nothing but where the table is, and what its columns are called.
  GuessedJob failed(Error trouble) {
    trouble.message += doubt_;
    GuessedJob guessed;
    guessed.job.input = input();
    guessed.job.columns = JobSpec::Columns{};
    guessed.remarks[""] = {open_heading()};
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < file_.num_columns(); ++c)
      all.push_back(c);
    std::vector<std::string>& remarks = guessed.remarks["columns"];
    remarks.push_back("OPEN: " + base::in_full(trouble.message));
    remarks.push_back("the columns are " + base::in_full(named_columns(file_, all)));
    if (!roles_.values.empty())
      remarks.push_back("value = one of " + base::in_full(named_columns(file_, roles_.values)));
    for (const std::size_t column : roles_.dimensions) {
      guessed.job.dimensions.emplace_back().name = named(column);
    }
    guessed.open.push_back(std::move(trouble));
    return guessed;
  }

  static std::string open_heading() {
    return "This is what was understood of the table so far. What is not certain is marked OPEN: "
           "fill it in, then run lacuna protect on this file.";
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
        return file_.error(
            bad,
            c,
            base::confidential(base::in_quotes(file_.field(bad, c))) +
                " is not a number, unlike most of its column: correct it, or say what it means (" +
                base::named_option("means", "SIGN=absent") + ", =zero, =withheld)");
    }
    return error("no column holds numbers: a table has one row per cell, with its value");
  }

  // A percentage is not the value, unless the user says so.
  void leave_out_quotients() {
    auto& values = roles_.values;
    if (said_.columns && !said_.columns->value.empty())
      return;
    std::vector<std::size_t> bases;
    if (roles_.frequency != kNoColumn)
      bases.push_back(roles_.frequency);
    const std::vector<std::size_t> found =
        quotient_columns(file_, roles_.dimensions, values, bases);
    std::erase_if(values, [&](std::size_t column) {
      return std::find(found.begin(), found.end(), column) != found.end();
    });
    roles_.unused.insert(roles_.unused.end(), found.begin(), found.end());
    std::sort(roles_.unused.begin(), roles_.unused.end());
  }

  Status choose_value() {
    leave_out_quotients();
    auto& values = roles_.values;
    if (values.empty() && roles_.frequency != kNoColumn)
      return ok_status();  // a table of counts
    if (values.empty())
      return error("no column is left for the value: name it, " +
                   base::named_option("value", "COLUMN"));
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
                   named_columns(file_, values) + ": name it, " +
                   base::named_option("value", "COLUMN"));
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
    std::erase_if(styles, [&](const files::NumberStyle& style) { return !may_be(style); });
    if (styles.empty())
      return error(
          "the numbers are written in different styles: name decimal_mark and thousands "
          "in a job ([input])");
    std::vector<files::NumberStyle> fitting;
    std::vector<FoundTree> found, first;
    std::optional<files::NumberStyle> first_style;
    for (const files::NumberStyle& style : styles) {
      LACUNA_TRY(std::vector<FoundTree> trees, trees_with(style));
      const bool fits = std::none_of(trees.begin(), trees.end(), [](const FoundTree& each) {
        return each.trouble.has_value();
      });
      if (!first_style) {
        first_style = style;
        first = trees;
      }
      if (!fits)
        continue;
      fitting.push_back(style);
      found = std::move(trees);
    }
    if (fitting.size() > 1)
      return error("a number such as " + base::confidential(base::in_quotes(texts.front())) +
                   " could be read" + style_text(fitting[0]) + ", or" + style_text(fitting[1]) +
                   ": say which in a job ([input])");
    style_ = fitting.empty() ? *first_style : fitting.front();
    for (FoundTree& each : fitting.empty() ? first : found) {
      certain_.push_back(each.certain);
      troubles_.push_back(each.trouble ? each.trouble->message : "");
      if (each.trouble)
        open_.push_back(*each.trouble);
      trees_.push_back(each.tree ? std::move(*each.tree) : GuessedTree{"", {}, true});
    }
    return ok_status();
  }

  // By what the user says of decimal marks and thousands.
  bool may_be(const files::NumberStyle& style) const {
    const auto& [mark, thousands] = std::pair(said_.input.decimal_mark, said_.input.thousands);
    const bool fits = !mark || (style.decimal_mark == ',') == (*mark == SpecMark::kComma);
    return fits && (!thousands || style.thousands == enum_names(*thousands)[static_cast<std::size_t>(*thousands)]);
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
    if (slack_)
      drop_unknown(place, others.size(), found);
    return found;
  }

  std::size_t number_column() const { return value_ == kNoColumn ? roles_.frequency : value_; }

  // Combinations in which a number is not told: what is added up there is nothing.
  void drop_unknown(const std::vector<std::pair<std::size_t, std::size_t>>& place,
                    std::size_t num_others,
                    CodeValues& found) const {
    std::vector<bool> known(found.values.front().size(), true);
    found.told.assign(found.codes.size(), std::vector<bool>(known.size(), false));
    for (std::size_t r = 0; r < place.size(); ++r) {
      const bool told = !is_missing_text(base::trimmed(file_.field(r, number_column())));
      for (std::size_t at = place[r].second; at < known.size(); at += num_others)
        found.told[place[r].first][at] = told;
      if (!is_missing_text(base::trimmed(file_.field(r, number_column()))))
        continue;
      for (std::size_t at = place[r].second; at < known.size(); at += num_others)
        known[at] = false;
    }
    found.all = found.values;
    for (std::vector<Units>& values : found.values) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (known[i])
          values[kept++] = values[i];
      }
      values.resize(kept);
    }
  }

  struct FoundTree {
    std::optional<GuessedTree> tree;
    bool certain = false;
    std::optional<Error> trouble;
  };

  // Of a published table, where the sums do not tell.
  FoundTree published_tree(std::size_t column,
                           const CodeValues& values,
                           const std::vector<std::vector<Units>>& all) const {
    Units slack = 0;
    if (!slack_->empty()) {
      if (const auto units = base::parse_units(*slack_, decimals_of(number_column())))
        slack = *units;
    }
    if (all.empty() || values.values.empty())
      return {flat_tree(values, ""), false, std::nullopt};
    const auto total = likely_total(values, slack);
    if (!total) {
      GuessedTree forest{"", {values.codes, sums_by_names(values, slack)}, false};
      const bool found = !forest.tree.relations.empty();
      return {found ? std::move(forest) : flat_tree(values, ""), false, std::nullopt};
    }
    return {flat_tree(values, *total), is_role(column, ColumnRole::kDimension), std::nullopt};
  }

  // Of the numbers of a column, as values_with() reads them.
  int decimals_of(std::size_t column) const {
    files::DecimalsChooser chooser;
    for (std::size_t r = 0; r < file_.num_rows() && column != kNoColumn; ++r) {
      const std::string_view text = base::trimmed(file_.field(r, column));
      if (is_missing_text(text))
        continue;
      if (const auto plain = files::plain_number(text, files::style_of(text).value_or(style_)))
        (void)chooser.add_number(*plain).has_value();
    }
    return chooser.decimals();
  }

  const JobSpec::Dimension* said_of(std::size_t column) const {
    for (const JobSpec::Dimension& dimension : said_.dimensions) {
      if (dimension.name == file_.header(column) && !dimension.total.empty())
        return &dimension;
    }
    return nullptr;
  }

  bool computes_totals() const { return said_.input.totals != SpecTotals::kGiven; }

  static GuessedTree flat_tree(const CodeValues& values, const std::string& total) {
    GuessedTree tree{total, {{total}, {{total, {}}}}, true};
    for (const std::string& code : values.codes) {
      if (code == total)
        continue;
      tree.tree.codes.push_back(code);
      tree.tree.relations.front().children.push_back(code);
    }
    return tree;
  }

  // The totals that the format declares, as far as the table has their codes.
  std::optional<GuessedTree> declared_tree(std::size_t column, const CodeValues& values) const {
    const std::set<std::string_view> known(values.codes.begin(), values.codes.end());
    for (const formats::GridTree& each : table_->trees) {
      if (each.column != file_.header(column) || each.parts.empty() ||
          !known.contains(each.parts.front().first))
        continue;
      const std::string& root = each.parts.front().first;
      if (each.parts.size() == 1 && each.parts.front().second.empty())
        return flat_tree(values, root);
      GuessedTree tree{root, {{root}, {}}, false};
      std::set<std::string_view> placed{root};
      for (const auto& [parent, children] : each.parts) {
        files::NamedRelation relation{parent, {}};
        for (const std::string& child : children) {
          if (known.contains(child) && placed.insert(child).second)
            relation.children.push_back(child);
        }
        if (relation.children.empty())
          continue;
        tree.tree.codes.insert(
            tree.tree.codes.end(), relation.children.begin(), relation.children.end());
        tree.tree.relations.push_back(std::move(relation));
      }
      if (placed.size() == known.size())
        return tree;
    }
    return std::nullopt;
  }

  FoundTree tree_of(std::size_t column, const std::vector<std::vector<Units>>& all) const {
    const std::vector<std::vector<Units>> alone(all.begin(), all.begin() + 1);
    auto values = code_values(column, all);
    if (!values)
      return {std::nullopt, false, values.error()};
    const JobSpec::Dimension* said = said_of(column);
    const bool no_parts =
        is_role(column, ColumnRole::kTime) || is_role(column, ColumnRole::kMeasure);
    if (no_parts && said == nullptr) {
      if (computes_totals() || slack_)
        return {flat_tree(*values, ""), false, std::nullopt};
      return {std::nullopt, false, no_parts_of(column, *values)};
    }
    auto tree = guess_tree(*values);
    if (!tree && all.size() > 1) {
      if (const auto fewer = code_values(column, alone))
        tree = guess_tree(*fewer);
    }
    if (tree && (said == nullptr || tree->total == said->total))
      return {std::move(tree).value(), true, std::nullopt};
    if (said != nullptr) {
      if (std::find(values->codes.begin(), values->codes.end(), said->total) ==
              values->codes.end() &&
          !computes_totals())
        return {std::nullopt, false, no_such_total(column, *said, *values)};
      return {flat_tree(*values, said->total), true, std::nullopt};
    }
    if (auto declared = declared_tree(column, *values))
      return {std::move(*declared), true, std::nullopt};
    if (slack_)
      return published_tree(column, *values, all);
    if (computes_totals()) {
      if (const std::string code = hidden_subtotal(*values); !code.empty())
        return {std::nullopt, false, not_all_parts(column, code)};
      return {flat_tree(*values, ""), false, std::nullopt};
    }
    return {std::nullopt, false, uncertain_total(column, *values, tree.error())};
  }

  // A code that is the sum of codes right behind or before it, which is hardly chance: added up as
  // a part it would count twice, and nobody would be asked what it tells of them.
  static std::string hidden_subtotal(const CodeValues& values) {
    constexpr std::size_t kMostParts = 2000;
    constexpr Wide kLarge = 1000;
    const auto count = static_cast<std::ptrdiff_t>(values.codes.size());
    for (std::ptrdiff_t code = 0; code < count; ++code) {
      const std::vector<Units>& whole = values.values[static_cast<std::size_t>(code)];
      const auto filled = std::count_if(whole.begin(), whole.end(), [](Units v) { return v != 0; });
      Wide size = 0;
      for (const Units value : whole)
        size += value < 0 ? -Wide{value} : Wide{value};
      if (filled < 2 && size < kLarge)
        continue;
      for (const std::ptrdiff_t step : {1, -1}) {
        std::vector<Wide> sum(whole.size(), 0);
        std::size_t parts = 0;
        Wide reached = 0;
        for (std::ptrdiff_t at = code + step;
             at >= 0 && at < count && parts < kMostParts && reached <= size;
             at += step) {
          const std::vector<Units>& part = values.values[static_cast<std::size_t>(at)];
          bool any = false;
          for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += part[i];
            reached += part[i] < 0 ? -Wide{part[i]} : Wide{part[i]};
            any = any || part[i] != 0;
          }
          parts += any ? 1U : 0U;
          if (parts > 1 && std::equal(sum.begin(), sum.end(), whole.begin(), [](Wide a, Units b) {
                return a == Wide{b};
              }))
            return values.codes[static_cast<std::size_t>(code)];
        }
      }
    }
    return "";
  }

  Error not_all_parts(std::size_t column, const std::string& code) const {
    return error("the codes of column " + base::in_quotes(file_.header(column)) +
                 " are not all parts of one total: " + base::in_quotes(code) +
                 " is the sum of codes next to it; give their hierarchy in a job ([[dimension]] "
                 "with hierarchy or tree), or choose the rows that are parts (" +
                 base::named_option("rows", "A-B") + ", " +
                 base::named_option("only", "COLUMN=CODE") + ")");
  }

  Error no_such_total(std::size_t column,
                      const JobSpec::Dimension& said,
                      const CodeValues& values) const {
    const std::vector<std::string_view> known(values.codes.begin(), values.codes.end());
    return error("the column " + base::in_quotes(file_.header(column)) + " has no code " +
                 base::in_quotes(said.total) + base::did_you_mean(said.total, known));
  }

  // Periods and measures are no parts of one whole.
  Error no_parts_of(std::size_t column, const CodeValues& values) const {
    const std::string name(file_.header(column));
    const bool time = is_role(column, ColumnRole::kTime);
    return error("the column " + base::in_quotes(name) + " holds " +
                 std::to_string(values.codes.size()) + (time ? " periods, " : " measures, ") +
                 base::in_quotes(values.codes.front()) + " to " +
                 base::in_quotes(values.codes.back()) + ": choose one, " +
                 base::named_option("only", name + "=" + values.codes.back()) +
                 ", or add them up, " + base::named_option("totals", "computed"));
  }

  Error uncertain_total(std::size_t column, const CodeValues& values, const Error& trouble) const {
    const std::string broken = broken_sum(column, values);
    return error("the totals of column " + base::in_quotes(file_.header(column)) +
                 " are not certain: " + trouble.message + broken + "; name the total, " +
                 base::named_option("total", std::string(file_.header(column)) + "=CODE") +
                 ", or say that the table has none, " + base::named_option("totals", "computed") +
                 "; a job can give a hierarchy");
  }

  // The one sum that fails, where all others say which code is the total.
  std::string broken_sum(std::size_t column, const CodeValues& values) const {
    const auto nearly = nearly_total(values);
    if (!nearly)
      return "";
    std::string key;
    for (const std::size_t row : rows_at(column, values, *nearly)) {
      key = file_.where(row, value_ == kNoColumn ? column : value_);
      break;
    }
    return "; " + base::in_quotes(values.codes[nearly->code]) +
           " is the sum of the others except in " + std::to_string(nearly->broken) + " of " +
           std::to_string(nearly->sums) + " sums" + (key.empty() ? "" : ", first at " + key) +
           others_text(column, *nearly);
  }

  // Rows of the code at the combination of the others where the sum fails.
  std::vector<std::size_t> rows_at(std::size_t column,
                                   const CodeValues& values,
                                   const NearlyTotal& nearly) const {
    std::vector<std::size_t> found;
    const std::vector<std::size_t> others = combination_rows(column);
    const std::size_t at = nearly.first_broken % others.size();
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      if (file_.field(r, column) == values.codes[nearly.code] && same_others(r, others[at], column))
        found.push_back(r);
    }
    return found;
  }

  bool same_others(std::size_t row, std::size_t other, std::size_t column) const {
    return std::all_of(
        roles_.dimensions.begin(), roles_.dimensions.end(), [&](std::size_t dimension) {
          return dimension == column ||
                 file_.field(row, dimension) == file_.field(other, dimension);
        });
  }

  // The first row of each combination of codes of the other dimensions, as code_values() counts
  // them.
  std::vector<std::size_t> combination_rows(std::size_t column) const {
    std::vector<std::size_t> rows;
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      std::string key;
      for (const std::size_t other : roles_.dimensions)
        key += (other == column ? "" : std::string(file_.field(r, other))) + '\x1F';
      if (seen.try_emplace(std::move(key), r).second)
        rows.push_back(r);
    }
    return rows;
  }

  std::string others_text(std::size_t column, const NearlyTotal& nearly) const {
    const std::vector<std::size_t> rows = combination_rows(column);
    const std::size_t row = rows[nearly.first_broken % rows.size()];
    std::string text;
    for (const std::size_t other : roles_.dimensions) {
      if (other != column)
        text += (text.empty() ? " (" : ", ") + std::string(file_.header(other)) + " " +
                base::strange_field_in_quotes(file_.field(row, other));
    }
    return text.empty() ? "" : text + ")";
  }

  // By dimension; what is uncertain is open. Frequencies tell apart what has no value; but a
  // respondent may count once in a sum and in several of its parts.
  Result<std::vector<FoundTree>> trees_with(const files::NumberStyle& style) const {
    std::vector<std::vector<Units>> all;
    for (const std::size_t column : {value_, roles_.frequency}) {
      if (column == kNoColumn)
        continue;
      LACUNA_TRY(std::vector<Units> values, values_with(style, column));
      all.push_back(std::move(values));
    }
    std::vector<FoundTree> trees;
    for (const std::size_t dimension : roles_.dimensions)
      trees.push_back(tree_of(dimension, all));
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
    JobSpec::Input input = said_.input;
    input.table = {{SpecSource::Kind::kFile, name_}};
    if (table_->is_wide())  // also by `only` with a code of the heading
      input.wide = table_->wide;
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
                      "; if it is one, name it, " + base::named_option("status", name));
    }
    return notes;
  }

  // total = one of "A", "B", ...
  std::string code_list(std::size_t column) const {
    constexpr std::size_t kMost = 30;
    std::set<std::string_view> seen;
    std::string text;
    for (std::size_t r = 0; r < file_.num_rows() && seen.size() <= kMost; ++r) {
      const std::string_view code = file_.field(r, column);
      if (seen.insert(code).second && seen.size() <= kMost)
        text += (text.empty() ? "" : ", ") + base::strange_field_in_quotes(code);
    }
    return "total = one of " + base::in_full(text) + (seen.size() > kMost ? ", ..." : "");
  }

  JobSpec::Dimension dimension(std::size_t index) const {
    const GuessedTree& found = trees_[index];
    JobSpec::Dimension dimension;
    dimension.name = named(roles_.dimensions[index]);
    if (found.flat) {  // rows without a code are the total, whatever it is called
      if (troubles_[index].empty())
        dimension.total = found.total.empty() && !slack_ ? "Total" : found.total;
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
    guessed.remarks[""] = {open_.empty() ? "This is what was understood of the table. Correct what "
                                           "is wrong, then run lacuna protect on this file."
                                         : open_heading()};
    if (!table_->notes.empty())
      guessed.remarks["input"] = table_->notes;
    guessed.remarks["columns"] = remarks_on_columns();
    for (std::size_t d = 0; d < roles_.dimensions.size(); ++d) {
      if (d >= trees_.size()) {  // numbers that can be read in two ways
        guessed.job.dimensions.emplace_back().name = named(roles_.dimensions[d]);
        continue;
      }
      guessed.job.dimensions.push_back(dimension(d));
      std::vector<std::string>& remarks = guessed.remarks["dimension[" + std::to_string(d) + "]"];
      if (!trees_[d].flat)
        remarks.emplace_back("found by the sums");
      if (!troubles_[d].empty()) {
        remarks.push_back("OPEN: " + base::in_full(troubles_[d]));
        remarks.push_back(code_list(roles_.dimensions[d]));
      }
    }
    if (trees_.empty() && !open_.empty())
      guessed.remarks["input"].push_back("OPEN: " + base::in_full(open_.front().message));
    guessed.notes = doubts();
    guessed.open = open_;
    return guessed;
  }

  std::shared_ptr<ShapedTable> table_;
  const files::CsvFile& file_;
  std::optional<TextStyle> text_;
  std::string name_;
  const JobSpec& said_;
  std::optional<std::string> slack_;  // of a published table; else nothing
  std::string doubt_;                 // why it is not read as wide
  std::vector<Error> open_;
  std::vector<bool> certain_;          // by dimension: sums or the user say which code is the total
  std::vector<std::string> troubles_;  // by dimension; empty: none
  std::vector<bool> numeric_;
  std::vector<std::vector<std::string_view>> texts_;  // of numeric columns, with marks
  ColumnRoles roles_;
  std::size_t value_ = kNoColumn;
  files::NumberStyle style_;
  std::vector<GuessedTree> trees_;
};

}  // namespace

TableFileStyle style_said(const JobSpec& said) {
  TableFileStyle style;
  if (said.input.encoding)
    style.encoding = static_cast<files::Encoding>(*said.input.encoding);
  if (!said.input.separator.empty())
    style.separator = said.input.separator.front();
  style.header = said.input.header;
  style.shape = shape_choice_of(said);
  return style;
}

bool is_table_name(const std::string& path) {
  if (files::is_column_file(path))
    return true;
  std::string name = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - packed.size());
  }
  constexpr std::array<std::string_view, 14> kEndings{".csv",
                                                      ".tsv",
                                                      ".txt",
                                                      ".tab",
                                                      ".xlsx",
                                                      ".xls",
                                                      ".ods",
                                                      ".px",
                                                      ".sas7bdat",
                                                      ".xpt",
                                                      ".dta",
                                                      ".sav",
                                                      ".zsav",
                                                      ".por"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return name.ends_with(ending);
  });
}

namespace {

Result<GuessedJob> guess_any(std::string bytes,
                             const std::string& filename,
                             const std::string& name,
                             const JobSpec& said,
                             std::optional<std::string> slack) {
  TableFileStyle style = style_said(said);
  style.alone = true;
  style.shape.released = style.shape.alone = slack.has_value();
  LACUNA_TRY(std::vector<OpenedTable> opened, open_tables(std::move(bytes), filename, style));
  if (opened.size() > 1)
    return Error{
        ErrorCode::kUnclearFormat,
        "several sheets are several tables, of which a job says what they cross: write one "
        "with " +
            base::named_setting("[input]", "sheet", "[\"A\", \"B\"]"),
        filename};
  const files::CsvFile& file = opened.front().table.file;
  if (file.num_rows() == 0)
    return file.error(
        0,
        0,
        opened.front().text ? "the file has a header but no rows" : "the file has no rows",
        ErrorCode::kNoRows);
  return JobGuess(std::move(opened.front()), name, said, std::move(slack)).guess();
}

}  // namespace

Result<GuessedJob> guess_as_far(std::string bytes,
                                const std::string& filename,
                                const std::string& name,
                                const JobSpec& said) {
  return guess_any(std::move(bytes), filename, name, said, std::nullopt);
}

Result<GuessedJob> guess_published(std::string bytes,
                                   const std::string& filename,
                                   const std::string& name,
                                   const JobSpec& said,
                                   const std::string& slack) {
  LACUNA_TRY(GuessedJob guessed, guess_any(std::move(bytes), filename, name, said, slack));
  if (!guessed.open.empty())
    return guessed.open.front();
  return guessed;
}

Result<GuessedJob> guess_job(std::string bytes,
                             const std::string& filename,
                             const std::string& name,
                             const JobSpec& said) {
  LACUNA_TRY(GuessedJob guessed, guess_as_far(std::move(bytes), filename, name, said));
  if (!guessed.open.empty())
    return guessed.open.front();
  return guessed;
}

}  // namespace lacuna::infer
