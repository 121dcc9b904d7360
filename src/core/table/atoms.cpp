// SPDX-License-Identifier: Apache-2.0
#include "core/table/atoms.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/index.h"
#include "core/table/atom_finder.h"
#include "core/table/atom_space.h"
#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

// The cells of atoms, by atom and category; -1: known to be empty.
struct AtomCells {
  std::size_t categories = 0;
  std::vector<CellId> cells;

  CellId at(std::int32_t atom, std::int32_t category) const {
    return cells[base::at(atom) * categories + base::at(category)];
  }
};

Units count_in(const Codes& codes,
               const AtomSpace& space,
               const AtomCategories& categories,
               const AtomList& atoms) {
  const std::int32_t category = categories.index.at(space.category_of(codes));
  Units sum = 0;
  for (const std::int32_t atom : atoms.in(space.area_of(codes)))
    sum += atoms.atoms[base::at(atom)].counts[base::at(category)];
  return sum;
}

// All cells of the system: those of the tables, then those of known releases, then those of atoms.
class SystemCells {
 public:
  explicit SystemCells(const AtomSpace& space)
      : space_(space), builder_(space.table().decimals(), space.table().dimensions()) {
    for (const KnownCell& each : space.known()) {
      const auto [at, added] = statements_.emplace(each.codes, each);
      if (!added)
        at->second.bounds = intersect(at->second.bounds, each.bounds);
    }
  }

  std::int32_t published() const { return published_; }  // cells of the tables, by now
  std::int32_t told() const { return told_; }            // and of known releases
  TableBuilder& builder() { return builder_; }

  Status add_published() {
    for (std::int32_t c = 0; c < space_.table().num_cells(); ++c) {
      const Codes codes = codes_of(space_.table(), CellId{c});
      if (!space_.is_published(codes))
        continue;
      LACUNA_RETURN_IF_ERROR(add(space_.table().cell(CellId{c}), codes, CellId{c}));
    }
    published_ = builder_.num_cells();
    return ok_status();
  }

  Status add_known(const AtomCategories& categories, const AtomList& atoms) {
    for (const KnownCell& each : space_.known()) {
      if (cells_.contains(each.codes))
        continue;
      Cell cell{.value = count_in(each.codes, space_, categories, atoms),
                .weight = 0,
                .frequency = kUnpublished,
                .status = CellStatus::kSecondary};
      LACUNA_RETURN_IF_ERROR(add(cell, each.codes, CellId{-1}));
      ++unpublished_;
    }
    told_ = builder_.num_cells();
    return ok_status();
  }

  // By atom and category; no cell: known to be empty.
  Result<AtomCells> add_atoms(const AtomCategories& categories, const AtomList& atoms) {
    AtomCells made{categories.codes.size(), {}};
    for (const Atom& atom : atoms.atoms) {
      for (std::size_t c = 0; c < categories.codes.size(); ++c) {
        const Codes codes = space_.joined(atom.codes, categories.codes[c]);
        CellId& cell = made.cells.emplace_back(CellId{-1});
        if (const auto found = cells_.find(codes); found != cells_.end()) {
          cell = found->second;
          continue;
        }
        if (atom.counts[c] == 0 && is_known_empty(atom, categories.codes[c]))
          continue;
        const Cell own{.value = atom.counts[c],
                       .weight = 0,
                       .frequency = kUnpublished,
                       .status = CellStatus::kSecondary};
        LACUNA_TRY(cell, add(own, codes, CellId{-1}));
        ++unpublished_;
      }
    }
    return made;
  }

  Result<AtomSystem> finished(std::vector<Units> least, std::int64_t atoms) && {
    LACUNA_TRY(Table built, std::move(builder_).build());
    return AtomSystem{std::move(built), std::move(given_), std::move(least), atoms, unpublished_};
  }

