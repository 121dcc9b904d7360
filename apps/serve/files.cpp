// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "apps/serve/assets.h"
#include "io/file.h"
#include "io/record_job.h"
#include "io/table_guess.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

Error refused(const std::string& name, const std::string& why) {
  return {ErrorCode::kIo, why, name};
}

// Every part of a name is one that a person would give a file.
bool is_plain(const fs::path& name) {
  if (name.empty() || name.is_absolute())
    return false;
  return std::all_of(name.begin(), name.end(), [](const fs::path& part) {
    const std::string text = part.string();
    return !text.empty() && text.front() != '.' && text.find('\0') == std::string::npos;
  });
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// Words that may be names of files: what stands in quotes or between blanks and separators.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (word.size() > 1)
      words.push_back(word);
    word.clear();
  };
  for (const char c : text) {
    if (c == '"' || c == '\'' || c == '\n' || c == '\r')
      finish();
    else
      word += c;
  }
  finish();
  std::vector<std::string> parts;
  for (const std::string& each : words) {  // a name outside quotes has no blanks
    std::string part;
    for (const char c : each + " ") {
      if (c != ' ' && c != '\t' && c != ',' && c != '|' && c != '<' && c != '>' && c != '=') {
        part += c;
        continue;
      }
      if (part.size() > 1)
        parts.push_back(part);
      part.clear();
    }
  }
  words.insert(words.end(), parts.begin(), parts.end());
  return words;
}

}  // namespace

std::string kind_of_file(const std::string& name) {
  const auto ends = [&](const char* ending) { return name.ends_with(ending); };
  if (ends(".arb") || ends(".ARB"))
    return "argus";
  if (is_job_name(name))
    return "job";
  if (ends(".jj") || ends(".json") || ends(".jj.gz") || ends(".json.gz") || ends(".jj.xz"))
    return "problem";
  return is_table_name(name) ? "table" : "other";
}

Files::Files(fs::path root, fs::path own) : root_(std::move(root)), own_(std::move(own)) {}

Files::~Files() {
  std::error_code ignored;
  fs::remove_all(own_, ignored);
}

Result<std::unique_ptr<Files>> Files::open(const std::string& folder) {
  std::error_code error;
  const fs::path root = fs::canonical(folder.empty() ? "." : folder, error);
  if (error || !fs::is_directory(root))
    return refused(folder, "there is no such folder");
  std::string pattern = (fs::temp_directory_path() / "lacuna-serve-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    return refused(pattern, "no private folder can be made here");
  std::unique_ptr<Files> files(new Files(root, fs::canonical(pattern)));
  LACUNA_RETURN_IF_ERROR(files->write_examples());
  return files;
}

Status Files::write_examples() const {
  fs::create_directory(own_ / "examples");
  for (const Asset& asset : assets()) {
    const std::string name(asset.name);
    if (name.starts_with("/examples/"))
      LACUNA_RETURN_IF_ERROR(write_file_atomically((own_ / name.substr(1)).string(), asset.text));
  }
  return ok_status();
}

std::vector<std::string> Files::examples() const {
  std::vector<std::string> names;
  for (const Asset& asset : assets()) {
    const std::string name(asset.name);
    if (name.starts_with("/examples/") && (name.ends_with(".toml") || name.ends_with(".jj")))
      names.push_back("example:" + name.substr(10));
  }
  return names;
}

bool Files::is_ours(const fs::path& path) const {
  return is_inside(path, root_) || is_inside(path, own_);
}

// The folder comes first, then a name without any trick; what links make of it is looked at after.
Result<fs::path> Files::resolved(const std::string& name) const {
  fs::path base = root_;
  std::string rest = name;
  if (name.starts_with("upload:")) {
    base = own_ / "uploads";
    rest = name.substr(7);
  } else if (name.starts_with("example:")) {
    base = own_ / "examples";
    rest = name.substr(8);
  }
  if (!is_plain(rest))
    return refused(name, "this is no name of a file here");
  std::error_code error;
  const fs::path path = fs::weakly_canonical(base / rest, error);
  if (error || !is_inside(path, base))
    return refused(name, "this leads out of the folder that the server was started in");
  return path;
}

Result<std::string> Files::path_of(const std::string& name) const {
  LACUNA_TRY(const fs::path path, resolved(name));
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return refused(name, "there is no such file");
  return path.string();
}

Result<std::string> Files::new_path(const std::string& name) const {
  if (name.starts_with("upload:") || name.starts_with("example:"))
    return refused(name, "files are written below the folder that the server was started in");
  LACUNA_TRY(const fs::path path, resolved(name));
  std::error_code error;
  if (!fs::is_directory(path.parent_path(), error))
    return refused(name, "there is no such folder");
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return refused(name, "this is no plain file");
  return path.string();
}

Result<std::vector<FolderEntry>> Files::list(const std::string& folder) const {
  fs::path path = root_;
  if (!folder.empty()) {
    LACUNA_TRY(path, resolved(folder));
  }
  std::error_code error;
  std::vector<FolderEntry> entries;
  for (const auto& item : fs::directory_iterator(path, error)) {
    const std::string name = item.path().filename().string();
    const fs::path real = fs::weakly_canonical(item.path(), error);
    if (name.front() == '.' || error || !is_inside(real, root_))
      continue;
    const bool is_folder = fs::is_directory(real, error);
    if (!is_folder && !fs::is_regular_file(real, error))
      continue;  // pipes and devices
    FolderEntry& entry = entries.emplace_back();
    entry.name = name;
    entry.file = (folder.empty() ? "" : folder + "/") + name;
    entry.is_folder = is_folder;
    entry.kind = entry.is_folder ? "folder" : kind_of_file(name);
    entry.bytes = entry.is_folder ? 0 : fs::file_size(real, error);
  }
  if (error)
    return refused(folder, "this folder cannot be read");
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return entries;
}

Result<std::string> Files::keep(const std::string& name, int into, const std::string& bytes) {
  if (!is_plain(name) || name.find('/') != std::string::npos)
    return refused(name, "this is no name of a file");
  if (into < 0 || into > uploads_)
    return refused(std::to_string(into), "there is no such upload");
  const int number = into > 0 ? into : ++uploads_;
  const fs::path folder = own_ / "uploads" / std::to_string(number);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return refused(name, "the upload cannot be kept");
  LACUNA_RETURN_IF_ERROR(write_file_atomically((folder / name).string(), bytes));
  return "upload:" + std::to_string(number) + "/" + name;
}

Status Files::check_named(const std::string& text, const std::string& path) const {
  const fs::path folder = fs::path(path).parent_path();
  for (const std::string& word : words_of(text)) {
    std::string slashed = word;
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    for (const std::string& each : {word, slashed}) {
      std::error_code error;
      const fs::path named = folder / each;
      if (each.size() > 1000 || !fs::exists(named, error) || error)
        continue;
      const fs::path real = fs::canonical(named, error);
      if (!error && !is_ours(real) && !is_inside(folder, real))
        return Error{ErrorCode::kIo,
                     "the job names a file outside the folder that the server was started in",
                     fs::path(path).filename().string()};
    }
  }
  return ok_status();
}

Result<std::string> Files::scratch() {
  const fs::path folder = own_ / ("scratch" + std::to_string(++scratches_));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return refused(folder.string(), "no room for files");
  return folder.string();
}

}  // namespace lacuna::serve
