// SPDX-License-Identifier: Apache-2.0
#include "core/table/atom_space.h"

#include <algorithm>

namespace lacuna::table {

Codes codes_of(const Table& table, CellId cell) {
  const auto codes = table.codes(cell);
  return {codes.begin(), codes.end()};
}

// Of every code the codes at or above it.
std::vector<Codes> codes_above(const Dimension& dimension) {
  std::vector<Codes> parents(base::at(dimension.num_codes())), above(parents.size());
  for (const Relation& relation : dimension.relations()) {
    for (const std::int32_t child : relation.children)
      parents[base::at(child)].push_back(relation.parent);
  }
  for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
    Codes& found = above[base::at(code)];
    found.push_back(code);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::int32_t parent : parents[base::at(found[i])]) {
        if (std::find(found.begin(), found.end(), parent) == found.end())
          found.push_back(parent);
      }
    }
  }
  return above;
}

AtomSpace::AtomSpace(const Table& table,
                     std::span<const LinkedTable> published,
                     std::span<const std::int32_t> areas,
                     std::span<const KnownCell> known)
    : table_(table), published_(published), areas_(areas.begin(), areas.end()), known_(known) {
  const auto dimensions = static_cast<std::int32_t>(table.dimensions().size());
  for (std::int32_t d = 0; d < dimensions; ++d) {
    above_.push_back(codes_above(dimension(d)));
    if (std::find(areas_.begin(), areas_.end(), d) == areas_.end())
      categories_.push_back(d);
  }
}

Codes AtomSpace::part(const Codes& codes, const Codes& dimensions) {
  Codes result;
  for (const std::int32_t d : dimensions)
    result.push_back(codes[base::at(d)]);
  return result;
}

Codes AtomSpace::joined(const Codes& area, const Codes& category) const {
  Codes codes(table_.dimensions().size());
  for (std::size_t i = 0; i < areas_.size(); ++i)
    codes[base::at(areas_[i])] = area[i];
  for (std::size_t i = 0; i < categories_.size(); ++i)
    codes[base::at(categories_[i])] = category[i];
  return codes;
}

std::vector<const Codes*> AtomSpace::above(const Codes& codes, const Codes& dimensions) const {
  std::vector<const Codes*> lists;
  for (std::size_t i = 0; i < codes.size(); ++i)
    lists.push_back(&above_[base::at(dimensions[i])][base::at(codes[i])]);
  return lists;
}

bool AtomSpace::is_published(const Codes& codes) const {
  return std::any_of(published_.begin(), published_.end(), [&](const LinkedTable& table) {
    return holds(table, table_.dimensions(), codes);
  });
}

bool AtomSpace::crosses(const LinkedTable& table, std::int32_t d) {
  return std::find(table.dimensions.begin(), table.dimensions.end(), d) != table.dimensions.end();
}

bool AtomSpace::is_used(std::int32_t d) const {
  const auto told = [&](const KnownCell& known) {
    return known.codes[base::at(d)] != dimension(d).total();
  };
  return std::any_of(published_.begin(),
                     published_.end(),
                     [&](const LinkedTable& table) { return crosses(table, d); }) ||
         std::any_of(known_.begin(), known_.end(), told);
}

bool AtomSpace::is_innermost(const Codes& codes) const {
  for (std::size_t d = 0; d < codes.size(); ++d) {
    if (!table_.dimensions()[d].is_leaf(codes[d]))
      return false;
  }
  return true;
}

Error too_many_atom_cells() {
  return {ErrorCode::kTooLarge,
          "the areas and categories have too many combinations: cross fewer dimensions",
          ""};
}

Result<AtomCategories> list_categories(const AtomSpace& space) {
  AtomCategories categories;
  std::vector<Codes> lists;
  std::size_t number = 1;
  for (const std::int32_t d : space.categories()) {
    Codes& codes = lists.emplace_back();
    for (std::int32_t code = 0; code < space.dimension(d).num_codes(); ++code) {
      if (space.is_used(d) || code == space.dimension(d).total())
        codes.push_back(code);
    }
    number *= codes.size();
    if (number > kMostAtomCells)
      return too_many_atom_cells();
  }
  std::vector<const Codes*> pointers;
  for (const Codes& list : lists)
    pointers.push_back(&list);
  for_combinations(pointers, [&](const Codes& codes) {
    categories.index.emplace(codes, static_cast<std::int32_t>(categories.codes.size()));
    categories.codes.push_back(codes);
  });
  return categories;
}

}  // namespace lacuna::table
