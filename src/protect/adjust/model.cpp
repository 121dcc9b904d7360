// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/model.h"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "core/table/parts.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

bool fits(const Cell& cell, Units deviation) {
  return cell.prior.contains(cell.value + deviation);
}

void find_free(const Table& table, std::vector<bool>& free) {
  free.assign(static_cast<std::size_t>(table.num_cells()), false);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    const bool held = !may_be_withheld(cell);
    free[base::at(CellId{c})] = !held && !cell.prior.is_point();
  }
  for (const table::FixedBy& fixed : table::determined_cells(table, free))
    free[base::at(fixed.cell)] = false;
}

Error cannot_move(const Table& table, CellId cell, const char* why) {
  return {ErrorCode::kCannotProtect,
          std::string("no adjusted table can protect the cell: ") + why,
          table.label(cell)};
}

Status choose_sides(const Table& table, SenseRule senses, Model& model) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    if (!model.sensitive[base::at(id)])
      continue;
    Levels& levels = model.levels[base::at(id)];
    const Cell& cell = table.cell(id);
    if (!model.free[base::at(id)])
      return cannot_move(table, id, "bounds and equations leave it no other value");
    levels.may_rise = fits(cell, levels.up);
    levels.may_fall = fits(cell, -levels.down) && senses == SenseRule::kFree;
    if (!levels.may_rise && !levels.may_fall)
      return cannot_move(table, id, "its bounds lie closer to the value than its levels");
  }
  return ok_status();
}

PartCell numbers_of(const Table& table, CellId id, const Model& model) {
  const Cell& cell = table.cell(id);
  PartCell part;
  part.cell = id;
  part.weight = cell.weight;
  if (cell.prior.has_lower())
    part.lower = base::units_to_double(cell.prior.lower - cell.value, table.decimals());
  if (cell.prior.has_upper())
    part.upper = base::units_to_double(cell.prior.upper - cell.value, table.decimals());
  part.sensitive = model.sensitive[base::at(id)];
  part.down = base::units_to_double(model.levels[base::at(id)].down, table.decimals());
  part.up = base::units_to_double(model.levels[base::at(id)].up, table.decimals());
  return part;
}

// Gauss-Jordan elimination of the conditions, so that the remaining leaves are independent: row
// `r` then says that its pivot leaf is minus the rest of the row. Entries are small integers; a
// pivot is the largest entry of its row. False if a row vanishes, which exact rank excludes.
bool reduce(std::vector<std::vector<double>>& rows, std::vector<std::size_t>& pivots) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto largest = std::max_element(rows[r].begin(), rows[r].end(), [](double a, double b) {
      return std::abs(a) < std::abs(b);
    });
    if (std::abs(*largest) < tol::kRowResidual)
      return false;
    const auto pivot = static_cast<std::size_t>(largest - rows[r].begin());
    const double scale = 1 / *largest;
    for (double& value : rows[r])
      value *= scale;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      const double factor = rows[other][pivot];
      if (other == r || factor == 0)
        continue;
      base::count_work(4 * rows[r].size());
      for (std::size_t l = 0; l < rows[r].size(); ++l) {
        rows[other][l] -= factor * rows[r][l];
        const double whole = std::round(rows[other][l]);
        if (std::abs(rows[other][l] - whole) < tol::kDual)
          rows[other][l] = whole;
      }
    }
    pivots.push_back(pivot);
  }
  return true;
}

