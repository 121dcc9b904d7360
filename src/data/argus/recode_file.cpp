// SPDX-License-Identifier: Apache-2.0
#include "data/argus/recode_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "data/argus/lines.h"

namespace lacuna::argus {
namespace {

Error recode_error(const RecodeFile& recode, const Word& word, std::string message) {
  return {
      ErrorCode::kBadHierarchy, std::move(message), files::location(recode.filename, word.place)};
}

Result<Word> read_old_code(LineReader& reader) {
  const bool mark = reader.next() == '-' || reader.next() == ',';
  Word code = reader.token("-,");
  if (mark || code.text.empty()) {
    return reader.error(code,
                        "expected a code, not " + (code.text.empty() ? "the end of the line"
                                                                     : base::in_quotes(code.text)));
  }
  return code;
}

// "code", "a - b", "- b" or "a -".
Result<RecodeItem> read_item(LineReader& reader) {
  RecodeItem item;
  const bool open_below = reader.take('-');
  LACUNA_TRY(item.first, read_old_code(reader));
  const bool hyphen = reader.take('-');
  if (open_below && hyphen)
    return reader.error(reader.here(), "a range has one hyphen: 'a - b', '- b' or 'a -'");
  item.kind = open_below ? RecodeItem::Kind::kUpTo
              : hyphen   ? RecodeItem::Kind::kFrom
                         : RecodeItem::Kind::kCode;
  if (hyphen && !reader.at_end() && reader.next() != ',') {
    item.kind = RecodeItem::Kind::kRange;
    LACUNA_TRY(item.second, read_old_code(reader));
  }
  if (!reader.at_end() && reader.next() != ',') {
    return reader.error(reader.here(),
                        "expected ',' or the end of the line after the code " +
                            base::in_quotes(item.first.text) +
                            "; codes with blanks or hyphens stand in quotes");
  }
  return item;
}

Result<RecodeLine> read_recode_line(LineReader& reader) {
  RecodeLine line;
  line.code = reader.field(":");
  if (line.code.text.empty())
    return reader.error(line.code, "expected a new code before ':'");
  LACUNA_RETURN_IF_ERROR(reader.expect(':', "the new code " + base::in_quotes(line.code.text)));
  while (!reader.at_end()) {
    LACUNA_TRY(RecodeItem item, read_item(reader));
    line.items.push_back(std::move(item));
    reader.take(',');
  }
  if (line.items.empty())
    return reader.error(reader.here(), "expected the old codes after ':'");
  return line;
}

Status read_recode_missing(LineReader& reader, RecodeFile& recode) {
  while (!reader.at_end()) {
    Word code = reader.token(",");
    if (code.text == ",")
      continue;
    if (recode.missing.size() == 2)
      return reader.error(
          code, "<MISSING> has at most two codes, not also " + base::in_quotes(code.text));
    recode.missing.push_back(std::move(code));
  }
  if (recode.missing.empty())
    return reader.error(reader.here(), "expected a code after <MISSING>");
  return ok_status();
}

Status read_flat_recode(const std::vector<Line>& lines, RecodeFile& recode) {
  for (const Line& line : lines) {
    LineReader reader(line, recode.filename);
    if (reader.at_end())
      continue;
    if (reader.next() != '<') {
      LACUNA_TRY(RecodeLine read, read_recode_line(reader));
      recode.lines.push_back(std::move(read));
      continue;
    }
    const Word keyword = reader.token();
    if (keyword.text == "<MISSING>") {
      LACUNA_RETURN_IF_ERROR(read_recode_missing(reader, recode));
    } else if (keyword.text == "<CODELIST>") {
      recode.code_list = reader.rest();
    } else if (keyword.text == "<TREERECODE>") {
      return reader.error(keyword, "<TREERECODE> must be on the first line or left out");
    } else {
      return reader.error(keyword,
                          "expected <MISSING>, <CODELIST> or 'new : code, code', not " +
                              base::in_quotes(keyword.text));
    }
  }
  if (recode.lines.empty())
    return Error{
        ErrorCode::kBadHierarchy, "the recode has no line 'new : code, code'", recode.filename};
  return ok_status();
}

void read_tree_recode(const std::vector<Line>& lines, RecodeFile& recode) {
  recode.tree = true;
  for (const Line& line : lines) {
    LineReader reader(line, recode.filename);
    if (reader.at_end() || (reader.next() == '<' && recode.folded.empty() &&
                            same_word(base::trimmed(line.text), "<TREERECODE>")))
      continue;
    Word code = reader.rest();
    recode.folded.push_back(std::move(code));
  }
}

// What the lines of a flat recode make of every code.
class FlatRecode {
 public:
  FlatRecode(const RecodeFile& recode, const CodeList& list) : recode_(recode), list_(list) {
    for (std::size_t i = 1; i < list.codes.size(); ++i)
      width_ = std::max(width_, characters_in(list.codes[i]));
    for (const std::string& code : list.codes)
      padded_.push_back(left_padded(code, width_));
    target_.resize(list.codes.size());
    for (const Word& code : recode.missing)
      missing_.insert(std::string(base::trimmed(code.text)));
    for (std::size_t i = 1; recode.missing.empty() && i < list.codes.size(); ++i) {
      if (list.missing[i])
        missing_.insert(std::string(base::trimmed(list.codes[i])));
    }
  }

