// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/named_files.h"

#include <algorithm>
#include <filesystem>

#include "data/files/file.h"
#include "data/jobfile/record_job.h"
#include "data/spec/spec_text.h"

namespace lacuna::jobfile {
namespace {

void take_files(const spec::SpecValue& value,
                const std::filesystem::path& folder,
                std::vector<std::string>& found) {
  for (const spec::SpecValue& item : value.items)
    take_files(item, folder, found);
  for (const spec::SpecValue::Member& member : value.members)
    take_files(member.value, folder, found);
  std::error_code trouble;  // a text that is no path
  const std::filesystem::path path = folder / value.text;
  if (value.is(spec::SpecValue::Kind::kText) && !value.text.empty() &&
      std::filesystem::is_regular_file(path, trouble))
    found.push_back(path.string());
}

// The store of releases is a folder, all of which a run reads.
void take_store(const spec::SpecValue& store,
                const std::filesystem::path& folder,
                std::vector<std::string>& found) {
  const spec::SpecValue* named = store.find("folder");
  if (named == nullptr || !named->is(spec::SpecValue::Kind::kText) || named->text.empty())
    return;
  std::error_code trouble;
  std::vector<std::string> kept;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder / named->text, trouble)) {
    if (entry.is_regular_file(trouble))
      kept.push_back(entry.path().string());
  }
  std::sort(kept.begin(), kept.end());
  found.insert(found.end(), kept.begin(), kept.end());
}

}  // namespace

std::vector<std::string> files_named_in(const std::string& text, const std::string& path) {
  std::vector<std::string> found;
  const auto job = spec::value_from_toml(text, path);
  if (!job)
    return found;
  for (const spec::SpecValue::Member& member : job->members) {
    if (member.key == "store")
      take_store(member.value, std::filesystem::path(path).parent_path(), found);
    if (member.key != "options" && member.key != "output")
      take_files(member.value, std::filesystem::path(path).parent_path(), found);
  }
  return found;
}

std::vector<std::string> files_named_by(const std::string& path) {
  if (!is_job_name(path))
    return {};
  const auto text = files::read_file(path);
  return text ? files_named_in(*text, path) : std::vector<std::string>();
}

}  // namespace lacuna::jobfile
