// SPDX-License-Identifier: Apache-2.0
#include "argus/table_sums.h"

#include <algorithm>

#include "base/decimal.h"

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
    return ok_status();
  }

 private:
  Table& table_;
  std::vector<Units>& costs_;
  std::size_t top_;
};

std::string broken_sum(const Table& table, std::size_t cell, Wide parts) {
  return table.label_of(cell) + " is " + format_units(table.cells[cell].response, table.decimals) +
         ", its parts make " + format_fraction(parts, 1, table.decimals);
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
    return Error{ErrorCode::kUnsupported,
                 "the table has " + sizes + " cells, and " + std::to_string(kMostCells) +
                     " are the most: recode a variable",
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
  return {ErrorCode::kBadInput,
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

Status add_up_totals(Table& table, std::vector<Units>& costs, std::size_t top) {
  const TotalAdder adder(table, costs, top);
  for (std::size_t v = 0; v < table.variables.size(); ++v)
    LACUNA_RETURN_IF_ERROR(visit_parts(table.variables, v, table.cells.size(), adder));
  return ok_status();
}

std::vector<std::string> broken_sums(const Table& table, std::size_t most) {
  std::vector<std::string> broken;
  std::vector<Wide> parts(table.cells.size());
  std::vector<bool> has_parts(table.cells.size());
  for (std::size_t v = 0; v < table.variables.size() && broken.size() < most; ++v) {
    std::fill(parts.begin(), parts.end(), Wide{0});
    std::fill(has_parts.begin(), has_parts.end(), false);
    const auto visited = visit_parts(
        table.variables, v, table.cells.size(), [&](std::size_t to, std::size_t from) -> Status {
          parts[to] += table.cells[from].response;
          has_parts[to] = true;
          return ok_status();
        });
    for (std::size_t i = 0; visited && i < parts.size() && broken.size() < most; ++i) {
      if (has_parts[i] && parts[i] != table.cells[i].response)
        broken.push_back(broken_sum(table, i, parts[i]));
    }
  }
  return broken;
}

}  // namespace lacuna::argus
