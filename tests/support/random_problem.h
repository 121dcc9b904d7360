// SPDX-License-Identifier: Apache-2.0
// Random problems for round trips, and the comparison of two problems in full.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "lacuna/keys.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// LACUNA_SEED replays; the seed in use is printed with every test that draws.
inline std::uint64_t seed_in_use(std::uint64_t fallback) {
  const char* text = std::getenv("LACUNA_SEED");
  const std::uint64_t seed = text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  std::printf("LACUNA_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

inline std::string what_differs(const Table& a, const Table& b) {
  if (a.decimals() != b.decimals())
    return "decimals";
  if (a.num_cells() != b.num_cells() || a.num_equations() != b.num_equations())
    return "sizes";
  if (a.dimensions() != b.dimensions())
    return "dimensions";
  for (std::int32_t c = 0; c < a.num_cells(); ++c) {
    const CellId id{c};
    if (a.cell(id) != b.cell(id))
      return "cell " + std::to_string(c);
    const auto left = a.codes(id);
    const auto right = b.codes(id);
    if (!std::equal(left.begin(), left.end(), right.begin(), right.end()))
      return "codes of cell " + std::to_string(c);
  }
  for (std::int32_t e = 0; e < a.num_equations(); ++e) {
    const EquationId id{e};
    const auto left = a.equation(id);
    const auto right = b.equation(id);
    if (a.rhs(id) != b.rhs(id) || !std::equal(left.begin(), left.end(), right.begin(), right.end()))
      return "equation " + std::to_string(e);
  }
  return "";
}

inline std::string what_differs(const Problem& a, const Problem& b) {
  if (std::string tables = what_differs(a.table(), b.table()); !tables.empty())
    return tables;
  if (a.attackers() != b.attackers())
    return "attackers";
  if ((a.keys() == nullptr) != (b.keys() == nullptr) || (a.keys() && *a.keys() != *b.keys()))
    return "keys";
  return a.requirements() == b.requirements() ? "" : "requirements";
}

inline Dimension random_dimension(base::Random& random, const std::string& name) {
  std::vector<std::string> codes{name + " \"total\""};
  std::vector<Relation> relations;
  std::vector<std::int32_t> open{0};
  const std::int64_t splits = random.between(0, 3);
  for (std::int64_t s = 0; s < splits && !open.empty(); ++s) {
    const auto pick =
        static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(open.size()) - 1));
    Relation relation{open[pick], {}};
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(pick));
    const std::int64_t children = random.between(1, 3);
    for (std::int64_t c = 0; c < children; ++c) {
      const auto code = static_cast<std::int32_t>(codes.size());
      codes.push_back(name + (random.chance(1, 4) ? ";é" : "") + std::to_string(code));
      relation.children.push_back(code);
      open.push_back(code);
    }
    relations.push_back(relation);
  }
  // Sometimes a second hierarchy: two codes above the leaves, split by parity.
  if (open.size() >= 2 && relations.size() >= 2 && random.chance(1, 2)) {
    Relation top{0, {}};
    Relation halves[2];
    for (auto& half : halves) {
      half.parent = static_cast<std::int32_t>(codes.size());
      codes.push_back(name + "half" + std::to_string(half.parent));
      top.children.push_back(half.parent);
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      halves[i % 2].children.push_back(open[i]);
    relations.push_back(top);
    relations.push_back(halves[0]);
    relations.push_back(halves[1]);
  }
  return Dimension::build(name, codes, relations).value();
}

inline std::vector<bool> leaves_below(const Dimension& dimension, std::int32_t code) {
  std::vector<bool> below(static_cast<std::size_t>(dimension.num_codes()), false);
  std::vector<std::int32_t> stack{code};
  while (!stack.empty()) {
    const std::int32_t top = stack.back();
    stack.pop_back();
    if (dimension.is_leaf(top))
      below[static_cast<std::size_t>(top)] = true;
    for (const Relation& relation : dimension.relations()) {
      if (relation.parent == top)
        stack.insert(stack.end(), relation.children.begin(), relation.children.end());
    }
  }
  return below;
}

