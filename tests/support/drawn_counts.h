// SPDX-License-Identifier: Apache-2.0
// Random tables of counts with rules, attackers and releases, all whole-number tables that a reader
// cannot rule out, by placing every person in every leaf, and what each kind of disclosure means
// for them: the second opinion on questions about counts. It knows nothing of equations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "lacuna/count_rules.h"
#include "lacuna/draft.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/question.h"

namespace lacuna::testing::drawn_counts {

inline std::uint64_t below(base::Random& random, std::uint64_t limit) {
  return static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(limit) - 1));
}

struct Shape {  // of a dimension: the leaves below each code
  std::vector<std::string> codes;
  std::vector<Relation> relations;
  std::vector<std::vector<int>> leaves;
};

inline Shape flat(int k) {
  Shape shape;
  Relation sum{k, {}};
  std::vector<int> all;
  for (int i = 0; i < k; ++i) {
    shape.codes.push_back(std::to_string(i));
    shape.leaves.push_back({i});
    sum.children.push_back(i);
    all.push_back(i);
  }
  shape.codes.push_back("T");
  shape.leaves.push_back(all);
  shape.relations.push_back(sum);
  return shape;
}

inline Shape tree() {
  return {
      {"0", "1", "2", "12", "T"}, {{3, {1, 2}}, {4, {0, 3}}}, {{0}, {1}, {2}, {1, 2}, {0, 1, 2}}};
}

inline Shape two_groupings() {
  return {{"0", "1", "2", "12", "01", "T"},
          {{3, {1, 2}}, {5, {0, 3}}, {4, {0, 1}}, {5, {4, 2}}},
          {{0}, {1}, {2}, {1, 2}, {0, 1}, {0, 1, 2}}};
}

struct Drawn {
  Problem problem;                          // with counts
  std::vector<std::vector<int>> leaves_of;  // by cell
  int num_leaves = 0;
  Units total = 0;
  CountOptions options;
};

// The codes of cell number `index` of the product, last dimension fastest.
inline std::vector<std::int32_t> codes_at(const std::vector<Shape>& shapes, std::size_t index) {
  std::vector<std::int32_t> codes(shapes.size());
  for (std::size_t d = shapes.size(); d-- > 0;) {
    codes[d] = static_cast<std::int32_t>(index % shapes[d].codes.size());
    index /= shapes[d].codes.size();
  }
  return codes;
}

inline int width(const Shape& shape) {
  return static_cast<int>(shape.leaves.back().size());
}

inline std::vector<int> leaves_under(const std::vector<Shape>& shapes,
                                     const std::vector<std::int32_t>& codes) {
  std::vector<int> found{0};
  for (std::size_t d = 0; d < shapes.size(); ++d) {
    std::vector<int> next;
    for (const int so_far : found) {
      for (const int leaf : shapes[d].leaves[static_cast<std::size_t>(codes[d])])
        next.push_back(so_far * width(shapes[d]) + leaf);
    }
    found = std::move(next);
  }
  return found;
}

inline std::vector<Shape> draw_shapes(base::Random& random) {
  switch (below(random, 6)) {
    case 0:
      return {flat(static_cast<int>(2 + below(random, 4)))};
    case 1:
      return {flat(2), flat(static_cast<int>(2 + below(random, 3)))};
    case 2:
      return {tree(), flat(2)};
    case 3:
      return {two_groupings(), flat(2)};
    case 4:
      return {tree(), tree()};
    default:
      return {flat(2), flat(2), flat(2)};
  }
}

inline CountOptions draw_options(base::Random& random) {
  CountOptions options;
  options.threshold = static_cast<std::int64_t>(2 + below(random, 3));
  options.zeros = static_cast<Zeros>(below(random, 3));
  options.withheld_means = static_cast<WithheldMeans>(below(random, 3));
  if (options.zeros == Zeros::kSensitive && options.withheld_means == WithheldMeans::kNonzero)
    options.withheld_means = WithheldMeans::kAny;
  options.ambiguity = below(random, 3) == 0 ? 2 : 1;
  options.coalition = static_cast<std::int64_t>(below(random, 2));
  options.kinds = {CountKind::kExact,
                   CountKind::kSmall,
                   CountKind::kZero,
                   CountKind::kAll,
                   CountKind::kImplied,
                   CountKind::kLevels};
  if (below(random, 2) == 0) {
    options.kinds.push_back(CountKind::kGroup);
    options.groups.push_back({"d0", {"0", "1"}});
  }
  return options;
}

