// SPDX-License-Identifier: Apache-2.0
#include "data/formats/px.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/formats/agency_signs.h"
#include "data/formats/number_field.h"
#include "data/formats/px_entries.h"
#include "data/formats/sdmx_names.h"

namespace lacuna::formats {
namespace {

constexpr std::size_t kMostCells = 16'777'216;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDelimiters = " \t\r\n,;";

// "#" is a line break in texts of PX.
std::string plain_text(std::string text) {
  std::replace(text.begin(), text.end(), '#', ' ');
  const std::size_t end = text.find_last_not_of(' ');
  return text.substr(0, end == std::string::npos ? 0 : end + 1);
}

int small_number(const std::string& text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
}

struct Variable {
  std::string name;
  std::vector<std::string> codes, labels;  // labels are empty where they are the codes
  std::unordered_map<std::string, std::size_t> by_code, by_label;
  bool is_time = false;
  bool keys_are_codes = true;  // of KEYS
  std::size_t offset = 0;      // of the entry that lists the values

  std::size_t find(const std::string& text) const {  // a code, or else a label; size() if neither
    const auto code = by_code.find(text);
    if (code != by_code.end())
      return code->second;
    const auto label = by_label.find(text);
    return label == by_label.end() ? codes.size() : label->second;
  }
};

// TLIST(A1,"1994"-"1996"): the periods from the first to the last.
Result<std::vector<std::string>> range_of_periods(const PxText& px,
                                                  const PxItem& item,
                                                  char scale) {
  constexpr int kMostYears = 1000;
  const std::map<char, int> per_year{{'A', 1}, {'H', 2}, {'Q', 4}, {'M', 12}, {'W', 53}};
  const auto steps = per_year.find(scale);
  std::vector<std::string> ends;
  for (const PxPart& part : item) {
    if (part.quoted)
      ends.push_back(part.text);
  }
  const std::size_t offset = item.empty() ? px.data : item.front().offset;
  const auto number = [](const std::string& text) {
    int value = 0;
    for (const char c : text)
      value = c >= '0' && c <= '9' && value < 1'000'000 ? value * 10 + (c - '0') : 1'000'000;
    return value;
  };
  if (steps == per_year.end() || ends.size() != 2 || ends[0].size() < 4 || ends[1].size() < 4)
    return px.error(offset, "TLIST needs the first and the last period, as in \"1994\"-\"1996\"");
  const int first = number(ends[0].substr(0, 4)), last = number(ends[1].substr(0, 4));
  const bool annual = scale == 'A';
  const int from = annual ? 1 : number(ends[0].substr(4)),
            to = annual ? 1 : number(ends[1].substr(4));
  if (first > last || last - first > kMostYears || from < 1 || from > steps->second || to < 1 ||
      to > steps->second)
    return px.error(offset, "the periods of TLIST are out of order");
  std::vector<std::string> periods;
  for (int year = first; year <= last; ++year) {
    for (int part = year == first ? from : 1; part <= (year == last ? to : steps->second); ++part) {
      std::string text = std::to_string(part);
      if ((scale == 'M' || scale == 'W') && text.size() < 2)
        text.insert(0, 1, '0');
      periods.push_back(std::to_string(year) + (annual ? "" : std::string(1, scale) + text));
    }
  }
  return periods;
}

class PxReader {
 public:
  explicit PxReader(PxText px) : px_(std::move(px)) { grid_.where = px_.filename; }

  Result<Grid> read() {
    grid_.is_cross = true;
    grid_.notes = px_.notes;
    LACUNA_RETURN_IF_ERROR(read_variables());
    describe();
    note_what_is_left_out();
    LACUNA_RETURN_IF_ERROR(read_trees());
    make_columns();
    const bool sparse = std::any_of(px_.entries.begin(), px_.entries.end(), [](const PxEntry& e) {
      return e.keyword == "KEYS";
    });
    if (sparse) {
      LACUNA_RETURN_IF_ERROR(read_keyed_data());
    } else {
      LACUNA_RETURN_IF_ERROR(read_data());
    }
    LACUNA_RETURN_IF_ERROR(add_cell_texts());
    explain_signs();
    return std::move(grid_);
  }

