// SPDX-License-Identifier: Apache-2.0
// The files that the page may name: below the folder that the server was started in, uploads in a
// private folder that is gone at the end, and the examples that the program carries. Names are
// "sub/sales.csv", "upload:3/sales.csv" and "example:sales.toml"; nothing else is reached, neither
// by "..", nor by links that lead out, nor by what a job inside names.
#pragma once

#include <atomic>
#include <filesystem>
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

class Files {
 public:
  // Errors: no such folder; the private folder cannot be made.
  static Result<std::unique_ptr<Files>> open(const std::string& folder);
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // The path of a file that exists, and of one that is to be written below the folder.
  Result<std::string> path_of(const std::string& name) const;
  Result<std::string> new_path(const std::string& name) const;

  Result<std::vector<FolderEntry>> list(const std::string& folder) const;

  // Keeps an upload and returns its name. `into`: number of the upload that it belongs to, 0: none.
  Result<std::string> keep(const std::string& name, int into, const std::string& bytes);

  // Whether all files that the text of a job names, from the folder of `name`, may be read.
  Status check_named(const std::string& text, const std::string& path) const;

  std::vector<std::string> examples() const;  // "example:sales.toml"
  std::string folder() const { return root_.string(); }
  // All that may be read: that one, and what is ours.
  std::vector<std::string> folders() const { return {root_.string(), own_.string()}; }
  // A fresh folder for files that are made and sent at once.
  Result<std::string> scratch();

 private:
  Files(std::filesystem::path root, std::filesystem::path own);
  Result<std::filesystem::path> resolved(const std::string& name) const;
  bool is_ours(const std::filesystem::path& path) const;
  Status write_examples() const;

  std::filesystem::path root_, own_;
  std::atomic<int> uploads_{0}, scratches_{0};
};

std::string kind_of_file(const std::string& name);

}  // namespace lacuna::serve