 private:
  Result<CellId> add(Cell cell, const Codes& codes, CellId given) {
    if (const auto said = statements_.find(codes); said != statements_.end()) {
      if (!said->second.bounds.contains(cell.value))
        return untrue(said->second, codes);
      cell.prior = intersect(cell.prior, said->second.bounds);
      if (cell.prior.is_point() && cell.status != CellStatus::kPrimary)
        cell.status = CellStatus::kKnown;
    }
    LACUNA_TRY(const CellId added, builder_.add_cell(cell, codes));
    cells_.emplace(codes, added);
    given_.push_back(given);
    return added;
  }

  Error untrue(const KnownCell& said, const Codes& codes) const {
    std::string label;
    for (std::size_t d = 0; d < codes.size(); ++d) {
      const Dimension& each = space_.table().dimensions()[d];
      label += (d > 0 ? "|" : "") + each.name() + "=" + each.code(codes[d]);
    }
    return {ErrorCode::kOtherTable,
            "what the release says about " + label +
                " is not true for this table: it is a release about other units",
            said.where};
  }

  // Whether some table would have to list a cell above it, and does not.
  bool is_known_empty(const Atom& atom, const Codes& category) const {
    const Codes codes = space_.joined(atom.unit, category);
    return std::any_of(
        space_.published().begin(), space_.published().end(), [&](const LinkedTable& table) {
          if (table.stops_above_leaves)
            return false;
          Codes above = codes;
          for (std::size_t d = 0; d < above.size(); ++d) {
            if (!AtomSpace::crosses(table, static_cast<std::int32_t>(d)))
              above[d] = space_.table().dimensions()[d].total();
          }
          return !cells_.contains(above);
        });
  }

  const AtomSpace& space_;
  TableBuilder builder_;
  std::map<Codes, KnownCell> statements_;  // of known releases
  ByCodes<CellId> cells_;
  std::vector<CellId> given_;  // by cell: of the table that was given
  std::int32_t published_ = 0, told_ = 0;
  std::int64_t unpublished_ = 0;
};

// The equations that the tables do not have.
class AtomSums {
 public:
  AtomSums(const AtomSpace& space,
           const AtomCategories& categories,
           const AtomList& atoms,
           const AtomCells& grid,
           SystemCells& cells)
      : space_(space), categories_(categories), atoms_(atoms), grid_(grid), cells_(cells) {}

  Status add_sums_of_areas() {
    for (std::int32_t c = 0; c < cells_.told(); ++c) {
      const auto own = cells_.builder().codes(CellId{c});
      const Codes codes(own.begin(), own.end());
      if (c < cells_.published() && is_sum_of_areas(codes))
        continue;
      const auto& atoms = atoms_.in(space_.area_of(codes));
      const std::int32_t category = categories_.index.at(space_.category_of(codes));
      std::vector<Term> terms{{CellId{c}, -1}};
      for (const std::int32_t atom : atoms) {
        const CellId cell = grid_.at(atom, category);
        if (cell.value >= 0)
          terms.push_back({cell, 1});
      }
      if (terms.size() == 2 && terms[1].cell == CellId{c})
        continue;
      LACUNA_RETURN_IF_ERROR(cells_.builder().add_equation(terms));
    }
    return ok_status();
  }

  Status add_sums_of_categories() {
    for (std::size_t i = 0; i < space_.categories().size(); ++i) {
      if (!space_.is_used(space_.categories()[i]))
        continue;
      for (const Relation& relation : space_.dimension(space_.categories()[i]).relations())
        LACUNA_RETURN_IF_ERROR(add_sums_of(i, relation));
    }
    return ok_status();
  }