struct People {  // how many, by chance; more than eight leaves take fewer
  std::uint64_t least = 2, most = 5;
  bool total_known = false;  // to everyone, so that it need not be published
};

inline Drawn draw(base::Random& random, const People& asked = {}) {
  const std::vector<Shape> shapes = draw_shapes(random);
  Drawn drawn;
  drawn.num_leaves = 1;
  std::size_t cells = 1;
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shapes.size(); ++d) {
    drawn.num_leaves *= width(shapes[d]);
    cells *= shapes[d].codes.size();
    auto built = Dimension::build("d" + std::to_string(d), shapes[d].codes, shapes[d].relations);
    EXPECT_TRUE(built);
    dimensions.push_back(std::move(built).value());
  }
  std::vector<Units> values(static_cast<std::size_t>(drawn.num_leaves), 0);
  const std::uint64_t choices = asked.most - asked.least + 1;
  const auto people =
      asked.least + below(random, drawn.num_leaves > 8 ? (choices + 1) / 2 : choices);
  for (std::size_t i = 0; i < people; ++i)
    ++values[below(random, values.size())];
  drawn.total = static_cast<Units>(people);
  TableBuilder builder(0, dimensions);
  std::vector<Requirement> requirements;
  for (std::size_t c = 0; c < cells; ++c) {
    const auto codes = codes_at(shapes, c);
    drawn.leaves_of.push_back(leaves_under(shapes, codes));
    Cell cell;
    for (const int leaf : drawn.leaves_of.back())
      cell.value += values[static_cast<std::size_t>(leaf)];
    if (asked.total_known && c + 1 == cells)
      cell.status = CellStatus::kKnown;
    EXPECT_TRUE(builder.add_cell(cell, codes));
    if (cell.value > 0 && c + 1 < cells && below(random, 6) == 0)
      requirements.push_back({CellId{static_cast<std::int32_t>(c)}, 0, 1, 1, 0});
  }
  LinkedTable all;
  for (std::size_t d = 0; d < shapes.size(); ++d)
    all.dimensions.push_back(static_cast<std::int32_t>(d));
  EXPECT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{all}));
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  std::vector<Attacker> attackers{outsider()};
  if (below(random, 2) == 0) {  // a person, who knows where it belongs
    const auto home = std::max_element(values.begin(), values.end()) - values.begin();
    Attacker insider{"insider", {}};
    for (std::size_t c = 0; c < cells; ++c) {
      const auto& in = drawn.leaves_of[c];
      if (std::find(in.begin(), in.end(), static_cast<int>(home)) != in.end())
        insider.known.push_back({CellId{static_cast<std::int32_t>(c)}, {1, kUnboundedAbove}});
    }
    attackers.push_back(std::move(insider));
  }
  auto problem = make_problem(std::move(table).value(), attackers, requirements);
  EXPECT_TRUE(problem) << problem.error().text();
  drawn.options = draw_options(random);
  auto counted = with_count_rules(*problem, drawn.options);
  EXPECT_TRUE(counted) << counted.error().text();
  drawn.problem = std::move(counted).value();
  return drawn;
}

inline Bounds told(const Drawn& drawn, const CellEntry& entry) {
  const CountOptions& options = drawn.options;
  const Cell& cell = drawn.problem.table().cell(entry.cell);
  const bool shows_zeros =
      options.withheld_means != WithheldMeans::kAny && options.zeros != Zeros::kSensitive;
  const Units least = shows_zeros ? 1 : 0;
  if (const auto* rounded = std::get_if<Rounded>(&entry.says))
    return {std::max<Units>(0, rounded->value - rounded->base + 1),
            rounded->value + rounded->base - 1};
  if (const auto* ends = std::get_if<IntervalEnds>(&entry.says))
    return {std::max(least, ends->ends.lower), ends->ends.upper};
  if (const auto* altered = std::get_if<Altered>(&entry.says))
    return {std::max<Units>(0, altered->range.lower), altered->range.upper};
  if (options.withheld_means != WithheldMeans::kRule)
    return {least, kUnboundedAbove};
  if (cell.status == CellStatus::kPrimary)
    return {least, options.threshold - 1};
  return {options.threshold, kUnboundedAbove};
}