 private:
  Status read_variables() {
    const std::vector<std::string> stub = px_.texts("STUB"), heading = px_.texts("HEADING");
    num_stub_ = stub.size();
    std::vector<std::string> names = stub;
    names.insert(names.end(), heading.begin(), heading.end());
    if (names.empty())
      return px_.error(px_.data, "the file names no variable: neither STUB nor HEADING is there");
    for (const std::string& name : names) {
      const bool repeated = std::any_of(
          variables_.begin(), variables_.end(), [&](const Variable& v) { return v.name == name; });
      if (repeated || name.empty())
        return px_.error(px_.find(px_.find("STUB") != nullptr ? "STUB" : "HEADING")->offset,
                         name.empty()
                             ? std::string("a variable has no name")
                             : "the variable " + base::in_quotes(name) + " is named twice");
      LACUNA_TRY(variables_.emplace_back(), read_variable(name));
      const std::size_t codes = variables_.back().codes.size();
      if (codes != 0 && num_cells_ > kMostCells / codes)
        return px_.error(variables_.back().offset,
                         "the variables have more than 16777216 combinations: take fewer values",
                         ErrorCode::kTooLarge);
      num_cells_ *= codes;
    }
    return ok_status();
  }

  Result<std::vector<std::string>> periods_of(const PxEntry& entry) {
    const std::string head = entry.items.empty() ? "" : item_text(entry.items.front());
    const std::size_t open = head.find('(');
    if (!head.starts_with("TLIST") || open == std::string::npos || open + 1 >= head.size())
      return px_.error(entry.offset, "TIMEVAL begins with TLIST(A1), TLIST(M1) and the like");
    const char scale = head[open + 1];
    if (head.find(')') == std::string::npos && entry.items.size() == 2)
      return range_of_periods(px_, entry.items[1], scale);
    std::vector<std::string> periods;
    for (std::size_t i = 1; i < entry.items.size(); ++i) {
      std::string text = item_text(entry.items[i]);
      if (scale != 'A' && text.size() > 4 && text[4] >= '0' && text[4] <= '9')
        text.insert(4, 1, scale);  // CCYYMM is shown as 1995M01
      periods.push_back(std::move(text));
    }
    return periods;
  }

  Result<Variable> read_variable(const std::string& name) {
    Variable variable;
    variable.name = name;
    std::vector<std::string> values = px_.texts("VALUES", name), codes = px_.texts("CODES", name);
    const PxEntry* times = px_.find("TIMEVAL", name);
    variable.is_time = times != nullptr;
    if (values.empty() && codes.empty() && times != nullptr) {
      LACUNA_TRY(values, periods_of(*times));
    }
    for (const char* keyword : {"TIMEVAL", "CODES", "VALUES"}) {
      if (const PxEntry* entry = px_.find(keyword, name))
        variable.offset = entry->offset;
    }
    if (values.empty() && codes.empty())
      return px_.error(px_.data,
                       "the variable " + base::in_quotes(name) +
                           " has no VALUES: the file does not say what its cells are",
                       ErrorCode::kMissingKey);
    if (!values.empty() && !codes.empty() && values.size() != codes.size())
      return px_.error(variable.offset,
                       "the variable " + base::in_quotes(name) + " has " +
                           std::to_string(values.size()) + " VALUES and " +
                           std::to_string(codes.size()) + " CODES: there must be as many");
    variable.codes = codes.empty() ? values : codes;
    if (!codes.empty() && values != codes)
      variable.labels = values;
    for (std::size_t i = 0; i < variable.codes.size(); ++i) {
      if (!variable.by_code.try_emplace(variable.codes[i], i).second)
        return px_.error(variable.offset,
                         "the variable " + base::in_quotes(name) + " has the code " +
                             base::in_quotes(variable.codes[i]) + " twice");
    }
    for (std::size_t i = 0; i < variable.labels.size(); ++i)
      variable.by_label.try_emplace(variable.labels[i], i);
    return variable;
  }

  void describe() {
    grid_.name = px_.text_of("MATRIX");
    for (const char* keyword : {"TITLE", "DESCRIPTION", "CONTENTS"}) {
      const std::string text = plain_text(px_.text_of(keyword));
      if (grid_.titles.empty() && !text.empty())
        grid_.titles.push_back(text);
    }
    grid_.unit = px_.text_of("UNITS");
    grid_.decimals = small_number(px_.text_of("DECIMALS"));
    const std::string contents = px_.text_of("CONTVARIABLE");
    std::set<std::string> units;
    for (const PxEntry& entry : px_.entries) {
      if (!entry.language.empty())
        continue;
      const std::string text = entry.items.empty() ? "" : item_text(entry.items.front());
      if (entry.keyword == "PRECISION")
        grid_.decimals = std::max(grid_.decimals, small_number(text));
      if (entry.keyword == "UNITS" && !entry.subkeys.empty())
        units.insert(text);
      if (entry.keyword == "SOURCE" && !text.empty())
        grid_.footnotes.push_back("Source: " + plain_text(text));
    }
    if (grid_.unit.empty() && units.size() == 1)
      grid_.unit = *units.begin();
    if (units.size() > 1)
      grid_.notes.push_back("the values of " + base::in_quotes(contents) +
                            " have different units (" + std::to_string(units.size()) + ")");
    for (const PxEntry& entry : px_.entries)
      add_footnote(entry);
  }

