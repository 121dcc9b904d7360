// SPDX-License-Identifier: Apache-2.0
#include "data/argus/table_sums.h"

#include <algorithm>
#include <functional>

#include "core/base/check.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"

namespace lacuna::argus {
namespace {

// Calls back with every pair of cells whose codes are the same but for one variable, where the
// second has a code below that of the first. Parts come before what they are part of.
template <class Visit>
Status visit_parts(const std::vector<CodeList>& variables,
                   std::size_t v,
                   std::size_t num_cells,
                   const Visit& visit) {
  std::size_t stride = 1;
  for (std::size_t later = v + 1; later < variables.size(); ++later)
    stride *= variables[later].codes.size();
  const CodeList& list = variables[v];
  const std::size_t block_size = list.codes.size() * stride;
  for (std::size_t block = 0; block < num_cells; block += block_size) {
    for (std::size_t code = list.codes.size(); code-- > 1;) {
      const std::size_t from = block + code * stride;
      const std::size_t to = block + static_cast<std::size_t>(list.parents[code]) * stride;
      for (std::size_t i = 0; i < stride; ++i)
        LACUNA_RETURN_IF_ERROR(visit(to + i, from + i));
    }
  }
  return ok_status();
}

class TotalAdder {
 public:
  TotalAdder(Table& table, std::vector<Units>& costs, std::size_t top)
      : table_(table), costs_(costs), top_(top) {}

  Status operator()(std::size_t to, std::size_t from) const {
    const Cell& part = table_.cells[from];
    if (part.frequency == 0)
      return ok_status();
    Cell& sum = table_.cells[to];
    sum.frequency += part.frequency;
    bool fits = add_to(sum.response, part.response) && add_to(sum.shadow, part.shadow);
    if (!costs_.empty())
      fits = fits && add_to(costs_[to], costs_[from]);
    const bool weighted = !table_.weights.empty();
    if (weighted)
      fits = fits && add_to(table_.weights[to].sum, table_.weights[from].sum);
    if (!fits)
      return sum_too_large(table_, to);
    for (std::size_t i = 0; i < part.largest.size(); ++i) {
      offer_largest(sum.largest,
                    part.largest[i],
                    top_,
                    weighted ? &table_.weights[to].largest : nullptr,
                    weighted ? table_.weights[from].largest[i] : 0);
    }
    if (!table_.requests.empty())
      keep_larger(table_.requests[to].records, table_.requests[from].records);
    if (!table_.keys.empty())
      add_key(table_, to, table_.keys[from]);
    return ok_status();
  }

 private:
  Table& table_;
  std::vector<Units>& costs_;
  std::size_t top_;
};

std::string broken_sum(const Table& table, std::size_t cell, Wide parts) {
  return table.label_of(cell) + " is " +
         base::confidential(base::format_units(table.cells[cell].response, table.decimals)) +
         ", its parts make " + base::confidential(base::format_fraction(parts, 1, table.decimals));
}

// Calls back with every cell that has parts and what they make, until told to stop.
template <class Visit>
void visit_sums(const Table& table, const Visit& visit) {
  std::vector<Wide> parts(table.cells.size());
  std::vector<bool> has_parts(table.cells.size());
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    std::fill(parts.begin(), parts.end(), Wide{0});
    std::fill(has_parts.begin(), has_parts.end(), false);
    const auto visited = visit_parts(
        table.variables, v, table.cells.size(), [&](std::size_t to, std::size_t from) -> Status {
          parts[to] += table.cells[from].response;
          has_parts[to] = true;
          return ok_status();
        });
    LACUNA_CHECK(visited);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (has_parts[i] && !visit(i, parts[i]))
        return;
    }
  }
}

}  // namespace

Result<std::size_t> num_cells(const std::vector<CodeList>& variables) {
  std::size_t count = 1;
  std::string sizes;
  bool too_many = false;
  for (const CodeList& list : variables) {
    sizes += (sizes.empty() ? "" : " x ") + std::to_string(list.codes.size()) + " (" +
             list.variable + ")";
    too_many = too_many || list.codes.size() > kMostCells / count;
    count = too_many ? count : count * list.codes.size();
  }
  if (too_many) {
    return Error{ErrorCode::kTooLarge,
                 "the table has " + sizes + " cells, and " + std::to_string(kMostCells) +
                     " is the limit: recode a variable",
                 ""};
  }
  return count;
}

