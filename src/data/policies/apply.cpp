// SPDX-License-Identifier: Apache-2.0
#include "data/policies/apply.h"

#include <algorithm>
#include <type_traits>

#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/infer/column_roles.h"

namespace lacuna::policies {
namespace {

// The values of the job are themselves what a frequency rule counts.
bool is_counted(const spec::ReadSpec& spec) {
  const bool records = spec.over_records || spec.job.over_records();
  if (!spec.job.columns)
    return records;
  const JobSpec::Columns& columns = *spec.job.columns;
  if (records)
    return columns.value.empty();
  return !columns.frequency.empty() && columns.largest.empty() &&
         (columns.value.empty() || columns.value == columns.frequency);
}

// A table of counts, by what its job or the user says or by the name of its column.
bool has_counts(const spec::ReadSpec& spec, const SaidBesides& said) {
  if (said.counts || spec.job.counts || is_counted(spec))
    return true;
  return spec.job.columns && !spec.over_records && !spec.job.over_records() &&
         spec.job.columns->frequency.empty() && spec.job.columns->largest.empty() &&
         infer::is_frequency_name(spec.job.columns->value);
}

bool looks_at_largest(const JobSpec::Rule& rule) {
  return rule.type == "dominance" || rule.type == "p-percent" || rule.type == "prior-posterior";
}

// A value as a job has it, on one line.
std::string inline_text(const spec::SpecValue& value) {
  using Kind = spec::SpecValue::Kind;
  if (value.is(Kind::kTruth))
    return value.truth ? "true" : "false";
  std::string text = value.text;
  for (const spec::SpecValue& item : value.items)
    text += (text.empty() ? "" : ",") + inline_text(item);
  for (const spec::SpecValue::Member& member : value.members) {
    if (member.key != "type")
      text += (text.empty() ? "" : ", ") + member.key + " = " + inline_text(member.value);
  }
  return text;
}

// At a section and key of a job; empty if it is at its default.
std::string text_at(const spec::SpecValue& job, std::string_view section, std::string_view key) {
  const spec::SpecValue* table = job.find(section);
  const spec::SpecValue* value = table == nullptr ? nullptr : table->find(key);
  return value == nullptr ? "" : inline_text(*value);
}

// The same member of two parts of the same type, one after the other.
template <class Part, class Act>
void each_member(const Part& from, Part& to, Act&& act) {
  std::size_t at = 0;
  Part::fields(from, [&](const FieldInfo& info, const auto& given) {
    std::size_t other = 0;
    Part::fields(to, [&](const FieldInfo&, auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(given)>,
                                   std::remove_cvref_t<decltype(field)>>) {
        if (other == at)
          act(info, given, field);
      }
      ++other;
    });
    ++at;
  });
}

class Merger {
 public:
  Merger(const Policy& policy, const SaidBesides& said, spec::ReadSpec& job)
      : policy_(policy),
        said_(said),
        job_(job),
        ours_(spec::write_spec(policy.rules.job)),
        theirs_(spec::write_spec(job.job)) {}

  Result<AppliedPolicy> merge() {
    const bool counts = has_counts(job_, said_);
    LACUNA_RETURN_IF_ERROR(counts ? check_counts() : check_amounts());
    if (counts) {
      merge_counts();
    } else {
      merge_rules();
      merge_section("levels", policy_.rules.job.levels, job_.job.levels);
    }
    merge_section("attackers", policy_.rules.job.attackers, job_.job.attackers);
    tell_of_options();
    job_.job.policy.clear();
    return AppliedPolicy{line(), std::move(notes_)};
  }

 private:
  std::string quoted() const { return "the policy " + base::in_quotes(policy_.name); }

  // ---- whether it applies

  Error does_not_apply(std::string message) const {
    return {ErrorCode::kFactsMissing, std::move(message), job_.places.where("columns")};
  }

  Status check_counts() const {
    if (policy_.rules.job.counts)
      return ok_status();
    return does_not_apply(quoted() +
                          " has no rule for counts, and this is a table of counts; "
                          "choose another policy, or state " +
                          base::named_section("[counts]"));
  }

