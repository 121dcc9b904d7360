// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/job_options.h"

#include <algorithm>
#include <vector>

#include "app/load/records.h"
#include "app/load/run_policy.h"
#include "core/base/nearest.h"
#include "data/jobfile/record_job.h"

namespace lacuna {
namespace {

std::vector<std::string> known_names(std::span<const Command* const> all) {
  std::vector<std::string> names = load::rule_option_names();
  for (const Command* command : all) {
    if (command->name() == "generate" || command->name().starts_with("ptable "))
      continue;
    for (const OptionInfo& option : command->options()) {
      if (option.in_jobs)
        names.push_back(option.name);
    }
  }
  return names;
}

// The option that an output of the job is for this command; empty if it is none.
std::string output_option(const std::string& command, const std::string& output) {
  if (command == "tabulate")
    return output == "problem" ? "output" : output == "table" ? "table" : "";
  if (command == "protect")
    return output == "result"                              ? "output"
           : output == "certificate" || output == "public" ? output
                                                           : "";
  return "";
}

// That every one of them is an option of some command.
Status check_names(std::span<const Command* const> all,
                   const std::vector<jobfile::JobOption>& options) {
  const std::vector<std::string> names = known_names(all);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const jobfile::JobOption& option : options) {
    if (std::find(known.begin(), known.end(), option.name) == known.end()) {
      return Error{
          ErrorCode::kUnknownKey,
          "unknown key '" + option.name + "' in [options]" + base::did_you_mean(option.name, known),
          option.where};
    }
  }
  return ok_status();
}

}  // namespace

Status apply_job_options(std::span<const Command* const> all,
                         Command& command,
                         const std::string& path) {
  if (!jobfile::is_job_name(path))
    return ok_status();
  LACUNA_TRY(const jobfile::JobSettings settings, jobfile::read_job_settings(path));
  LACUNA_RETURN_IF_ERROR(check_names(all, settings.options));
  for (const jobfile::JobOption& option : settings.options) {
    LACUNA_RETURN_IF_ERROR(command.set_if_open(option.name, option.value, option.where));
  }
  for (const jobfile::JobOption& output : settings.outputs) {
    const std::string name = output_option(command.name(), output.name);
    if (!name.empty())
      LACUNA_RETURN_IF_ERROR(command.set_if_open(name, output.value, output.where));
  }
  return ok_status();
}

Result<std::vector<std::string>> apply_policy_options(std::span<const Command* const> all,
                                                      Command& command,
                                                      const std::string& path) {
  load::Inputs inputs;
  inputs.choices.policy = command.given_text("policy");
  LACUNA_TRY(const auto options, load::policy_settings(path, inputs));
  LACUNA_RETURN_IF_ERROR(check_names(all, options));
  std::vector<std::string> notes;
  for (const jobfile::JobOption& option : options) {
    LACUNA_RETURN_IF_ERROR(command.set_if_open(option.name, option.value, option.where));
    const std::string stated = command.given_text(option.name);
    if (!stated.empty() && stated != option.value)
      notes.push_back("the policy: its " + option.name + " " + option.value + " is replaced by " +
                      stated + ", which --" + option.name + " states");
  }
  return notes;
}

}  // namespace lacuna
