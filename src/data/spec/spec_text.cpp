// SPDX-License-Identifier: Apache-2.0
#include "data/spec/spec_text.h"

#include <algorithm>

#include "core/base/json_writer.h"
#include "data/files/json_tree.h"
#include "data/files/toml_document.h"

namespace lacuna::spec {
namespace {

using Kind = SpecValue::Kind;

// ---- TOML in

Result<SpecValue> value_of(const files::TomlDocument& document, const toml::node& node) {
  SpecValue value;
  if (const auto* table = node.as_table(); table != nullptr) {
    value = table_value();
    for (const auto& [key, item] : files::TomlDocument::in_order(*table)) {
      LACUNA_TRY(SpecValue member, value_of(document, *item));
      value.members.push_back(
          {std::string(key->str()), std::move(member), document.where(key->source())});
    }
  } else if (const auto* array = node.as_array(); array != nullptr) {
    value = list_value();
    for (const toml::node& item : *array) {
      LACUNA_TRY(SpecValue each, value_of(document, item));
      value.items.push_back(std::move(each));
    }
  } else if (const auto* truth = node.as_boolean(); truth != nullptr) {
    value = truth_value(truth->get());
  } else if (node.is_string()) {
    value = text_value(node.as_string()->get());
  } else {
    LACUNA_TRY(std::string number, document.number_text(node));
    value = number_value(std::move(number));
  }
  value.where = document.where(node.source());
  return value;
}

// ---- TOML out

bool is_bare_key(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string toml_key(const std::string& key) {
  return is_bare_key(key) ? key : files::toml_quoted(key);
}

std::string toml_value(const SpecValue& value) {
  std::string out;
  const auto between = [&] { return out.empty() ? "" : ", "; };
  switch (value.kind) {
    case Kind::kTruth:
      return value.truth ? "true" : "false";
    case Kind::kNumber:
      return value.text;
    case Kind::kText:
      return files::toml_quoted(value.text);
    case Kind::kList:
      for (const SpecValue& item : value.items)
        out += between() + toml_value(item);
      return "[" + out + "]";
    case Kind::kTable:
      for (const SpecValue::Member& member : value.members)
        out += between() + toml_key(member.key) + " = " + toml_value(member.value);
      return out.empty() ? "{}" : "{ " + out + " }";
  }
  return out;
}

bool is_list_of_tables(const SpecValue& value) {
  return value.is(Kind::kList) && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(), [](const SpecValue& item) {
           return item.is(Kind::kTable);
         });
}

// Facts of many cells stand on lines of their own.
std::string toml_line(const SpecValue::Member& member) {
  if (!is_list_of_tables(member.value))
    return toml_key(member.key) + " = " + toml_value(member.value) + "\n";
  std::string out = toml_key(member.key) + " = [\n";
  for (const SpecValue& item : member.value.items)
    out += "  " + toml_value(item) + ",\n";
  return out + "]\n";
}

class TomlWriter {
 public:
  TomlWriter(const SpecRemarks& remarks, const SpecComments& comments)
      : remarks_(remarks), comments_(comments) {}

  // What is no section comes first: further down it would be of the section above.
  std::string write(const SpecValue& root) {
    out_ = remarks_at("");
    for (const SpecValue::Member& member : root.members) {
      if (is_list_of_tables(member.value) || member.value.is(Kind::kTable))
        continue;
      out_ += first_ ? "" : "\n";
      out_ += commented(member.key, toml_line(member));
    }
    for (const SpecValue::Member& member : root.members) {
      const std::string key = toml_key(member.key);
      if (is_list_of_tables(member.value)) {
        for (std::size_t i = 0; i < member.value.items.size(); ++i)
          section("[[" + key + "]]",
                  member.value.items[i],
                  key,
                  member.key + "[" + std::to_string(i) + "]");
      } else if (member.value.is(Kind::kTable)) {
        section("[" + key + "]", member.value, key, member.key);
      }
    }
    for (const std::string& comment : comments_.at_end)
      out_ += comment + "\n";
    return std::move(out_);
  }

 private:
  std::string remarks_at(const std::string& path) const {
    const auto at = remarks_.find(path);
    std::string out;
    for (const std::string& remark : at == remarks_.end() ? std::vector<std::string>() : at->second)
      out += "# " + remark + "\n";
    return out;
  }

  // A line, or several that end in one, with the comments of its path.
  std::string commented(const std::string& path, std::string lines) {
    first_ = false;
    if (const auto behind = comments_.behind.find(path); behind != comments_.behind.end())
      lines.insert(lines.size() - 1, "  " + behind->second);
    const auto before = comments_.before.find(path);
    if (before == comments_.before.end())
      return lines;
    std::string out;
    for (const std::string& comment : before->second)
      out += comment + "\n";
    return out + lines;
  }

  void section(const std::string& header,
               const SpecValue& table,
               const std::string& name,
               const std::string& path) {
    out_ += first_ ? "" : "\n";
    out_ += commented(path, header + "\n");
    std::string trees;
    for (const SpecValue::Member& member : table.members) {
      const std::string below = path + "." + member.key;
      if (is_spec_tree(member.value))
        trees += tree_sections(member.value, name + "." + toml_key(member.key), below);
      else
        out_ += commented(below, toml_line(member));
    }
    out_ += remarks_at(path) + trees;
  }

