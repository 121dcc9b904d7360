// SPDX-License-Identifier: Apache-2.0
#include "core/table/nested_dimensions.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/spelling.h"

namespace lacuna::table {
namespace {

bool has(const LinkedTable& one, std::int32_t dimension) {
  return std::find(one.dimensions.begin(), one.dimensions.end(), dimension) != one.dimensions.end();
}

bool has_all(const LinkedTable& one, const std::vector<std::int32_t>& dimensions) {
  return std::all_of(
      dimensions.begin(), dimensions.end(), [&](std::int32_t d) { return has(one, d); });
}

// Whether a table by one dimension and a table by the other share further dimensions, which no
// table crosses with both: such a table would have the equations between the two.
bool are_apart(std::span<const LinkedTable> tables, std::int32_t a, std::int32_t c) {
  for (const LinkedTable& by_a : tables) {
    for (const LinkedTable& by_c : tables) {
      if (!has(by_a, a) || has(by_a, c) || !has(by_c, c) || has(by_c, a))
        continue;
      std::vector<std::int32_t> joint;
      std::copy_if(by_a.dimensions.begin(),
                   by_a.dimensions.end(),
                   std::back_inserter(joint),
                   [&](std::int32_t d) { return has(by_c, d); });
      if (joint.empty())
        continue;
      joint.insert(joint.end(), {a, c});
      if (std::none_of(tables.begin(), tables.end(), [&](const LinkedTable& one) {
            return has_all(one, joint);
          }))
        return true;
    }
  }
  return false;
}

// Whether all dimensions but the two stand at their total.
bool is_of_both(const Table& table, CellId cell, std::int32_t a, std::int32_t c) {
  const auto codes = table.codes(cell);
  for (std::int32_t d = 0; d < static_cast<std::int32_t>(codes.size()); ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (d != a && d != c && codes[at] != table.dimensions()[at].total())
      return false;
  }
  return true;
}

// Whether every leaf of c has units in one part of a only, and not all leaves in the same.
bool lies_in_parts(const Table& table, std::int32_t c, std::int32_t a, const Relation& parts) {
  const Dimension& inner = table.dimensions()[static_cast<std::size_t>(c)];
  std::vector<std::int32_t> part_of(static_cast<std::size_t>(inner.num_codes()), -1);
  std::set<std::int32_t> seen;
  for (std::int32_t i = 0; i < table.num_cells(); ++i) {
    const CellId cell{i};
    const auto codes = table.codes(cell);
    const std::int32_t part = codes[static_cast<std::size_t>(a)];
    const std::int32_t leaf = codes[static_cast<std::size_t>(c)];
    if (table.value(cell) == 0 || !inner.is_leaf(leaf) || !is_of_both(table, cell, a, c) ||
        std::find(parts.children.begin(), parts.children.end(), part) == parts.children.end())
      continue;
    std::int32_t& own = part_of[static_cast<std::size_t>(leaf)];
    if (own >= 0 && own != part)
      return false;
    own = part;
    seen.insert(part);
  }
  return seen.size() > 1;
}

bool lies_in(const Table& table, std::int32_t c, std::int32_t a) {
  const Dimension& outer = table.dimensions()[static_cast<std::size_t>(a)];
  return std::any_of(
      outer.relations().begin(), outer.relations().end(), [&](const Relation& split) {
        return split.parent == outer.total() && lies_in_parts(table, c, a, split);
      });
}

}  // namespace

std::string nested_dimensions_text(const Table& table, std::span<const LinkedTable> tables) {
  const auto count = static_cast<std::int32_t>(table.dimensions().size());
  for (std::int32_t a = 0; a < count; ++a) {
    for (std::int32_t c = 0; c < count; ++c) {
      if (a == c || !are_apart(tables, a, c) || !lies_in(table, c, a))
        continue;
      const std::string outer = table.dimensions()[static_cast<std::size_t>(a)].name();
      const std::string inner = table.dimensions()[static_cast<std::size_t>(c)].name();
      return "every code of " + inner + " lies in one code of " + outer +
             ", so tables by one disclose something about tables by the other, but no equation of "
             "the job says so; declare " +
             inner + " as a hierarchy below " + outer + " and use it in place of " + outer +
             ", or say " + base::named_section("[counts]") + " and " +
             base::named_setting(
                 "[differencing]", "areas", "[\"" + outer + "\", \"" + inner + "\"]");
    }
  }
  return "";
}

}  // namespace lacuna::table
