// SPDX-License-Identifier: Apache-2.0
#include "data/argus/found_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/base/moved_error.h"
#include "core/base/text.h"
#include "data/argus/lines.h"

namespace lacuna::argus {
namespace {

namespace fs = std::filesystem;

// All of a path for a message: what matters stands at its end.
std::string path_in_quotes(std::string_view path) {
  std::string shown(path);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F)
      c = '?';
  }
  return "'" + shown + "'";
}

enum class Wanted : std::uint8_t { kFile, kFolder };

bool is_there(const std::string& path, Wanted wanted) {
  std::error_code code;
  const auto status = fs::status(path, code);
  return wanted == Wanted::kFolder ? fs::is_directory(status) : fs::is_regular_file(status);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string last_part_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1: all of it
}

std::string joined(const std::string& folder, const std::string& name) {
  if (folder.empty() || name.starts_with('/'))
    return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

// With slashes, without the blanks around it.
std::string with_slashes(std::string_view name) {
  std::string path(base::trimmed(name));
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

bool names_a_drive(const std::string& path) {
  const char letter = path.size() < 2 ? '\0' : path[0];
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter && path[1] == ':';
}

std::string without_drive(const std::string& path) {
  return names_a_drive(path) ? path.substr(2) : path;
}

// The entries of a folder that have this name but for upper and lower case.
std::vector<std::string> entries_like(const std::string& folder, const std::string& name) {
  if (name == "." || name == "..")
    return {joined(folder, name)};
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, code), end; !code && at != end;
       at.increment(code)) {
    const std::string entry = at->path().filename().string();
    if (same_word(entry, name))
      found.push_back(joined(folder, entry));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Without the way there and back ("hrc/../out.csv"), if that is the same file or folder.
std::string shortened(const std::string& path) {
  std::error_code code;
  const fs::path shorter = fs::path(path).lexically_normal();
  const bool same = fs::equivalent(shorter, path, code) && !code;
  return same ? shorter.string() : path;
}

bool is_same_folder(const std::string& a, const std::string& b) {
  std::error_code code;
  return fs::equivalent(a.empty() ? "." : a, b.empty() ? "." : b, code) && !code;
}

// All paths that equal the named one but for upper and lower case.
std::vector<std::string> in_any_case(const std::string& folder,
                                     const std::string& path,
                                     Wanted wanted) {
  std::vector<std::string> found{path.starts_with('/') ? "/" : folder};
  std::size_t start = path.find_first_not_of('/');
  while (start != std::string::npos && !found.empty()) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string part = path.substr(start, end - start);
    std::vector<std::string> deeper;
    for (const std::string& above : found) {
      const auto entries = entries_like(above, part);
      deeper.insert(deeper.end(), entries.begin(), entries.end());
    }
    found = std::move(deeper);
    start = path.find_first_not_of('/', end);
  }
  std::erase_if(found, [&](const std::string& entry) { return !is_there(entry, wanted); });
  return found;
}

// The path in the folder, in any case if there is none as named. Error: several.
Result<std::optional<std::string>> look_in(const std::string& folder,
                                           const std::string& path,
                                           Wanted wanted) {
  if (const std::string exact = joined(folder, path); is_there(exact, wanted))
    return std::optional(exact);
  const auto found = in_any_case(folder, path, wanted);
  if (found.size() > 1) {
    return Error{ErrorCode::kUnclearFormat,
                 path_in_quotes(path) + " could be " + path_in_quotes(found[0]) + " or " +
                     path_in_quotes(found[1]) + ": write the name as it is on disk",
                 ""};
  }
  return found.empty() ? std::optional<std::string>() : std::optional(found[0]);
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t start = path.find_first_not_of('/');
  while (start != std::string::npos) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    parts.push_back(path.substr(start, end - start));
    start = path.find_first_not_of('/', end);
  }
  return parts;
}

// Where a path of another machine stands if a folder above this one was moved as a whole: what the
// path says behind a folder that is called like this one or one above it, seen from here
// ("../data/m.asc" from "/new/survey/job" for "V:/old/survey/data/m.asc"), the deepest first.
std::vector<std::string> seen_from_above(const std::string& folder, const std::string& path) {
  std::error_code code;
  const auto above = parts_of(
      fs::absolute(folder.empty() ? "." : folder, code).lexically_normal().generic_string());
  const auto named = parts_of(path);
  std::vector<std::string> found;
  std::string up;
  for (std::size_t i = above.size(); i-- > 0; up += "../") {
    for (std::size_t j = named.size(); j-- > 1;) {
      if (!same_word(named[j - 1], above[i]))
        continue;
      std::string seen = up;
      for (std::size_t k = j; k < named.size(); ++k)
        seen += (k == j ? "" : "/") + named[k];
      found.push_back(std::move(seen));
    }
  }
  return found;
}

// The path seen from a folder that shares its beginning: "../../hrc/a.hrc"; empty: it shares none.
std::string relative_to(const std::string& folder, const std::string& path) {
  const auto from = parts_of(folder);
  const auto to = parts_of(path);
  std::size_t common = 0;
  while (common < from.size() && common < to.size() && same_word(from[common], to[common]))
    ++common;
  std::string relative;
  for (std::size_t i = common; common > 0 && i < from.size(); ++i)
    relative += "../";
  for (std::size_t i = common; common > 0 && i < to.size(); ++i)
    relative += (i == common ? "" : "/") + to[i];
  return relative;
}

}  // namespace