bool add_to(Units& sum, Wide amount) {
  const Wide result = sum + amount;
  if (result > kMaxUnits || result < -kMaxUnits)
    return false;
  sum = static_cast<Units>(result);
  return true;
}

Error sum_too_large(const Table& table, std::size_t cell) {
  return {ErrorCode::kNumberTooLarge,
          "the numbers of the cell add up to more than 18 digits with their decimals",
          table.label_of(cell)};
}

void offer_largest(std::vector<Units>& list,
                   Units size,
                   std::size_t top,
                   std::vector<Units>* weights,
                   Units weight) {
  if (top == 0 || (list.size() == top && list.back() >= size))
    return;
  const auto place = std::upper_bound(list.begin(), list.end(), size, std::greater<>());
  const auto offset = place - list.begin();
  list.insert(place, size);
  if (weights != nullptr)
    weights->insert(weights->begin() + offset, weight);
  if (list.size() > top) {
    list.pop_back();
    if (weights != nullptr)
      weights->pop_back();
  }
}

void keep_larger(RequestedShare& kept, const RequestedShare& offered) {
  if (offered.amount > kept.amount)
    kept = offered;
}

void add_key(Table& table, std::size_t cell, const CellKeySums& part) {
  CellKeySums& sum = table.keys[cell];
  sum.key = (sum.key + part.key) % table.key_modulus;
  sum.smallest = std::min(sum.smallest, part.smallest);
}

Status add_up_totals(Table& table, std::vector<Units>& costs, std::size_t top) {
  const TotalAdder adder(table, costs, top);
  for (std::size_t v = 0; v < table.variables.size(); ++v)
    LACUNA_RETURN_IF_ERROR(visit_parts(table.variables, v, table.cells.size(), adder));
  return ok_status();
}

std::vector<std::string> broken_sums(const Table& table, std::size_t most) {
  std::vector<std::string> broken;
  visit_sums(table, [&](std::size_t cell, Wide parts) {
    if (parts != table.cells[cell].response)
      broken.push_back(broken_sum(table, cell, parts));
    return broken.size() < most;
  });
  return broken;
}

bool sums_nearly_hold(const Table& table) {
  const mpz_class scale = base::ten_to_the(14);
  const mpz_class unit = base::ten_to_the(table.decimals);  // 1, in units of the table
  bool hold = true;
  visit_sums(table, [&](std::size_t cell, Wide parts) {
    const mpz_class a = base::to_integer(table.cells[cell].response);
    const mpz_class b = base::to_integer(parts);
    const mpz_class difference = abs(a - b) * scale;
    const mpz_class sum = abs(a + b);
    hold = difference == 0 || difference < 2 * sum || difference < unit;
    return hold;
  });
  return hold;
}

std::vector<bool> totals_of(const Table& table) {
  std::vector<bool> totals(table.cells.size(), false);
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    const auto visited = visit_parts(
        table.variables, v, table.cells.size(), [&](std::size_t to, std::size_t) -> Status {
          totals[to] = true;
          return ok_status();
        });
    LACUNA_CHECK(visited);
  }
  return totals;
}

std::vector<double> summed_costs(const Table& table) {
  const std::vector<bool> totals = totals_of(table);
  std::vector<double> costs(totals.size());
  for (std::size_t i = 0; i < totals.size(); ++i)
    costs[i] = totals[i] ? 0 : table.cells[i].cost;
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    const auto visited = visit_parts(
        table.variables, v, costs.size(), [&](std::size_t to, std::size_t from) -> Status {
          costs[to] += costs[from];
          return ok_status();
        });
    LACUNA_CHECK(visited);
  }
  return costs;
}

Status set_responses_of_totals(Table& table) {
  const std::vector<bool> totals = totals_of(table);
  for (std::size_t i = 0; i < totals.size(); ++i)
    table.cells[i].response = totals[i] ? 0 : table.cells[i].response;
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    LACUNA_RETURN_IF_ERROR(visit_parts(
        table.variables, v, table.cells.size(), [&](std::size_t to, std::size_t from) -> Status {
          if (!add_to(table.cells[to].response, table.cells[from].response))
            return sum_too_large(table, to);
          return ok_status();
        }));
  }
  return ok_status();
}

}  // namespace lacuna::argus
