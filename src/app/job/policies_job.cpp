// SPDX-License-Identifier: Apache-2.0
// Policies: the published rules that the program has, and the text of each.
#include <fmt/core.h>

#include <algorithm>

#include "app/job/jobs.h"
#include "core/base/json_writer.h"
#include "data/files/file.h"
#include "data/policies/policy.h"

namespace lacuna::job {
namespace {

using policies::Policy;
using policies::PolicySource;

void write_policy(base::JsonWriter& json, const Policy& policy) {
  json.line().object([&] {
    json.member("name", policy.name);
    PolicySource::fields(policy.source, [&](const FieldInfo& info, const std::string& text) {
      json.member(info.name, text);
    });
    json.member("counts", policy.rules.job.counts.has_value());
    json.member("amounts", !policy.rules.job.rules.empty());
    json.member("text", policy.text);
  });
}

// What it is for, in a word or two.
std::string kind_of(const Policy& policy) {
  const bool counts = policy.rules.job.counts.has_value();
  const bool amounts = !policy.rules.job.rules.empty();
  return counts && amounts ? "counts, amounts" : counts ? "counts" : "amounts";
}

std::string list_text(const std::vector<Policy>& all) {
  std::size_t wide = 0;
  for (const Policy& policy : all)
    wide = std::max(wide, policy.name.size());
  std::string text;
  for (const Policy& policy : all)
    text += fmt::format("{:<{}}  {:<15}  {} ({}). {}\n",
                        policy.name,
                        wide,
                        kind_of(policy),
                        policy.source.agency,
                        policy.source.date,
                        policy.source.says);
  return text;
}

}  // namespace

Result<JobOutput> run_job(const PoliciesJob& job, const RunContext&) {
  std::vector<Policy> all;
  const auto load = [](const std::string& path) { return files::read_file(path); };
  if (!job.name.empty()) {
    LACUNA_TRY(Policy policy, policies::find_policy(job.name, load, ""));
    all.push_back(std::move(policy));
  }
  for (const policies::ShippedPolicy& each : policies::shipped_policies()) {
    if (!job.name.empty())
      break;
    LACUNA_TRY(Policy policy, policies::find_policy(std::string(each.name), load, ""));
    all.push_back(std::move(policy));
  }
  if (!job.json)
    return JobOutput{ExitCode::kDone, job.name.empty() ? list_text(all) : all.front().text};
  const auto write = [&](base::JsonWriter& json) {
    json.key("policies").list(all, [&](const Policy& policy) { write_policy(json, policy); });
  };
  return JobOutput{ExitCode::kDone, base::json_object(write) + "\n"};
}

}  // namespace lacuna::job
