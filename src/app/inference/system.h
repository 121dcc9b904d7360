// SPDX-License-Identifier: Apache-2.0
// Published tables as one system: cells of equal codes are one cell, wherever they were published,
// and every sum "parent = parts" of a dimension holds for each combination of codes of the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/inference/knowledge.h"
#include "data/jobfile/published_table.h"
#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::inference {

struct RowAt {
  std::size_t table = 0, row = 0;
};

enum class Told : std::uint8_t { kNumber, kRange, kBlank, kRest };

struct SystemCell {
  std::vector<std::int32_t> codes;  // by dimension; -1: it does not say
  std::vector<RowAt> rows;          // where it was published; none: kRest
  Told told = Told::kBlank;
  std::string sign;  // in the place of the number
  Units number = 0;  // kNumber
  Bounds known;      // what a reader knows without any sum
};

struct SystemDimension {
  std::string name;
  std::vector<std::string> codes;
  std::vector<Relation> relations;
  bool operator==(const SystemDimension&) const = default;
};

struct Sum {
  std::vector<Term> terms;      // the total first, with 1; its parts with -1
  std::int32_t dimension = -1;  // that it goes over; -1: two numbers published of one cell
};

struct System {
  std::vector<std::string> files;
  std::vector<SystemDimension> dimensions;
  std::vector<SystemCell> cells;
  std::vector<Sum> sums;
  std::vector<std::string> notes;
  bool absent_is_zero = true;
  std::size_t incomplete = 0;  // sums of which a part is not listed

  std::string label(std::int32_t cell) const;  // "area=44003|industry=42"
};

// Errors: a row that stands twice in one file; what Knowledge::of_row() refuses.
Result<System> make_system(const std::vector<jobfile::PublishedTable>& tables,
                           const Knowledge& knowledge,
                           AbsentRows absent);

}  // namespace lacuna::inference