void replace_leaves(Part& part,
                    const std::vector<std::vector<double>>& rows,
                    const std::vector<std::size_t>& pivots) {
  std::vector<std::int32_t> row_of(part.leaves.size(), -1);
  for (std::size_t r = 0; r < pivots.size(); ++r)
    row_of[pivots[r]] = static_cast<std::int32_t>(r);
  std::vector<std::int32_t> renumber(part.leaves.size(), -1);
  std::vector<std::int32_t> kept;
  for (std::size_t l = 0; l < part.leaves.size(); ++l) {
    if (row_of[l] >= 0)
      continue;
    renumber[l] = static_cast<std::int32_t>(kept.size());
    kept.push_back(part.leaves[l]);
  }
  SparseRows expansion;
  std::vector<double> sum(part.leaves.size());
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    base::count_work(2 * sum.size());
    std::fill(sum.begin(), sum.end(), 0);
    for (const Entry* e = part.expansion.begin(c); e != part.expansion.end(c); ++e) {
      const auto l = static_cast<std::size_t>(e->index);
      if (row_of[l] < 0) {
        sum[l] += e->value;
        continue;
      }
      const std::vector<double>& row = rows[static_cast<std::size_t>(row_of[l])];
      base::count_work(row.size());
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (k != l)
          sum[k] -= e->value * row[k];
      }
    }
    for (std::size_t l = 0; l < sum.size(); ++l) {
      if (std::abs(sum[l]) > tol::kDual && renumber[l] >= 0)
        expansion.entries.push_back({renumber[l], sum[l]});
    }
    expansion.close_row();
  }
  part.expansion = std::move(expansion);
  part.leaves = std::move(kept);
  part.conditions = {};
}

// Only where the leaf form can be of use, that is with few leaves left.
void eliminate_conditions(Part& part) {
  if (part.conditions.size() == 0 ||
      part.leaves.size() > kTuning.model.few_leaves + part.conditions.size() ||
      part.conditions.size() > kTuning.model.few_leaves)
    return;
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < part.conditions.size(); ++r) {
    rows.emplace_back(part.leaves.size(), 0.0);
    for (const Entry* e = part.conditions.begin(r); e != part.conditions.end(r); ++e)
      rows.back()[static_cast<std::size_t>(e->index)] = e->value;
  }
  std::vector<std::size_t> pivots;
  if (reduce(rows, pivots))
    replace_leaves(part, rows, pivots);
}

class Splitter {
 public:
  Splitter(const Table& table, Model& model) : table_(table), model_(model) {}

  void run() {
    number_parts();
    add_cells();
    model_.form = table::leaf_form(table_, model_.free);
    const table::LeafForm& form = model_.form;
    add_equations(form.defining);
    add_equations(form.conditions);
    add_leaves(form);
    add_conditions(form);
    for (Part& part : model_.parts)
      eliminate_conditions(part);
  }

 private:
  void number_parts() {
    const table::Parts found = table::connected_parts(table_, model_.free);
    std::vector<std::int32_t> renumber(static_cast<std::size_t>(found.count), -1);
    for (std::size_t c = 0; c < model_.free.size(); ++c) {
      if (model_.sensitive[c])
        renumber[static_cast<std::size_t>(found.part_of[c])] = 0;
    }
    std::int32_t next = 0;
    for (std::int32_t& number : renumber)
      number = number < 0 ? -1 : next++;
    model_.parts.resize(static_cast<std::size_t>(next));
    part_of_.assign(model_.free.size(), -1);
    for (std::size_t c = 0; c < model_.free.size(); ++c) {
      if (model_.free[c])
        part_of_[c] = renumber[static_cast<std::size_t>(found.part_of[c])];
    }
  }

  void add_cells() {
    place_.assign(model_.free.size(), -1);
    for (std::size_t c = 0; c < part_of_.size(); ++c) {
      if (part_of_[c] < 0)
        continue;
      Part& part = model_.parts[static_cast<std::size_t>(part_of_[c])];
      place_[c] = static_cast<std::int32_t>(part.cells.size());
      const CellId id{static_cast<std::int32_t>(c)};
      part.cells.push_back(numbers_of(table_, id, model_));
      if (!model_.sensitive[c])
        continue;
      part.sensitive.push_back(place_[c]);
      const Levels& levels = model_.levels[c];
      part.start.push_back(!levels.may_fall   ? Sense::kUp
                           : !levels.may_rise ? Sense::kDown
                                              : Sense::kUndecided);
    }
  }