// All tuples of codes, last dimension fastest.
inline std::vector<std::vector<std::int32_t>> all_tuples(const std::vector<Dimension>& dimensions) {
  std::vector<std::vector<std::int32_t>> tuples{{}};
  for (const Dimension& dimension : dimensions) {
    std::vector<std::vector<std::int32_t>> longer;
    for (const auto& tuple : tuples) {
      for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
        longer.push_back(tuple);
        longer.back().push_back(code);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

struct ProblemShape {
  bool dimensions = true;
  bool frequencies = true;
  bool attackers = true;
  bool free_equations = false;  // one equation with odd coefficients and a right-hand side
};

inline Cell random_cell(base::Random& random, Units value, const ProblemShape& shape) {
  Cell cell;
  cell.value = value;
  cell.status = static_cast<CellStatus>(random.between(0, 4));
  if (random.chance(3, 4))
    cell.prior.lower = value - random.between(0, 50);
  else
    cell.prior.lower = kUnboundedBelow;
  if (random.chance(3, 4))
    cell.prior.upper = value + random.between(0, 50);
  else
    cell.prior.upper = kUnboundedAbove;
  cell.weight = static_cast<double>(random.between(0, 1000)) / 8;
  if (shape.frequencies && random.chance(3, 4))
    cell.frequency = random.between(0, 99);
  return cell;
}

inline Units random_level(base::Random& random, Units slack) {
  return random.between(0, std::min<Units>(slack, 40));
}

inline Requirement random_requirement(base::Random& random, const Cell& cell, CellId id) {
  const Units down = cell.prior.has_lower() ? cell.value - cell.prior.lower : 1000;
  const Units up = cell.prior.has_upper() ? cell.prior.upper - cell.value : 1000;
  return {
      id, 0, random_level(random, down), random_level(random, up), random_level(random, down + up)};
}

inline Problem random_problem(base::Random& random, const ProblemShape& shape) {
  std::vector<Dimension> dimensions;
  const std::int64_t count = random.between(1, 3);
  for (std::int64_t d = 0; d < count; ++d)
    dimensions.push_back(random_dimension(random, "D" + std::to_string(d)));
  const auto tuples = all_tuples(dimensions);
  std::vector<Units> leaf_value(tuples.size());
  std::vector<bool> present(tuples.size(), false);
  bool any_leaf = false;
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    bool leaf = true;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      leaf = leaf && dimensions[d].is_leaf(tuples[t][d]);
    present[t] = leaf && (!any_leaf || random.chance(4, 5));
    any_leaf = any_leaf || present[t];
    leaf_value[t] = random.between(-20, 2000);
  }
  const int decimals = static_cast<int>(random.between(0, 3));
  TableBuilder builder =
      shape.dimensions ? TableBuilder(decimals, dimensions) : TableBuilder(decimals);
  TableBuilder coded(decimals, dimensions);
  for (const auto& tuple : tuples) {
    std::vector<std::vector<bool>> below;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      below.push_back(leaves_below(dimensions[d], tuple[d]));
    Units sum = 0;
    bool any = false;
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      bool inside = present[t];
      for (std::size_t d = 0; d < dimensions.size() && inside; ++d)
        inside = below[d][static_cast<std::size_t>(tuples[t][d])];
      any = any || inside;
      sum += inside ? leaf_value[t] : 0;
    }
    if (!any)
      continue;
    const Cell cell = random_cell(random, sum, shape);
    static_cast<void>(coded.add_cell(cell, tuple).value());
    if (!shape.dimensions)
      static_cast<void>(builder.add_cell(cell).value());
  }
  LinkedTable cross{"all", {}};
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    cross.dimensions.push_back(static_cast<std::int32_t>(d));
  static_cast<void>(add_table_equations(coded, std::span(&cross, 1)).value());
  Table table = std::move(coded).build().value();
  if (!shape.dimensions) {
    for (std::int32_t e = 0; e < table.num_equations(); ++e)
      static_cast<void>(builder.add_equation(table.equation(EquationId{e})).value());
    if (shape.free_equations) {
      const CellId last{table.num_cells() - 1};
      const std::vector<Term> terms{{CellId{0}, 3}, {last, -7}};
      const Units rhs = 3 * table.value(CellId{0}) - 7 * table.value(last);
      static_cast<void>(builder.add_equation(terms, rhs).value());
    }
    table = std::move(builder).build().value();
  }
  std::vector<Attacker> attackers{outsider()};
  if (shape.attackers && random.chance(1, 2)) {
    Attacker insider{"insider \"A\"", {}};
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const Units value = table.value(CellId{c});
      if (random.chance(1, 5))
        insider.known.push_back({CellId{c},
                                 {random.chance(1, 2) ? value - 3 : kUnboundedBelow,
                                  random.chance(1, 2) ? value + 5 : kUnboundedAbove}});
    }
    attackers.push_back(insider);
  }
  std::vector<Requirement> requirements;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (cell.status != CellStatus::kPrimary || random.chance(1, 5))
      continue;
    requirements.push_back(random_requirement(random, cell, CellId{c}));
    if (attackers.size() > 1 && random.chance(1, 2))
      requirements.push_back({CellId{c}, 1, 0, 0, 0});
  }
  return make_problem(std::move(table), std::move(attackers), std::move(requirements)).value();
}

}  // namespace lacuna::testing
