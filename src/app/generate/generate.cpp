// SPDX-License-Identifier: Apache-2.0
// The kinds of random tables. All but the thesis kind draw trees, then leaf cells, then sums;
// linked tables after the first split the first one's row totals at random, so that the margins
// they share agree.
#include "app/generate/generate.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/generate/dress.h"
#include "app/generate/grid.h"
#include "app/generate/thesis.h"
#include "app/generate/trees.h"
#include "app/generate/values.h"
#include "core/base/check.h"

namespace lacuna::generation {
namespace {

using Dimensions = std::vector<Dimension>;

std::string dimension_name(std::size_t index) {
  return std::string(1, static_cast<char>('A' + index));
}

Result<Dimensions> flat_dimensions(const GenerateOptions& options) {
  Dimensions dimensions;
  for (const std::int32_t size : options.sizes) {
    Tree tree;
    tree.open(0, size);
    LACUNA_TRY(Dimension dimension, std::move(tree).build(dimension_name(dimensions.size())));
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

Result<Dimensions> tree_dimensions(const GenerateOptions& options, std::size_t number) {
  base::Random random = stream(options.seed, Stage::kTrees);
  Dimensions dimensions;
  for (std::size_t d = 0; d < number; ++d) {
    const auto entry = [&](const std::vector<std::int32_t>& list) {
      return list[std::min(d, list.size() - 1)];
    };
    const TreeShape shape{entry(options.depths),
                          entry(options.fan_least),
                          entry(options.fan_most),
                          options.ragged_percent,
                          options.one_child_percent};
    LACUNA_TRY(Tree tree, random_tree(shape, random));
    if (d == 0 && options.kind == GenerateKind::kLinked && options.second_hierarchy)
      add_second_hierarchy(tree, random);
    LACUNA_TRY(Dimension dimension, std::move(tree).build(dimension_name(d)));
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

Result<Dimensions> one_hierarchy_dimensions(const GenerateOptions& options) {
  base::Random random = stream(options.seed, Stage::kTrees);
  const SubtableShape shape{
      options.rows, options.tree_depth, options.open_least, options.open_most};
  LACUNA_TRY(Tree rows, subtable_tree(shape, random));
  Tree columns;
  columns.open(0, options.columns);
  Dimensions dimensions;
  LACUNA_TRY(Dimension row_dimension, std::move(rows).build("rows"));
  LACUNA_TRY(Dimension column_dimension, std::move(columns).build("columns"));
  dimensions.push_back(std::move(row_dimension));
  dimensions.push_back(std::move(column_dimension));
  return dimensions;
}

Result<Dimensions> draw_dimensions(const GenerateOptions& options) {
  switch (options.kind) {
    case GenerateKind::kFlat:
      return flat_dimensions(options);
    case GenerateKind::kHierarchical:
      return tree_dimensions(options, options.depths.size());
    case GenerateKind::kOneHierarchy:
      return one_hierarchy_dimensions(options);
    case GenerateKind::kLinked:
      return tree_dimensions(options, static_cast<std::size_t>(options.tables) + 1);
    case GenerateKind::kThesis:
      break;
  }
  LACUNA_CHECK(false);
  return Dimensions{};
}

class LeafSource {
 public:
  explicit LeafSource(const GenerateOptions& options)
      : options_(options),
        random_(stream(options.seed, Stage::kValues)),
        values_(options.typical_value * power_of_ten(options.decimals), options.skew) {}

  bool is_absent() { return random_.chance(options_.absent_percent, 100); }
  Units draw() { return random_.chance(options_.zero_percent, 100) ? 0 : values_.draw(random_); }

 private:
  const GenerateOptions& options_;
  base::Random random_;
  ValueSource values_;
};

void fill_leaves(Grid& grid, const Dimensions& dimensions, LeafSource& source) {
  for (std::size_t at = 0; at < grid.size(); ++at) {
    if (grid.is_leaf(dimensions, at) && !source.is_absent())
      grid.put(at, source.draw());
  }
  grid.add_up(dimensions);
}

// Shares out an amount in proportion to the parts' weights; what rounding leaves goes to the
// largest part, and an amount without any weight to the first.
void share_out(Units amount, std::vector<Units>& parts) {
  const Wide sum = std::accumulate(parts.begin(), parts.end(), Wide{0});
  auto largest = std::max_element(parts.begin(), parts.end());
  Units left = amount;
  for (Units& part : parts) {
    part = sum > 0 ? static_cast<Units>(Wide{amount} * part / sum) : 0;
    left -= part;
  }
  *largest += left;
}

// The leaf cells of a further linked table: each row total of the first is split anew.
void split_rows(Grid& grid, const Grid& first, const Dimensions& dimensions, LeafSource& source) {
  const Dimension& shared = dimensions[0];
  const Dimension& columns = dimensions[static_cast<std::size_t>(grid.used()[1])];
  const std::int32_t total = dimensions[static_cast<std::size_t>(first.used()[1])].total();
  for (std::int32_t row = 0; row < shared.num_codes(); ++row) {
    const std::size_t margin = first.at(std::vector<std::int32_t>{row, total});
    if (!shared.is_leaf(row) || !first.is_present(margin))
      continue;
    std::vector<std::size_t> cells;
    std::size_t spare = 0;  // kept in case all leaf cells of the row come out absent
    for (std::int32_t column = 0; column < columns.num_codes(); ++column) {
      if (!columns.is_leaf(column))
        continue;
      spare = grid.at(std::vector<std::int32_t>{row, column});
      if (!source.is_absent())
        cells.push_back(spare);
    }
    if (cells.empty())
      cells.push_back(spare);
    std::vector<Units> parts;
    for (std::size_t i = 0; i < cells.size(); ++i)
      parts.push_back(source.draw());
    share_out(first.value(margin), parts);
    for (std::size_t i = 0; i < cells.size(); ++i)
      grid.put(cells[i], parts[i]);
  }
  grid.add_up(dimensions);
}

Result<CellList> draw_cells(const GenerateOptions& options) {
  LACUNA_TRY(Dimensions dimensions, draw_dimensions(options));
  LeafSource source(options);
  std::vector<Grid> grids;
  if (options.kind == GenerateKind::kLinked) {
    for (std::int32_t t = 1; t <= options.tables; ++t) {
      LACUNA_TRY(Grid grid, Grid::make(dimensions, {0, t}));
      if (t == 1) {
        fill_leaves(grid, dimensions, source);
      } else {
        split_rows(grid, grids[0], dimensions, source);
      }
      grids.push_back(std::move(grid));
    }
  } else {
    std::vector<std::int32_t> all(dimensions.size());
    std::iota(all.begin(), all.end(), 0);
    LACUNA_TRY(Grid grid, Grid::make(dimensions, std::move(all)));
    fill_leaves(grid, dimensions, source);
    grids.push_back(std::move(grid));
  }
  CellList cells = list_cells(std::move(dimensions), grids);
  if (cells.size() == 0)
    return Error{ErrorCode::kOptionConflict, "no cell is left in the table", "--absent-percent"};
  return cells;
}

}  // namespace

Result<Problem> generate(const GenerateOptions& options) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (options.kind == GenerateKind::kThesis) {
    LACUNA_TRY(ThesisTables tables, draw_thesis_tables(options));
    return dress(std::move(tables.cells), tables.sensitive, options);
  }
  LACUNA_TRY(CellList cells, draw_cells(options));
  LACUNA_TRY(const auto sensitive, draw_sensitive(cells, options));
  return dress(std::move(cells), sensitive, options);
}

}  // namespace lacuna::generation
