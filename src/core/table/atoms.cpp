// SPDX-License-Identifier: Apache-2.0
#include "core/table/atoms.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/index.h"
#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

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

constexpr std::size_t kMostCells = 50'000'000;  // atoms times categories

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

struct Atom {
  Codes codes;  // of the areas: of the area that it is, or of its first unit
  Codes unit;   // its first unit
  bool is_area = false;
  Units units = 0;            // inhabited ones
  std::vector<Units> counts;  // by category
};

class AtomBuilder {
 public:
  AtomBuilder(const Table& table,
              std::span<const LinkedTable> published,
              std::span<const std::int32_t> areas,
              std::span<const KnownCell> known)
      : table_(table),
        published_(published),
        areas_(areas.begin(), areas.end()),
        known_(known),
        builder_(table.decimals(), table.dimensions()) {
    const auto dimensions = static_cast<std::int32_t>(table.dimensions().size());
    for (std::int32_t d = 0; d < dimensions; ++d) {
      above_.push_back(codes_above(dimension(d)));
      if (std::find(areas_.begin(), areas_.end(), d) == areas_.end())
        categories_.push_back(d);
    }
  }

  Result<AtomSystem> run() && {
    LACUNA_RETURN_IF_ERROR(gather_known());
    LACUNA_RETURN_IF_ERROR(add_published());
    LACUNA_RETURN_IF_ERROR(add_table_equations(builder_, published_));
    LACUNA_RETURN_IF_ERROR(list_categories());
    LACUNA_RETURN_IF_ERROR(find_atoms());
    LACUNA_RETURN_IF_ERROR(count_atoms());
    LACUNA_RETURN_IF_ERROR(add_known());
    LACUNA_RETURN_IF_ERROR(add_atoms());
    LACUNA_RETURN_IF_ERROR(add_sums_of_areas());
    LACUNA_RETURN_IF_ERROR(add_sums_of_categories());
    std::vector<Units> least = least_of_totals();
    LACUNA_TRY(Table built, std::move(builder_).build());
    return AtomSystem{
        std::move(built), std::move(given_), std::move(least), std::ssize(atoms_), unpublished_};
  }

 private:
  const Dimension& dimension(std::int32_t d) const { return table_.dimensions()[base::at(d)]; }

  Codes part(const Codes& codes, const Codes& dimensions) const {
    Codes result;
    for (const std::int32_t d : dimensions)
      result.push_back(codes[base::at(d)]);
    return result;
  }
  Codes joined(const Codes& area, const Codes& category) const {
    Codes codes(table_.dimensions().size());
    for (std::size_t i = 0; i < areas_.size(); ++i)
      codes[base::at(areas_[i])] = area[i];
    for (std::size_t i = 0; i < categories_.size(); ++i)
      codes[base::at(categories_[i])] = category[i];
    return codes;
  }

  bool is_published(const Codes& codes) const {
    return std::any_of(published_.begin(), published_.end(), [&](const LinkedTable& table) {
      return holds(table, table_.dimensions(), codes);
    });
  }
  static bool crosses(const LinkedTable& table, std::int32_t d) {
    return std::find(table.dimensions.begin(), table.dimensions.end(), d) != table.dimensions.end();
  }

  // ---- cells that are there already