  std::string tree_sections(const SpecValue& trees,
                            const std::string& name,
                            const std::string& path) {
    const bool one = trees.items.size() == 1;
    std::string out;
    for (std::size_t i = 0; i < trees.items.size(); ++i) {
      const std::string below = path + "[" + std::to_string(i) + "]";
      out += commented(below, one ? "[" + name + "]\n" : "[[" + name + "]]\n");
      for (const SpecValue::Member& each : trees.items[i].members)  // codes, always in quotes
        out += commented(below + "." + each.key,
                         files::toml_quoted(each.key) + " = " + toml_value(each.value) + "\n");
    }
    return out;
  }

  const SpecRemarks& remarks_;
  const SpecComments& comments_;
  std::string out_;
  bool first_ = true;  // nothing is written yet
};

// ---- JSON in and out

Result<SpecValue> value_of(const files::JsonNode& node) {
  SpecValue value;
  switch (node.kind()) {
    case files::JsonKind::kNull:
      return node.error("a key without a value: leave it out");
    case files::JsonKind::kTrue:
    case files::JsonKind::kFalse:
      value = truth_value(node.kind() == files::JsonKind::kTrue);
      break;
    case files::JsonKind::kInteger:
    case files::JsonKind::kNumber: {
      LACUNA_TRY(std::string number, node.number_text());
      value = number_value(std::move(number));
      break;
    }
    case files::JsonKind::kString:
      value = text_value(std::string(node.text()));
      break;
    case files::JsonKind::kArray:
      value = list_value();
      for (const files::JsonNode item : node.children()) {
        LACUNA_TRY(SpecValue each, value_of(item));
        value.items.push_back(std::move(each));
      }
      break;
    case files::JsonKind::kObject:
      value = table_value();
      for (const files::JsonNode item : node.children()) {
        LACUNA_TRY(SpecValue member, value_of(item));
        std::string where = member.where;
        value.members.push_back({std::string(item.key()), std::move(member), std::move(where)});
      }
      break;
  }
  value.where = node.error("").where;
  return value;
}

// TOML knows numbers that JSON does not, such as +1.5 and inf: those are texts there.
bool is_json_number(const std::string& text) {
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), exponent);
  const auto digits = [&](std::size_t from, std::size_t to) {
    return from < to && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                                    text.begin() + static_cast<std::ptrdiff_t>(to),
                                    [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t power = exponent + 1;
  if (power < text.size() && (text[power] == '+' || text[power] == '-'))
    ++power;
  return digits(first, point) && (text[first] != '0' || point == first + 1) &&
         (point == exponent || digits(point + 1, exponent)) &&
         (exponent == text.size() || digits(power, text.size()));
}

void write_value(base::JsonWriter& json, const SpecValue& value) {
  switch (value.kind) {
    case Kind::kTruth:
      json.value(value.truth);
      return;
    case Kind::kNumber:
      is_json_number(value.text) ? json.raw(value.text) : json.value(value.text);
      return;
    case Kind::kText:
      json.value(value.text);
      return;
    case Kind::kList:
      json.list(value.items, [&](const SpecValue& item) { write_value(json, item); });
      return;
    case Kind::kTable:
      json.object([&] {
        for (const SpecValue::Member& member : value.members)
          write_value(json.key(member.key), member.value);
      });
      return;
  }
}

}  // namespace

Result<SpecValue> value_from_toml(std::string text, const std::string& filename) {
  LACUNA_TRY(const files::TomlDocument document,
             files::TomlDocument::parse(std::move(text), filename));
  LACUNA_TRY(SpecValue value, value_of(document, document.root()));
  value.where = filename;
  return value;
}

Result<SpecValue> value_from_json(const std::string& text, const std::string& filename) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  return value_of(tree.root());
}

bool is_spec_tree(const SpecValue& value) {
  return is_list_of_tables(value) &&
         std::all_of(value.items.begin(), value.items.end(), [](const SpecValue& item) {
           return std::all_of(item.members.begin(), item.members.end(), [](const auto& member) {
             return member.value.is(Kind::kList);
           });
         });
}

std::string toml_of(const SpecValue& value,
                    const SpecRemarks& remarks,
                    const SpecComments& comments) {
  return TomlWriter(remarks, comments).write(value);
}

std::string json_of(const SpecValue& value) {
  return base::json_text([&](base::JsonWriter& json) { write_value(json, value); });
}

Result<ReadSpec> read_spec_toml(std::string text, const std::string& filename) {
  LACUNA_TRY(const SpecValue value, value_from_toml(std::move(text), filename));
  return read_spec(value, filename);
}

Result<ReadSpec> read_spec_json(const std::string& text, const std::string& filename) {
  LACUNA_TRY(const SpecValue value, value_from_json(text, filename));
  return read_spec(value, filename);
}

std::string spec_toml(const JobSpec& job, const SpecRemarks& remarks) {
  return toml_of(write_spec(job), remarks);
}

std::string spec_json(const JobSpec& job) {
  return json_of(write_spec(job));
}

}  // namespace lacuna::spec
