// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_rules.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/base/quotes.h"
#include "core/base/spelling.h"

namespace lacuna::jobfile {
namespace {

// A key of a section, and the option that it sets.
struct KeyOption {
  std::string_view key;
  std::string_view option;
};

// A type of rule: keys that set options, and those that it cannot do without. Two of these make a
// pair of a list.
struct RuleType {
  std::string_view type;
  std::vector<KeyOption> keys;
  std::vector<std::string_view> needed;
};

const std::vector<RuleType>& rule_types() {
  static const std::vector<RuleType> types{
      {"frequency",
       {{"n", "minimum-frequency"}, {"counts", "frequency-counts"}, {"range", "frequency-range"}},
       {"n"}},
      {"dominance", {}, {"n", "k"}},
      {"p-percent", {{"p", "p-percent"}, {"coalition", "coalition"}}, {"p"}},
      {"prior-posterior", {{"coalition", "coalition"}}, {"p", "q"}},
      {"request",
       {{"percent", "request-percent"}, {"minimum", "request-minimum"}, {"range", "request-range"}},
       {"percent"}},
      {"zeros", {{"level", "zero-level"}}, {"level"}},
  };
  return types;
}

constexpr std::array<KeyOption, 7> kLevelKeys{{{"formula", "level-formula"},
                                               {"frequency_range", "frequency-range"},
                                               {"request_range", "request-range"},
                                               {"manual_range", "manual-range"},
                                               {"ratio", "level-ratio"},
                                               {"sliding_percent", "sliding-percent"},
                                               {"sliding_only", "sliding-only"}}};
constexpr std::array<KeyOption, 1> kWeightKeys{{{"formula", "weights"}}};
constexpr std::array<KeyOption, 3> kBoundKeys{
    {{"lower", "lower-bound"}, {"upper", "upper-bound"}, {"misfit", "misfit"}}};
constexpr std::array<KeyOption, 2> kPercentKeys{
    {{"lower_percent", "lower-bound"}, {"upper_percent", "upper-bound"}}};
constexpr std::array<KeyOption, 5> kAttackerKeys{{{"singletons_know", "singletons-know"},
                                                  {"coalition", "coalition"},
                                                  {"knowledge", "attacker-knowledge"},
                                                  {"reach", "attacker-reach"},
                                                  {"waivers", "waivers"}}};

// The text of a number or word at a key of a part; empty if it is absent.
template <class Part>
std::string text_at(const Part& part, std::string_view key) {
  std::string text;
  Part::fields(part, [&](const FieldInfo& info, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, SpecNumber> || std::is_same_v<Field, SpecScalar>) {
      if (info.name == key)
        text = field.text;
    }
  });
  return text;
}

class RuleReader {
 public:
  RuleReader(const spec::ReadSpec& spec, bool has_requests)
      : spec_(spec), has_requests_(has_requests) {}

  Result<std::vector<JobOption>> read() {
    LACUNA_RETURN_IF_ERROR(read_rules());
    LACUNA_RETURN_IF_ERROR(read_keys("levels", spec_.job.levels, kLevelKeys, ""));
    LACUNA_RETURN_IF_ERROR(read_keys("weights", spec_.job.weights, kWeightKeys, ""));
    LACUNA_RETURN_IF_ERROR(read_keys("bounds", spec_.job.bounds, kBoundKeys, ""));
    LACUNA_RETURN_IF_ERROR(read_keys("bounds", spec_.job.bounds, kPercentKeys, "%"));
    LACUNA_RETURN_IF_ERROR(read_keys("attackers", spec_.job.attackers, kAttackerKeys, ""));
    if (const auto respondents = spec_.job.attackers.respondents)
      LACUNA_RETURN_IF_ERROR(
          set("attackers.respondents", "attackers", *respondents ? "respondents" : "outsider"));
    return std::move(rules_);
  }

