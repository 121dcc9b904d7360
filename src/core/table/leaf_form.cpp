// SPDX-License-Identifier: Apache-2.0
#include "core/table/leaf_form.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/index.h"

namespace lacuna::table {
namespace {

// Arithmetic modulo the prime 2^61 - 1. Rows that are independent modulo a prime are independent;
// the reverse fails only where the prime divides every minor that matters, and minors of tables are
// products of small numbers.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t reduced(std::int64_t value) {
  const auto rest = value % static_cast<std::int64_t>(kPrime);
  return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(kPrime) : rest);
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  const auto wide = static_cast<unsigned __int128>(a) * b;
  const auto sum =
      static_cast<std::uint64_t>(wide & kPrime) + static_cast<std::uint64_t>(wide >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t inverse(std::uint64_t value) {  // value^(p - 2)
  std::uint64_t result = 1;
  for (std::uint64_t exponent = kPrime - 2; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0)
      result = product(result, value);
    value = product(value, value);
  }
  return result;
}

struct Entry {
  std::int32_t column = 0;
  std::uint64_t value = 0;  // not zero
};
using Row = std::vector<Entry>;  // by column

// Keeps rows in echelon form; says of each new row whether it is independent of those before.
class Independence {
 public:
  bool add(Row row) {
    while (!row.empty()) {
      const auto pivot = pivots_.find(row.front().column);
      if (pivot == pivots_.end()) {
        const std::uint64_t scale = inverse(row.front().value);
        for (Entry& entry : row)
          entry.value = product(entry.value, scale);
        const std::int32_t column = row.front().column;
        pivots_.emplace(column, std::move(row));
        return true;
      }
      row = difference(row, pivot->second);
    }
    return false;
  }

 private:
  // row - row.front * pivot, where pivot.front = 1 in the same column.
  static Row difference(const Row& row, const Row& pivot) {
    const std::uint64_t factor = kPrime - row.front().value;
    Row result;
    result.reserve(row.size() + pivot.size());
    std::size_t i = 1;
    std::size_t k = 1;
    while (i < row.size() || k < pivot.size()) {
      const bool from_row =
          k == pivot.size() || (i < row.size() && row[i].column <= pivot[k].column);
      const bool from_pivot =
          i == row.size() || (k < pivot.size() && pivot[k].column <= row[i].column);
      Entry entry{from_row ? row[i].column : pivot[k].column, 0};
      if (from_row)
        entry.value = row[i++].value;
      if (from_pivot)
        entry.value = (entry.value + product(factor, pivot[k++].value)) % kPrime;
      if (entry.value != 0)
        result.push_back(entry);
    }
    return result;
  }

  std::unordered_map<std::int32_t, Row> pivots_;  // by first column, which has value 1
};

class Definer {
 public:
  Definer(const Table& table, const std::vector<bool>& free, DefineBy order)
      : table_(table),
        free_(free),
        order_(order),
        total_of_(static_cast<std::size_t>(table.num_equations())),
        is_total_(free.size(), false) {
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const CellId total = lone_cell(EquationId{e});
      total_of_[base::at(EquationId{e})] = total;
      if (total.value >= 0)
        is_total_[base::at(total)] = true;
    }
  }

  std::vector<EquationId> run_definitions() {
    define_totals();
    return std::move(form_.defining);
  }

  LeafForm run() {
    define_totals();
    expand();
    find_conditions();
    return std::move(form_);
  }

 private:
  // The free cell that stands alone on its side of the equation, all coefficients being 1 or -1;
  // none if there is no such cell.
  CellId lone_cell(EquationId equation) const {
    CellId plus, minus;
    int positive = 0;
    int negative = 0;
    for (const Term& term : table_.equation(equation)) {
      if (!free_[base::at(term.cell)])
        continue;
      if (term.coefficient == 1) {
        ++positive;
        plus = term.cell;
      } else if (term.coefficient == -1) {
        ++negative;
        minus = term.cell;
      } else {
        return {};
      }
    }
    // Signs of the whole table matter, not of the free cells alone: a part must not be taken for
    // the total because its siblings are fixed.
    if (negative == 1 && stands_alone(equation, -1))
      return minus;
    if (positive == 1 && stands_alone(equation, 1))
      return plus;
    return {};
  }

  bool stands_alone(EquationId equation, int side) const {
    int count = 0;
    for (const Term& term : table_.equation(equation))
      count += term.coefficient == side ? 1 : 0;
    return count == 1;
  }