  Result<RecodedCodes> run() {
    for (const RecodeLine& line : recode_.lines) {
      for (const RecodeItem& item : line.items)
        LACUNA_RETURN_IF_ERROR(apply(line, item));
    }
    take_the_rest();
    return collected();
  }

 private:
  bool says_missing(std::string_view new_code) const {
    return missing_.contains(std::string(base::trimmed(new_code)));
  }

  Result<std::string> padded(const Word& code) const {
    if (characters_in(code.text) > width_) {
      return recode_error(recode_,
                          code,
                          "the code " + base::in_quotes(code.text) +
                              " is longer than the codes of " + base::in_quotes(list_.variable) +
                              ", which have " + std::to_string(width_) +
                              (width_ == 1 ? " character" : " characters"));
    }
    return left_padded(code.text, width_);
  }

  static bool holds(const RecodeItem& item,
                    const std::string& first,
                    const std::string& second,
                    const std::string& code) {
    switch (item.kind) {
      case RecodeItem::Kind::kCode:
        return code == first;
      case RecodeItem::Kind::kUpTo:
        return code <= first;
      case RecodeItem::Kind::kFrom:
        return code >= first;
      case RecodeItem::Kind::kRange:
        return code >= first && code <= second;
    }
    return false;
  }

  Status apply(const RecodeLine& line, const RecodeItem& item) {
    LACUNA_TRY(const std::string first, padded(item.first));
    LACUNA_TRY(const std::string second, padded(item.second));
    if (item.kind == RecodeItem::Kind::kRange && first > second) {
      return recode_error(recode_,
                          item.first,
                          "the range from " + base::in_quotes(item.first.text) + " to " +
                              base::in_quotes(item.second.text) + " runs backwards");
    }
    const bool to_missing = says_missing(line.code.text);
    bool found = false;
    for (std::size_t i = 1; i < list_.codes.size(); ++i) {
      const std::string& code = padded_[i];
      const bool named = code == first || (item.kind == RecodeItem::Kind::kRange && code == second);
      if (list_.missing[i] ? !named : !holds(item, first, second, code))
        continue;
      if (list_.missing[i] && !to_missing) {
        return recode_error(recode_,
                            item.first,
                            "the code " + base::in_quotes(base::trimmed(code)) +
                                " means \"not known\" and " + base::in_quotes(line.code.text) +
                                " does not");
      }
      overlapping_ += target_[i] ? 1U : 0U;
      target_[i] = line.code.text;
      found = true;
    }
    absent_ += found ? 0U : 1U;
    return ok_status();
  }

  void take_the_rest() {
    std::size_t missing_seen = 0;
    for (std::size_t i = 1; i < list_.codes.size(); ++i) {
      const auto& given = recode_.missing;
      const std::size_t nth = std::min(missing_seen, given.empty() ? 0 : given.size() - 1);
      missing_seen += list_.missing[i] ? 1U : 0U;
      if (target_[i])
        continue;
      untouched_ += list_.missing[i] ? 0U : 1U;
      target_[i] = list_.missing[i] && !given.empty() ? given[nth].text : list_.codes[i];
    }
  }

  RecodedCodes collected() const {
    std::size_t width = 0;
    for (std::size_t i = 1; i < target_.size(); ++i)
      width = std::max(width, characters_in(*target_[i]));
    std::map<std::pair<bool, std::string>, std::int32_t> index;  // those that say "not known" last
    for (std::size_t i = 1; i < target_.size(); ++i)
      index.try_emplace({says_missing(*target_[i]), left_padded(*target_[i], width)}, 0);
    RecodedCodes result;
    CodeList& list = result.list;
    list = {list_.variable, {list_.codes[0]}, {-1}, {false}, false, list_.distance};
    for (auto& [code, at] : index) {
      at = list.size();
      list.codes.push_back(code.second);
      list.parents.push_back(0);
      list.missing.push_back(code.first);
    }
    result.new_of.push_back(0);
    for (std::size_t i = 1; i < target_.size(); ++i)
      result.new_of.push_back(
          index.at({says_missing(*target_[i]), left_padded(*target_[i], width)}));
    add_note(result, untouched_, "not named by any line: kept");
    add_note(result, overlapping_, "named twice: the later line counts");
    add_note(result, absent_, "named without being in the data");
    return result;
  }