 private:
  // One value for an option, wherever it is said: twice the same is no contradiction.
  Status set(const std::string& path, std::string_view option, std::string value) {
    const auto at = std::find_if(
        rules_.begin(), rules_.end(), [&](const JobOption& rule) { return rule.name == option; });
    if (at == rules_.end()) {
      rules_.push_back({std::string(option), std::move(value), spec_.places.where(path)});
      return ok_status();
    }
    if (at->value == value)
      return ok_status();
    return spec_.places.error(
        path, std::string(option) + " has been set to " + at->value + " already, at " + at->where);
  }

  // Pairs of numbers add up to a list.
  void add_pair(const std::string& path, std::string_view option, const std::string& pair) {
    const auto at = std::find_if(
        rules_.begin(), rules_.end(), [&](const JobOption& rule) { return rule.name == option; });
    if (at == rules_.end())
      rules_.push_back({std::string(option), pair, spec_.places.where(path)});
    else
      at->value += "; " + pair;
  }

  template <class Part>
  Status read_keys(const std::string& path,
                   const Part& part,
                   std::span<const KeyOption> keys,
                   const std::string& unit) {
    for (const KeyOption& key : keys) {
      const std::string text = text_at(part, key.key);
      if (!text.empty())
        LACUNA_RETURN_IF_ERROR(set(path + "." + std::string(key.key), key.option, text + unit));
    }
    return ok_status();
  }

  Status read_rules() {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < spec_.job.rules.size(); ++i) {
      const JobSpec::Rule& rule = spec_.job.rules[i];
      const std::string path = "rule[" + std::to_string(i) + "]";
      const bool repeatable = rule.type == "dominance" || rule.type == "prior-posterior";
      if (!seen.insert(rule.type).second && !repeatable)
        return spec_.places.error(path,
                                  "there is a second rule of type " + base::in_quotes(rule.type));
      LACUNA_RETURN_IF_ERROR(read_rule(rule, path));
    }
    return ok_status();
  }

  Status read_rule(const JobSpec::Rule& rule, const std::string& path) {
    const std::string title = "a rule of type " + base::in_quotes(rule.type);
    const auto type = std::find_if(rule_types().begin(),
                                   rule_types().end(),
                                   [&](const RuleType& each) { return each.type == rule.type; });
    if (type == rule_types().end())
      return spec_.places.error(path, "there is no rule of type " + base::in_quotes(rule.type));
    std::string pair;
    for (const std::string_view key : type->needed) {
      const std::string number = text_at(rule, key);
      if (number.empty())
        return spec_.places.error(path, title + " needs " + std::string(key));
      pair += (pair.empty() ? "" : ",") + number;
    }
    if (rule.type == "request" && !has_requests_)
      return spec_.places.error(
          path, title + " needs " + base::named_setting("[columns]", "request", "\"<column>\""));
    if (type->needed.size() == 2)
      add_pair(path, rule.type, pair);
    return read_keys(path, rule, type->keys, "");
  }

  const spec::ReadSpec& spec_;
  bool has_requests_;
  std::vector<JobOption> rules_;
};

}  // namespace

Result<std::vector<JobOption>> rules_of(const spec::ReadSpec& spec, bool has_requests) {
  return RuleReader(spec, has_requests).read();
}

std::string_view option_of_key(std::string_view section, std::string_view key) {
  const auto option_in = [&](std::span<const KeyOption> keys) -> std::string_view {
    const auto found = std::find_if(
        keys.begin(), keys.end(), [&](const KeyOption& each) { return each.key == key; });
    return found == keys.end() ? "" : found->option;
  };
  if (section == "rule") {
    for (const RuleType& type : rule_types()) {
      if (const std::string_view option = option_in(type.keys); !option.empty())
        return option;
    }
  }
  if (section == "levels")
    return option_in(kLevelKeys);
  if (section == "weights")
    return option_in(kWeightKeys);
  if (section == "bounds")
    return option_in(kBoundKeys);
  return section == "attackers" ? option_in(kAttackerKeys) : "";
}

}  // namespace lacuna::jobfile
