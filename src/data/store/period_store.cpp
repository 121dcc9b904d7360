// SPDX-License-Identifier: Apache-2.0
#include "data/store/period_store.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/quotes.h"
#include "core/base/sha256.h"
#include "data/files/chained_log.h"
#include "data/files/file.h"
#include "data/files/json_tree.h"

namespace lacuna::store {
namespace {

namespace fs = std::filesystem;

using base::JsonWriter;
using files::JsonKind;
using files::JsonNode;

constexpr std::string_view kFormat = "lacuna-period-1";
constexpr std::string_view kLog = "releases.log";
constexpr std::size_t kDigits = 4;  // of the number at the beginning of a folder's name

// ---- reading

class EntryReader {
 public:
  explicit EntryReader(const files::JsonTree& tree) : tree_(tree) {}

  Result<StoreEntry> read() {
    StoreEntry entry;
    const JsonNode root = tree_.root();
    LACUNA_TRY(const std::string format, text(root, "format"));
    if (format != kFormat)
      return damaged("its format is not " + std::string(kFormat));
    LACUNA_TRY(entry.number, number(root, "entry"));
    LACUNA_TRY(entry.previous, text(root, "previous"));
    LACUNA_TRY(entry.at, text(root, "at"));
    LACUNA_TRY(entry.period, text(root, "period"));
    LACUNA_TRY(entry.folder, text(root, "folder"));
    LACUNA_TRY(const JsonNode revision, member(root, "revision"));
    LACUNA_TRY(entry.revision, revision.boolean());
    LACUNA_TRY(entry.method, text(root, "method"));
    LACUNA_TRY(entry.verdict, text(root, "verdict"));
    LACUNA_TRY(entry.table_sha256, text(root, "table_sha256"));
    LACUNA_TRY(entry.cells, number(root, "cells"));
    LACUNA_TRY(entry.withheld, number(root, "withheld"));
    LACUNA_TRY(const JsonNode kept, member(root, "files"));
    LACUNA_RETURN_IF_ERROR(kept.expect(JsonKind::kArray));
    for (const JsonNode each : kept.children()) {
      KeptFile file;
      LACUNA_TRY(file.role, text(each, "role"));
      LACUNA_TRY(file.name, text(each, "name"));
      LACUNA_TRY(file.sha256, text(each, "sha256"));
      if (!is_plain_name(file.name))
        return damaged("a file has a folder in its name");
      entry.files.push_back(std::move(file));
    }
    if (!is_plain_name(entry.folder))
      return damaged("its folder is not one of the store");
    return entry;
  }

 private:
  static bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
  }

  Error damaged(const std::string& what) const {
    return {ErrorCode::kDamaged, "this line is no entry of a store: " + what, tree_.filename()};
  }

  Result<JsonNode> member(JsonNode object, std::string_view name) const {
    if (object.kind() == JsonKind::kObject) {
      for (const JsonNode each : object.children()) {
        if (each.key() == name)
          return each;
      }
    }
    return damaged("it has no " + std::string(name));
  }

  Result<std::string> text(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    LACUNA_TRY(const std::string_view found, node.string());
    return std::string(found);
  }

  Result<std::int64_t> number(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    return node.integer();
  }

  const files::JsonTree& tree_;
};

Result<StoreEntry> read_line(const files::LogLine& line,
                             std::size_t number,
                             const std::string& previous) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(line.text, line.where));
  LACUNA_TRY(StoreEntry entry, EntryReader(tree).read());
  entry.digest = line.digest;
  if (entry.previous != previous)
    return files::log_was_changed("this line does not follow the one before", line.where);
  if (entry.number != static_cast<std::int64_t>(number))
    return files::log_was_changed("this line is not entry " + std::to_string(number), line.where);
  return entry;
}

bool is_entry_name(const std::string& name) {
  return name.size() > kDigits && name[kDigits] == '-' &&
         std::all_of(name.begin(), name.begin() + kDigits, [](unsigned char c) {
           return c >= '0' && c <= '9';
         });
}

// What lies in the folder is what the log says, so that a log that was cut off, or a folder that was
// named by mistake, is found.
Status check_folder(const PeriodStore& store) {
  std::set<std::string> named;
  for (const StoreEntry& entry : store.entries)
    named.insert(entry.folder);
  std::error_code trouble;
  for (const auto& each : fs::directory_iterator(store.folder, trouble)) {
    const std::string name = each.path().filename().string();
    if (is_entry_name(name) && !named.contains(name))
      return Error{ErrorCode::kDamaged,
                   "the folder " + base::in_quotes(name) +
                       " is in the store and not in its log: a run was interrupted, or the log has "
                       "lost its end; restore the log from a copy, or remove the folder if its "
                       "release did not go out",
                   store.log()};
    if (store.entries.empty() && !name.starts_with('.') && !is_entry_name(name) && name != kLog)
      return Error{ErrorCode::kDamaged,
                   "this folder has other files and no " + std::string(kLog) +
                       ", so it is no store; name another folder",
                   store.folder};
  }
  return ok_status();
}

// ---- writing

std::string body_of(const StoreEntry& entry) {
  return base::json_object([&](JsonWriter& json) { write_entry(json, entry); });
}

