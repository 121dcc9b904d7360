// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/spec/job_spec.h"
#include "data/spec/parts.h"

namespace lacuna::spec {
namespace {

using Kind = SpecValue::Kind;

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::string item_path(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// Sections are shown in brackets, lists of cells by their name.
std::string title_of(const FieldInfo& info) {
  return info.shown_as.starts_with('[') ? base::named_section(info.shown_as)
                                        : std::string(info.shown_as);
}

std::optional<std::int64_t> whole_number(const SpecValue& value) {
  if (!value.is(Kind::kNumber))
    return std::nullopt;
  std::int64_t number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto read = std::from_chars(value.text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end)
    return std::nullopt;
  return number;
}

class SpecReader {
 public:
  explicit SpecReader(const std::string& filename) : places_(filename) {}

  Result<ReadSpec> read(const SpecValue& root) {
    places_.add("", root.where, root.where);
    const bool records = is_over_records(root);
    kind_ = records ? "records" : "table";
    ReadSpec result{{}, SpecPlaces(""), records};
    LACUNA_RETURN_IF_ERROR(
        read_keys(root, "", kind_, records ? "a job over records" : "the job", result.job));
    result.places = std::move(places_);
    return result;
  }

 private:
  // By what the text has, so that a misspelt key is told in terms of the job it was meant for.
  static bool is_over_records(const SpecValue& root) {
    const SpecValue* input = root.find("input");
    if (input == nullptr || !input->is(Kind::kTable))
      return false;
    for (const char* place : {"records", "from_table", "from_query"}) {
      if (input->find(place) != nullptr)
        return true;
    }
    return root.find("rule") != nullptr && input->find("table") == nullptr;
  }

  Error error(const SpecValue& value, std::string message) const {
    return {ErrorCode::kJobValue,
            std::move(message),
            value.where.empty() ? places_.filename() : value.where};
  }

  Error missing(const SpecValue& table, std::string message) const {
    Error found = error(table, std::move(message));
    found.code = ErrorCode::kMissingKey;
    return found;
  }

  static std::string key_path(const std::string& path, std::string_view key) {
    return (path.empty() ? "" : path + ".") + std::string(key);
  }

  // What was wrong below the path has a path of its own already.
  static Status at_path(Status status, const std::string& path) {
    if (status || !status.error().path.empty())
      return status;
    Error error = status.error();
    error.path = path;
    return error;
  }

  // ---- parts

  template <class Part>
  Status read_keys(const SpecValue& table,
                   const std::string& path,
                   std::string_view kind,
                   const std::string& title,
                   Part& part) {
    std::vector<std::string_view> names;
    Part::fields(part, [&](const FieldInfo& info, auto&) {
      if (belongs_to(info, kind))
        names.push_back(info.name);
    });
    LACUNA_RETURN_IF_ERROR(check_keys(table, names, path, title));
    Status status = ok_status();
    Part::fields(part, [&](const FieldInfo& info, auto& field) {
      const auto at = std::find_if(table.members.begin(),
                                   table.members.end(),
                                   [&](const auto& member) { return member.key == info.name; });
      if (!status || at == table.members.end() || !belongs_to(info, kind))
        return;
      const std::string below = key_path(path, info.name);
      places_.add(below, at->value.where, at->where);
      status = at_path(read_field(info, at->value, below, field), below);
    });
    return status;
  }

  Status check_keys(const SpecValue& table,
                    std::span<const std::string_view> names,
                    const std::string& path,
                    const std::string& title) const {
    std::vector<std::string_view> seen;
    for (const SpecValue::Member& member : table.members) {
      const std::string place = member.where.empty() ? places_.filename() : member.where;
      if (std::find(names.begin(), names.end(), member.key) == names.end())
        return Error{ErrorCode::kUnknownKey,
                     "unknown key " + base::in_quotes(member.key) + " in " + title +
                         base::did_you_mean(member.key, names),
                     place,
                     key_path(path, member.key)};
      if (std::find(seen.begin(), seen.end(), member.key) != seen.end())
        return Error{ErrorCode::kRepeatedKey,
                     "the key " + base::in_quotes(member.key) + " stands twice in " + title,
                     place,
                     key_path(path, member.key)};
      seen.push_back(member.key);
    }
    return ok_status();
  }

  template <IsPart Part>
  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    Part& part) {
    if (!value.is(Kind::kTable))
      return error(value, "expected a section " + base::named_section(info.shown_as));
    return read_keys(value, path, kind_, title_of(info), part);
  }

  template <IsPartList List>
  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    List& list) {
    LACUNA_TRY(const auto tables, tables_of(value));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const std::string below = item_path(path, i);
      places_.add(below, tables[i]->where, tables[i]->where);
      LACUNA_RETURN_IF_ERROR(
          at_path(read_item(info, *tables[i], below, list.emplace_back()), below));
    }
    return ok_status();
  }

