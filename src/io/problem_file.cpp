// SPDX-License-Identifier: Apache-2.0
#include "io/problem_file.h"

#include <filesystem>

#include "io/file.h"
#include "io/jj.h"
#include "io/job_file.h"
#include "io/problem_json.h"

namespace lacuna::inline io {
namespace {

bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

Status write_toml(const Problem& problem,
                  std::span<const CrossTable> tables,
                  const std::string& path) {
  std::filesystem::path csv(path);
  csv.replace_extension(".csv");
  LACUNA_TRY(const JobFiles files, write_job(problem, tables, csv.filename().string()));
  LACUNA_RETURN_IF_ERROR(write_file_atomically(csv.string(), files.csv));
  return write_file_atomically(path, files.toml);
}

}  // namespace

Status write_problem(const Problem& problem, const std::string& path) {
  return write_problem(problem, {}, path);
}

Status write_problem(const Problem& problem,
                     std::span<const CrossTable> tables,
                     const std::string& path) {
  if (ends_with(path, ".jj") || ends_with(path, ".jj.gz")) {
    LACUNA_TRY(const std::string text, write_jj(problem));
    return write_file_atomically(path, text);
  }
  if (ends_with(path, ".json") || ends_with(path, ".json.gz")) {
    return write_file_atomically(path, write_problem_json(problem));
  }
  if (ends_with(path, ".toml"))
    return write_toml(problem, tables, path);
  return Error{
      ErrorCode::kBadOption, "the name must end in .jj, .json (each also .gz) or .toml", path};
}

}  // namespace lacuna::inline io