FileFinder::FileFinder(std::string job_path) {
  folders_.push_back(folder_of(job_path));
}

void FileFinder::add_folder_of(const std::string& path) {
  const std::string folder = folder_of(path);
  if (std::find(folders_.begin(), folders_.end(), folder) == folders_.end())
    folders_.push_back(folder);
}

void FileFinder::add_note(const Word& name, const std::string& named_in, const std::string& text) {
  const std::string note = files::location(named_in, name.place) + ": " + text;
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end())
    notes_.push_back(note);
}

std::vector<std::string> FileFinder::folders_for(const std::string& named_in) const {
  std::vector<std::string> folders{folder_of(named_in)};
  for (const std::string& folder : folders_) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  }
  return folders;
}

void FileFinder::note_move(const std::string& named, const std::string& found) {
  const Moved move{folder_of(named), folder_of(found)};
  const bool known = std::any_of(moved_.begin(), moved_.end(), [&](const Moved& before) {
    return before.from == move.from && before.to == move.to;
  });
  if (!known && !move.from.empty())
    moved_.push_back(move);
}

std::vector<FileFinder::Place> FileFinder::places_for(const std::string& path,
                                                      const std::string& last,
                                                      const std::string& named_in) const {
  const auto folders = folders_for(named_in);
  std::vector<Place> places;
  for (const std::string& folder : folders)
    places.push_back({folder, path});
  places.push_back({"", path});  // the folder of whoever runs the program
  for (const Moved& move : moved_) {
    if (std::string relative = relative_to(move.from, path); !relative.empty())
      places.push_back({move.to, std::move(relative)});
  }
  if (names_a_drive(path) || path.starts_with('/')) {
    for (const std::string& folder : folders) {
      for (std::string& seen : seen_from_above(folder, path))
        places.push_back({folder, std::move(seen)});
    }
  }
  for (const std::string& folder : folders)
    places.push_back({folder, last});
  return places;
}

Result<std::string> FileFinder::find(const Word& name, const std::string& named_in) {
  const std::string path = with_slashes(name.text);
  const std::string last = last_part_of(without_drive(path));
  const std::string where = files::location(named_in, name.place);
  if (last.empty() || path.find('\0') != std::string::npos)
    return Error{ErrorCode::kArgusCommand, "expected the name of a file", where};
  for (const auto& [folder, tried] : places_for(path, last, named_in)) {
    auto found = look_in(folder, tried, Wanted::kFile);
    if (!found)
      return base::moved_to(found.error(), where);
    if (!found->has_value())
      continue;
    const bool as_named = **found == joined(folder, path);
    const std::string file = as_named ? **found : shortened(**found);
    if (!as_named) {
      add_note(name, named_in, path_in_quotes(name.text) + " is read from " + path_in_quotes(file));
      note_move(path, file);
    }
    found_.push_back(file);
    return file;
  }
  std::string list;
  for (const std::string& folder : folders_for(named_in))
    list += (list.empty() ? "" : ", ") + path_in_quotes(folder.empty() ? "." : folder);
  return Error{ErrorCode::kFileMissing,
               "the file " + path_in_quotes(name.text) + " is not there, nor in " + list,
               where};
}

Result<std::string> FileFinder::output(const Word& name, const std::string& named_in) {
  const std::string path = with_slashes(name.text);
  const std::string last = last_part_of(without_drive(path));
  const std::string where = files::location(named_in, name.place);
  if (last.empty() || last == "." || last == ".." || path.find('\0') != std::string::npos)
    return Error{ErrorCode::kArgusCommand,
                 "expected the name of a file to write, not " + path_in_quotes(name.text),
                 where};
  const std::string beside = joined(folders_.front(), last);
  std::string chosen = beside;
  if (path != last) {
    std::optional<std::string> folder;
    bool as_named = false;
    std::vector<Place> places{{folders_.front(), folder_of(path)}, {"", folder_of(path)}};
    for (const Moved& move : moved_)
      places.push_back({move.to, relative_to(move.from, folder_of(path))});
    for (const auto& [base, tried] : places) {
      if (folder || tried.empty())
        continue;
      auto found = look_in(base, tried, Wanted::kFolder);
      if (!found)
        return base::moved_to(found.error(), where);
      folder = *found;
      as_named = folder && tried == folder_of(path);
    }
    if (folder && !as_named)
      chosen =
          is_same_folder(*folder, folders_.front()) ? beside : joined(shortened(*folder), last);
    else if (folder)
      chosen = joined(*folder, last);
    if (!as_named)
      add_note(
          name, named_in, path_in_quotes(name.text) + " is written to " + path_in_quotes(chosen));
  }
  if (is_there(chosen, Wanted::kFolder))
    return Error{ErrorCode::kFileUnreadable, path_in_quotes(chosen) + " is a folder", where};
  return chosen;
}

std::vector<std::string> FileFinder::take_notes() {
  return std::exchange(notes_, {});
}

}  // namespace lacuna::argus
