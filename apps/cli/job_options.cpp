// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/job_options.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "io/record_job.h"
#include "job/records.h"

namespace lacuna {
namespace {

// Names that are for the command line alone.
bool is_for_jobs(const std::string& name) {
  return name != "help" && name != "output" && name != "certificate" && name != "pattern" &&
         name != "table" && name != "json" && name != "public" && name != "released";
}

std::vector<std::string> known_names(const CLI::App& app) {
  std::vector<std::string> names = rule_option_names();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == "generate")
      continue;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        if (is_for_jobs(name))
          names.push_back(name);
      }
    }
  }
  return names;
}

Status set_if_open(CLI::App& command, const std::string& name, const JobOption& given) {
  CLI::Option* option = command.get_option_no_throw("--" + name);
  if (option == nullptr || option->count() > 0)
    return ok_status();
  try {
    option->add_result(given.value);
    option->run_callback();
  } catch (const CLI::ParseError& trouble) {
    return Error{ErrorCode::kBadOption, trouble.what(), given.where};
  }
  return ok_status();
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

}  // namespace

Status apply_job_options(const CLI::App& app, CLI::App& command, const std::string& path) {
  if (!is_job_name(path))
    return ok_status();
  LACUNA_TRY(const JobSettings settings, read_job_settings(path));
  const std::vector<std::string> names = known_names(app);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const JobOption& option : settings.options) {
    if (std::find(known.begin(), known.end(), option.name) == known.end()) {
      return Error{
          ErrorCode::kBadInput,
          "unknown key '" + option.name + "' in [options]" + did_you_mean(option.name, known),
          option.where};
    }
    LACUNA_RETURN_IF_ERROR(set_if_open(command, option.name, option));
  }
  for (const JobOption& output : settings.outputs) {
    const std::string name = output_option(command.get_name(), output.name);
    if (!name.empty())
      LACUNA_RETURN_IF_ERROR(set_if_open(command, name, output));
  }
  return ok_status();
}

}  // namespace lacuna
