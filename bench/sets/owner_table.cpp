// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/count_rules.h"

namespace lacuna::bench {
namespace {

constexpr Units kLowest = 2;    // kLow: 1 and 2 are sensitive
constexpr Units kHighest = 12;  // kHigh: 12 and more
constexpr Units kThreshold = 3;
constexpr std::size_t kMostSensitive = 2;

bool is_leaf(const std::vector<int>& parents, int node) {
  return std::find(parents.begin(), parents.end(), node) == parents.end();
}

bool is_under(const std::vector<int>& parents, int node, int top) {
  while (node >= 0 && node != top)
    node = parents[static_cast<std::size_t>(node)];
  return node == top;
}

// All combinations of codes, the last dimension fastest.
std::vector<std::vector<int>> combinations(const OwnerShape& shape) {
  std::vector<std::vector<int>> all{{}};
  for (const auto& parents : shape.dimensions) {
    std::vector<std::vector<int>> longer;
    for (const auto& each : all) {
      for (int node = 0; node < static_cast<int>(parents.size()); ++node) {
        longer.push_back(each);
        longer.back().push_back(node);
      }
    }
    all = std::move(longer);
  }
  return all;
}

bool by_value(OwnerRule rule) {
  return rule != OwnerRule::kOne && rule != OwnerRule::kTwo;
}

bool is_inner(const OwnerFrame& frame, std::int32_t cell) {
  return std::binary_search(frame.leaves().begin(), frame.leaves().end(), cell);
}

// What readers of such a release know of a cell whose rule is closed: on which side of the limit
// it is.
Bounds known_by_rule(const OwnerTerms& terms, bool inner, bool sensitive) {
  if (!terms.widths || !by_value(terms.rule) || (!inner && terms.rule != OwnerRule::kCounts))
    return {0, kUnboundedAbove};
  if (terms.rule == OwnerRule::kHigh)
    return sensitive ? Bounds{kHighest - terms.guard, kUnboundedAbove}
                     : Bounds{0, kHighest - terms.guard - 1};
  return sensitive ? Bounds{0, terms.guard} : Bounds{terms.guard + 1, kUnboundedAbove};
}

Units last_period(Units value, base::Random& random) {
  const double share = static_cast<double>(random.between(70, 130)) / 100.0;
  return std::max<Units>(1, std::llround(static_cast<double>(value) * share));
}

}  // namespace

OwnerFrame::OwnerFrame(const OwnerShape& shape) {
  const auto cells = combinations(shape);
  const auto index_of = [&](const std::vector<int>& codes) {
    return static_cast<std::int32_t>(std::find(cells.begin(), cells.end(), codes) - cells.begin());
  };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    bool leaf = true;
    for (std::size_t d = 0; d < shape.dimensions.size(); ++d)
      leaf = leaf && is_leaf(shape.dimensions[d], cells[c][d]);
    if (leaf)
      leaves_.push_back(static_cast<std::int32_t>(c));
  }
  for (const auto& codes : cells) {
    std::vector<std::int32_t>& mine = leaves_of_.emplace_back();
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
      bool under = true;
      for (std::size_t d = 0; d < codes.size(); ++d)
        under = under && is_under(shape.dimensions[d],
                                  cells[static_cast<std::size_t>(leaves_[l])][d],
                                  codes[d]);
      if (under)
        mine.push_back(static_cast<std::int32_t>(l));
    }
    for (std::size_t d = 0; d < codes.size(); ++d) {
      const auto& parents = shape.dimensions[d];
      if (is_leaf(parents, codes[d]))
        continue;
      std::vector<Term>& terms = equations_.emplace_back();
      terms.push_back({CellId{index_of(codes)}, 1});
      for (int node = 0; node < static_cast<int>(parents.size()); ++node) {
        if (parents[static_cast<std::size_t>(node)] != codes[d])
          continue;
        std::vector<int> part = codes;
        part[d] = node;
        terms.push_back({CellId{index_of(part)}, -1});
      }
    }
  }
}

std::vector<Units> OwnerFrame::completed(const std::vector<Units>& inner) const {
  std::vector<Units> values;
  for (const auto& mine : leaves_of_) {
    Units sum = 0;
    for (const std::int32_t leaf : mine)
      sum += inner[static_cast<std::size_t>(leaf)];
    values.push_back(sum);
  }
  return values;
}

OwnerLevels owner_levels(const OwnerTerms& terms, Units value) {
  const Units level = std::max<Units>(1, (value * terms.percent + 99) / 100);
  return {std::min(level, value), level};
}

