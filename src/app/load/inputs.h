// SPDX-License-Identifier: Apache-2.0
// Where the files of a run come from: the disk, or what a caller in another language holds in
// memory, under names of its own. Data frames, texts, jobs and problems so held take the place of
// files everywhere, so that no binding has to write one; what is held goes before a file of the
// same name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "app/load/table_choices.h"
#include "data/columns/column_source.h"
#include "data/spec/job_spec.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::load {

struct LoadedProblem;

struct Inputs {
  using OpenColumns = std::function<Result<std::unique_ptr<columns::ColumnSource>>()>;

  std::map<std::string, std::string> texts;   // the bytes of a file, by name
  std::set<std::string> unwritten;            // of them, those that no file has: a place in one
                                              // tells nobody anything
  std::map<std::string, OpenColumns> frames;  // by name
  std::map<std::string, std::shared_ptr<const LoadedProblem>> problems;
  // Jobs as values. The files that they name begin at the folder of their name.
  std::map<std::string, std::shared_ptr<const spec::ReadSpec>> jobs;
  // Where the sums of a job over records are, over what the job says: a folder, or the beginning of
  // the names of frames, NAME/leaf.arrow and the others.
  std::string aggregates;
  // What is said of the table in the input, without a job or before what the job says.
  TableChoices choices;

  // The bytes of a file, wherever it is; of a frame those of an Arrow file.
  Result<std::string> read(const std::string& path) const;
  // The records of the frame with this name, or null if no frame has it. Errors name places that
  // begin with `shown`.
  Result<std::unique_ptr<RecordSource>> records(const std::string& path,
                                                const std::string& shown) const;
  bool is_held(const std::string& path) const;
  // An error at a line of what was read under the name. Of columns and of numbers of cells that are
  // held, the place is in the terms of their holder: "cells, row 17", "release, number 2".
  Error placed(Error error, const std::string& name) const;
};

}  // namespace lacuna::load
