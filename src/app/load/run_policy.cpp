// SPDX-License-Identifier: Apache-2.0
#include "app/load/run_policy.h"

#include <algorithm>
#include <filesystem>

#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/jobfile/record_job.h"
#include "data/policies/apply.h"
#include "data/spec/spec_text.h"

namespace lacuna::load {
namespace {

// What the options say of counts, by the keys of [counts].
policies::SaidBesides said_besides(const CountAssessment& asked) {
  policies::SaidBesides said;
  said.counts = asked.counts || asked.any();
  said.reals = asked.reals;
  CountAssessment::fields(asked, [&](const FieldInfo& info, const auto& field) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(field)>, bool>) {
      std::string key(info.name);
      std::replace(key.begin(), key.end(), '-', '_');
      if (std::string text = fields_detail::text_of(field); !text.empty())
        said.of_counts.emplace_back(std::move(key), std::move(text));
    }
  });
  return said;
}

}  // namespace

Result<std::optional<policies::Policy>> policy_of(const spec::ReadSpec& job,
                                                  const std::string& folder,
                                                  const Inputs& inputs) {
  using Found = std::optional<policies::Policy>;
  const std::string& option = inputs.choices.policy;
  if (option.empty() && job.job.policy.empty())
    return Found{};
  const auto load = [&](const std::string& name) {
    return inputs.read(option.empty() ? (std::filesystem::path(folder) / name).string() : name);
  };
  LACUNA_TRY(policies::Policy found,
             policies::find_policy(option.empty() ? job.job.policy : option,
                                   load,
                                   option.empty() ? job.places.where("policy") : "--policy"));
  return Found(std::move(found));
}

Result<std::string> apply_policy(spec::ReadSpec& job,
                                 const std::string& folder,
                                 const Inputs& inputs,
                                 const CountAssessment& asked,
                                 const RunContext& run) {
  LACUNA_TRY(const auto policy, policy_of(job, folder, inputs));
  if (!policy)
    return std::string();
  const std::string of_job = job.job.policy;
  LACUNA_TRY(policies::AppliedPolicy applied,
             policies::apply_policy(*policy, said_besides(asked), job));
  if (!of_job.empty() && of_job != policy->name)
    applied.notes.push_back("the policy " + base::in_quotes(of_job) +
                            " of the job is replaced by " + base::in_quotes(policy->name) +
                            ", which " + base::named_option("policy") + " names");
  for (const std::string& note : applied.notes) {
    if (run.log)
      run.log(note);
  }
  return std::move(applied.text);
}

Result<std::vector<jobfile::JobOption>> policy_settings(const std::string& path,
                                                        const Inputs& inputs) {
  spec::ReadSpec job;
  if (const auto held = inputs.jobs.find(path); held != inputs.jobs.end()) {
    job = *held->second;
  } else if (jobfile::is_job_name(path)) {
    LACUNA_TRY(std::string text, inputs.read(path));
    LACUNA_TRY(job, spec::read_spec_toml(std::move(text), path));
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  LACUNA_TRY(const auto policy, policy_of(job, folder, inputs));
  return policy ? jobfile::options_of(policy->rules) : std::vector<jobfile::JobOption>{};
}

}  // namespace lacuna::load