bool is_owner_sensitive(const OwnerTerms& terms,
                        const OwnerFrame& frame,
                        const OwnerTable& table,
                        const std::vector<Units>& values,
                        std::int32_t cell) {
  const Units value = values[static_cast<std::size_t>(cell)];
  switch (terms.rule) {
    case OwnerRule::kLow:
      return is_inner(frame, cell) &&
             (terms.widths ? value <= terms.guard : value >= 1 && value <= kLowest);
    case OwnerRule::kHigh:
      return is_inner(frame, cell) && value >= kHighest - (terms.widths ? terms.guard : 0);
    case OwnerRule::kCounts:
      return terms.widths ? value <= terms.guard : value >= 1 && value < kThreshold;
    case OwnerRule::kOne:
    case OwnerRule::kTwo:
      break;
  }
  return std::find(table.fixed.begin(), table.fixed.end(), cell) != table.fixed.end();
}

Units owner_width(const OwnerTerms& terms, const OwnerTable& table, std::int32_t cell) {
  if (by_value(terms.rule))
    return terms.width;
  const Units level = owner_levels(terms, table.sizes[static_cast<std::size_t>(cell)]).upper;
  return static_cast<Units>(std::ceil(terms.factor * static_cast<double>(2 * level)));
}

OwnerTable draw_owner_table(const OwnerTerms& terms,
                            const OwnerFrame& frame,
                            base::Random& random) {
  const auto inner_cells = static_cast<std::int64_t>(frame.leaves().size());
  for (;;) {
    OwnerTable drawn;
    std::vector<Units> inner, before;
    for (std::int64_t i = 0; i < inner_cells; ++i) {
      inner.push_back(random.between(1, terms.most));
      before.push_back(last_period(inner.back(), random));
    }
    drawn.values = frame.completed(inner);
    drawn.sizes = frame.completed(before);
    const std::size_t wanted = by_value(terms.rule) ? 0 : terms.rule == OwnerRule::kOne ? 1 : 2;
    while (drawn.fixed.size() < wanted) {
      const std::int32_t cell =
          frame.leaves()[static_cast<std::size_t>(random.between(0, inner_cells - 1))];
      if (std::find(drawn.fixed.begin(), drawn.fixed.end(), cell) == drawn.fixed.end())
        drawn.fixed.push_back(cell);
    }
    // By the rule itself, not as it is closed, so that all rows see the same tables.
    OwnerTerms plain = terms;
    plain.widths = false;
    std::size_t sensitive = 0;
    for (std::int32_t c = 0; c < frame.num_cells(); ++c)
      sensitive += is_owner_sensitive(plain, frame, drawn, drawn.values, c) ? 1U : 0U;
    if (sensitive >= 1 && sensitive <= kMostSensitive)
      return drawn;
  }
}

Result<Problem> owner_problem(const OwnerTerms& terms,
                              const OwnerFrame& frame,
                              const OwnerTable& table,
                              const std::vector<Units>& values) {
  TableBuilder builder(0);
  std::vector<Requirement> asked;
  const bool counts = terms.rule == OwnerRule::kCounts && !terms.widths;
  for (std::int32_t c = 0; c < frame.num_cells(); ++c) {
    const Units value = values[static_cast<std::size_t>(c)];
    const bool sensitive = is_owner_sensitive(terms, frame, table, values, c);
    Cell cell{.value = value, .weight = static_cast<double>(value)};
    cell.prior = known_by_rule(terms, is_inner(frame, c), sensitive);
    cell.frequency = terms.rule == OwnerRule::kCounts ? value : -1;
    if (sensitive && !counts)
      cell.status = CellStatus::kPrimary;
    LACUNA_TRY([[maybe_unused]] const CellId added, builder.add_cell(cell));
    if (!sensitive || counts)
      continue;
    if (terms.widths) {
      asked.push_back({.cell = CellId{c}, .sliding = owner_width(terms, table, c)});
    } else {
      const OwnerLevels levels = owner_levels(terms, value);
      asked.push_back({.cell = CellId{c}, .lower = levels.lower, .upper = levels.upper});
    }
  }
  for (const auto& equation : frame.equations()) {
    LACUNA_TRY([[maybe_unused]] const EquationId added, builder.add_equation(equation));
  }
  LACUNA_TRY(Table made, std::move(builder).build());
  LACUNA_TRY(Problem problem, make_problem(std::move(made), {}, std::move(asked)));
  CountOptions rules;
  rules.threshold = kThreshold;
  return counts ? with_count_rules(problem, rules) : std::move(problem);
}

}  // namespace lacuna::bench