// Hides cells as the rule of the release allows; the grand total, the last cell, is published.
inline Draft draw_draft(const Drawn& drawn, base::Random& random) {
  Draft draft;
  const Table& table = drawn.problem.table();
  for (std::int32_t c = 0; c + 1 < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (!may_be_withheld(cell))
      continue;
    const bool sensitive = cell.status == CellStatus::kPrimary;
    if (below(random, 10) >= (sensitive ? 9U : 5U))
      continue;
    const auto choice = below(random, 12);
    CellEntry entry{CellId{c}, Withheld{}};
    if (choice == 0)
      entry.says = Rounded{cell.value - cell.value % 3, 3, 0};
    else if (choice == 1)
      entry.says = IntervalEnds{{std::max<Units>(0, cell.value - 1), cell.value + 1}};
    if (told(drawn, entry).contains(cell.value))
      draft.set(entry);
  }
  return draft;
}

class Enumeration {
 public:
  Enumeration(const Drawn& drawn, const Draft& draft, const Attacker& attacker) {
    const Table& table = drawn.problem.table();
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const CellId cell{c};
      Bounds bounds{table.value(cell), table.value(cell)};
      if (const auto entry = draft.find(cell))
        bounds = intersect(told(drawn, *entry), known_bounds(table, attacker, cell));
      bounds_.push_back(bounds);
    }
    std::vector<Units> leaves(static_cast<std::size_t>(drawn.num_leaves), 0);
    place(drawn, 0, drawn.total, leaves);
  }

  std::set<Units> values(const LinearForm& form) const {
    std::set<Units> found;
    for (const auto& cells : tables_) {
      Units sum = 0;
      for (const Term& term : form)
        sum += term.coefficient * cells[static_cast<std::size_t>(term.cell.value)];
      found.insert(sum);
    }
    return found;
  }

 private:
  void place(const Drawn& drawn, std::size_t at, Units left, std::vector<Units>& leaves) {
    if (at + 1 == leaves.size()) {
      leaves[at] = left;
      keep(drawn, leaves);
      return;
    }
    for (Units here = 0; here <= left; ++here) {
      leaves[at] = here;
      place(drawn, at + 1, left - here, leaves);
    }
  }

  void keep(const Drawn& drawn, const std::vector<Units>& leaves) {
    std::vector<Units> cells;
    for (std::size_t c = 0; c < drawn.leaves_of.size(); ++c) {
      Units sum = 0;
      for (const int leaf : drawn.leaves_of[c])
        sum += leaves[static_cast<std::size_t>(leaf)];
      if (!bounds_[c].contains(sum))
        return;
      cells.push_back(sum);
    }
    tables_.push_back(std::move(cells));
  }

  std::vector<Bounds> bounds_;
  std::vector<std::vector<Units>> tables_;
};

inline bool is_protected(const Drawn& drawn,
                         const Draft& draft,
                         const Question& question,
                         const std::set<Units>& values) {
  const CountOptions& options = drawn.options;
  const Units low = *values.begin(), high = *values.rbegin();
  const bool published = draft.implied(drawn.problem.table(), question.cell).is_point();
  switch (question.kind) {
    case CountKind::kExact:
      return !published && static_cast<std::int64_t>(values.size()) > options.ambiguity;
    case CountKind::kSmall:
      return !published && (high >= options.threshold || low <= 0);
    case CountKind::kZero:
      return !published && high >= 1;
    case CountKind::kAll:
    case CountKind::kGroup:
      return high >= 1 + options.coalition;
    case CountKind::kImplied:
      return values.size() > 1;
    case CountKind::kLevels:
      for (const Requirement& need : drawn.problem.requirements()) {
        const Units truth = drawn.problem.table().value(question.cell);
        if (need.cell == question.cell && need.attacker == question.attacker)
          return !published && high >= truth + need.upper && low <= truth - need.lower &&
                 high - low >= need.sliding;
      }
  }
  ADD_FAILURE() << "a question without a requirement";
  return false;
}

}  // namespace lacuna::testing::drawn_counts
