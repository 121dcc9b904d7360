// SPDX-License-Identifier: Apache-2.0
// The atoms of a system (atoms.h): units by the published and known areas that hold them, with how
// many of each category live in each atom.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table/atom_space.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::table {

struct Atom {
  Codes codes;  // of the areas: of the area that it is, or of its first unit
  Codes unit;   // its first unit
  bool is_area = false;
  Units units = 0;            // inhabited ones
  std::vector<Units> counts;  // by category
};

struct AtomList {
  std::vector<Atom> atoms;
  ByCodes<std::int32_t> area_index;                // areas that are published or known
  std::vector<std::vector<std::int32_t>> of_area;  // atoms, by area

  const std::vector<std::int32_t>& in(const Codes& area) const {
    return of_area[base::at(area_index.at(area))];
  }
};

// Errors: no innermost cells; more atoms times categories than fit.
Result<AtomList> find_atoms(const AtomSpace& space, const AtomCategories& categories);

}  // namespace lacuna::table
