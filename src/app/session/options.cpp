// SPDX-License-Identifier: Apache-2.0
#include "app/session/options.h"

#include "app/argus_run/argus_job.h"
#include "app/argus_run/convert_job.h"
#include "app/inference/infer_job.h"
#include "app/job/explain_job.h"
#include "app/job/jobs.h"
#include "app/job/ptable_jobs.h"
#include "app/load/records.h"
#include "core/base/nearest.h"
#include "data/jobfile/record_job.h"

namespace lacuna::session {
namespace {

template <class Job>
void add_names(std::vector<std::string>& names) {
  for (const OptionInfo& option : describe_options<Job>()) {
    if (option.in_jobs)
      names.push_back(option.name);
  }
}

std::vector<std::string> names_of_settings() {
  std::vector<std::string> names = load::rule_option_names();
  add_names<job::ProtectJob>(names);
  add_names<job::AuditJob>(names);
  add_names<job::VerifyJob>(names);
  add_names<job::TabulateJob>(names);
  add_names<job::ReportJob>(names);
  add_names<job::ExplainJob>(names);
  add_names<job::ShowJob>(names);
  add_names<job::CompareJob>(names);
  add_names<argus_run::ConvertJob>(names);
  add_names<job::RunOptions>(names);
  return names;
}

}  // namespace

Result<std::vector<OptionInfo>> options_of(const std::string& command) {
  if (command == "protect")
    return describe_options<job::ProtectJob>();
  if (command == "audit")
    return describe_options<job::AuditJob>();
  if (command == "verify")
    return describe_options<job::VerifyJob>();
  if (command == "report")
    return describe_options<job::ReportJob>();
  if (command == "explain")
    return describe_options<job::ExplainJob>();
  if (command == "infer")
    return describe_options<inference::InferJob>();
  if (command == "compare")
    return describe_options<job::CompareJob>();
  if (command == "generate")
    return describe_options<job::GenerateJob>();
  if (command == "argus")
    return describe_options<argus_run::ArgusJob>();
  if (command == "make_ptable")
    return describe_options<job::PtableMakeJob>();
  if (command == "check_ptable")
    return describe_options<job::PtableCheckJob>();
  if (command == "convert_ptable")
    return describe_options<job::PtableConvertJob>();
  if (command == "rules")
    return describe_options<SensitivityOptions>();
  if (command == "run")
    return describe_options<job::RunOptions>();
  if (command == "write")
    return describe_options<files::OutputOptions>();
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

Result<std::vector<jobfile::JobOption>> checked(std::vector<jobfile::JobOption> options) {
  const std::vector<std::string> names = names_of_settings();
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const jobfile::JobOption& option : options) {
    if (std::find(known.begin(), known.end(), option.name) == known.end())
      return Error{
          ErrorCode::kUnknownKey,
          "unknown key '" + option.name + "' in [options]" + base::did_you_mean(option.name, known),
          option.where};
  }
  return options;
}

}  // namespace

Result<std::vector<jobfile::JobOption>> settings_of(const std::string& path,
                                                    const std::string* text) {
  if (!jobfile::is_job_name(path))
    return std::vector<jobfile::JobOption>();
  LACUNA_TRY(jobfile::JobSettings settings,
             text != nullptr ? jobfile::read_job_settings_text(*text, path)
                             : jobfile::read_job_settings(path));
  return checked(std::move(settings.options));
}

Result<std::vector<jobfile::JobOption>> settings_of(const spec::ReadSpec& job) {
  return checked(jobfile::options_of(job));
}

}  // namespace lacuna::session