  template <class Part>
  Status read_item(const FieldInfo& info,
                   const SpecValue& table,
                   const std::string& path,
                   Part& part) {
    return read_keys(table, path, kind_, title_of(info), part);
  }

  Status read_item(const FieldInfo& info,
                   const SpecValue& table,
                   const std::string& path,
                   JobSpec::CellFact& fact) {
    return read_keys(table, path, info.name, title_of(info), fact);
  }

  // The keys of a rule are those of its type.
  Status read_item(const FieldInfo&,
                   const SpecValue& table,
                   const std::string& path,
                   JobSpec::Rule& rule) {
    const auto types = JobSpec::Rule::types();
    const SpecValue* type = table.find("type");
    if (type == nullptr)
      return missing(table, "a rule needs a type: one of " + one_of(types));
    LACUNA_TRY(const std::string name, text_of(*type));
    if (std::find(types.begin(), types.end(), name) == types.end())
      return error(*type,
                   "there is no rule of type " + base::in_quotes(name) +
                       " (known: " + one_of(types) + ")" + base::did_you_mean(name, types));
    return read_keys(table, path, name, "a rule of type " + base::in_quotes(name), rule);
  }

  // ---- single values

  template <class Item>
  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    std::optional<Item>& field) {
    Item item{};
    LACUNA_RETURN_IF_ERROR(read_field(info, value, path, item));
    field = std::move(item);
    return ok_status();
  }

  Status read_field(const FieldInfo& info, const SpecValue& value, const std::string&, bool& flag) {
    if (!value.is(Kind::kTruth))
      return error(value, std::string(info.name) + " must be true or false");
    flag = value.truth;
    return ok_status();
  }

  static bool in_range(const FieldInfo& info, std::int64_t number) {
    return check_range(info, static_cast<double>(number)).has_value();
  }

  // "a whole number from 0 to 18", "a whole number, at least 1"
  static std::string whole_range(const FieldInfo& info) {
    const std::string range = option_info(info, "", "").range;
    return "a whole number" + std::string(range.starts_with("at") ? "," : "") +
           (range.empty() ? "" : " ") + range;
  }

  template <std::integral Whole>
  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string&,
                    Whole& number) {
    const auto given = whole_number(value);
    if (!given || !std::in_range<Whole>(*given) || !in_range(info, *given)) {
      return error(value,
                   std::string(info.name) + " must be " +
                       (info.shown_as.empty() ? whole_range(info) : std::string(info.shown_as)));
    }
    number = static_cast<Whole>(*given);
    return ok_status();
  }

  template <class Word>
  requires std::is_enum_v<Word> Status read_field(const FieldInfo& info,
                                                  const SpecValue& value,
                                                  const std::string&,
                                                  Word& word) {
    const auto words = enum_names(word);
    LACUNA_TRY(const std::string text, text_of(value));
    const auto at = std::find(words.begin(), words.end(), text);
    if (at == words.end())
      return error(value,
                   std::string(info.name) + " must be one of " + one_of(words) + ", not " +
                       base::in_quotes(text) + base::did_you_mean(text, words));
    word = static_cast<Word>(at - words.begin());
    return ok_status();
  }

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    std::string& text) {
    LACUNA_TRY(text, text_of(value));
    return ok_status();
  }

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    SpecNumber& number) {
    if (!value.is(Kind::kNumber) && !value.is(Kind::kText))
      return error(value, "expected a number");
    number.text = value.text;
    return ok_status();
  }

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    SpecScalar& scalar) {
    if (value.is(Kind::kList) || value.is(Kind::kTable))
      return error(value, "expected a number");
    scalar.text = value.is(Kind::kTruth) ? (value.truth ? "true" : "false") : value.text;
    return ok_status();
  }

  // ---- lists

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    std::vector<std::string>& texts) {
    LACUNA_TRY(texts, texts_of(value));
    return ok_status();
  }

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    std::vector<SpecSource>& sources) {
    const std::span<const SpecValue> all =
        value.is(Kind::kList) ? std::span(value.items) : std::span(&value, 1);
    for (const SpecValue& each : all) {
      const SpecValue* frame = each.find("frame");
      SpecSource source;
      source.kind = frame != nullptr ? SpecSource::Kind::kFrame : SpecSource::Kind::kFile;
      if (frame != nullptr && each.members.size() > 1)
        return error(each, "expected the name of a file, or { frame = \"<name>\" }");
      LACUNA_TRY(source.name, text_of(frame != nullptr ? *frame : each));
      sources.push_back(std::move(source));
    }
    return ok_status();
  }

  template <IsWordList List>
  Status read_field(const FieldInfo& info, const SpecValue& value, const std::string&, List& list) {
    const auto words = enum_names(typename ItemOf<List>::Type{});
    LACUNA_TRY(const std::vector<std::string> texts, texts_of(value));
    for (const std::string& text : texts) {
      const auto at = std::find(words.begin(), words.end(), text);
      if (at == words.end())
        return error(value,
                     std::string(info.name) + " must be of " + one_of(words) + ", not " +
                         base::in_quotes(text) + base::did_you_mean(text, words));
      list.push_back(static_cast<typename ItemOf<List>::Type>(at - words.begin()));
    }
    return ok_status();
  }

  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string&,
                    std::vector<std::int32_t>& numbers) {
    const Error wrong =
        error(value, std::string(info.name) + " must be " + std::string(info.shown_as));
    if (!value.is(Kind::kList) || value.items.empty())
      return wrong;
    for (const SpecValue& item : value.items) {
      const auto number = whole_number(item);
      if (!number || !in_range(info, *number))
        return wrong;
      numbers.push_back(static_cast<std::int32_t>(*number));
    }
    return ok_status();
  }

  // ["section", "division"], or a list of such lists.
  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string&,
                    std::vector<std::vector<std::string>>& chains) {
    const bool several =
        value.is(Kind::kList) && !value.items.empty() && value.items.front().is(Kind::kList);
    const std::span<const SpecValue> all = several ? std::span(value.items) : std::span(&value, 1);
    for (const SpecValue& each : all) {
      LACUNA_TRY(auto chain, texts_of(each));
      chains.push_back(std::move(chain));
    }
    return ok_status();
  }

  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    SpecLists& lists) {
    if (!value.is(Kind::kTable))
      return error(value, "expected " + base::named_setting(info.name, info.shown_as));
    return read_lists(value, path, lists);
  }

  Status read_field(const FieldInfo&,
                    const SpecValue& value,
                    const std::string& path,
                    std::vector<SpecLists>& list) {
    LACUNA_TRY(const auto tables, tables_of(value));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      places_.add(item_path(path, i), tables[i]->where, tables[i]->where);
      LACUNA_RETURN_IF_ERROR(read_lists(*tables[i], item_path(path, i), list.emplace_back()));
    }
    return ok_status();
  }

  Status read_lists(const SpecValue& table, const std::string& path, SpecLists& lists) {
    for (const SpecValue::Member& member : table.members) {
      places_.add(path + "." + member.key, member.value.where, member.where);
      LACUNA_TRY(auto texts, texts_of(member.value));
      lists.emplace_back(member.key, std::move(texts));
    }
    return ok_status();
  }

  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    SpecWords& words) {
    if (!value.is(Kind::kTable))
      return error(value, "expected a section " + base::named_section(info.shown_as));
    for (const SpecValue::Member& member : value.members) {
      LACUNA_TRY(std::string text, text_of(member.value));
      places_.add(path + "." + member.key, member.value.where, member.where);
      words.emplace_back(member.key, std::move(text));
    }
    return ok_status();
  }

  Status read_field(const FieldInfo& info,
                    const SpecValue& value,
                    const std::string& path,
                    SpecOptions& options) {
    if (!value.is(Kind::kTable))
      return error(value, "expected a section " + base::named_section(info.shown_as));
    for (const SpecValue::Member& member : value.members) {
      SpecScalar scalar;
      LACUNA_RETURN_IF_ERROR(read_field(info, member.value, path, scalar));
      places_.add(path + "." + member.key, member.value.where, member.where);
      options.emplace_back(member.key, std::move(scalar));
    }
    return ok_status();
  }

  // ---- what values are made of

  Result<std::string> text_of(const SpecValue& value) const {
    if (!value.is(Kind::kText))
      return error(value, "expected a string" + base::words_of_files(" in quotes"));
    return value.text;
  }

  // A text, or every text of a list.
  Result<std::vector<std::string>> texts_of(const SpecValue& value) const {
    std::vector<std::string> all;
    if (!value.is(Kind::kList)) {
      LACUNA_TRY(std::string text, text_of(value));
      all.push_back(std::move(text));
      return all;
    }
    for (const SpecValue& item : value.items) {
      LACUNA_TRY(std::string text, text_of(item));
      all.push_back(std::move(text));
    }
    return all;
  }

  // A table, or every table of a list.
  Result<std::vector<const SpecValue*>> tables_of(const SpecValue& value) const {
    std::vector<const SpecValue*> all;
    if (value.is(Kind::kTable)) {
      all.push_back(&value);
      return all;
    }
    if (!value.is(Kind::kList))
      return error(value, "expected a table or an array of tables");
    for (const SpecValue& item : value.items) {
      if (!item.is(Kind::kTable))
        return error(item, "expected a table");
      all.push_back(&item);
    }
    return all;
  }

  SpecPlaces places_;
  std::string_view kind_;
};