  Status gather_known() {
    for (const KnownCell& each : known_) {
      const auto [at, added] = statements_.emplace(each.codes, each);
      if (!added)
        at->second.bounds = intersect(at->second.bounds, each.bounds);
    }
    return ok_status();
  }

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
      const Dimension& each = table_.dimensions()[d];
      label += (d > 0 ? "|" : "") + each.name() + "=" + each.code(codes[d]);
    }
    return {ErrorCode::kOtherTable,
            "what the release says about " + label +
                " is not true for this table: it is a release about other units",
            said.where};
  }

  Status add_published() {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const Codes codes = codes_of(table_, CellId{c});
      if (!is_published(codes))
        continue;
      LACUNA_RETURN_IF_ERROR(add(table_.cell(CellId{c}), codes, CellId{c}));
    }
    num_published_ = builder_.num_cells();
    return ok_status();
  }

  // ---- categories: all combinations of codes of the dimensions that are not areas

  bool is_used(std::int32_t d) const {
    const auto told = [&](const KnownCell& known) {
      return known.codes[base::at(d)] != dimension(d).total();
    };
    return std::any_of(published_.begin(),
                       published_.end(),
                       [&](const LinkedTable& table) { return crosses(table, d); }) ||
           std::any_of(known_.begin(), known_.end(), told);
  }

  Status list_categories() {
    std::vector<Codes> lists;
    std::size_t number = 1;
    for (const std::int32_t d : categories_) {
      Codes& codes = lists.emplace_back();
      for (std::int32_t code = 0; code < dimension(d).num_codes(); ++code) {
        if (is_used(d) || code == dimension(d).total())
          codes.push_back(code);
      }
      number *= codes.size();
      if (number > kMostCells)
        return too_many();
    }
    std::vector<const Codes*> pointers;
    for (const Codes& list : lists)
      pointers.push_back(&list);
    for_combinations(pointers, [&](const Codes& codes) {
      category_index_.emplace(codes, static_cast<std::int32_t>(category_codes_.size()));
      category_codes_.push_back(codes);
    });
    return ok_status();
  }

  Error too_many() const {
    return {ErrorCode::kTooLarge,
            "the areas and categories have too many combinations: cross fewer dimensions",
            ""};
  }

  // ---- atoms

  bool is_innermost(const Codes& codes) const {
    for (std::size_t d = 0; d < codes.size(); ++d) {
      if (!table_.dimensions()[d].is_leaf(codes[d]))
        return false;
    }
    return true;
  }

  std::vector<const Codes*> above(const Codes& codes, const Codes& dimensions) const {
    std::vector<const Codes*> lists;
    for (std::size_t i = 0; i < codes.size(); ++i)
      lists.push_back(&above_[base::at(dimensions[i])][base::at(codes[i])]);
    return lists;
  }

  void list_areas() {
    const auto take = [&](const Codes& codes) {
      area_index_.emplace(part(codes, areas_), static_cast<std::int32_t>(area_index_.size()));
    };
    for (std::int32_t c = 0; c < num_published_; ++c) {
      const auto codes = builder_.codes(CellId{c});
      take({codes.begin(), codes.end()});
    }
    for (const KnownCell& each : known_)
      take(each.codes);
    atoms_of_area_.resize(area_index_.size());
  }

  // A unit by the dimensions that some table or release has; others do not tell units apart.
  Codes told_of(const Codes& unit) const {
    Codes told;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      if (is_used(areas_[i]))
        told.push_back(unit[i]);
    }
    return told;
  }

  Status find_atoms() {
    list_areas();
    std::map<Codes, std::int32_t> by_areas;
    std::set<Codes> told_apart;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const Codes codes = codes_of(table_, CellId{c});
      if (!is_innermost(codes))
        continue;
      const Codes unit = part(codes, areas_);
      if (table_.value(CellId{c}) == 0 || atom_of_unit_.contains(unit))
        continue;
      Codes holding;
      for_combinations(above(unit, areas_), [&](const Codes& area) {
        if (const auto found = area_index_.find(area); found != area_index_.end())
          holding.push_back(found->second);
      });
      std::sort(holding.begin(), holding.end());
      const auto [atom, is_new] =
          by_areas.emplace(holding, static_cast<std::int32_t>(atoms_.size()));
      atom_of_unit_.emplace(unit, atom->second);
      if (is_new)
        atoms_.push_back({unit, unit, false, 0, {}});
      if (told_apart.insert(told_of(unit)).second)
        ++atoms_[base::at(atom->second)].units;
      if (!is_new)
        continue;
      for (const std::int32_t area : holding)
        atoms_of_area_[base::at(area)].push_back(atom->second);
    }
    if (atoms_.empty())
      return Error{ErrorCode::kFactsMissing,
                   "the input has no counts for combinations of the innermost codes of all "
                   "dimensions, so it is not known what the areas have in common",
                   ""};
    return name_areas();
  }

  // An atom that is all of an area is that area; the first one in the order of codes.
  Status name_areas() {
    std::map<Codes, std::int32_t> in_order(area_index_.begin(), area_index_.end());
    for (const auto& [codes, area] : in_order) {
      const auto& atoms = atoms_of_area_[base::at(area)];
      if (atoms.size() != 1 || atoms_[base::at(atoms.front())].is_area)
        continue;
      atoms_[base::at(atoms.front())].codes = codes;
      atoms_[base::at(atoms.front())].is_area = true;
    }
    if (atoms_.size() > kMostCells / category_codes_.size())
      return too_many();
    return ok_status();
  }

  Status count_atoms() {
    for (Atom& atom : atoms_)
      atom.counts.assign(category_codes_.size(), 0);
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const Codes codes = codes_of(table_, CellId{c});
      if (table_.value(CellId{c}) == 0 || !is_innermost(codes))
        continue;
      Atom& atom = atoms_[base::at(atom_of_unit_.at(part(codes, areas_)))];
      for_combinations(above(part(codes, categories_), categories_), [&](const Codes& category) {
        if (const auto found = category_index_.find(category); found != category_index_.end())
          atom.counts[base::at(found->second)] += table_.value(CellId{c});
      });
    }
    return ok_status();
  }

  // ---- cells of known releases and of atoms

  Units count_in(const Codes& codes) const {
    const auto area = area_index_.find(part(codes, areas_));
    const auto category = category_index_.find(part(codes, categories_));
    Units sum = 0;
    for (const std::int32_t atom : atoms_of_area_[base::at(area->second)])
      sum += atoms_[base::at(atom)].counts[base::at(category->second)];
    return sum;
  }

  Status add_known() {
    for (const KnownCell& each : known_) {
      if (cells_.contains(each.codes))
        continue;
      Cell cell{.value = count_in(each.codes),
                .weight = 0,
                .frequency = kUnpublished,
                .status = CellStatus::kSecondary};
      LACUNA_RETURN_IF_ERROR(add(cell, each.codes, CellId{-1}));
      ++unpublished_;
    }
    num_told_ = builder_.num_cells();
    return ok_status();
  }

  // Whether some table would have to list a cell above it, and does not.
  bool is_known_empty(const Atom& atom, const Codes& category) const {
    const Codes codes = joined(atom.unit, category);
    return std::any_of(published_.begin(), published_.end(), [&](const LinkedTable& table) {
      if (table.stops_above_leaves)
        return false;
      Codes above = codes;
      for (std::size_t d = 0; d < above.size(); ++d) {
        if (!crosses(table, static_cast<std::int32_t>(d)))
          above[d] = table_.dimensions()[d].total();
      }
      return !cells_.contains(above);
    });
  }

  Status add_atoms() {
    const std::size_t categories = category_codes_.size();
    cell_of_.assign(atoms_.size() * categories, CellId{-1});
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      for (std::size_t c = 0; c < categories; ++c) {
        const Codes codes = joined(atoms_[k].codes, category_codes_[c]);
        if (const auto found = cells_.find(codes); found != cells_.end()) {
          cell_of_[k * categories + c] = found->second;
          continue;
        }
        if (atoms_[k].counts[c] == 0 && is_known_empty(atoms_[k], category_codes_[c]))
          continue;
        Cell cell{.value = atoms_[k].counts[c],
                  .weight = 0,
                  .frequency = kUnpublished,
                  .status = CellStatus::kSecondary};
        LACUNA_TRY(cell_of_[k * categories + c], add(cell, codes, CellId{-1}));
        ++unpublished_;
      }
    }
    return ok_status();
  }

  std::vector<Units> least_of_totals() const {
    std::vector<Units> least(base::at(builder_.num_cells()), kUnboundedBelow);
    Codes total;
    for (const std::int32_t d : categories_)
      total.push_back(dimension(d).total());
    const std::int32_t category = category_index_.at(total);
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      if (const CellId cell = cell_of(static_cast<std::int32_t>(k), category); cell.value >= 0)
        least[base::at(cell.value)] = atoms_[k].units;
    }
    return least;
  }

  // ---- equations

  // Whether the equations of the tables say already that the cell is a sum over smaller areas. Sums
  // over categories do not count: the shortest proof subtracts totals of areas.
  bool is_sum_of_areas(const Codes& codes) const {
    return std::any_of(published_.begin(), published_.end(), [&](const LinkedTable& table) {
      if (table.stops_above_leaves || !holds(table, table_.dimensions(), codes))
        return false;
      return std::any_of(table.dimensions.begin(), table.dimensions.end(), [&](std::int32_t d) {
        return !dimension(d).is_leaf(codes[base::at(d)]) &&
               std::find(areas_.begin(), areas_.end(), d) != areas_.end();
      });
    });
  }

  Status add_sums_of_areas() {
    for (std::int32_t c = 0; c < num_told_; ++c) {
      const auto own = builder_.codes(CellId{c});
      const Codes codes(own.begin(), own.end());
      if (c < num_published_ && is_sum_of_areas(codes))
        continue;
      const auto& atoms = atoms_of_area_[base::at(area_index_.at(part(codes, areas_)))];
      const std::int32_t category = category_index_.at(part(codes, categories_));
      std::vector<Term> terms{{CellId{c}, -1}};
      for (const std::int32_t atom : atoms) {
        const CellId cell = cell_of(atom, category);
        if (cell.value >= 0)
          terms.push_back({cell, 1});
      }
      if (terms.size() == 2 && terms[1].cell == CellId{c})
        continue;
      LACUNA_RETURN_IF_ERROR(builder_.add_equation(terms));
    }
    return ok_status();
  }

  CellId cell_of(std::int32_t atom, std::int32_t category) const {
    return cell_of_[base::at(atom) * category_codes_.size() + base::at(category)];
  }

  Status add_sums_of_categories() {
    for (std::size_t i = 0; i < categories_.size(); ++i) {
      if (!is_used(categories_[i]))
        continue;
      for (const Relation& relation : dimension(categories_[i]).relations())
        LACUNA_RETURN_IF_ERROR(add_sums_of(i, relation));
    }
    return ok_status();
  }

  Status add_sums_of(std::size_t place, const Relation& relation) {
    for (std::size_t c = 0; c < category_codes_.size(); ++c) {
      if (category_codes_[c][place] != relation.parent)
        continue;
      std::vector<std::int32_t> members{static_cast<std::int32_t>(c)};
      Codes codes = category_codes_[c];
      for (const std::int32_t child : relation.children) {
        codes[place] = child;
        members.push_back(category_index_.at(codes));
      }
      for (std::size_t k = 0; k < atoms_.size(); ++k)
        LACUNA_RETURN_IF_ERROR(add_sum(static_cast<std::int32_t>(k), members));
    }
    return ok_status();
  }

  // The first member is the sum of the others; the tables have it if all are of theirs.
  Status add_sum(std::int32_t atom, const std::vector<std::int32_t>& members) {
    std::vector<Term> terms;
    bool is_new = false;
    for (const std::int32_t category : members) {
      const CellId cell = cell_of(atom, category);
      is_new = is_new || cell.value >= num_published_;
      if (cell.value >= 0)
        terms.push_back({cell, category == members.front() ? -1 : 1});
    }
    if (is_new)
      LACUNA_RETURN_IF_ERROR(builder_.add_equation(terms));
    return ok_status();
  }

  const Table& table_;
  std::span<const LinkedTable> published_;
  Codes areas_, categories_;  // dimensions
  std::span<const KnownCell> known_;
  TableBuilder builder_;
  std::vector<std::vector<Codes>> above_;  // by dimension and code
  std::map<Codes, KnownCell> statements_;
  ByCodes<CellId> cells_;
  std::vector<CellId> given_;
  std::int32_t num_published_ = 0, num_told_ = 0;
  std::int64_t unpublished_ = 0;
  std::vector<Codes> category_codes_;
  ByCodes<std::int32_t> category_index_, area_index_, atom_of_unit_;
  std::vector<std::vector<std::int32_t>> atoms_of_area_;
  std::vector<Atom> atoms_;
  std::vector<CellId> cell_of_;  // by atom and category; -1: known to be empty
};

}  // namespace

Result<AtomSystem> system_of_atoms(const Table& table,
                                   std::span<const LinkedTable> published,
                                   std::span<const std::int32_t> areas,
                                   std::span<const KnownCell> known) {
  return AtomBuilder(table, published, areas, known).run();
}

}  // namespace lacuna::table
