// SPDX-License-Identifier: Apache-2.0
// Hierarchies of a dimension as files: .hrc (one code per line, indented by a lead string, as in
// tau-ARGUS), a table of codes and parents, and correspondence tables with a column per level. One
// file is one tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::files {

struct NamedRelation {
  std::string parent;
  std::vector<std::string> children;
  bool operator==(const NamedRelation&) const = default;
};

struct CodeTree {
  std::vector<std::string> codes;  // in the order of the file, the total first
  std::vector<NamedRelation> relations;
  bool operator==(const CodeTree&) const = default;
};

// The total may be listed as the first line or left out; all codes without a lead (or one level
// below a listed total) are its children.
Result<CodeTree> read_hrc(std::string_view text,
                          const std::string& filename,
                          const std::string& lead,
                          const std::string& total);

// Columns `code` and `parent`; the total may be listed with an empty parent or left out.
Result<CodeTree> read_parents_csv(const CsvFile& file, const std::string& total);
Result<CodeTree> read_parents_csv(std::string text,
                                  const std::string& filename,
                                  char separator,
                                  const std::string& total);

// A column per level, the coarsest first: "A10,A21,A88". A row says below which codes its last one
// stands; a code that repeats the one before it, or an empty one, is no level of its own.
Result<CodeTree> read_correspondence_csv(const CsvFile& file, const std::string& total);

// Trees over the same codes as one dimension; relations that two trees share are kept once. A tree
// after the first may be partial: the leaves that it leaves out stand beside it, below its total.
Result<Dimension> build_dimension(const std::string& name, const std::vector<CodeTree>& trees);

// The dimension as trees again: a second split of the same parent opens a second tree.
std::vector<CodeTree> trees_of(const Dimension& dimension);

// Errors: several hierarchies, a code that the format would read as another.
Result<std::string> write_hrc(const Dimension& dimension, const std::string& lead);
Result<std::string> write_parents_csv(const Dimension& dimension, char separator);

}  // namespace lacuna::files
