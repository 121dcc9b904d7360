// SPDX-License-Identifier: Apache-2.0
#include "data/spec/spec_edit.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace lacuna::spec {
namespace {

using Kind = SpecValue::Kind;

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

bool has_tables(const SpecValue& value) {
  return value.is(Kind::kList) && !value.items.empty() && value.items.front().is(Kind::kTable);
}

// ---- lists

SpecValue* member_of(SpecValue& table, std::string_view key) {
  const auto at = std::find_if(table.members.begin(),
                               table.members.end(),
                               [&](const SpecValue::Member& each) { return each.key == key; });
  return at == table.members.end() ? nullptr : &at->value;
}

void make_list(SpecValue* value) {
  if (value == nullptr || !value->is(Kind::kTable))
    return;
  SpecValue list = list_value({*value});
  list.where = value->where;
  *value = std::move(list);
}

bool is_pair(const SpecValue& value) {
  return value.is(Kind::kList) && value.items.size() == 2 && value.items[0].is(Kind::kText) &&
         value.items[1].is(Kind::kList);
}

void make_table(SpecValue* value) {
  if (value == nullptr || !value->is(Kind::kList) || value->items.empty() ||
      !std::all_of(value->items.begin(), value->items.end(), is_pair))
    return;
  SpecValue table = table_value();
  for (SpecValue& pair : value->items)
    add_member(table, std::move(pair.items[0].text), std::move(pair.items[1]));
  *value = std::move(table);
}

// ---- lines

int line_of(const std::string& where) {  // "job.toml:3:9"
  const std::size_t last = where.rfind(':');
  const std::size_t before = last == std::string::npos ? last : where.rfind(':', last - 1);
  int line = 0;
  if (before != std::string::npos)
    std::from_chars(where.data() + before + 1, where.data() + last, line);
  return line;
}

struct Line {
  int number = 0;
  std::string path;
};

// What a text has on lines of its own: sections, their keys, and the codes of trees.
class Lines {
 public:
  explicit Lines(const SpecValue& root) {
    for (const SpecValue::Member& member : root.members) {
      if (has_tables(member.value)) {
        for (std::size_t i = 0; i < member.value.items.size(); ++i)
          take_section(member.value.items[i], item(member.key, i), line_of(member.where));
      } else if (member.value.is(Kind::kTable)) {
        take_section(member.value, member.key, line_of(member.where));
      } else {
        all.push_back({line_of(member.where), member.key});
      }
    }
    std::stable_sort(
        all.begin(), all.end(), [](const Line& a, const Line& b) { return a.number < b.number; });
  }

  std::vector<Line> all;

 private:
  void take_section(const SpecValue& section, const std::string& path, int otherwise) {
    const int own = line_of(section.where);
    all.push_back({own > 0 ? own : otherwise, path});
    for (const SpecValue::Member& member : section.members) {
      const std::string name = below(path, member.key);
      if (!is_spec_tree(member.value)) {
        all.push_back({line_of(member.where), name});
        continue;
      }
      for (std::size_t i = 0; i < member.value.items.size(); ++i) {
        const SpecValue& tree = member.value.items[i];
        all.push_back({line_of(tree.where), item(name, i)});
        for (const SpecValue::Member& code : tree.members)
          all.push_back({line_of(code.where), below(item(name, i), code.key)});
      }
    }
  }
};

// ---- comments

struct Comment {
  int line = 0;
  std::string text;    // with its sign
  bool alone = false;  // nothing stands before it
};

// Where the text in quotes that begins at `at` ends, behind its last sign.
std::size_t behind_quotes(const std::string& text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool many = text.compare(at, 3, three) == 0;
  at += many ? 3 : 1;
  while (at < text.size()) {
    if (quote == '"' && text[at] == '\\')
      at += 2;
    else if (many ? text.compare(at, 3, three) == 0 : text[at] == quote)
      return at + (many ? 3 : 1);
    else
      ++at;
  }
  return text.size();
}

std::vector<Comment> comments_of(const std::string& text) {
  std::vector<Comment> found;
  int line = 1;
  bool alone = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      std::size_t end = std::min(text.find('\n', at), text.size());
      const std::size_t next = end;
      while (end > at && (text[end - 1] == '\r' || text[end - 1] == ' '))
        --end;
      found.push_back({line, text.substr(at, end - at), alone});
      at = next;
    } else if (c == '"' || c == '\'') {
      const std::size_t end = behind_quotes(text, at);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(end),
                                          '\n'));
      alone = false;
      at = end;
    } else {
      line += c == '\n' ? 1 : 0;
      alone = c == '\n' || (alone && (c == ' ' || c == '\t' || c == '\r'));
      ++at;
    }
  }
  return found;
}

