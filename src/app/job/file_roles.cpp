// SPDX-License-Identifier: Apache-2.0
#include "app/job/file_roles.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "data/jobfile/named_files.h"

namespace lacuna::job {
namespace {

// A .toml problem brings its table as .csv beside it (problem_file.h).
std::vector<std::string> written_by(const std::string& path) {
  std::vector<std::string> paths{path};
  if (path.ends_with(".toml"))
    paths.push_back(std::filesystem::path(path).replace_extension(".csv").string());
  return paths;
}

Error would_overwrite(const FileRole& output, const std::string& path, const std::string& what) {
  const std::string which = path == output.path ? "this file" : path + ", which comes with it,";
  return {ErrorCode::kOutputName,
          which + " is " + what + ", which the run may not overwrite; name another file",
          output.option + " " + output.path};
}

Status check_against_inputs(const FileRole& output, const FileRoles& roles) {
  for (const std::string& path : written_by(output.path)) {
    for (const FileRole& input : roles.reads) {
      if (files::same_file(path, input.path))
        return would_overwrite(output, path, "the run's own input " + input.option);
      for (const std::string& named : jobfile::files_named_by(input.path)) {
        if (files::same_file(path, named))
          return would_overwrite(output, path, "read by " + input.path);
      }
    }
  }
  return ok_status();
}

Status check_against_outputs(const FileRole& output, const FileRole& other) {
  for (const std::string& path : written_by(output.path)) {
    for (const std::string& taken : written_by(other.path)) {
      if (files::same_file(path, taken))
        return Error{ErrorCode::kOutputName,
                     files::is_standard_output(path)
                         ? "standard output is already taken by " + other.option
                         : path + " is already written by " + other.option + "; name another file",
                     output.option + " " + output.path};
    }
  }
  return ok_status();
}

Status check_folder(const FileRole& output) {
  const std::filesystem::path folder = std::filesystem::path(output.path).parent_path();
  std::error_code trouble;
  if (folder.empty() || std::filesystem::is_directory(folder, trouble))
    return ok_status();
  return Error{ErrorCode::kOutputName,
               "there is no folder '" + folder.string() + "'; make it first",
               output.option + " " + output.path};
}

}  // namespace

void FileRoles::take(const FieldInfo& info, const std::string& path) {
  constexpr std::array<std::string_view, 8> kRead{
      "FILE", "IN", "JOB", "TABLE", "RESULT", "CERTIFICATE", "POLICY", "PUBLIC"};
  if (path.empty())
    return;
  const bool by_place = info.place == FieldPlace::kArgument;
  const std::string option = by_place              ? std::string(info.shown_as)
                             : info.letter != '\0' ? std::string("-") + info.letter
                                                   : "--" + std::string(info.name);
  if (info.shown_as == "OUT")
    writes.push_back({option, path});
  else if (std::find(kRead.begin(), kRead.end(), info.shown_as) != kRead.end())
    reads.push_back({option, path});
}

Status check_roles(const FileRoles& roles) {
  for (std::size_t i = 0; i < roles.writes.size(); ++i) {
    LACUNA_RETURN_IF_ERROR(check_folder(roles.writes[i]));
    LACUNA_RETURN_IF_ERROR(check_against_inputs(roles.writes[i], roles));
    for (std::size_t j = 0; j < i; ++j)
      LACUNA_RETURN_IF_ERROR(check_against_outputs(roles.writes[i], roles.writes[j]));
  }
  return ok_status();
}

}  // namespace lacuna::job