// The path of what the path stands in: "input" of "input.decimals", "" of "input".
std::string around(const std::string& path) {
  const std::size_t cut = path.find_last_of(".[");
  return cut == std::string::npos ? "" : path.substr(0, cut);
}

}  // namespace

void SpecPlaces::add(const std::string& path, std::string value, std::string key) {
  places_[path] = {std::move(value), std::move(key)};
}

std::string SpecPlaces::place(std::string path, std::string Place::*which) const {
  while (true) {
    const auto at = places_.find(path);
    if (at != places_.end() && !(at->second.*which).empty())
      return at->second.*which;
    if (path.empty())
      return filename_;
    path = around(path);
  }
}

// Without a text the path itself is the place.
std::string SpecPlaces::where(std::string path) const {
  std::string found = place(path, &Place::value);
  return found.empty() ? path : found;
}

std::string SpecPlaces::where_key(std::string path) const {
  return place(std::move(path), &Place::key);
}

Error SpecPlaces::error(const std::string& path, std::string message, ErrorCode code) const {
  return {code, std::move(message), where(path), path};
}

Error SpecPlaces::moved(Error error, const std::string& path) const {
  error = base::moved_to(std::move(error), where(path));
  error.path = path;
  return error;
}

Result<ReadSpec> read_spec(const SpecValue& value, const std::string& filename) {
  if (!value.is(SpecValue::Kind::kTable))
    return Error{ErrorCode::kJobSyntax, "a job must be a table of sections", filename};
  return SpecReader(filename).read(value);
}

}  // namespace lacuna::spec
