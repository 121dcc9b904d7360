// SPDX-License-Identifier: Apache-2.0
#include "core/table/additivity.h"

#include <algorithm>
#include <tuple>

namespace lacuna::table {
namespace {

struct Member {  // one cell in one sum
  Wide others;   // its codes with the dimension left out
  std::int32_t relation = 0;
  bool is_sum = false;
  std::size_t cell = 0;

  auto order() const { return std::tie(others, relation, is_sum, cell); }
};

class SumChecker {
 public:
  explicit SumChecker(const CrossedValues& table) : table_(table) {
    Wide radix = 1;
    for (const Dimension& dimension : table.dimensions) {
      stride_.push_back(radix);
      radix *= dimension.num_codes();
    }
  }

  std::vector<BrokenSum> run() {
    for (std::size_t d = 0; d < table_.dimensions.size(); ++d)
      check(d);
    std::sort(found_.begin(), found_.end(), [](const BrokenSum& a, const BrokenSum& b) {
      return std::tie(a.cell, a.dimension) < std::tie(b.cell, b.dimension);
    });
    return std::move(found_);
  }

 private:
  std::span<const std::int32_t> codes_of(std::size_t cell) const {
    return table_.codes.subspan(cell * table_.dimensions.size(), table_.dimensions.size());
  }

  // The cell stands in a table that crosses the dimension.
  bool is_crossed(std::size_t cell, std::size_t dimension) const {
    const auto codes = codes_of(cell);
    return std::any_of(table_.tables.begin(), table_.tables.end(), [&](const LinkedTable& table) {
      const auto uses = [&](std::size_t d) {
        return std::find(table.dimensions.begin(),
                         table.dimensions.end(),
                         static_cast<std::int32_t>(d)) != table.dimensions.end();
      };
      if (!uses(dimension))
        return false;
      for (std::size_t d = 0; d < codes.size(); ++d) {
        if (codes[d] != table_.dimensions[d].total() && !uses(d))
          return false;
      }
      return true;
    });
  }

  void check(std::size_t dimension) {
    const auto& relations = table_.dimensions[dimension].relations();
    std::vector<std::vector<std::pair<std::int32_t, bool>>> of_code(
        static_cast<std::size_t>(table_.dimensions[dimension].num_codes()));
    for (std::size_t r = 0; r < relations.size(); ++r) {
      const auto relation = static_cast<std::int32_t>(r);
      of_code[static_cast<std::size_t>(relations[r].parent)].emplace_back(relation, true);
      for (const std::int32_t child : relations[r].children)
        of_code[static_cast<std::size_t>(child)].emplace_back(relation, false);
    }
    std::vector<Member> members;
    for (std::size_t cell = 0; cell < table_.values.size(); ++cell) {
      if (!is_crossed(cell, dimension))
        continue;
      const auto codes = codes_of(cell);
      Wide others = 0;
      for (std::size_t d = 0; d < codes.size(); ++d)
        others += d == dimension ? Wide{0} : stride_[d] * codes[d];
      for (const auto& [relation, is_sum] : of_code[static_cast<std::size_t>(codes[dimension])])
        members.push_back({others, relation, is_sum, cell});
    }
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return a.order() < b.order();
    });
    add_up(members, dimension);
  }

  void add_up(const std::vector<Member>& members, std::size_t dimension) {
    for (std::size_t i = 0; i < members.size();) {
      BrokenSum sum{members[i].cell, dimension, true, 0};
      const std::size_t first = i;
      for (; i < members.size() && members[i].others == members[first].others &&
             members[i].relation == members[first].relation;
           ++i) {
        const Units value = table_.values[members[i].cell];
        sum.off += members[i].is_sum ? Wide{value} : -Wide{value};
        if (members[i].is_sum) {
          sum.cell = members[i].cell;
          sum.absent = false;
        }
      }
      if (sum.off != 0)
        found_.push_back(sum);
    }
  }

  const CrossedValues& table_;
  std::vector<Wide> stride_;
  std::vector<BrokenSum> found_;
};

}  // namespace

std::vector<BrokenSum> find_broken_sums(const CrossedValues& table) {
  return SumChecker(table).run();
}

}  // namespace lacuna::table
