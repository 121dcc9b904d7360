// SPDX-License-Identifier: Apache-2.0
// What a job reads and what it writes, told by its fields() list: a field that is shown as OUT is a
// file that is written, one that is shown as any other kind of path is read. No run writes over
// what it reads, nor two results into one file.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "data/files/file.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::job {

struct FileRole {
  std::string option;  // "-o", "--public", "IN"
  std::string path;
};

struct FileRoles {
  std::vector<FileRole> reads, writes;

  void take(const FieldInfo& info, const std::string& path);
  void take(const FieldInfo& info, const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      take(info, path);
  }
  template <class Field>
  void take(const FieldInfo&, const Field&) {}  // no path
};

template <class Job>
FileRoles file_roles(const Job& job) {
  FileRoles roles;
  Job::fields(job, [&](const FieldInfo& info, const auto& field) { roles.take(info, field); });
  return roles;
}

// Before any work. Errors: an output that is an input of the run, a file that a job among the
// inputs names, or another output.
Status check_roles(const FileRoles& roles);

template <class Job>
Status check_files(const Job& job) {
  return check_roles(file_roles(job));
}

// Whether an output of the job takes standard output, so that all else must go elsewhere.
template <class Job>
bool takes_standard_output(const Job& job) {
  for (const FileRole& file : file_roles(job).writes) {
    if (files::is_standard_output(file.path))
      return true;
  }
  return false;
}

}  // namespace lacuna::job
