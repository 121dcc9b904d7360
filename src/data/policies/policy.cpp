// SPDX-License-Identifier: Apache-2.0
#include "data/policies/policy.h"

#include <algorithm>
#include <array>

#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/spec/spec_text.h"

namespace lacuna::policies {
namespace {

using Kind = spec::SpecValue::Kind;

constexpr std::array<std::string_view, 5> kSections{
    "rule", "levels", "counts", "attackers", "options"};

Error error_at(const spec::SpecValue::Member& member, ErrorCode code, std::string message) {
  return {code, std::move(message), member.where, member.key};
}

Status check_source_keys(const spec::SpecValue& table) {
  std::vector<std::string_view> known;
  const PolicySource none;
  PolicySource::fields(
      none, [&](const FieldInfo& info, const std::string&) { known.push_back(info.name); });
  for (const spec::SpecValue::Member& member : table.members) {
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      return error_at(member,
                      ErrorCode::kUnknownKey,
                      "unknown key " + base::in_quotes(member.key) + " in [policy]" +
                          base::did_you_mean(member.key, known));
    if (!member.value.is(Kind::kText) || member.value.text.empty())
      return error_at(member, ErrorCode::kJobValue, member.key + " must be a text in quotes");
  }
  return ok_status();
}

Result<PolicySource> source_of(const spec::SpecValue& root, const std::string& filename) {
  const spec::SpecValue* table = root.find("policy");
  if (table == nullptr || !table->is(Kind::kTable))
    return Error{ErrorCode::kMissingKey,
                 "a policy begins with a section [policy], which says whose rule it is and where "
                 "it was read",
                 filename};
  LACUNA_RETURN_IF_ERROR(check_source_keys(*table));
  PolicySource source;
  std::string missing;
  PolicySource::fields(source, [&](const FieldInfo& info, std::string& field) {
    if (const spec::SpecValue* value = table->find(info.name); value != nullptr)
      field = value->text;
    else if (missing.empty())
      missing = std::string(info.name) + " (" + std::string(info.help) + ")";
  });
  if (!missing.empty())
    return Error{ErrorCode::kMissingKey, "[policy] needs " + missing, table->where};
  return source;
}

// What a policy may say besides: rules, no data.
Result<spec::SpecValue> sections_of(const spec::SpecValue& root) {
  spec::SpecValue sections = spec::table_value();
  sections.where = root.where;
  for (const spec::SpecValue::Member& member : root.members) {
    if (member.key == "policy")
      continue;
    if (std::find(kSections.begin(), kSections.end(), member.key) == kSections.end())
      return error_at(member,
                      ErrorCode::kUnknownKey,
                      "a policy has [[rule]], [levels], [counts], [attackers] and [options], but "
                      "no " +
                          base::in_quotes(member.key) + base::did_you_mean(member.key, kSections));
    sections.members.push_back(member);
  }
  return sections;
}

}  // namespace

Result<Policy> read_policy(std::string text, const std::string& name, const std::string& filename) {
  LACUNA_TRY(const spec::SpecValue root, spec::value_from_toml(text, filename));
  LACUNA_TRY(PolicySource source, source_of(root, filename));
  LACUNA_TRY(const spec::SpecValue sections, sections_of(root));
  LACUNA_TRY(spec::ReadSpec rules, spec::read_spec(sections, filename));
  if (rules.job.rules.empty() && !rules.job.counts)
    return Error{ErrorCode::kMissingKey,
                 "a policy needs a rule: [[rule]] for amounts, [counts] for counts, or both",
                 filename};
  return Policy{name, std::move(text), std::move(source), std::move(rules)};
}

bool is_policy_file(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".toml");
}

Result<Policy> find_policy(const std::string& name,
                           const PolicyLoader& load,
                           const std::string& where) {
  if (is_policy_file(name)) {
    LACUNA_TRY(std::string text, load(name));
    return read_policy(std::move(text), name, name);
  }
  const auto all = shipped_policies();
  const auto at = std::find_if(
      all.begin(), all.end(), [&](const ShippedPolicy& each) { return each.name == name; });
  if (at != all.end())
    return read_policy(std::string(at->text), name, "policy " + name);
  std::vector<std::string_view> names;
  for (const ShippedPolicy& each : all)
    names.push_back(each.name);
  return Error{ErrorCode::kOptionValue,
               "there is no policy " + base::in_quotes(name) + base::did_you_mean(name, names) +
                   " (lacuna policies lists them; a file ends in .toml)",
               where};
}

}  // namespace lacuna::policies