  void add_note(RecodedCodes& result, std::size_t count, const char* what) const {
    if (count > 0)
      result.notes.push_back(recode_.filename + ": " + list_.variable + ": " +
                             std::to_string(count) + (count == 1 ? " code " : " codes ") + what);
  }

  const RecodeFile& recode_;
  const CodeList& list_;
  std::size_t width_ = 0;
  std::vector<std::string> padded_;  // the codes, all of this width
  std::set<std::string> missing_;    // new codes that say "not known"
  std::vector<std::optional<std::string>> target_;
  std::size_t overlapping_ = 0, absent_ = 0, untouched_ = 0;
};

// The list with everything below the folded codes in them.
RecodedCodes folded_list(const CodeList& list, const std::vector<bool>& folded) {
  RecodedCodes result;
  result.list = {list.variable, {}, {}, {}, list.hierarchical, list.distance};
  std::vector<std::size_t> into(list.codes.size());
  for (std::size_t i = 0; i < list.codes.size(); ++i) {
    const std::int32_t parent = list.parents[i];
    const auto above = static_cast<std::size_t>(std::max(parent, 0));
    const bool gone = i > 0 && (into[above] != above || folded[above]);
    into[i] = gone ? into[above] : i;
    if (gone) {
      result.new_of.push_back(result.new_of[into[i]]);
      continue;
    }
    result.new_of.push_back(result.list.size());
    result.list.codes.push_back(list.codes[i]);
    result.list.parents.push_back(i == 0 ? -1 : result.new_of[above]);
    result.list.missing.push_back(list.missing[i]);
  }
  return result;
}

bool has_children(const CodeList& list, std::int32_t code) {
  return std::find(list.parents.begin(), list.parents.end(), code) != list.parents.end();
}

Result<RecodedCodes> fold_tree(const RecodeFile& recode, const CodeList& list) {
  std::vector<bool> folded(list.codes.size(), false);
  std::vector<std::string> notes;
  for (const Word& code : recode.folded) {
    const std::int32_t at = list.find(code.text);
    if (at < 0) {
      return recode_error(recode,
                          code,
                          "the code " + base::in_quotes(code.text) + " is not in the tree of " +
                              base::in_quotes(list.variable));
    }
    if (at == 0)
      return recode_error(
          recode, code, "the total " + base::in_quotes(code.text) + " cannot be folded");
    if (!has_children(list, at))
      notes.push_back(files::location(recode.filename, code.place) + ": the code " +
                      base::in_quotes(code.text) + " has nothing below it to fold");
    folded[static_cast<std::size_t>(at)] = true;
  }
  RecodedCodes result = folded_list(list, folded);
  result.notes = std::move(notes);
  return result;
}

}  // namespace

Result<RecodeFile> read_recode(std::string bytes, const std::string& filename) {
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  const std::vector<Line> lines = lines_of(text);
  RecodeFile recode;
  recode.filename = filename;
  for (const Line& line : lines) {
    LineReader reader(line, filename);
    if (reader.at_end())
      continue;
    if (reader.next() == '<' && reader.token().text == "<TREERECODE>") {
      read_tree_recode(lines, recode);
      return recode;
    }
    break;
  }
  LACUNA_RETURN_IF_ERROR(read_flat_recode(lines, recode));
  return recode;
}

Result<RecodedCodes> apply_recode(const RecodeFile& recode, const CodeList& list) {
  if (recode.tree != list.hierarchical) {
    return Error{ErrorCode::kBadHierarchy,
                 recode.tree ? "<TREERECODE> is for a variable with a tree, and " +
                                   base::in_quotes(list.variable) + " has none"
                             : "the variable " + base::in_quotes(list.variable) +
                                   " has a tree: its recode begins with <TREERECODE> and lists the "
                                   "codes to fold, or is a level (1 to 9)",
                 recode.filename};
  }
  if (recode.tree)
    return fold_tree(recode, list);
  return FlatRecode(recode, list).run();
}

RecodedCodes fold_below(const CodeList& list, int level) {
  std::vector<bool> folded(list.codes.size());
  for (std::int32_t i = 0; i < list.size(); ++i)
    folded[static_cast<std::size_t>(i)] = list.level(i) == level;
  return folded_list(list, folded);
}

}  // namespace lacuna::argus
