// SPDX-License-Identifier: Apache-2.0
// Equations of a crossed table. For table t, dimension d of t and relation r of d, the cells of t
// whose code in d is r's parent or one of r's children are grouped by their codes in the other
// dimensions: each group is the equation  -parent + sum of children = 0  with absent cells left
// out. Work is linear in (cells x dimensions x relations per code), whatever is absent.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/base/check.h"
#include "lacuna/linked_tables.h"

namespace lacuna {
namespace {

using Key = Wide;  // mixed-radix number of a tuple of codes; 128 bits hold any table we can store

struct Member {  // one cell in one equation-to-be
  Key others;    // its codes with dimension d left out
  std::int32_t relation = 0;
  Term term;
};

class Crosser {
 public:
  explicit Crosser(TableBuilder& builder) : builder_(builder), dimensions_(builder.dimensions()) {}

  Status choose_strides() {
    constexpr Key kMostTuples = Key{1} << 90;  // times the codes of one more dimension: 121 bits
    Key radix = 1;
    for (const Dimension& dimension : dimensions_) {
      if (radix > kMostTuples) {
        return Error{ErrorCode::kTooLarge,
                     "the dimensions have too many combinations of codes: use fewer dimensions",
                     "dimension " + dimension.name()};
      }
      stride_.push_back(radix);
      radix *= dimension.num_codes();
    }
    return ok_status();
  }

