// SPDX-License-Identifier: Apache-2.0
#include "core/table/atom_finder.h"

#include <algorithm>
#include <map>
#include <set>

namespace lacuna::table {
namespace {

AtomList list_areas(const AtomSpace& space) {
  AtomList list;
  const auto take = [&](const Codes& codes) {
    list.area_index.emplace(space.area_of(codes),
                            static_cast<std::int32_t>(list.area_index.size()));
  };
  for (std::int32_t c = 0; c < space.table().num_cells(); ++c) {
    const Codes codes = codes_of(space.table(), CellId{c});
    if (space.is_published(codes))
      take(codes);
  }
  for (const KnownCell& each : space.known())
    take(each.codes);
  list.of_area.resize(list.area_index.size());
  return list;
}

// A unit by the dimensions that some table or release has; others do not tell units apart.
Codes told_of(const Codes& unit, const AtomSpace& space) {
  Codes told;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (space.is_used(space.areas()[i]))
      told.push_back(unit[i]);
  }
  return told;
}

// An atom that is all of an area is that area; the first one in the order of codes.
void name_areas(AtomList& list) {
  std::map<Codes, std::int32_t> in_order(list.area_index.begin(), list.area_index.end());
  for (const auto& [codes, area] : in_order) {
    const auto& atoms = list.of_area[base::at(area)];
    if (atoms.size() != 1 || list.atoms[base::at(atoms.front())].is_area)
      continue;
    list.atoms[base::at(atoms.front())].codes = codes;
    list.atoms[base::at(atoms.front())].is_area = true;
  }
}

void count_atoms(const AtomSpace& space,
                 const AtomCategories& categories,
                 const ByCodes<std::int32_t>& units,
                 AtomList& list) {
  for (Atom& atom : list.atoms)
    atom.counts.assign(categories.codes.size(), 0);
  for (std::int32_t c = 0; c < space.table().num_cells(); ++c) {
    const Codes codes = codes_of(space.table(), CellId{c});
    if (space.table().value(CellId{c}) == 0 || !space.is_innermost(codes))
      continue;
    Atom& atom = list.atoms[base::at(units.at(space.area_of(codes)))];
    for_combinations(space.above_category(space.category_of(codes)), [&](const Codes& category) {
      if (const auto found = categories.index.find(category); found != categories.index.end())
        atom.counts[base::at(found->second)] += space.table().value(CellId{c});
    });
  }
}

}  // namespace

Result<AtomList> find_atoms(const AtomSpace& space, const AtomCategories& categories) {
  AtomList list = list_areas(space);
  ByCodes<std::int32_t> units;  // the atom of each
  std::map<Codes, std::int32_t> by_areas;
  std::set<Codes> told_apart;
  for (std::int32_t c = 0; c < space.table().num_cells(); ++c) {
    const Codes codes = codes_of(space.table(), CellId{c});
    if (!space.is_innermost(codes))
      continue;
    const Codes unit = space.area_of(codes);
    if (space.table().value(CellId{c}) == 0 || units.contains(unit))
      continue;
    Codes holding;
    for_combinations(space.above_area(unit), [&](const Codes& area) {
      if (const auto found = list.area_index.find(area); found != list.area_index.end())
        holding.push_back(found->second);
    });
    std::sort(holding.begin(), holding.end());
    const auto [atom, is_new] =
        by_areas.emplace(holding, static_cast<std::int32_t>(list.atoms.size()));
    units.emplace(unit, atom->second);
    if (is_new)
      list.atoms.push_back({unit, unit, false, 0, {}});
    if (told_apart.insert(told_of(unit, space)).second)
      ++list.atoms[base::at(atom->second)].units;
    if (!is_new)
      continue;
    for (const std::int32_t area : holding)
      list.of_area[base::at(area)].push_back(atom->second);
  }
  if (list.atoms.empty())
    return Error{ErrorCode::kFactsMissing,
                 "the input has no counts for combinations of the innermost codes of all "
                 "dimensions, so it is not known what the areas have in common",
                 ""};
  name_areas(list);
  if (list.atoms.size() > kMostAtomCells / categories.codes.size())
    return too_many_atom_cells();
  count_atoms(space, categories, units, list);
  return list;
}

}  // namespace lacuna::table
