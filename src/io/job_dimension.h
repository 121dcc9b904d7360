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

#include "io/csv.h"
#include "io/hierarchy_file.h"
#include "io/job_file.h"
#include "io/toml_document.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

inline constexpr char kDefaultSeparator = ';';

// A dimension as the job states it; flat dimensions get their codes from the rows or records.
struct DimensionPlan {
  const toml::table* node = nullptr;
  std::string name;
  std::string column;
  std::string total;
  std::vector<CodeTree> trees;
  bool flat = false;
};

class DimensionReader {
 public:
  // Without a separator that of a file is found from its text.
  DimensionReader(const TomlDocument& document,
                  const FileLoader& load,
                  std::optional<char> separator)
      : document_(document), load_(load), separator_(separator) {}

  // `more_keys` are allowed besides those of all jobs, and left to the caller.
  Result<DimensionPlan> read(const toml::table& node,
                             std::span<const std::string_view> more_keys) const;
  // The dimension of a plan with trees.
  Result<Dimension> build(const DimensionPlan& plan) const;

 private:
  Status read_hierarchies(const toml::node& files,
                          const std::string& lead,
                          DimensionPlan& plan) const;
  Status read_parents(const toml::node& files, DimensionPlan& plan) const;
  Status read_correspondence(const toml::node& files, DimensionPlan& plan) const;
  Result<CsvFile> load_csv(const toml::node& node, const std::string& name) const;
  Status read_tree(const toml::table& table, DimensionPlan& plan) const;
  Status read_codes(const toml::node& node, DimensionPlan& plan) const;
  Status add_unlisted(const toml::node& node, DimensionPlan& plan) const;

  const TomlDocument& document_;
  const FileLoader& load_;
  std::optional<char> separator_;
};

// All codes but the total are parts of it.
CodeTree flat_tree(const std::vector<std::string>& codes, const std::string& total);

// The string at the key, or the fallback.
Result<std::string> string_at(const TomlDocument& document,
                              const toml::table& table,
                              std::string_view key,
                              std::string_view fallback);

// separator = ";" of [input].
Result<char> read_separator(const TomlDocument& document, const toml::table& input);

}  // namespace lacuna::inline io