// What a folder can be called.
std::string folder_name(const StoreEntry& entry) {
  std::string number = std::to_string(entry.number);
  number.insert(0, number.size() < kDigits ? kDigits - number.size() : 0, '0');
  std::string name = number + "-";
  for (const char c : entry.period) {
    const auto byte = static_cast<unsigned char>(c);
    name += byte < 0x20 || c == '/' || c == '\\' || c == ':' ? '_' : c;
  }
  return name;
}

Status write_files(const fs::path& folder, const std::vector<NewFile>& given) {
  files::StagedFiles staged;
  for (const NewFile& file : given)
    LACUNA_RETURN_IF_ERROR(staged.add((folder / file.name).string(), file.bytes));
  return staged.commit();
}

Error not_written(const PeriodStore& store, const std::error_code& trouble) {
  return {ErrorCode::kFileUnwritable,
          "cannot write to the store: " + trouble.message(),
          store.folder};
}

}  // namespace

const KeptFile* StoreEntry::find(std::string_view role) const {
  const auto found = std::find_if(
      files.begin(), files.end(), [&](const KeptFile& file) { return file.role == role; });
  return found == files.end() ? nullptr : &*found;
}

std::string StoreEntry::title() const {
  return revision ? period + " (revision, entry " + std::to_string(number) + ")" : period;
}

std::string PeriodStore::log() const {
  return (fs::path(folder) / kLog).string();
}

std::string PeriodStore::path_of(const StoreEntry& entry, const KeptFile& file) const {
  return (fs::path(folder) / entry.folder / file.name).string();
}

const StoreEntry* PeriodStore::latest(const std::string& period) const {
  const StoreEntry* found = nullptr;
  for (const StoreEntry& entry : entries) {
    if (entry.period == period)
      found = &entry;
  }
  return found;
}

Result<PeriodStore> read_store(const std::string& folder) {
  std::error_code trouble;
  if (!fs::is_directory(folder, trouble))
    return Error{ErrorCode::kFileMissing,
                 "there is no store in this folder; lacuna store " + folder + " --new makes one",
                 folder};
  PeriodStore store{folder, {}};
  LACUNA_TRY(const std::vector<files::LogLine> lines, files::read_chained_log(store.log()));
  std::string previous;
  for (const files::LogLine& line : lines) {
    LACUNA_TRY(StoreEntry entry, read_line(line, store.entries.size() + 1, previous));
    previous = entry.digest;
    store.entries.push_back(std::move(entry));
  }
  LACUNA_RETURN_IF_ERROR(check_folder(store));
  return store;
}

Status make_store(const std::string& folder) {
  std::error_code trouble;
  if (!fs::create_directory(folder, trouble))
    return Error{ErrorCode::kFileUnwritable,
                 trouble ? "cannot make the folder: " + trouble.message()
                         : "there is a folder of this name already; it stays as it is",
                 folder};
  return files::write_file_atomically(PeriodStore{folder, {}}.log(), "");
}

Result<std::string> read_kept(const PeriodStore& store,
                              const StoreEntry& entry,
                              const KeptFile& file) {
  const std::string path = store.path_of(entry, file);
  LACUNA_TRY(std::string bytes, files::read_file(path));
  if (base::sha256_hex(bytes) != file.sha256)
    return Error{ErrorCode::kDamaged,
                 "this file was changed after it was put into the store (entry " +
                     std::to_string(entry.number) + "); restore it from a copy",
                 path};
  return bytes;
}

Status check_files(const PeriodStore& store) {
  for (const StoreEntry& entry : store.entries) {
    for (const KeptFile& file : entry.files)
      LACUNA_RETURN_IF_ERROR(read_kept(store, entry, file));
  }
  return ok_status();
}

Status add_entry(const PeriodStore& store, StoreEntry entry, const std::vector<NewFile>& given) {
  entry.number = static_cast<std::int64_t>(store.entries.size()) + 1;
  entry.previous = store.entries.empty() ? "" : store.entries.back().digest;
  entry.folder = folder_name(entry);
  entry.files.clear();
  for (const NewFile& file : given)
    entry.files.push_back({file.role, file.name, base::sha256_hex(file.bytes)});
  const fs::path folder = fs::path(store.folder) / entry.folder;
  std::error_code trouble;
  if (!fs::create_directory(folder, trouble))
    return trouble ? not_written(store, trouble)
                   : Error{ErrorCode::kFileUnwritable,
                           "another run has added to the store; run this one again",
                           folder.string()};
  Status done = write_files(folder, given);
  if (done)
    done = files::append_to_chained_log(store.log(), entry.previous, body_of(entry));
  if (!done)
    fs::remove_all(folder, trouble);  // which this run has made
  return done;
}

void write_entry(JsonWriter& json, const StoreEntry& entry) {
  json.member("format", kFormat).member("entry", entry.number).member("previous", entry.previous);
  json.member("at", entry.at).member("period", entry.period).member("folder", entry.folder);
  json.member("revision", entry.revision).member("method", entry.method);
  json.member("verdict", entry.verdict).member("table_sha256", entry.table_sha256);
  json.member("cells", entry.cells).member("withheld", entry.withheld);
  json.key("files").list(entry.files, [&](const KeptFile& file) {
    json.object([&] {
      json.member("role", file.role).member("name", file.name).member("sha256", file.sha256);
    });
  });
}

}  // namespace lacuna::store
