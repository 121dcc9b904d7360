// SPDX-License-Identifier: Apache-2.0
#include "core/draft/same_units.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "core/base/index.h"
#include "core/table/part_sum.h"

namespace lacuna::draft {
namespace {

using Pair = std::pair<CellId, CellId>;

// Sums with their parts by rising cell. An equation of two cells says that they are the same: each
// is the only part of the other.
std::vector<table::PartSum> sums_of(const Table& table, EquationId equation) {
  if (auto sum = table::part_sum(table, equation)) {
    std::sort(sum->parts.begin(), sum->parts.end());
    return {*std::move(sum)};
  }
  const auto terms = table.equation(equation);
  if (terms.size() != 2 || table.rhs(equation) != 0 || std::abs(terms[0].coefficient) != 1 ||
      terms[0].coefficient + terms[1].coefficient != 0)
    return {};
  return {{terms[0].cell, {terms[1].cell}, -1}, {terms[1].cell, {terms[0].cell}, -1}};
}

class Shown {
 public:
  Shown(const Table& table, const Draft& draft) : table_(table), draft_(draft) {
    adds_up_ = numbers_add_up();
    for (std::int32_t c = 0; c < table.num_cells(); ++c)
      ranges_.push_back(range_of(CellId{c}));
  }

  Bounds range(CellId cell) const { return ranges_[base::at(cell)]; }

  // A number by its key, or the word that it is below those that are shown.
  bool has_number(CellId cell) const {
    const auto entry = draft_.find(cell);
    if (entry == nullptr)
      return false;
    const auto* altered = std::get_if<Altered>(&entry->says);
    return altered != nullptr ? altered->by_key : entry->state() == StatementKind::kInterval;
  }

  // Whether the numbers show that the two are different units, and no range does.
  bool tell_apart(CellId a, CellId b) const {
    // Where empty cells have noise, each has its own.
    const bool empty = range(a).lower < 1 && range(b).lower < 1;
    const bool apart = range(a).lower > range(b).upper || range(b).lower > range(a).upper;
    return !empty && !apart && differ(*draft_.find(a), *draft_.find(b));
  }

 private:
  Bounds range_of(CellId cell) const {
    const Bounds known = intersect(table_.cell(cell).prior, {0, kUnboundedAbove});
    return intersect(known, draft_.implied(table_, cell));
  }

  bool differ(const CellEntry& a, const CellEntry& b) const {
    if (a.state() != b.state())
      return true;
    if (a.state() == StatementKind::kInterval)
      return false;
    return (!adds_up_ && a.number() != b.number()) || say_other_things(a, b);
  }

  // Of the same candidates each cell is told those within its prior.
  bool say_other_things(const CellEntry& a, const CellEntry& b) const {
    const Bounds of_a = intersect(a.bounds(), table_.cell(b.cell).prior);
    const Bounds of_b = intersect(b.bounds(), table_.cell(a.cell).prior);
    return of_a != of_b;
  }

  bool numbers_add_up() const {
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      Wide sum = -Wide{table_.rhs(EquationId{e})};
      for (const Term& term : table_.equation(EquationId{e})) {
        const auto entry = draft_.find(term.cell);
        if (entry != nullptr && !entry->number())
          return false;
        const Units number = entry != nullptr ? *entry->number() : table_.value(term.cell);
        sum += Wide{term.coefficient} * number;
      }
      if (sum != 0)
        return false;
    }
    return true;
  }

  const Table& table_;
  const Draft& draft_;
  bool adds_up_ = false;
  std::vector<Bounds> ranges_;
};

class Differences {
 public:
  Differences(const Table& table, const Draft& draft)
      : table_(table), shown_(table, draft), below_(static_cast<std::size_t>(table.num_cells())) {}

  std::vector<Difference> find() {
    list_parts();
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (shown_.has_number(CellId{c}))
        descend(CellId{c});
    }
    std::vector<Difference> found;
    for (const auto& [cells, equation] : nested_)
      add({{cells.first, 1}, {cells.second, -1}}, equation, found);
    for (const auto& [blank, sums] : above_)
      compare_sums(blank, sums, found);
    return found;
  }

 private:
  // The parts that their sum may be equal to: no other part is known not to be empty.
  void list_parts() {
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      for (const table::PartSum& sum : sums_of(table_, EquationId{e})) {
        const auto not_empty = std::count_if(sum.parts.begin(), sum.parts.end(), [&](CellId part) {
          return shown_.range(part).lower >= 1;
        });
        for (const CellId part : sum.parts) {
          const auto others = not_empty - (shown_.range(part).lower >= 1 ? 1 : 0);
          if (others == 0 && shown_.range(sum.total).lower <= shown_.range(part).upper)
            below_[base::at(sum.total)].push_back(part);
        }
      }
    }
  }

  // From a sum down to the next cells with numbers.
  void descend(CellId sum) {
    std::set<CellId> seen{sum};
    std::vector<CellId> open{sum};
    while (!open.empty()) {
      const CellId above = open.back();
      open.pop_back();
      for (const CellId part : below_[base::at(above)]) {
        if (!seen.insert(part).second)
          continue;
        if (!shown_.has_number(part)) {
          above_[part].push_back(sum);
          open.push_back(part);
        } else if (shown_.tell_apart(sum, part)) {
          nested_.emplace(Pair{sum, part}, equation_of(sum, part));
        }
      }
    }
  }

  // The first in which one is a part of the other, -1 if there are only longer ways.
  EquationId equation_of(CellId total, CellId part) const {
    for (const Incidence& in : table_.equations_of(total)) {
      const auto sum = table::part_sum(table_, in.equation);
      if (sum && sum->total == total &&
          std::find(sum->parts.begin(), sum->parts.end(), part) != sum->parts.end())
        return in.equation;
    }
    return EquationId{-1};
  }

  void compare_sums(CellId blank, const std::vector<CellId>& sums, std::vector<Difference>& found) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (std::size_t j = i + 1; j < sums.size(); ++j) {
        const bool known =
            nested_.contains({sums[i], sums[j]}) || nested_.contains({sums[j], sums[i]});
        if (!known && shown_.tell_apart(sums[i], sums[j]))
          add({{sums[i], 1}, {sums[j], 1}, {blank, -2}}, EquationId{-1}, found);
      }
    }
  }

  void add(LinearForm form, EquationId equation, std::vector<Difference>& found) const {
    Wide truth = 0;
    for (const Term& term : form)
      truth += Wide{term.coefficient} * table_.value(term.cell);
    if (truth < 1)
      return;
    std::sort(
        form.begin(), form.end(), [](const Term& a, const Term& b) { return a.cell < b.cell; });
    found.push_back({std::move(form), equation});
  }

  const Table& table_;
  Shown shown_;
  std::vector<std::vector<CellId>> below_;       // by sum
  std::map<Pair, EquationId> nested_;            // (1)
  std::map<CellId, std::vector<CellId>> above_;  // of a blank cell: sums with numbers, rising
};

}  // namespace

std::vector<Difference> differences_shown(const Table& table, const Draft& draft) {
  if (!draft.by_keys())
    return {};
  return Differences(table, draft).find();
}

}  // namespace lacuna::draft