  void define_totals() {
    const auto equations = static_cast<std::size_t>(table_.num_equations());
    std::vector<std::int32_t> waiting(equations, 0);  // other cells that are totals not yet defined
    std::vector<std::vector<EquationId>> waits_for(free_.size());
    std::vector<EquationId> ready;
    for (std::size_t i = 0; i < equations; ++i) {
      const EquationId e{
          static_cast<std::int32_t>(order_ == DefineBy::kFirst ? i : equations - 1 - i)};
      if (total_of_[base::at(e)].value < 0)
        continue;
      for (const Term& term : table_.equation(e)) {
        if (term.cell == total_of_[base::at(e)] || !free_[base::at(term.cell)] ||
            !is_total_[base::at(term.cell)])
          continue;
        ++waiting[base::at(e)];
        waits_for[base::at(term.cell)].push_back(e);
      }
      if (waiting[base::at(e)] == 0)
        ready.push_back(e);
    }
    std::vector<bool> known(free_.size(), false);
    for (std::size_t head = 0; head < ready.size(); ++head) {
      const CellId total = total_of_[base::at(ready[head])];
      if (known[base::at(total)])
        continue;
      known[base::at(total)] = true;
      form_.defining.push_back(ready[head]);
      form_.defined.push_back(total);
      for (const EquationId next : waits_for[base::at(total)]) {
        if (--waiting[base::at(next)] == 0)
          ready.push_back(next);
      }
    }
    defined_ = std::move(known);
  }

  void expand() {
    std::vector<std::vector<LeafTerm>> expansion(free_.size());
    for (std::size_t c = 0; c < free_.size(); ++c) {
      if (!free_[c] || defined_[c])
        continue;
      expansion[c] = {{static_cast<std::int32_t>(form_.leaves.size()), 1}};
      form_.leaves.push_back(CellId{static_cast<std::int32_t>(c)});
    }
    for (std::size_t i = 0; i < form_.defined.size(); ++i) {
      std::vector<LeafTerm> sum;
      std::int64_t own = 0;
      for (const Term& term : table_.equation(form_.defining[i])) {
        if (term.cell == form_.defined[i]) {
          own = term.coefficient;
          continue;
        }
        for (const LeafTerm& leaf : expansion[base::at(term.cell)]) {
          sum.push_back({leaf.leaf, leaf.coefficient * term.coefficient});
        }
      }
      merge(sum);
      for (LeafTerm& leaf : sum)
        leaf.coefficient *= -own;
      expansion[base::at(form_.defined[i])] = std::move(sum);
    }
    form_.start.assign(1, 0);
    for (const auto& terms : expansion) {
      form_.expansion.insert(form_.expansion.end(), terms.begin(), terms.end());
      form_.start.push_back(form_.expansion.size());
    }
  }

  static void merge(std::vector<LeafTerm>& terms) {
    std::sort(terms.begin(), terms.end(), [](const LeafTerm& a, const LeafTerm& b) {
      return a.leaf < b.leaf;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size();) {
      LeafTerm sum = terms[i];
      for (++i; i < terms.size() && terms[i].leaf == sum.leaf; ++i)
        sum.coefficient += terms[i].coefficient;
      if (sum.coefficient != 0)
        terms[kept++] = sum;
    }
    terms.resize(kept);
  }

  void find_conditions() {
    std::vector<bool> used(static_cast<std::size_t>(table_.num_equations()), false);
    for (const EquationId e : form_.defining)
      used[base::at(e)] = true;
    Independence independence;
    std::vector<LeafTerm> sum;
    for (std::int32_t i = 0; i < table_.num_equations(); ++i) {
      const EquationId e{i};
      if (used[base::at(e)])
        continue;
      sum.clear();
      for (const Term& term : table_.equation(e)) {
        for (const LeafTerm& leaf : form_.of(term.cell))
          sum.push_back({leaf.leaf, leaf.coefficient * term.coefficient});
      }
      merge(sum);
      if (sum.empty())
        continue;
      Row row;
      for (const LeafTerm& leaf : sum)
        row.push_back({leaf.leaf, reduced(leaf.coefficient)});
      if (independence.add(std::move(row)))
        form_.conditions.push_back(e);
    }
  }

  const Table& table_;
  const std::vector<bool>& free_;
  DefineBy order_;
  std::vector<CellId> total_of_;  // by equation
  std::vector<bool> is_total_;
  std::vector<bool> defined_;
  LeafForm form_;
};

}  // namespace

LeafForm leaf_form(const Table& table, const std::vector<bool>& free, DefineBy order) {
  return Definer(table, free, order).run();
}

std::vector<EquationId> defining_equations(const Table& table,
                                           const std::vector<bool>& free,
                                           DefineBy order) {
  return Definer(table, free, order).run_definitions();
}

std::vector<EquationId> independent_equations(const Table& table, const std::vector<bool>& free) {
  const LeafForm form = leaf_form(table, free);
  std::vector<EquationId> equations = form.defining;
  equations.insert(equations.end(), form.conditions.begin(), form.conditions.end());
  std::sort(equations.begin(), equations.end());
  return equations;
}

std::vector<LeafTerm> LeafForm::on_leaves(const Table& table, EquationId equation) const {
  std::map<std::int32_t, std::int64_t> sums;
  for (const Term& term : table.equation(equation)) {
    for (const LeafTerm& leaf : of(term.cell))
      sums[leaf.leaf] += leaf.coefficient * term.coefficient;
  }
  std::vector<LeafTerm> terms;
  for (const auto& [leaf, coefficient] : sums) {
    if (coefficient != 0)
      terms.push_back({leaf, coefficient});
  }
  return terms;
}

}  // namespace lacuna::table