  Status check_cells(std::span<const LinkedTable> tables) const {
    std::vector<std::pair<Key, std::int32_t>> keys;
    for (std::int32_t c = 0; c < builder_.num_cells(); ++c) {
      const bool placed = std::any_of(tables.begin(), tables.end(), [&](const LinkedTable& table) {
        return holds(table, dimensions_, builder_.codes(CellId{c}));
      });
      if (!placed) {
        return Error{ErrorCode::kContradiction,
                     "the cell belongs to none of the tables",
                     builder_.label(CellId{c})};
      }
      keys.emplace_back(key(CellId{c}), c);
    }
    if (all_differ(keys))
      return ok_status();
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].first == keys[i - 1].first) {
        return Error{ErrorCode::kRepeatedCell,
                     "the cell is given twice",
                     builder_.label(CellId{keys[i].second})};
      }
    }
    return ok_status();
  }

  Status add(std::span<const LinkedTable> tables, std::size_t dimension) {
    const auto splits = relations_by_code(dimension);
    std::vector<Member> members;
    for (const LinkedTable& table : tables) {
      const auto& used = table.dimensions;
      if (std::find(used.begin(), used.end(), static_cast<std::int32_t>(dimension)) == used.end())
        continue;
      for (std::int32_t c = 0; c < builder_.num_cells(); ++c) {
        if (holds(table, dimensions_, builder_.codes(CellId{c})))
          collect(CellId{c}, dimension, splits, members);
      }
    }
    if (tables.size() > 1 || !sort_by_places(dimension, members))
      sort_members(members);
    const bool open = std::any_of(
        tables.begin(), tables.end(), [](const LinkedTable& t) { return t.stops_above_leaves; });
    return add_groups(members, open);
  }

 private:
  // Whether an array with so many places pays for so many entries.
  static bool has_room(Key places, std::size_t entries) {
    constexpr Key kMostPlaces = Key{1} << 27;
    constexpr Key kPlacesPerEntry = 16, kFewEntries = 256;
    return places <= kMostPlaces &&
           places <= kPlacesPerEntry * (static_cast<Key>(entries) + kFewEntries);
  }

  Key num_tuples() const { return stride_.back() * dimensions_.back().num_codes(); }

  // Whether no key comes twice; false also where there are too many tuples to look that way.
  bool all_differ(const std::vector<std::pair<Key, std::int32_t>>& keys) const {
    if (!has_room(num_tuples(), keys.size()))
      return false;
    std::vector<bool> seen(static_cast<std::size_t>(num_tuples()), false);
    for (const auto& [key, cell] : keys) {
      if (seen[static_cast<std::size_t>(key)])
        return false;
      seen[static_cast<std::size_t>(key)] = true;
    }
    return true;
  }

  // Two linked tables may hold the same cells: the equation they share is added once.
  static void sort_members(std::vector<Member>& members) {
    const auto order = [](const Member& m) { return std::tie(m.others, m.relation, m.term.cell); };
    std::sort(members.begin(), members.end(), [&](const Member& a, const Member& b) {
      return order(a) < order(b);
    });
    const auto same = [&](const Member& a, const Member& b) { return order(a) == order(b); };
    members.erase(std::unique(members.begin(), members.end(), same), members.end());
  }

  // The same order by counting, of one table, whose cells come in order: a place for every tuple of
  // the other codes and every relation. False if these are too many.
  bool sort_by_places(std::size_t dimension, std::vector<Member>& members) const {
    const Key codes = dimensions_[dimension].num_codes();
    const Key relations = static_cast<Key>(dimensions_[dimension].relations().size());
    const Key places = num_tuples() / codes * relations;
    if (!has_room(places, members.size()))
      return false;
    const Key stride = stride_[dimension];
    const auto place = [&](const Member& member) {
      const Key others = member.others / (stride * codes) * stride + member.others % stride;
      return static_cast<std::size_t>(others * relations + member.relation);
    };
    std::vector<std::uint32_t> start(static_cast<std::size_t>(places) + 1, 0);
    for (const Member& member : members)
      ++start[place(member) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Member> sorted(members.size());
    for (const Member& member : members)
      sorted[start[place(member)]++] = member;
    members = std::move(sorted);
    return true;
  }

  Key key(CellId cell) const {
    Key result = 0;
    const auto codes = builder_.codes(cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      result += stride_[d] * codes[d];
    return result;
  }

  using Splits = std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>>;  // relation, sign

  Splits relations_by_code(std::size_t dimension) const {
    Splits splits(static_cast<std::size_t>(dimensions_[dimension].num_codes()));
    const auto& relations = dimensions_[dimension].relations();
    for (std::size_t r = 0; r < relations.size(); ++r) {
      const auto relation = static_cast<std::int32_t>(r);
      splits[static_cast<std::size_t>(relations[r].parent)].emplace_back(relation, -1);
      for (const std::int32_t child : relations[r].children) {
        splits[static_cast<std::size_t>(child)].emplace_back(relation, 1);
      }
    }
    return splits;
  }

  void collect(CellId cell,
               std::size_t dimension,
               const Splits& splits,
               std::vector<Member>& out) const {
    const std::int32_t code = builder_.codes(cell)[dimension];
    const Key others = key(cell) - stride_[dimension] * code;
    for (const auto& [relation, sign] : splits[static_cast<std::size_t>(code)]) {
      out.push_back({others, relation, {cell, sign}});
    }
  }

  // With an open table, sums of which only the total is there are left out.
  Status add_groups(const std::vector<Member>& members, bool open) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < members.size();) {
      terms.clear();
      std::size_t j = i;
      for (; j < members.size() && members[j].others == members[i].others &&
             members[j].relation == members[i].relation;
           ++j) {
        terms.push_back(members[j].term);
      }
      i = j;
      if (open && terms.size() == 1 && terms.front().coefficient < 0 &&
          builder_.cell(terms.front().cell).value != 0)
        continue;
      auto added = builder_.add_equation(terms);
      if (!added) {
        Error error = added.error();
        error.where = builder_.label(terms.front().cell);
        return error;
      }
    }
    return ok_status();
  }

  TableBuilder& builder_;
  const std::vector<Dimension>& dimensions_;
  std::vector<Key> stride_;
};

}  // namespace

bool holds(const LinkedTable& table,
           std::span<const Dimension> dimensions,
           std::span<const std::int32_t> codes) {
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const auto& used = table.dimensions;
    if (codes[d] != dimensions[d].total() &&
        std::find(used.begin(), used.end(), static_cast<std::int32_t>(d)) == used.end())
      return false;
  }
  return true;
}

Status add_table_equations(TableBuilder& builder, std::span<const LinkedTable> tables) {
  LACUNA_CHECK(!builder.dimensions().empty());
  Crosser crosser(builder);
  LACUNA_RETURN_IF_ERROR(crosser.choose_strides());
  LACUNA_RETURN_IF_ERROR(crosser.check_cells(tables));
  for (std::size_t d = 0; d < builder.dimensions().size(); ++d) {
    LACUNA_RETURN_IF_ERROR(crosser.add(tables, d));
  }
  return ok_status();
}

}  // namespace lacuna