 private:
  // Whether the equations of the tables say already that the cell is a sum over smaller areas. Sums
  // over categories do not count: the shortest proof subtracts totals of areas.
  bool is_sum_of_areas(const Codes& codes) const {
    return std::any_of(
        space_.published().begin(), space_.published().end(), [&](const LinkedTable& table) {
          if (table.stops_above_leaves || !holds(table, space_.table().dimensions(), codes))
            return false;
          return std::any_of(table.dimensions.begin(), table.dimensions.end(), [&](std::int32_t d) {
            return !space_.dimension(d).is_leaf(codes[base::at(d)]) &&
                   std::find(space_.areas().begin(), space_.areas().end(), d) !=
                       space_.areas().end();
          });
        });
  }

  Status add_sums_of(std::size_t place, const Relation& relation) {
    for (std::size_t c = 0; c < categories_.codes.size(); ++c) {
      if (categories_.codes[c][place] != relation.parent)
        continue;
      std::vector<std::int32_t> members{static_cast<std::int32_t>(c)};
      Codes codes = categories_.codes[c];
      for (const std::int32_t child : relation.children) {
        codes[place] = child;
        members.push_back(categories_.index.at(codes));
      }
      for (std::size_t k = 0; k < atoms_.atoms.size(); ++k)
        LACUNA_RETURN_IF_ERROR(add_sum(static_cast<std::int32_t>(k), members));
    }
    return ok_status();
  }

  // The first member is the sum of the others; the tables have it if all are of theirs.
  Status add_sum(std::int32_t atom, const std::vector<std::int32_t>& members) {
    std::vector<Term> terms;
    bool is_new = false;
    for (const std::int32_t category : members) {
      const CellId cell = grid_.at(atom, category);
      is_new = is_new || cell.value >= cells_.published();
      if (cell.value >= 0)
        terms.push_back({cell, category == members.front() ? -1 : 1});
    }
    if (is_new)
      LACUNA_RETURN_IF_ERROR(cells_.builder().add_equation(terms));
    return ok_status();
  }

  const AtomSpace& space_;
  const AtomCategories& categories_;
  const AtomList& atoms_;
  const AtomCells& grid_;
  SystemCells& cells_;
};

std::vector<Units> least_of_totals(const AtomSpace& space,
                                   const AtomCategories& categories,
                                   const AtomList& atoms,
                                   const AtomCells& grid,
                                   std::int32_t cells) {
  std::vector<Units> least(base::at(cells), kUnboundedBelow);
  Codes total;
  for (const std::int32_t d : space.categories())
    total.push_back(space.dimension(d).total());
  const std::int32_t category = categories.index.at(total);
  for (std::size_t k = 0; k < atoms.atoms.size(); ++k) {
    if (const CellId cell = grid.at(static_cast<std::int32_t>(k), category); cell.value >= 0)
      least[base::at(cell.value)] = atoms.atoms[k].units;
  }
  return least;
}

}  // namespace

Result<AtomSystem> system_of_atoms(const Table& table,
                                   std::span<const LinkedTable> published,
                                   std::span<const std::int32_t> areas,
                                   std::span<const KnownCell> known) {
  const AtomSpace space(table, published, areas, known);
  SystemCells cells(space);
  LACUNA_RETURN_IF_ERROR(cells.add_published());
  LACUNA_RETURN_IF_ERROR(add_table_equations(cells.builder(), published));
  LACUNA_TRY(const AtomCategories categories, list_categories(space));
  LACUNA_TRY(const AtomList atoms, find_atoms(space, categories));
  LACUNA_RETURN_IF_ERROR(cells.add_known(categories, atoms));
  LACUNA_TRY(const AtomCells grid, cells.add_atoms(categories, atoms));
  AtomSums sums(space, categories, atoms, grid, cells);
  LACUNA_RETURN_IF_ERROR(sums.add_sums_of_areas());
  LACUNA_RETURN_IF_ERROR(sums.add_sums_of_categories());
  std::vector<Units> least =
      least_of_totals(space, categories, atoms, grid, cells.builder().num_cells());
  return std::move(cells).finished(std::move(least), std::ssize(atoms.atoms));
}

}  // namespace lacuna::table
