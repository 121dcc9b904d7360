// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/files.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "apps/serve/assets.h"
#include "core/base/utf8.h"
#include "core/platform/file.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/record_job.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

Error refused_name(const std::string& name, const std::string& why) {
  return {ErrorCode::kOutOfReach, why, name};
}

// Characters that a person does not see, or that make others read backwards: controls, and what
// Unicode has for the direction of lines.
bool has_hidden_characters(const std::string& name) {
  static constexpr std::array<std::string_view, 14> kHidden{"\u200B",
                                                            "\u200E",
                                                            "\u200F",
                                                            "\u2028",
                                                            "\u2029",
                                                            "\u202A",
                                                            "\u202B",
                                                            "\u202C",
                                                            "\u202D",
                                                            "\u202E",
                                                            "\u2066",
                                                            "\u2067",
                                                            "\u2068",
                                                            "\u2069"};
  const bool controls = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  return controls || base::find_bad_utf8(name) != std::string_view::npos ||
         std::any_of(kHidden.begin(), kHidden.end(), [&](std::string_view each) {
           return name.find(each) != std::string::npos;
         });
}

// Every part of a name is one that a person would give a file.
bool is_plain(const fs::path& name) {
  if (name.empty() || name.is_absolute() || has_hidden_characters(name.string()))
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

int number_of_upload(const std::string& name) {
  return name.starts_with("upload:") ? std::atoi(name.c_str() + 7) : 0;
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
  if (ends(".lacuna"))
    return "project";
  if (jobfile::is_job_name(name))
    return "job";
  if (ends(".jj") || ends(".json") || ends(".jj.gz") || ends(".json.gz") || ends(".jj.xz"))
    return "problem";
  return infer::is_table_name(name) ? "table" : "other";
}

Lease folder_lease(const std::string& folder) {
  struct Folder {
    fs::path path;
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  return std::make_shared<const Folder>(folder);
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
    return refused_name(folder, "there is no such folder");
  const std::string own = platform::create_own_folder("lacuna-serve-");
  if (own.empty())
    return refused_name(fs::temp_directory_path().string(), "no private folder can be made here");
  std::unique_ptr<Files> files(new Files(root, fs::canonical(own)));
  LACUNA_RETURN_IF_ERROR(files->write_examples());
  return files;
}

Status Files::write_examples() const {
  fs::create_directory(own_ / "examples");
  for (const Asset& asset : assets()) {
    const std::string name(asset.name);
    if (name.starts_with("/examples/"))
      LACUNA_RETURN_IF_ERROR(
          files::write_file_atomically((own_ / name.substr(1)).string(), asset.text));
  }
  return ok_status();
}

std::vector<std::string> Files::examples() const {
  std::vector<std::string> names;
  for (const Asset& asset : assets()) {
    const std::string name(asset.name);
    const bool is_shown =
        name.ends_with(".toml") || name.ends_with(".jj") || name.ends_with("/published.csv");
    if (name.starts_with("/examples/") && is_shown)
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
    return refused_name(name, "this is not the name of a file here");
  std::error_code error;
  const fs::path path = fs::weakly_canonical(base / rest, error);
  if (error || !is_inside(path, base))
    return refused_name(name, "this leads out of the folder that the server was started in");
  return path;
}

Result<std::string> Files::path_of(const std::string& name) const {
  LACUNA_TRY(const fs::path path, resolved(name));
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return refused_name(name,
                        number_of_upload(name) > 0
                            ? "this upload was removed together with its table; send the file again"
                            : "there is no such file");
  return path.string();
}

// The name from the folder on, with the links on the way resolved; the last part stands as it is.
Result<std::string> Files::new_name(const std::string& name) const {
  if (name.starts_with("upload:") || name.starts_with("example:"))
    return refused_name(name, "files are written below the folder that the server was started in");
  if (!is_plain(name) || fs::path(name).filename().empty())
    return refused_name(name, "this is not the name of a file here");
  std::error_code error;
  const fs::path parent = fs::weakly_canonical(root_ / fs::path(name).parent_path(), error);
  if (error || !is_inside(parent, root_))
    return refused_name(name, "this leads out of the folder that the server was started in");
  if (!fs::is_directory(parent, error))
    return refused_name(name, "there is no such folder");
  return (parent.lexically_relative(root_) / fs::path(name).filename()).lexically_normal().string();
}

Status Files::check_new(const std::string& name) const {
  LACUNA_TRY(const std::string own, new_name(name));
  std::error_code error;
  const fs::file_status status = fs::symlink_status(root_ / own, error);
  if (fs::is_symlink(status))
    return refused_name(name, "this is a link, and files are not written through links");
  if (fs::exists(status) && !fs::is_regular_file(status))
    return refused_name(name, "this is not a regular file");
  return ok_status();
}

Result<bool> Files::write(const std::string& name, std::string_view bytes, bool overwrite) const {
  LACUNA_TRY(const std::string own, new_name(name));
  return files::write_file_below(
      root_.string(), own, bytes, overwrite ? files::Existing::kReplaced : files::Existing::kStays);
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
    std::error_code unseen;  // of one item, as of a link that leads to itself: the others are shown
    const fs::path real = fs::weakly_canonical(item.path(), unseen);
    if (!is_plain(name) || unseen || !is_inside(real, root_))
      continue;
    const bool is_folder = fs::is_directory(real, unseen);
    if (!is_folder && !fs::is_regular_file(real, unseen))
      continue;  // pipes and devices
    FolderEntry& entry = entries.emplace_back();
    entry.name = name;
    entry.file = (folder.empty() ? "" : folder + "/") + name;
    entry.is_folder = is_folder;
    entry.kind = entry.is_folder ? "folder" : kind_of_file(name);
    entry.bytes = entry.is_folder ? 0 : fs::file_size(real, unseen);
  }
  if (error)
    return refused_name(folder, "this folder cannot be read");
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return entries;
}

Result<std::string> Files::keep(const std::string& name, int into, const std::string& bytes) {
  if (!is_plain(name) || name.find('/') != std::string::npos)
    return refused_name(name, "this is not the name of a file");
  const Lease other = into > 0 ? lease("upload:" + std::to_string(into)) : nullptr;
  if (into < 0 || (into > 0 && !other))
    return refused_name(std::to_string(into), "there is no such upload");
  const int number = into > 0 ? into : ++uploads_;
  const fs::path folder = own_ / "uploads" / std::to_string(number);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return refused_name(name, "the upload cannot be kept");
  const Lease held = other ? other : folder_lease(folder.string());  // gone again on failure
  // Under a name without an ending: what is sent as .gz is packed already.
  const fs::path arriving = folder / (".arriving" + std::to_string(++scratches_));
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(arriving.string(), bytes));
  fs::rename(arriving, folder / name, error);
  if (error) {
    fs::remove(arriving, error);
    return refused_name(name, "the upload cannot be kept under this name");
  }
  if (!other) {
    const std::scoped_lock lock(mutex_);
    leases_[number] = held;
    fresh_[number] = held;
  }
  return "upload:" + std::to_string(number) + "/" + name;
}

Result<std::string> Files::keep_all(const std::map<std::string, std::string>& files) {
  const int number = ++uploads_;
  const fs::path folder = own_ / "uploads" / std::to_string(number);
  const Lease held = folder_lease(folder.string());  // gone again on failure
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [name, bytes] : files) {
    if (!is_plain(name) || fs::path(name).filename().empty())
      return refused_name(name, "this is not the name of a file");
    fs::create_directories((folder / name).parent_path(), error);
    // As in keep(): what is called .gz is packed already.
    const fs::path arriving = folder / (".arriving" + std::to_string(++scratches_));
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(arriving.string(), bytes));
    fs::rename(arriving, folder / name, error);
    if (error)
      return refused_name(name, "the file cannot be kept under this name");
  }
  const std::scoped_lock lock(mutex_);
  leases_[number] = held;
  fresh_[number] = held;
  return "upload:" + std::to_string(number);
}

