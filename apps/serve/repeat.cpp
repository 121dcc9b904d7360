// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/repeat.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "data/files/file.h"
#include "data/files/zip.h"
#include "data/jobfile/named_files.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

const std::string kCommandFile = "command.txt";

bool is_elsewhere(const std::string& file) {
  return file.starts_with("upload:") || file.starts_with("example:");
}

bool names_elsewhere(const Json& value) {
  if (value.is_array())
    return std::any_of(value.begin(), value.end(), names_elsewhere);
  return value.is_string() && is_elsewhere(value.get<std::string>());
}

class Archive {
 public:
  Status add(const std::string& name, std::string bytes) {
    const auto [at, is_new] = files_.try_emplace(name, bytes);
    if (is_new || at->second == bytes)
      return ok_status();
    return Error{ErrorCode::kContradiction,
                 "two files of the run have this name; rename one and open it again",
                 name};
  }

  Status add_file(const std::string& name, const std::string& path) {
    auto bytes = files::read_file(path);
    if (!bytes)
      return Error{bytes.error().code, bytes.error().message, name};
    return add(name, *std::move(bytes));
  }

  std::map<std::string, std::string> finish() { return std::move(files_); }

 private:
  std::map<std::string, std::string> files_;
};

// The table or the job, and what the job names from where it stands. A name that leads elsewhere is
// absolute, and leads there from everywhere.
Status add_input(const Document& document, Archive& archive) {
  const std::string input = document.input_name();
  const std::string& read = document.held.path;
  LACUNA_RETURN_IF_ERROR(document.job_is_new ? archive.add(input, *document.job)
                                             : archive.add_file(input, read));
  const fs::path folder = fs::path(read).parent_path();
  for (const std::string& path : document.job_is_new ? jobfile::files_named_in(*document.job, read)
                                                     : jobfile::files_named_by(read)) {
    const fs::path named = fs::path(path).lexically_relative(folder);
    const fs::path name = (fs::path(input).parent_path() / named).lexically_normal();
    if (!name.empty() && *name.begin() != "..")
      LACUNA_RETURN_IF_ERROR(archive.add_file(name.generic_string(), path));
  }
  return ok_status();
}

Status add_option_files(const RepeatedRun& run, Archive& archive) {
  LACUNA_TRY(const std::vector<OptionInfo> known, session::options_of(run.command));
  for (std::size_t i = 0; i < run.given.size(); ++i) {
    const auto info = std::find_if(known.begin(), known.end(), [&](const OptionInfo& each) {
      return each.name == run.given[i].name;
    });
    if (info == known.end() || info->shown_as != "FILE")
      continue;
    for (std::size_t k = 0; k < run.given[i].texts.size(); ++k)
      LACUNA_RETURN_IF_ERROR(archive.add_file(run.shown[i].texts[k], run.given[i].texts[k]));
  }
  return ok_status();
}

}  // namespace

std::string name_of_upload(const std::string& text) {
  if (text.starts_with("upload:"))
    return text.substr(text.find('/') + 1);
  return text.starts_with("example:") ? text.substr(text.find(':') + 1) : text;
}

session::GivenOptions with_changes_of(const Document& document, session::GivenOptions given) {
  for (session::OptionTexts& change : document.options_of_changes()) {
    const auto same =
        std::find_if(given.begin(), given.end(), [&](const session::OptionTexts& each) {
          return each.name == change.name;
        });
    if (same == given.end())
      given.push_back(std::move(change));
    else  // what was decided on the page goes over what a file says
      same->texts.insert(same->texts.end(), change.texts.begin(), change.texts.end());
  }
  return given;
}

std::vector<std::string> unsaved(const RepeatedRun& run) {
  std::vector<std::string> missing;
  if (is_elsewhere(run.document.file))
    missing.emplace_back("input");
  if (run.document.job_is_new)
    missing.emplace_back("job");
  if (!run.document.done.empty())
    missing.emplace_back("changes");
  if (std::any_of(run.asked.begin(), run.asked.end(), names_elsewhere))
    missing.emplace_back("options");
  return missing;
}

std::string command_line(const RepeatedRun& run) {
  return command_line(run.document, run.command, with_changes_of(run.document, run.shown));
}

Result<std::string> repeat_archive(const RepeatedRun& run) {
  LACUNA_TRY(const auto files, repeat_files(run));
  files::ZipArchive zip;
  for (const auto& [name, bytes] : files)
    LACUNA_RETURN_IF_ERROR(zip.add(name, bytes));
  return zip.finish();
}

Result<std::map<std::string, std::string>> files_read_by(const Document& document) {
  Archive archive;
  const fs::path path(document.path);
  LACUNA_RETURN_IF_ERROR(archive.add_file(path.filename().string(), document.path));
  for (const std::string& named : document.job_is_new
                                      ? jobfile::files_named_in(*document.job, document.path)
                                      : jobfile::files_named_by(document.path)) {
    const fs::path name = fs::path(named).lexically_relative(path.parent_path());
    if (!name.empty() && *name.begin() != "..")
      LACUNA_RETURN_IF_ERROR(archive.add_file(name.generic_string(), named));
  }
  return archive.finish();
}

Result<std::map<std::string, std::string>> repeat_files(const RepeatedRun& run) {
  if (run.document.is_argus())
    return Error{ErrorCode::kUnsupported, "a job of tau-ARGUS is repeated from its own files", ""};
  Archive archive;
  LACUNA_RETURN_IF_ERROR(add_input(run.document, archive));
  LACUNA_RETURN_IF_ERROR(add_option_files(run, archive));
  if (std::string changes = run.document.apriori_text(); !changes.empty())
    LACUNA_RETURN_IF_ERROR(archive.add(run.document.changes_name(), std::move(changes)));
  LACUNA_RETURN_IF_ERROR(archive.add(kCommandFile, command_line(run) + "\n"));
  return archive.finish();
}

}  // namespace lacuna::serve