  void add_footnote(const PxEntry& entry) {
    constexpr std::string_view kNotes[] = {
        "NOTE", "NOTEX", "VALUENOTE", "VALUENOTEX", "CELLNOTE", "CELLNOTEX"};
    if (!entry.language.empty() || entry.items.empty() ||
        std::find(std::begin(kNotes), std::end(kNotes), entry.keyword) == std::end(kNotes))
      return;
    std::string of;
    for (const std::string& subkey : entry.subkeys)
      of += (of.empty() ? "" : ", ") + subkey;
    grid_.footnotes.push_back((of.empty() ? "" : of + ": ") +
                              plain_text(item_text(entry.items.front())));
  }

  void note_what_is_left_out() {
    std::set<std::string> languages;
    for (const PxEntry& entry : px_.entries) {
      if (!entry.language.empty())
        languages.insert(entry.language);
    }
    std::string list;
    for (const std::string& language : languages)
      list += (list.empty() ? "" : ", ") + language;
    if (!list.empty())
      grid_.notes.push_back("texts in other languages are left out (" + list + ")");
    const std::string confidential = px_.text_of("CONFIDENTIAL");
    if (!confidential.empty() && confidential != "0")
      grid_.notes.push_back("CONFIDENTIAL is " + base::in_quotes(confidential) +
                            ": programs that show the file alter small values, and here they are "
                            "read as they stand in it");
  }

  // ---- totals

  Status read_trees() {
    for (const Variable& variable : variables_) {
      GridTree tree{variable.name, {}};
      LACUNA_RETURN_IF_ERROR(read_hierarchy(variable, tree));
      read_elimination(variable, tree);
      if (!tree.parts.empty())
        grid_.trees.push_back(std::move(tree));
    }
    return ok_status();
  }

  Status read_hierarchy(const Variable& variable, GridTree& tree) {
    const PxEntry* entry = px_.find("HIERARCHIES", variable.name);
    if (entry == nullptr)
      return ok_status();
    std::size_t unknown = 0;
    std::set<std::size_t> incomplete;
    std::map<std::size_t, std::size_t> places;  // of a parent among the parts
    for (const PxItem& item : entry->items) {
      if (item.size() == 1)
        continue;  // the top, which has no parent
      if (item.size() != 3 || item[1].quoted || item[1].text != ":")
        return px_.error(item.empty() ? entry->offset : item.front().offset,
                         "HIERARCHIES has pairs, a parent and its child");
      const std::size_t parent = variable.find(item[0].text), child = variable.find(item[2].text);
      const bool known = parent < variable.codes.size() && child < variable.codes.size();
      unknown += known ? 0U : 1U;
      if (parent < variable.codes.size() && !known)
        incomplete.insert(parent);
      if (!known)
        continue;
      const auto [at, is_new] = places.try_emplace(parent, tree.parts.size());
      if (is_new)
        tree.parts.push_back({variable.codes[parent], {}});
      tree.parts[at->second].second.push_back(variable.codes[child]);
    }
    std::erase_if(tree.parts, [&](const auto& part) {
      return incomplete.count(variable.by_code.at(part.first)) != 0;
    });
    if (unknown > 0)
      grid_.notes.push_back("HIERARCHIES of " + base::in_quotes(variable.name) + " has " +
                            std::to_string(unknown) +
                            " pairs with codes that are not in the file: their parents are left "
                            "out as totals");
    return ok_status();
  }

  void read_elimination(const Variable& variable, GridTree& tree) {
    const std::string value = px_.text_of("ELIMINATION", variable.name);
    const std::string word = base::lower_case(value);
    if (value.empty() || word == "yes" || word == "no")
      return;  // YES: by summing up all values, so that none of them is the total
    const std::size_t code = variable.find(value);
    if (code == variable.codes.size()) {
      grid_.notes.push_back("ELIMINATION of " + base::in_quotes(variable.name) + " names " +
                            base::in_quotes(value) + ", which is not one of its values");
      return;
    }
    const std::string& total = variable.codes[code];
    const bool known = std::any_of(tree.parts.begin(), tree.parts.end(), [&](const auto& part) {
      return part.first == total;
    });
    if (!known)
      tree.parts.push_back({total, {}});
  }

