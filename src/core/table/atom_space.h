// SPDX-License-Identifier: Apache-2.0
// The dimensions of a system of atoms (atoms.h) in two groups, areas and categories: what codes of
// each there are, which tables publish, and which dimensions tell units apart at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/index.h"
#include "core/table/atoms.h"
#include "lacuna/linked_tables.h"
#include "lacuna/table.h"

namespace lacuna::table {

using Codes = std::vector<std::int32_t>;

struct CodesHash {
  std::size_t operator()(const Codes& codes) const {
    std::size_t hash = codes.size();
    for (const std::int32_t code : codes)
      hash = hash * 1'000'003 + static_cast<std::size_t>(code);
    return hash;
  }
};
template <class Value>
using ByCodes = std::unordered_map<Codes, Value, CodesHash>;

inline constexpr std::size_t kMostAtomCells = 50'000'000;  // atoms times categories

Codes codes_of(const Table& table, CellId cell);

// Of every code the codes at or above it.
std::vector<Codes> codes_above(const Dimension& dimension);

// Calls `visit` with every combination of one code of each list.
template <class Visit>
void for_combinations(const std::vector<const Codes*>& lists, Visit&& visit) {
  Codes now(lists.size());
  std::vector<std::size_t> place(lists.size(), 0);
  for (;;) {
    for (std::size_t i = 0; i < lists.size(); ++i)
      now[i] = (*lists[i])[place[i]];
    visit(now);
    std::size_t i = 0;
    while (i < lists.size() && ++place[i] == lists[i]->size())
      place[i++] = 0;
    if (i == lists.size())
      return;
  }
}

class AtomSpace {
 public:
  // All that is given must outlive the space.
  AtomSpace(const Table& table,
            std::span<const LinkedTable> published,
            std::span<const std::int32_t> areas,
            std::span<const KnownCell> known);

  const Table& table() const { return table_; }
  std::span<const LinkedTable> published() const { return published_; }
  std::span<const KnownCell> known() const { return known_; }
  const Codes& areas() const { return areas_; }            // dimensions
  const Codes& categories() const { return categories_; }  // all others
  const Dimension& dimension(std::int32_t d) const { return table_.dimensions()[base::at(d)]; }

  Codes area_of(const Codes& codes) const { return part(codes, areas_); }
  Codes category_of(const Codes& codes) const { return part(codes, categories_); }
  Codes joined(const Codes& area, const Codes& category) const;
  // By dimension the codes at or above those of an area or a category.
  std::vector<const Codes*> above_area(const Codes& area) const { return above(area, areas_); }
  std::vector<const Codes*> above_category(const Codes& category) const {
    return above(category, categories_);
  }

  bool is_published(const Codes& codes) const;
  bool is_used(std::int32_t d) const;  // by some table or release
  bool is_innermost(const Codes& codes) const;
  static bool crosses(const LinkedTable& table, std::int32_t d);

 private:
  static Codes part(const Codes& codes, const Codes& dimensions);
  std::vector<const Codes*> above(const Codes& codes, const Codes& dimensions) const;

  const Table& table_;
  std::span<const LinkedTable> published_;
  Codes areas_, categories_;
  std::span<const KnownCell> known_;
  std::vector<std::vector<Codes>> above_;  // by dimension and code
};

// All combinations of codes of the dimensions that are not areas.
struct AtomCategories {
  std::vector<Codes> codes;
  ByCodes<std::int32_t> index;
};

// Errors: more than fit.
Result<AtomCategories> list_categories(const AtomSpace& space);

Error too_many_atom_cells();

}  // namespace lacuna::table
