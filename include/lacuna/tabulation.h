// SPDX-License-Identifier: Apache-2.0
// What is known of each cell of a tabulation of records: sums, counts and the largest contributions
// with the respondents they come from. Input of the sensitivity rules.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/export.h"
#include "lacuna/keys.h"
#include "lacuna/linked_tables.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

// What one respondent (or holding, where given) contributes to one cell, over all its records.
struct Contribution {
  std::int32_t respondent = -1;  // index into Tabulation::respondents; -1 if records are anonymous
  Units amount = 0;
  bool requested = false;  // the respondent asked for protection (request rule)
  bool waived = false;     // the respondent agreed to disclosure (waiver)
};

struct CellFacts {
  Units value = 0;                    // sum of the response, with sampling weights where given
  Units absolute = 0;                 // sum of |contribution| of the contributors
  std::int64_t records = 0;           // number of records; -1: the contributors are not counted
  std::int64_t contributors = 0;      // distinct respondents (holdings); records if anonymous
  std::int64_t weighted = 0;          // rounded sum of sampling weights; records if there are none
  std::vector<Contribution> largest;  // by falling |amount|, then respondent; at most top of them
};

// What respondents contribute to leaves. A leaf is a combination of leaf codes; it is part of every
// cell at or above it.
struct LeafContributions {
  struct Part {
    std::uint32_t leaf = 0;
    Units amount = 0;
  };
  std::vector<std::size_t> start;         // of a respondent's parts, one more than respondents
  std::vector<Part> parts;                // a respondent's by rising leaf, each leaf once
  std::vector<std::size_t> leaf_start;    // of a leaf's cells, one more than leaves
  std::vector<std::uint32_t> leaf_cells;  // of all leaves, one after the other
  bool complete = true;  // all that a respondent contributes is here, not only the least of it
};

struct Tabulation {
  int decimals = 0;
  int top = 3;  // contributions kept per cell
  std::vector<Dimension> dimensions;
  std::vector<LinkedTable> tables;       // linked tables over the dimensions
  std::vector<std::int32_t> codes;       // one per dimension and cell
  std::vector<CellFacts> cells;          // absent cells (no record) are not listed
  std::vector<std::string> respondents;  // identities, by index
  // Of the respondents above, all cells; null: nothing beyond CellFacts::largest is known.
  std::shared_ptr<const LeafContributions> contributions = nullptr;
  std::shared_ptr<const CellKeys> keys{};  // of records that have some
  KeyChecks key_checks{};                  // of those of the records
  // Records were counted, and cells without any are not listed: readers know that every listed
  // count is at least 1 (docs/knowledge.md).
  bool none_is_empty = false;
};

}  // namespace lacuna