  // ---- cells

  void make_columns() {
    const std::string contents = px_.text_of("CONTVARIABLE");
    for (const Variable& variable : variables_) {
      const bool is_measure = !contents.empty() && variable.name == contents;
      grid_.columns.push_back({variable.name,
                               is_measure         ? ColumnRole::kMeasure
                               : variable.is_time ? ColumnRole::kTime
                                                  : ColumnRole::kDimension});
      if (!variable.labels.empty())
        grid_.columns.push_back({variable.name + " label", ColumnRole::kLabel});
    }
    grid_.columns.push_back({"value", ColumnRole::kValue});
  }

  std::vector<std::string> row_of(std::size_t cell) const {
    std::vector<std::size_t> places(variables_.size());
    for (std::size_t v = variables_.size(); v-- > 0;) {
      places[v] = cell % variables_[v].codes.size();
      cell /= variables_[v].codes.size();
    }
    std::vector<std::string> row;
    row.reserve(grid_.columns.size());
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      row.push_back(variables_[v].codes[places[v]]);
      if (!variables_[v].labels.empty())
        row.push_back(variables_[v].labels[places[v]]);
    }
    return row;
  }

  struct Token {
    std::string_view text;
    std::size_t offset = 0;
    bool quoted = false;
  };

  // The next field of DATA; empty and not quoted at its end.
  Result<Token> next() {
    const std::string_view text = std::string_view(px_.text).substr(0, px_.data_end);
    at_ = std::min(text.find_first_not_of(kDelimiters, at_), text.size());
    Token token{{}, at_, at_ < text.size() && text[at_] == '"'};
    if (token.quoted) {
      const std::size_t end = text.find('"', at_ + 1);
      if (end == std::string_view::npos)
        return px_.error(at_, "the quotation mark is not closed");
      token.text = text.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n,;\"", at_), text.size());
      token.text = text.substr(at_, end - at_);
      at_ = end;
    }
    return token;
  }

  // A number, or dots, a dash or a colon, which are remembered as signs.
  Result<std::string> cell_text(const Token& token) {
    if (auto number = plain_decimal(token.text))
      return std::move(*number);
    const std::string sign(base::trimmed(token.text));
    const bool dots = !sign.empty() && sign.size() <= 7 && sign.find_first_not_of('.') == sign.npos;
    if (!dots && sign != "-" && sign != ":")
      return px_.error(token.offset,
                       base::strange_field_in_quotes(token.text) +
                           " is neither a number nor a sign of PX (one to six dots, or a dash)",
                       ErrorCode::kBadNumber);
    signs_.insert(sign);
    return sign;
  }

  Status read_data() {
    at_ = px_.data;
    grid_.rows.reserve(std::min(num_cells_, px_.data_end - px_.data));
    for (;;) {
      LACUNA_TRY(const Token token, next());
      if (token.text.empty() && !token.quoted)
        break;
      const std::size_t cell = grid_.rows.size();
      if (cell == num_cells_)
        return px_.error(
            token.offset,
            "DATA has more cells than the " + std::to_string(num_cells_) + " of the variables");
      std::vector<std::string>& row = grid_.rows.emplace_back(row_of(cell));
      LACUNA_TRY(row.emplace_back(), cell_text(token));
    }
    if (grid_.rows.size() != num_cells_)
      return px_.error(px_.data_end,
                       "DATA has " + std::to_string(grid_.rows.size()) +
                           " cells, but the variables have " + std::to_string(num_cells_) +
                           " combinations");
    return ok_status();
  }

  Status find_keys() {
    for (std::size_t v = 0; v < num_stub_; ++v) {
      const std::string how = base::lower_case(px_.text_of("KEYS", variables_[v].name));
      if (how != "codes" && how != "values")
        return px_.error(px_.data,
                         "KEYS must say CODES or VALUES for each variable of STUB, and does not "
                         "for " +
                             base::in_quotes(variables_[v].name));
      variables_[v].keys_are_codes = how == "codes";
    }
    return ok_status();
  }

  Result<std::size_t> key_place(const Variable& variable, const Token& token) {
    const auto& names =
        variable.keys_are_codes || variable.labels.empty() ? variable.by_code : variable.by_label;
    const auto found = names.find(std::string(token.text));
    if (found == names.end())
      return px_.error(token.offset,
                       base::strange_field_in_quotes(token.text) + " is not one of the " +
                           (variable.keys_are_codes ? "codes" : "values") + " of " +
                           base::in_quotes(variable.name),
                       ErrorCode::kUnknownCode);
    return found->second;
  }

  Status read_keyed_data() {
    LACUNA_RETURN_IF_ERROR(find_keys());
    std::size_t per_row = 1;
    for (std::size_t v = num_stub_; v < variables_.size(); ++v)
      per_row *= variables_[v].codes.size();
    // A small file must not ask for a large memory.
    constexpr std::size_t kFew = 200'000, kMostPerByte = 50;
    if (num_cells_ > std::max(kFew, kMostPerByte * (px_.data_end - px_.data)))
      return px_.error(px_.data,
                       "DATA has rows for very few of the " + std::to_string(num_cells_) +
                           " combinations of the variables: take fewer values",
                       ErrorCode::kTooLarge);
    std::vector<std::string> values(num_cells_);
    at_ = px_.data;
    for (;;) {
      std::size_t place = 0;
      LACUNA_TRY(Token token, next());
      const std::size_t begin = token.offset;
      if (token.text.empty() && !token.quoted)
        break;
      for (std::size_t v = 0; v < num_stub_; ++v) {
        if (v > 0) {
          LACUNA_TRY(token, next());
        }
        LACUNA_TRY(const std::size_t code, key_place(variables_[v], token));
        place = place * variables_[v].codes.size() + code;
      }
      for (std::size_t i = 0; i < per_row; ++i) {
        LACUNA_TRY(token, next());
        if (token.text.empty() && !token.quoted)
          return px_.error(token.offset, "the last row of DATA has too few cells");
        std::string& value = values[place * per_row + i];
        if (!value.empty())
          return px_.error(begin, "the row of these keys occurs twice", ErrorCode::kRepeatedCell);
        LACUNA_TRY(value, cell_text(token));
      }
    }
    std::size_t left_out = 0;
    for (std::size_t cell = 0; cell < num_cells_; ++cell) {
      left_out += values[cell].empty() ? 1U : 0U;
      std::vector<std::string>& row = grid_.rows.emplace_back(row_of(cell));
      row.push_back(values[cell].empty() ? "0" : std::move(values[cell]));
    }
    if (left_out > 0)
      grid_.notes.push_back(std::to_string(left_out) +
                            " cells are in no row of DATA: with KEYS these are zeros");
    return ok_status();
  }

  // ---- what is said of single cells

  // Which cells the subkeys mean, one for each variable, "*" for all of its values.
  template <class Do>
  bool for_cells(const std::vector<std::string>& subkeys, Do&& use) const {
    if (subkeys.size() != variables_.size())
      return false;
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    for (std::size_t v = 0; v < subkeys.size(); ++v) {
      const std::size_t code = variables_[v].find(subkeys[v]);
      const bool all = subkeys[v] == "*" && code == variables_[v].codes.size();
      if (!all && code == variables_[v].codes.size())
        return false;
      ends.emplace_back(all ? 0 : code, all ? variables_[v].codes.size() : code + 1);
    }
    for (const auto& [from, to] : ends) {
      if (from == to)
        return true;
    }
    std::vector<std::size_t> places;
    for (const auto& [from, to] : ends)
      places.push_back(from);
    for (;;) {
      std::size_t cell = 0;
      for (std::size_t v = 0; v < places.size(); ++v)
        cell = cell * variables_[v].codes.size() + places[v];
      use(cell);
      std::size_t v = places.size();
      while (v > 0 && ++places[v - 1] == ends[v - 1].second) {
        --v;
        places[v] = ends[v].first;
      }
      if (v == 0)
        return true;
    }
  }

  // DATANOTECELL, and ATTRIBUTES under the names of ATTRIBUTE-ID.
  Status add_cell_texts() {
    std::vector<std::string> ids = px_.texts("ATTRIBUTE-ID");
    const std::size_t first = grid_.columns.size();
    const bool has_attributes = !ids.empty();
    if (!has_attributes)
      ids.assign(1, "DATANOTECELL");
    const std::string_view keyword = has_attributes ? "ATTRIBUTES" : "DATANOTECELL";
    const bool any = std::any_of(px_.entries.begin(), px_.entries.end(), [&](const PxEntry& entry) {
      return entry.keyword == keyword && entry.language.empty();
    });
    if (!any)
      return ok_status();
    for (const std::string& id : ids)
      grid_.columns.push_back(
          {id, has_attributes ? role_of_attribute(id) : ColumnRole::kObservationStatus});
    for (auto& row : grid_.rows)
      row.resize(grid_.columns.size());
    std::size_t work = 0;
    const auto set = [&](const PxEntry& entry, std::size_t cell) {
      for (std::size_t i = 0; i < std::min(ids.size(), entry.items.size()); ++i)
        grid_.rows[cell][first + i] = item_text(entry.items[i]);
      ++work;
    };
    for (const PxEntry& entry : px_.entries) {
      constexpr std::size_t kMostWork = 100'000'000;
      if (entry.keyword != keyword || !entry.language.empty())
        continue;
      if (work > kMostWork)
        return px_.error(entry.offset,
                         "too many entries of " + entry.keyword + " are for too many cells",
                         ErrorCode::kTooLarge);
      bool known = true;
      if (entry.subkeys.empty() && has_attributes) {
        for (std::size_t cell = 0; cell < grid_.rows.size(); ++cell)
          set(entry, cell);
      } else {
        known = for_cells(entry.subkeys, [&](std::size_t cell) { set(entry, cell); });
      }
      if (!known)
        return px_.error(entry.offset,
                         entry.keyword + " must name a value or \"*\" of each variable",
                         ErrorCode::kUnknownCode);
    }
    return ok_status();
  }

  // ---- signs

  void explain_signs() {
    for (const std::string& sign : signs_) {
      const std::string keyword = sign == "-"       ? "DATASYMBOLNIL"
                                  : sign == ":"     ? ""
                                  : sign.size() > 6 ? "DATASYMBOLSUM"
                                                    : "DATASYMBOL" + std::to_string(sign.size());
      const std::string said = keyword.empty() ? "" : px_.text_of(keyword);
      SignMeaning meaning = sign == "-" ? SignMeaning::kZero : SignMeaning::kAbsent;
      if (has_known_words(said))
        meaning = meaning_of_words(said);
      grid_.signs.push_back({sign, meaning, said});
      if (sign != "-" && !has_known_words(said))
        note_sign(sign, keyword, said);
    }
  }

  void note_sign(const std::string& sign, const std::string& keyword, const std::string& said) {
    std::string readings;
    for (const AgencySign& entry : meanings_of(sign))
      readings += (readings.empty() ? "" : "; ") + std::string(entry.agency) + ": " +
                  std::string(entry.said);
    grid_.notes.push_back(
        "the sign " + base::in_quotes(sign) +
        (said.empty()
             ? " is not explained by the file" + (keyword.empty() ? "" : " (no " + keyword + ")")
             : " is shown as " + base::in_quotes(said)) +
        " and was read as: no figure" + (readings.empty() ? "" : " (" + readings + ")"));
  }

  PxText px_;
  Grid grid_;
  std::vector<Variable> variables_;
  std::size_t num_stub_ = 0, num_cells_ = 1;
  std::size_t at_ = 0;
  std::set<std::string> signs_;
};

}  // namespace

bool is_px(std::string_view bytes) {
  constexpr std::string_view kFirst[] = {"CHARSET",
                                         "AXIS-VERSION",
                                         "CODEPAGE",
                                         "LANGUAGE",
                                         "CREATION-DATE",
                                         "MATRIX",
                                         "SUBJECT-",
                                         "DECIMALS",
                                         "TITLE",
                                         "CONTENTS",
                                         "STUB",
                                         "HEADING",
                                         "AUTOPEN",
                                         "TABLEID"};
  if (bytes.starts_with("\xEF\xBB\xBF"))
    bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kBlanks), bytes.size()));
  constexpr std::size_t kNear = 300;
  const std::string_view line = bytes.substr(0, std::min(bytes.find_first_of("=\r\n"), kNear));
  return line.size() < bytes.size() && line.size() < kNear && bytes[line.size()] == '=' &&
         bytes.substr(0, kNear * 10).find(';') != std::string_view::npos &&
         std::any_of(std::begin(kFirst), std::end(kFirst), [&](std::string_view word) {
           return line.starts_with(word);
         });
}

Result<Grid> read_px(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(PxText px, read_px_entries(bytes, filename));
  return PxReader(std::move(px)).read();
}

}  // namespace lacuna::formats