// A comment belongs to what stands in its line, else to what comes next. One inside of a long value
// goes before that.
SpecComments placed(const std::vector<Comment>& comments, const std::vector<Line>& lines) {
  SpecComments places;
  for (const Comment& comment : comments) {
    const auto at = std::find_if(
        lines.begin(), lines.end(), [&](const Line& line) { return line.number >= comment.line; });
    const bool same = at != lines.end() && at->number == comment.line;
    if (!comment.alone && same && !places.behind.contains(at->path))
      places.behind[at->path] = comment.text;
    else if (!comment.alone && !same && at != lines.begin())
      places.before[std::prev(at)->path].push_back(comment.text);
    else if (at != lines.end())
      places.before[at->path].push_back(comment.text);
    else
      places.at_end.push_back(comment.text);
  }
  return places;
}

// ---- what was there before

bool are_same_number(const std::string& a, const std::string& b) {
  return std::strtod(a.c_str(), nullptr) == std::strtod(b.c_str(), nullptr);
}

bool are_same(const SpecValue& a, const SpecValue& b) {
  if (a.kind != b.kind || a.truth != b.truth || a.items.size() != b.items.size() ||
      a.members.size() != b.members.size())
    return false;
  if (a.is(Kind::kNumber) ? !are_same_number(a.text, b.text) : a.text != b.text)
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!are_same(a.items[i], b.items[i]))
      return false;
  }
  return std::all_of(a.members.begin(), a.members.end(), [&](const SpecValue::Member& member) {
    const SpecValue* other = b.find(member.key);
    return other != nullptr && are_same(member.value, *other);
  });
}

// Gives the new value the order of keys and the digits of the one before, and tells under which
// path each part of that one is found now.
class Kept {
 public:
  std::map<std::string, std::string> paths;  // by those of before

  void keep(SpecValue& now, const std::string& path, const SpecValue& old, const std::string& was) {
    paths[was] = path;
    if (now.kind != old.kind)
      return;
    if (now.is(Kind::kNumber) && are_same_number(now.text, old.text))
      now.text = old.text;
    if (now.is(Kind::kTable))
      keep_members(now, path, old, was);
    if (now.is(Kind::kList))
      keep_items(now, path, old, was);
  }

 private:
  void keep_members(SpecValue& now,
                    const std::string& path,
                    const SpecValue& old,
                    const std::string& was) {
    std::vector<SpecValue::Member> members;
    for (const SpecValue::Member& member : old.members) {
      SpecValue* same = member_of(now, member.key);
      if (same == nullptr)
        continue;
      keep(*same, below(path, member.key), member.value, below(was, member.key));
      members.push_back({member.key, std::move(*same), ""});
    }
    for (SpecValue::Member& member : now.members) {
      if (old.find(member.key) == nullptr)
        members.push_back(std::move(member));
    }
    now.members = std::move(members);
  }

  // Where some went or came, those that are the same are found again, not too far from their place.
  void keep_items(SpecValue& now,
                  const std::string& path,
                  const SpecValue& old,
                  const std::string& was) {
    constexpr std::size_t kFar = 1000;
    const bool in_place = now.items.size() == old.items.size();
    std::size_t from = 0;
    for (std::size_t i = 0; i < now.items.size(); ++i) {
      const std::size_t end = in_place ? i + 1 : std::min(from + kFar, old.items.size());
      std::size_t k = in_place ? i : from;
      while (!in_place && k < end && !are_same(now.items[i], old.items[k]))
        ++k;
      if (k >= end)
        continue;
      keep(now.items[i], item(path, i), old.items[k], item(was, k));
      from = k + 1;
    }
  }
};

}  // namespace

SpecValue in_lists(SpecValue job) {
  for (const char* name : {"dimension", "table", "rule", "attacker", "derived", "shadow", "known_ratio", "before"})
    make_list(member_of(job, name));
  if (SpecValue* dimensions = member_of(job, "dimension"); dimensions != nullptr) {
    for (SpecValue& dimension : dimensions->items) {
      make_table(member_of(dimension, "tree"));
      make_list(member_of(dimension, "tree"));
    }
  }
  if (SpecValue* counts = member_of(job, "counts"); counts != nullptr)
    make_list(member_of(*counts, "groups"));
  return job;
}

std::map<std::string, int> lines_of(const SpecValue& job) {
  std::map<std::string, int> lines;
  for (const Line& line : Lines(job).all)
    lines.emplace(line.path, line.number);
  return lines;
}

Result<EditedText> edited_toml(const std::string& before, const SpecValue& now) {
  LACUNA_TRY(SpecValue read, value_from_toml(before, "job.toml"));
  const SpecValue old = in_lists(std::move(read));
  SpecValue job = in_lists(now);
  Kept kept;
  kept.keep(job, "", old, "");
  const SpecComments were = placed(comments_of(before), Lines(old).all);
  SpecComments are;
  EditedText edited;
  are.at_end = were.at_end;
  for (const auto& [path, comments] : were.before) {
    const auto found = kept.paths.find(path);
    std::vector<std::string>& place =
        found == kept.paths.end() ? edited.lost : are.before[found->second];
    place.insert(place.end(), comments.begin(), comments.end());
  }
  for (const auto& [path, comment] : were.behind) {
    if (const auto found = kept.paths.find(path); found != kept.paths.end())
      are.behind[found->second] = comment;
    else
      edited.lost.push_back(comment);
  }
  edited.text = toml_of(job, {}, are);
  return edited;
}

}  // namespace lacuna::spec
