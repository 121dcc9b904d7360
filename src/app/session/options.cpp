// SPDX-License-Identifier: Apache-2.0
#include "app/session/options.h"

#include "app/argus_run/argus_job.h"
#include "app/argus_run/convert_job.h"
#include "core/base/nearest.h"
#include "data/jobfile/record_job.h"
#include "app/job/jobs.h"
#include "app/job/ptable_jobs.h"
#include "app/load/records.h"

namespace lacuna::inline session {
namespace {

template <class Job>
void add_names(std::vector<std::string>& names) {
  for (const OptionInfo& option : describe_options<Job>()) {
    if (option.in_jobs)
      names.push_back(option.name);
  }
}

std::vector<std::string> names_of_settings() {
  std::vector<std::string> names = rule_option_names();
  add_names<ProtectJob>(names);
  add_names<AuditJob>(names);
  add_names<VerifyJob>(names);
  add_names<TabulateJob>(names);
  add_names<ReportJob>(names);
  add_names<ShowJob>(names);
  add_names<CompareJob>(names);
  add_names<ConvertJob>(names);
  add_names<RunOptions>(names);
  return names;
}

}  // namespace

Result<std::vector<OptionInfo>> options_of(const std::string& command) {
  if (command == "protect")
    return describe_options<ProtectJob>();
  if (command == "audit")
    return describe_options<AuditJob>();
  if (command == "verify")
    return describe_options<VerifyJob>();
  if (command == "report")
    return describe_options<ReportJob>();
  if (command == "compare")
    return describe_options<CompareJob>();
  if (command == "generate")
    return describe_options<GenerateJob>();
  if (command == "argus")
    return describe_options<ArgusJob>();
  if (command == "make_ptable")
    return describe_options<PtableMakeJob>();
  if (command == "check_ptable")
    return describe_options<PtableCheckJob>();
  if (command == "convert_ptable")
    return describe_options<PtableConvertJob>();
  if (command == "rules")
    return describe_options<SensitivityOptions>();
  if (command == "run")
    return describe_options<RunOptions>();
  if (command == "write")
    return describe_options<OutputOptions>();
  return Error{ErrorCode::kUnknownOption, "there is no such command", command};
}

std::string options_text(const GivenOptions& given, const std::vector<OptionInfo>& known) {
  std::string text;
  for (const OptionInfo& option : known) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const OptionTexts& each) {
      return each.name == option.name;
    });
    if (found == given.end() || option.shown_as == "OUT" || option.name == "json")
      continue;
    text += (text.empty() ? "--" : " --") + option.name;
    if (option.is_flag())
      continue;
    for (const std::string& value : found->texts)
      text += " " + value;
  }
  return text;
}

namespace {

Result<std::vector<JobOption>> checked(std::vector<JobOption> options) {
  const std::vector<std::string> names = names_of_settings();
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const JobOption& option : options) {
    if (std::find(known.begin(), known.end(), option.name) == known.end())
      return Error{
          ErrorCode::kUnknownKey,
          "unknown key '" + option.name + "' in [options]" + did_you_mean(option.name, known),
          option.where};
  }
  return options;
}

}  // namespace

Result<std::vector<JobOption>> settings_of(const std::string& path, const std::string* text) {
  if (!is_job_name(path))
    return std::vector<JobOption>();
  LACUNA_TRY(JobSettings settings,
             text != nullptr ? read_job_settings_text(*text, path) : read_job_settings(path));
  return checked(std::move(settings.options));
}

Result<std::vector<JobOption>> settings_of(const ReadSpec& job) {
  return checked(jobfile::options_of(job));
}

}  // namespace lacuna::inline session