  Status check_amounts() const {
    const std::vector<JobSpec::Rule>& rules = policy_.rules.job.rules;
    if (rules.empty())
      return does_not_apply(quoted() +
                            " is about counts, and nothing says that the numbers of this table are "
                            "counts; if they are, name their column " +
                            base::named_setting("[columns]", "frequency", "\"<column>\"") +
                            " in place of value" + base::words_of_files(" (or say --counts)"));
    if (job_.over_records || job_.job.over_records() || !job_.job.columns)
      return ok_status();  // records have all facts; without columns there is another error
    const JobSpec::Columns& columns = *job_.job.columns;
    std::string needs;
    const auto need = [&](const std::string& what) {
      needs += (needs.empty() ? "" : " and ") + what;
    };
    const auto any = [&](auto&& is) { return std::any_of(rules.begin(), rules.end(), is); };
    if (columns.frequency.empty() && any([](const auto& rule) { return rule.type == "frequency"; }))
      need("the number of contributors of each cell (" +
           base::named_setting("[columns]", "frequency", "\"<column>\"") + ")");
    if (columns.largest.empty() && any(looks_at_largest))
      need("the largest contributions to each cell (" +
           base::named_setting("[columns]", "largest", "[\"MAX1\", \"MAX2\"]") + ")");
    if (needs.empty())
      return ok_status();
    return does_not_apply(quoted() + " needs " + needs + ", which this table does not have" +
                          (policy_.rules.job.counts
                               ? base::words_of_files(" (if its numbers are counts, say --counts)")
                               : ""));
  }

  // ---- what stays and what comes

  void tell_replaced(const std::string& what, const std::string& by, const std::string& who) {
    notes_.push_back(quoted() + ": its " + what + " is replaced by " +
                     (by.empty() ? "the default" : by) + ", which " + who + " states");
    replaced_ += (replaced_.empty() ? "" : ", ") + what;
  }

  std::string stated_at(const std::string& path) const {
    const std::string where = job_.places.where(path);
    return where.empty() ? "the job" : where;
  }

  template <class Part>
  void merge_section(const std::string& section, const Part& from, Part& to) {
    each_member(from, to, [&](const FieldInfo& info, const auto& given, auto& field) {
      const std::string path = section + "." + std::string(info.name);
      if (!policy_.rules.places.has(path))
        return;
      const std::string ours = text_at(ours_, section, info.name);
      const std::string theirs = text_at(theirs_, section, info.name);
      if (!job_.places.has(path) && theirs.empty()) {  // a job that is a value has no places
        field = given;
        take_place(path, path);
      } else if (!(field == given)) {
        tell_replaced(
            std::string(info.name) + (ours.empty() ? "" : " " + ours), theirs, stated_at(path));
      }
    });
  }

  void take_place(const std::string& path, const std::string& from) {
    job_.places.add(path, policy_.rules.places.where(from), policy_.rules.places.where_key(from));
  }

  void merge_counts() {
    const bool own = job_.job.counts.has_value();
    if (!own) {
      job_.job.counts = JobSpec::Counts{};
      take_place("counts", "counts");
    }
    const bool kinds_stated = !job_.job.counts->kinds.empty();
    const bool threshold_stated = job_.job.counts->threshold.has_value();
    merge_section("counts", *policy_.rules.job.counts, *job_.job.counts);
    if (!threshold_stated && is_counted(job_))
      leave_threshold_of_rule();
    if (!kinds_stated)
      keep_kinds(own);
    for (const auto& [key, text] : said_.of_counts) {
      const std::string ours = text_at(ours_, "counts", key);
      if (policy_.rules.places.has("counts." + key) && ours != text)
        tell_replaced(key + (ours.empty() ? "" : " " + ours), text, option_named(key));
    }
    if (said_.reals)
      tell_replaced("judgement in whole numbers", "one in real numbers", option_named("reals"));
  }

  // A frequency rule of the job is its threshold, as without a policy.
  void leave_threshold_of_rule() {
    const std::vector<JobSpec::Rule>& rules = job_.job.rules;
    const auto rule = std::find_if(
        rules.begin(), rules.end(), [](const auto& each) { return each.type == "frequency"; });
    if (rule == rules.end() || !job_.job.counts->threshold)
      return;
    job_.job.counts->threshold.reset();
    const std::string ours = text_at(ours_, "counts", "threshold");
    if (rule->n.text != ours)
      tell_replaced("threshold " + ours,
                    rule->n.text,
                    stated_at("rule[" + std::to_string(rule - rules.begin()) + "]"));
  }

