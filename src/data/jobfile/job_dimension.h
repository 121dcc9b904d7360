// SPDX-License-Identifier: Apache-2.0
// The [[dimension]] sections of job files, which tables and records share: names, columns, and
// hierarchies from .hrc files, parent-child files, correspondence tables or trees in the job itself
// (docs/formats.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/files/hierarchy_file.h"
#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/dimension.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

inline constexpr char kDefaultSeparator = ';';

// A dimension as the job states it; flat dimensions get their codes from the rows or records.
struct DimensionPlan {
  std::string path;  // "dimension[2]"
  std::string name;
  std::string column;
  std::string total;
  std::vector<files::CodeTree> trees;
  bool flat = false;
};

class DimensionReader {
 public:
  // Without a separator that of a file is found from its text.
  DimensionReader(const spec::SpecPlaces& places,
                  const FileLoader& load,
                  std::optional<char> separator)
      : places_(places), load_(load), separator_(separator) {}

  Result<DimensionPlan> read(const JobSpec::Dimension& given, const std::string& path) const;
  // The dimension of a plan with trees.
  Result<Dimension> build(const DimensionPlan& plan) const;

 private:
  Status read_trees(const JobSpec::Dimension& given, DimensionPlan& plan) const;
  Status read_hierarchies(const JobSpec::Dimension& given, DimensionPlan& plan) const;
  Status read_parents(const JobSpec::Dimension& given, DimensionPlan& plan) const;
  Status read_correspondence(const JobSpec::Dimension& given, DimensionPlan& plan) const;
  Result<files::CsvFile> load_csv(const std::string& path, const std::string& name) const;
  Status read_tree(const SpecLists& lists, const std::string& path, DimensionPlan& plan) const;
  Status read_codes(const std::vector<std::string>& codes, DimensionPlan& plan) const;
  Status add_unlisted(const std::vector<std::string>& codes, DimensionPlan& plan) const;

  const spec::SpecPlaces& places_;
  const FileLoader& load_;
  std::optional<char> separator_;
};

// All codes but the total are parts of it.
files::CodeTree flat_tree(const std::vector<std::string>& codes, const std::string& total);

// separator = ";" at this path of the job; the default where it is empty.
Result<char> separator_of(const std::string& text,
                          const std::string& path,
                          const spec::SpecPlaces& places);

}  // namespace lacuna::jobfile
