// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/problem_file.h"

#include <filesystem>

#include "data/files/file.h"
#include "data/jobfile/job_file.h"
#include "data/problems/jj.h"
#include "data/problems/problem_json.h"

namespace lacuna::jobfile {
namespace {

Status write_toml(const Problem& problem,
                  std::span<const LinkedTable> tables,
                  const std::string& path) {
  std::filesystem::path csv(path);
  csv.replace_extension(".csv");
  LACUNA_TRY(const JobFiles files, write_job(problem, tables, csv.filename().string()));
  files::StagedFiles both;
  LACUNA_RETURN_IF_ERROR(both.add(csv.string(), files.csv));
  LACUNA_RETURN_IF_ERROR(both.add(path, files.toml()));
  return both.commit();
}

}  // namespace

Result<Problem> read_problem(const std::string& path, std::vector<std::string>* notes) {
  std::string name = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - packed.size());
  }
  enum class Format { kUnknown, kJj, kJson, kJob };
  Format format = name.ends_with(".jj")     ? Format::kJj
                  : name.ends_with(".json") ? Format::kJson
                  : name.ends_with(".toml") ? Format::kJob
                                            : Format::kUnknown;
  LACUNA_TRY(std::string text, files::read_file(path));
  if (format == Format::kUnknown) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const char opening = first == std::string::npos ? '\0' : text[first];
    format = opening == '{' ? Format::kJson : opening == '0' ? Format::kJj : Format::kJob;
  }
  if (format == Format::kJj)
    return problems::read_jj(text, path, notes);
  if (format == Format::kJson)
    return problems::read_problem_json(text, path);
  LACUNA_TRY(Job job, read_job(path));
  if (notes != nullptr)
    notes->insert(notes->end(), job.notes.begin(), job.notes.end());
  return std::move(job.problem);
}

Status write_problem(const Problem& problem, const std::string& path) {
  return write_problem(problem, {}, path);
}

Status write_problem(const Problem& problem,
                     std::span<const LinkedTable> tables,
                     const std::string& path) {
  if (path.ends_with(".jj") || path.ends_with(".jj.gz")) {
    LACUNA_TRY(const std::string text, problems::write_jj(problem));
    return files::write_file_atomically(path, text);
  }
  if (path.ends_with(".json") || path.ends_with(".json.gz")) {
    return files::write_file_atomically(path, problems::write_problem_json(problem));
  }
  if (path.ends_with(".toml"))
    return write_toml(problem, tables, path);
  if (files::is_stream(path))
    return files::write_file_atomically(path, problems::write_problem_json(problem));
  return Error{
      ErrorCode::kOutputName, "the name must end in .jj, .json (each also .gz) or .toml", path};
}

}  // namespace lacuna::jobfile