  // The kinds of a policy add to what a [counts] of the job asks by default, and do not take from
  // it; nor do they forget zeros and groups that somebody calls sensitive.
  void keep_kinds(bool own) {
    JobSpec::Counts& counts = *job_.job.counts;
    if (counts.kinds.empty())
      return;  // the policy names none: those by default
    const auto ask = [&](CountKind kind) {
      if (std::find(counts.kinds.begin(), counts.kinds.end(), kind) == counts.kinds.end())
        counts.kinds.push_back(kind);
    };
    if (own) {
      for (const CountKind kind : {CountKind::kExact, CountKind::kSmall, CountKind::kAll})
        ask(kind);
    }
    const bool zeros_said = std::find(said_.of_counts.begin(),
                                      said_.of_counts.end(),
                                      std::pair<std::string, std::string>("zeros", "sensitive")) !=
                            said_.of_counts.end();
    if (counts.zeros == Zeros::kSensitive || zeros_said)
      ask(CountKind::kZero);
    if (!counts.groups.empty())
      ask(CountKind::kGroup);
  }

  static std::string option_named(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return base::named_option(key);
  }

  // Rules of a type that the job has are the job's; the others come on top.
  void merge_rules() {
    const std::vector<JobSpec::Rule>& ours = policy_.rules.job.rules;
    const std::vector<JobSpec::Rule> before = job_.job.rules;
    std::vector<std::string> told;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const std::string& type = ours[i].type;
      const auto same = [&](const JobSpec::Rule& rule) { return rule.type == type; };
      const auto stated = std::find_if(before.begin(), before.end(), same);
      if (stated == before.end()) {
        add_rule(i);
      } else if (std::find(told.begin(), told.end(), type) == told.end() &&
                 rules_of_type(ours_, type) != rules_of_type(theirs_, type)) {
        told.push_back(type);
        tell_replaced("rule " + type + " (" + rules_of_type(ours_, type) + ")",
                      "(" + rules_of_type(theirs_, type) + ")",
                      stated_at("rule[" + std::to_string(stated - before.begin()) + "]"));
      }
    }
  }

  void add_rule(std::size_t index) {
    const std::string from = "rule[" + std::to_string(index) + "]";
    const std::string to = "rule[" + std::to_string(job_.job.rules.size()) + "]";
    const JobSpec::Rule& rule = policy_.rules.job.rules[index];
    job_.job.rules.push_back(rule);
    take_place(to, from);
    JobSpec::Rule::fields(rule, [&](const FieldInfo& info, const auto&) {
      const std::string key = "." + std::string(info.name);
      if (policy_.rules.places.has(from + key))
        take_place(to + key, from + key);
    });
    if (!job_.places.has("rule"))
      take_place("rule", from);
  }

  static std::string rules_of_type(const spec::SpecValue& job, const std::string& type) {
    std::string text;
    const spec::SpecValue* rules = job.find("rule");
    for (const spec::SpecValue& rule :
         rules == nullptr ? std::vector<spec::SpecValue>{} : rules->items) {
      const spec::SpecValue* named = rule.find("type");
      if (named != nullptr && named->text == type)
        text += (text.empty() ? "" : "; ") + inline_text(rule);
    }
    return text;
  }

  // Options are set where they are read; here is told what the job says otherwise.
  void tell_of_options() {
    for (const auto& [name, ours] : policy_.rules.job.options) {
      for (const auto& [stated, theirs] : job_.job.options) {
        if (stated == name && !(theirs == ours))
          tell_replaced(name + " " + ours.text, theirs.text, stated_at("options." + name));
      }
    }
  }

  // ---- what summaries say

  std::string line() const {
    const PolicySource& source = policy_.source;
    std::string text = "policy " + policy_.name + ": " + source.title + " (" + source.agency +
                       ", " + source.date + "; " + source.address + ")";
    if (!replaced_.empty())
      text += "; replaced: " + replaced_;
    if (source.without != "nothing")
      text += "; not applied: " + source.without;
    return text;
  }

  const Policy& policy_;
  const SaidBesides& said_;
  spec::ReadSpec& job_;
  spec::SpecValue ours_, theirs_;  // the policy and the job as texts
  std::vector<std::string> notes_;
  std::string replaced_;
};

}  // namespace

Result<AppliedPolicy> apply_policy(const Policy& policy,
                                   const SaidBesides& said,
                                   spec::ReadSpec& job) {
  return Merger(policy, said, job).merge();
}

}  // namespace lacuna::policies
