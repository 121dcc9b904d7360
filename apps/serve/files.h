// SPDX-License-Identifier: Apache-2.0
// The files that the page may name: below the folder that the server was started in, uploads in a
// private folder that is gone at the end, and the examples that the program carries. Names are
// "sub/sales.csv", "upload:3/sales.csv" and "example:sales.toml"; nothing else is reached, neither
// by "..", nor by links that lead out, nor by what a job inside names. An upload lives as long as a
// table or a run that reads it; one that could not be opened until something else is.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::serve {

struct FolderEntry {
  std::string name, file, kind;  // kind: table, job, argus, problem, other
  bool is_folder = false;
  std::uintmax_t bytes = 0;
};

// An upload: gone when nobody holds it any more.
using Lease = std::shared_ptr<const void>;

class Files {
 public:
  // Errors: no such folder; the private folder cannot be made.
  static Result<std::unique_ptr<Files>> open(const std::string& folder);
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  Result<std::string> path_of(const std::string& name) const;  // of a file that exists

  // Writes a file below the folder, where no link is followed. False: it exists and stays.
  // Errors: no name of a file here, no such folder, a link or a device in its place.
  Status check_new(const std::string& name) const;
  Result<bool> write(const std::string& name, std::string_view bytes, bool overwrite) const;

  Result<std::vector<FolderEntry>> list(const std::string& folder) const;

  // Keeps an upload and returns its name. `into`: number of the upload that it belongs to, 0: none.
  Result<std::string> keep(const std::string& name, int into, const std::string& bytes);

  // Files that belong together, by their names below a folder of their own: "upload:3".
  Result<std::string> keep_all(const std::map<std::string, std::string>& files);

  // The folder of that name below the folder of the server, or of an upload ("upload:3").
  Result<std::string> folder_of(const std::string& name) const;

  // What keeps the upload of that name; null for other files. An upload that nobody has opened yet
  // is kept until then.
  Lease lease(const std::string& name) const;
  // It was opened, or was not: then it stays for the form if that has something to show, in the
  // place of the one before.
  void opened(const std::string& name);
  void refused(const std::string& name, bool has_draft);
  // Its table is closed; `again`: by the form, which will read it once more.
  void closed(const std::string& name, bool again);

  // Whether all files that the text of a job names, from the folder of `name`, may be read.
  Status check_named(const std::string& text, const std::string& path) const;

  std::vector<std::string> examples() const;  // "example:sales.toml"
  std::string folder() const { return root_.string(); }
  // All that may be read: that one, and what is ours.
  std::vector<std::string> folders() const { return {root_.string(), own_.string()}; }
  std::string own() const { return own_.string(); }  // the private folder
  // A fresh folder for files that are made and sent at once.
  Result<std::string> scratch();

 private:
  Files(std::filesystem::path root, std::filesystem::path own);
  Result<std::filesystem::path> resolved(const std::string& name) const;
  Result<std::string> new_name(const std::string& name) const;
  bool is_ours(const std::filesystem::path& path) const;
  Status write_examples() const;

  std::filesystem::path root_, own_;
  std::atomic<int> uploads_{0}, scratches_{0};
  mutable std::mutex mutex_;  // of all below
  std::map<int, std::weak_ptr<const void>> leases_;
  std::map<int, Lease> fresh_;               // uploads that nobody has opened
  std::pair<int, Lease> draft_{0, nullptr};  // the one that a form is about
};

std::string kind_of_file(const std::string& name);

// Removes the folder when it is no longer held.
Lease folder_lease(const std::string& folder);

}  // namespace lacuna::serve
