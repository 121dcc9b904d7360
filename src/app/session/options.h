// SPDX-License-Identifier: Apache-2.0
// Options by name, from a caller in another language and from the [options] of a job: the names are
// those of the command line, the lists are the fields() of the jobs.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/job/run_options.h"
#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::session {

struct OptionTexts {  // as a user would write them on the command line
  std::string name;
  std::vector<std::string> texts;
};
using GivenOptions = std::vector<OptionTexts>;

// "--gap 0.05 --norm l1", for the result file.
std::string options_text(const GivenOptions& given, const std::vector<OptionInfo>& known);

// [options] of a job file, if the path is that of one. Errors: a name that no job has.
Result<std::vector<jobfile::JobOption>> settings_of(const std::string& path,
                                                    const std::string* text);
// The same of a job that the caller holds.
Result<std::vector<jobfile::JobOption>> settings_of(const spec::ReadSpec& job);

// The options of a command: protect, audit, explain, ..., make_ptable, check_ptable,
// convert_ptable, or rules, run, write. Errors: no such command.
Result<std::vector<OptionInfo>> options_of(const std::string& command);

// What is given goes before what the job says. Errors: no such option, with the nearest; a text
// that it cannot be.
template <class Job>
Status set_options(Job& job,
                   job::RunOptions& run,
                   const GivenOptions& given,
                   const std::vector<jobfile::JobOption>& settings) {
  std::vector<BoundOption> bound = bind_options(job);
  for (BoundOption& option : bind_options(run)) {
    const auto same = [&](const BoundOption& other) { return other.info.name == option.info.name; };
    if (std::none_of(bound.begin(), bound.end(), same))
      bound.push_back(std::move(option));
  }
  std::vector<OptionInfo> known;
  for (const BoundOption& option : bound)
    known.push_back(option.info);
  const auto find = [&](const std::string& name) {
    return std::find_if(
        bound.begin(), bound.end(), [&](const BoundOption& o) { return o.info.name == name; });
  };
  for (const jobfile::JobOption& setting : settings) {
    const auto option = find(setting.name);
    const auto same = [&](const OptionTexts& each) { return each.name == setting.name; };
    if (option == bound.end() || std::any_of(given.begin(), given.end(), same))
      continue;
    if (const Status done = option->set({&setting.value, 1}); !done)
      return Error{
          ErrorCode::kOptionValue, setting.name + " " + done.error().message, setting.where};
  }
  for (const OptionTexts& each : given) {
    const auto option = find(each.name);
    if (option == bound.end())
      return unknown_option(each.name, known);
    LACUNA_RETURN_IF_ERROR(option->set(each.texts));
  }
  return ok_status();
}

}  // namespace lacuna::session