Result<std::string> Files::folder_of(const std::string& name) const {
  fs::path path = root_;
  if (!name.empty()) {
    LACUNA_TRY(path, resolved(name));
  }
  std::error_code error;
  if (!fs::is_directory(path, error))
    return refused_name(name, "there is no such folder");
  return path.string();
}

Lease Files::lease(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = leases_.find(number_of_upload(name));
  return found == leases_.end() ? nullptr : found->second.lock();
}

// What is let go is removed after the lock: `gone` ends last.
void Files::opened(const std::string& name) {
  std::pair<int, Lease> gone{};
  Lease first;
  const std::scoped_lock lock(mutex_);
  gone = std::exchange(draft_, {});
  if (const auto fresh = fresh_.find(number_of_upload(name)); fresh != fresh_.end()) {
    first = fresh->second;
    fresh_.erase(fresh);
  }
}

void Files::refused(const std::string& name, bool has_draft) {
  const Lease held = lease(name);
  opened(name);
  if (!held || !has_draft)
    return;
  const std::scoped_lock lock(mutex_);
  draft_ = {number_of_upload(name), held};
}

void Files::closed(const std::string& name, bool again) {
  const int number = number_of_upload(name);
  const Lease held = lease(name);
  Lease gone;
  const std::scoped_lock lock(mutex_);
  if (again && held)
    draft_ = {number, held};
  else if (draft_.first == number)
    gone = std::exchange(draft_, {}).second;
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
        return Error{ErrorCode::kOutOfReach,
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
    return refused_name(folder.string(), "no room for files");
  return folder.string();
}

}  // namespace lacuna::serve
