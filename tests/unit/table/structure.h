// SPDX-License-Identifier: Apache-2.0
// Tables and sets of free cells for the tests of structure, and a rank that knows nothing of leaves
// and totals.
#pragma once

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "lacuna/table.h"

namespace lacuna::testing {

inline std::vector<bool> all_free(const Table& table) {
  return std::vector<bool>(static_cast<std::size_t>(table.num_cells()), true);
}

inline std::vector<bool> random_free(const Table& table,
                                     base::Random& random,
                                     std::int64_t percent) {
  std::vector<bool> free = all_free(table);
  for (std::size_t c = 0; c < free.size(); ++c)
    free[c] = random.chance(percent, 100);
  return free;
}

// Rank of some equations over the free cells, by elimination in rationals, column by column.
inline std::int64_t rank_by_elimination(const Table& table,
                                        const std::vector<bool>& free,
                                        const std::vector<EquationId>& equations) {
  std::vector<std::map<std::int32_t, mpq_class>> rows;
  for (const EquationId e : equations) {
    auto& row = rows.emplace_back();
    for (const Term& term : table.equation(e)) {
      if (free[static_cast<std::size_t>(term.cell.value)])
        row[term.cell.value] = term.coefficient;
    }
  }
  std::int64_t rank = 0;
  std::vector<bool> done(rows.size(), false);
  for (std::int32_t column = 0; column < table.num_cells(); ++column) {
    std::size_t pivot = rows.size();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const bool shorter = pivot == rows.size() || rows[r].size() < rows[pivot].size();
      if (!done[r] && rows[r].contains(column) && shorter)
        pivot = r;
    }
    if (pivot == rows.size())
      continue;
    done[pivot] = true;
    ++rank;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (done[r] || !rows[r].contains(column))
        continue;
      const mpq_class factor = rows[r].at(column) / rows[pivot].at(column);
      for (const auto& [other, coefficient] : rows[pivot]) {
        mpq_class& entry = rows[r][other];
        entry -= factor * coefficient;
        if (entry == 0)
          rows[r].erase(other);
      }
    }
  }
  return rank;
}

inline std::vector<EquationId> every_equation(const Table& table) {
  std::vector<EquationId> equations;
  for (std::int32_t e = 0; e < table.num_equations(); ++e)
    equations.push_back(EquationId{e});
  return equations;
}

// A few cells can all come out absent: then the next seed serves.
inline Table generated(generation::GenerateOptions options) {
  auto problem = generation::generate(options);
  for (int more = 0; !problem && more < 10; ++more) {
    options.seed += 1000;
    problem = generation::generate(options);
  }
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::move(problem).value().table();
}

inline Table generated_small(std::uint64_t seed) {
  auto problem = generation::generate_small(seed);
  EXPECT_TRUE(problem);
  return std::move(problem).value().table();
}

inline std::vector<Table> generated_shapes(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.seed = seed;
  std::vector<Table> tables;
  options.sizes = {5, 4};
  tables.push_back(generated(options));
  options.sizes = {3, 3, 3};
  options.absent_percent = 20;
  tables.push_back(generated(options));
  options.kind = generation::GenerateKind::kHierarchical;
  options.ragged_percent = 20;
  options.one_child_percent = 20;
  tables.push_back(generated(options));
  options.depths = {2, 1, 2};
  options.fan_most = {3};
  tables.push_back(generated(options));
  options.kind = generation::GenerateKind::kLinked;
  options.depths = {2, 2};
  options.second_hierarchy = true;
  tables.push_back(generated(options));
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.rows = 4;
  options.columns = 4;
  options.tree_depth = 2;
  tables.push_back(generated(options));
  return tables;
}

}  // namespace lacuna::testing
