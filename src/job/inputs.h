// SPDX-License-Identifier: Apache-2.0
// Where the files of a run come from: the disk, or what a caller in another language holds in
// memory, under names that no file has. Data frames, texts and problems so held take the place of
// files everywhere, so that no binding has to write one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "columns/column_source.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "spec/job_spec.h"

namespace lacuna::inline job {

struct LoadedProblem;

// Names begin so. The slash ends the folder, so that titles are made of what follows.
inline constexpr std::string_view kInMemory = "memory:/";

struct Inputs {
  using OpenColumns = std::function<Result<std::unique_ptr<ColumnSource>>()>;

  std::map<std::string, std::string> texts;   // the bytes of a file, by name
  std::map<std::string, OpenColumns> frames;  // by name, which ends in .arrow
  std::map<std::string, std::shared_ptr<const LoadedProblem>> problems;
  // Jobs as values. The files that they name begin at the folder of their name.
  std::map<std::string, std::shared_ptr<const ReadSpec>> jobs;
  // Where the sums of a job over records are, over what the job says: a folder, or the beginning of
  // the names of frames, NAME/leaf.arrow and the others.
  std::string aggregates;

  // The bytes of a file, wherever it is; of a frame those of an Arrow file.
  Result<std::string> read(const std::string& path) const;
  // The records of a frame; null if there is none of this name.
  Result<std::unique_ptr<RecordSource>> records(const std::string& path) const;
  bool is_held(const std::string& path) const;
};

}  // namespace lacuna::inline job