  Part* part_of(EquationId equation) {
    for (const Term& term : table_.equation(equation)) {
      if (model_.free[base::at(term.cell)]) {
        const std::int32_t part = part_of_[base::at(term.cell)];
        return part < 0 ? nullptr : &model_.parts[static_cast<std::size_t>(part)];
      }
    }
    return nullptr;
  }

  void add_equations(const std::vector<EquationId>& equations) {
    for (const EquationId equation : equations) {
      Part* part = part_of(equation);
      if (part == nullptr)
        continue;
      for (const Term& term : table_.equation(equation)) {
        if (model_.free[base::at(term.cell)])
          part->equations.entries.push_back(
              {place_[base::at(term.cell)], static_cast<double>(term.coefficient)});
      }
      part->equations.close_row();
      part->named.push_back(equation);
    }
  }

  void add_leaves(const table::LeafForm& form) {
    leaf_place_.assign(form.leaves.size(), -1);
    for (std::size_t l = 0; l < form.leaves.size(); ++l) {
      const std::size_t c = base::at(form.leaves[l]);
      if (part_of_[c] < 0)
        continue;
      Part& part = model_.parts[static_cast<std::size_t>(part_of_[c])];
      leaf_place_[l] = static_cast<std::int32_t>(part.leaves.size());
      part.leaves.push_back(place_[c]);
    }
    for (std::size_t c = 0; c < part_of_.size(); ++c) {
      if (part_of_[c] < 0)
        continue;
      SparseRows& rows = model_.parts[static_cast<std::size_t>(part_of_[c])].expansion;
      for (const table::LeafTerm& term : form.of(CellId{static_cast<std::int32_t>(c)})) {
        rows.entries.push_back({leaf_place_[static_cast<std::size_t>(term.leaf)],
                                static_cast<double>(term.coefficient)});
      }
      rows.close_row();
    }
  }

  // A condition in terms of the leaves alone.
  void add_conditions(const table::LeafForm& form) {
    for (const EquationId equation : form.conditions) {
      Part* part = part_of(equation);
      if (part == nullptr)
        continue;
      std::vector<double> sum(part->leaves.size(), 0);
      for (const Term& term : table_.equation(equation)) {
        for (const table::LeafTerm& leaf : form.of(term.cell)) {
          const auto l = static_cast<std::size_t>(leaf_place_[static_cast<std::size_t>(leaf.leaf)]);
          sum[l] += static_cast<double>(leaf.coefficient * term.coefficient);
        }
      }
      for (std::size_t l = 0; l < sum.size(); ++l) {
        if (sum[l] != 0)
          part->conditions.entries.push_back({static_cast<std::int32_t>(l), sum[l]});
      }
      part->conditions.close_row();
    }
  }

  const Table& table_;
  Model& model_;
  std::vector<std::int32_t> part_of_, place_, leaf_place_;
};

}  // namespace

std::vector<Levels> joint_levels(const Problem& problem, std::vector<bool>& sensitive) {
  const auto cells = static_cast<std::size_t>(problem.table().num_cells());
  std::vector<Levels> levels(cells);
  sensitive.assign(cells, false);
  for (const Requirement& need : problem.requirements()) {
    Levels& joint = levels[base::at(need.cell)];
    const Units half = need.half_sliding();
    sensitive[base::at(need.cell)] = true;
    joint.down = std::max({joint.down, need.lower, half, Units{1}});
    joint.up = std::max({joint.up, need.upper, half, Units{1}});
  }
  return levels;
}

Result<Model> build_model(const Problem& problem, AdjustNorm norm, SenseRule senses) {
  Model model;
  model.norm = norm;
  find_free(problem.table(), model.free);
  model.levels = joint_levels(problem, model.sensitive);
  LACUNA_RETURN_IF_ERROR(choose_sides(problem.table(), senses, model));
  base::count_work(kTuning.touches.model_cell * problem.table().num_cells());
  Splitter(problem.table(), model).run();
  return model;
}

}  // namespace lacuna::adjustment
