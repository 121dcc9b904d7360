// SPDX-License-Identifier: Apache-2.0
#include "io/job_rules.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/nearest.h"
#include "io/job_sections.h"
#include "io/position.h"

namespace lacuna::inline io {

// A key of a section, and the option that it sets.
struct RuleReader::KeyOption {
  std::string_view key;
  std::string_view option;
};

struct RuleReader::RuleType {  // a type of [[rule]] and its keys; the first `needed` of them must
                               // be there
  std::string_view type;
  std::vector<KeyOption> keys;
  std::size_t needed = 0;
};

const std::vector<RuleReader::RuleType>& RuleReader::rule_types() {
  static const std::vector<RuleType> types{
      {"frequency",
       {{"n", "minimum-frequency"}, {"counts", "frequency-counts"}, {"range", "frequency-range"}},
       1},
      {"dominance", {{"n", ""}, {"k", ""}}, 2},
      {"p-percent", {{"p", "p-percent"}, {"coalition", "coalition"}}, 1},
      {"prior-posterior", {{"p", ""}, {"q", ""}, {"coalition", "coalition"}}, 2},
      {"request",
       {{"percent", "request-percent"}, {"minimum", "request-minimum"}, {"range", "request-range"}},
       1},
      {"zeros", {{"level", "zero-level"}}, 1},
  };
  return types;
}

// One value for an option, wherever it is said: twice the same is no contradiction.
Status RuleReader::set(const toml::node& node, std::string_view option, std::string value) {
  const auto at = std::find_if(
      rules_.begin(), rules_.end(), [&](const JobOption& rule) { return rule.name == option; });
  if (at == rules_.end()) {
    rules_.push_back({std::string(option), std::move(value), document_.where(node.source())});
    return ok_status();
  }
  if (at->value == value)
    return ok_status();
  return document_.error(
      node, std::string(option) + " has been set to " + at->value + " already, at " + at->where);
}

// Pairs of numbers add up to a list.
void RuleReader::add_pair(const toml::node& node,
                          std::string_view option,
                          const std::string& pair) {
  const auto at = std::find_if(
      rules_.begin(), rules_.end(), [&](const JobOption& rule) { return rule.name == option; });
  if (at == rules_.end())
    rules_.push_back({std::string(option), pair, document_.where(node.source())});
  else
    at->value += "; " + pair;
}

Status RuleReader::read_keys(const toml::table& table, std::span<const KeyOption> keys) {
  for (const KeyOption& key : keys) {
    const toml::node* node = table.get(key.key);
    if (node == nullptr || key.option.empty())
      continue;
    LACUNA_TRY(std::string value, scalar_text(document_, *node));
    LACUNA_RETURN_IF_ERROR(set(*node, key.option, std::move(value)));
  }
  return ok_status();
}

Status RuleReader::read_plain_section(const char* name, std::span<const KeyOption> keys) {
  LACUNA_TRY(const toml::table* table, section(document_, name));
  if (table == nullptr)
    return ok_status();
  std::vector<std::string_view> names;
  for (const KeyOption& key : keys)
    names.push_back(key.key);
  LACUNA_RETURN_IF_ERROR(document_.check_keys(*table, names, "[" + std::string(name) + "]"));
  return read_keys(*table, keys);
}

Status RuleReader::read_rules(bool has_requests) {
  has_requests_ = has_requests;
  const toml::node* list = document_.root().get("rule");
  if (list == nullptr)
    return ok_status();
  LACUNA_TRY(const auto nodes, document_.tables(*list));
  std::unordered_set<std::string> seen;
  for (const toml::table* node : nodes) {
    LACUNA_TRY(const RuleType* type, rule_type(*node));
    const bool repeatable = type->type == "dominance" || type->type == "prior-posterior";
    if (!seen.insert(std::string(type->type)).second && !repeatable)
      return document_.error(*node, "there is a second rule of type " + in_quotes(type->type));
    LACUNA_RETURN_IF_ERROR(read_rule(*node, *type));
  }
  return ok_status();
}

Result<const RuleReader::RuleType*> RuleReader::rule_type(const toml::table& rule) const {
  std::vector<std::string_view> names;
  for (const RuleType& type : rule_types())
    names.push_back(type.type);
  const toml::node* node = rule.get("type");
  if (node == nullptr)
    return document_.error(rule, "a [[rule]] needs a type: one of " + one_of(names));
  LACUNA_TRY(const std::string name, document_.string(*node));
  for (const RuleType& type : rule_types()) {
    if (type.type == name)
      return &type;
  }
  return document_.error(*node,
                         "there is no rule of type " + in_quotes(name) +
                             " (known: " + one_of(names) + ")" + did_you_mean(name, names));
}

Status RuleReader::read_rule(const toml::table& rule, const RuleType& type) {
  std::vector<std::string_view> names{"type"};
  for (const KeyOption& key : type.keys)
    names.push_back(key.key);
  const std::string title = "a rule of type " + in_quotes(type.type);
  LACUNA_RETURN_IF_ERROR(document_.check_keys(rule, names, title));
  std::string pair;
  for (std::size_t i = 0; i < type.needed; ++i) {
    const toml::node* node = rule.get(type.keys[i].key);
    if (node == nullptr)
      return document_.error(rule, title + " needs " + std::string(type.keys[i].key));
    LACUNA_TRY(const std::string number, document_.number_text(*node));
    pair += (i > 0 ? "," : "") + number;
  }
  if (type.type == "request" && !has_requests_)
    return document_.error(rule, title + " needs [columns] with request = \"<column>\"");
  if (type.needed == 2)
    add_pair(rule, type.type, pair);
  return read_keys(rule, type.keys);
}

Status RuleReader::read_bounds() {
  LACUNA_TRY(const toml::table* bounds, section(document_, "bounds"));
  if (bounds == nullptr)
    return ok_status();
  constexpr std::array<std::string_view, 5> kKeys{
      "lower", "upper", "lower_percent", "upper_percent", "misfit"};
  LACUNA_RETURN_IF_ERROR(document_.check_keys(*bounds, kKeys, "[bounds]"));
  constexpr std::array<KeyOption, 3> kPlain{
      {{"lower", "lower-bound"}, {"upper", "upper-bound"}, {"misfit", "misfit"}}};
  LACUNA_RETURN_IF_ERROR(read_keys(*bounds, kPlain));
  constexpr std::array<KeyOption, 2> kPercent{
      {{"lower_percent", "lower-bound"}, {"upper_percent", "upper-bound"}}};
  for (const KeyOption& key : kPercent) {
    const toml::node* node = bounds->get(key.key);
    if (node == nullptr)
      continue;
    LACUNA_TRY(const std::string percent, document_.number_text(*node));
    LACUNA_RETURN_IF_ERROR(set(*node, key.option, percent + "%"));
  }
  return ok_status();
}

Status RuleReader::read_attackers() {
  LACUNA_TRY(const toml::table* attackers, section(document_, "attackers"));
  if (attackers == nullptr)
    return ok_status();
  constexpr std::array<std::string_view, 6> kKeys{
      "respondents", "singletons_know", "coalition", "knowledge", "reach", "waivers"};
  LACUNA_RETURN_IF_ERROR(document_.check_keys(*attackers, kKeys, "[attackers]"));
  constexpr std::array<KeyOption, 5> kPlain{{{"singletons_know", "singletons-know"},
                                             {"coalition", "coalition"},
                                             {"knowledge", "attacker-knowledge"},
                                             {"reach", "attacker-reach"},
                                             {"waivers", "waivers"}}};
  LACUNA_RETURN_IF_ERROR(read_keys(*attackers, kPlain));
  bool respondents = true;
  LACUNA_RETURN_IF_ERROR(read_flag(document_, *attackers, "respondents", respondents));
  if (const toml::node* node = attackers->get("respondents"); node != nullptr)
    return set(*node, "attackers", respondents ? "respondents" : "outsider");
  return ok_status();
}

Status RuleReader::read_levels() {
  constexpr std::array<KeyOption, 7> kLevelKeys{{{"formula", "level-formula"},
                                                 {"frequency_range", "frequency-range"},
                                                 {"request_range", "request-range"},
                                                 {"manual_range", "manual-range"},
                                                 {"ratio", "level-ratio"},
                                                 {"sliding_percent", "sliding-percent"},
                                                 {"sliding_only", "sliding-only"}}};
  return read_plain_section("levels", kLevelKeys);
}

Status RuleReader::read_weights() {
  constexpr std::array<KeyOption, 1> kWeightKeys{{{"formula", "weights"}}};
  return read_plain_section("weights", kWeightKeys);
}

}  // namespace lacuna::inline io
