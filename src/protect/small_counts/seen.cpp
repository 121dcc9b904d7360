// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/seen.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/small_counts/tuning.h"

namespace lacuna::small_counts {
namespace {

constexpr std::uint64_t kPrime = 2147483647;  // 2^31 - 1: products fit 64 bits

std::uint64_t inverse(std::uint64_t value) {  // value^(p - 2)
  std::uint64_t result = 1;
  for (std::uint64_t exponent = kPrime - 2; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0)
      result = result * value % kPrime;
    value = value * value % kPrime;
  }
  return result;
}

using DenseRow = std::vector<std::uint64_t>;

void subtract(DenseRow& row, const DenseRow& pivot, std::size_t column) {
  const std::uint64_t factor = kPrime - row[column];
  for (std::size_t k = 0; k < row.size(); ++k)
    row[k] = (row[k] + factor * pivot[k]) % kPrime;
}

// The columns whose unit vector is in the row space.
std::vector<bool> unit_columns(std::vector<DenseRow> rows, std::size_t columns) {
  std::vector<bool> unit(columns, false);
  std::size_t rank = 0;
  for (std::size_t column = 0; column < columns && rank < rows.size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0)
      ++pivot;
    if (pivot == rows.size())
      continue;
    std::swap(rows[rank], rows[pivot]);
    const std::uint64_t scale = inverse(rows[rank][column]);
    for (std::uint64_t& entry : rows[rank])
      entry = entry * scale % kPrime;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r != rank && rows[r][column] != 0)
        subtract(rows[r], rows[rank], column);
    }
    base::count_work(kTuning.touches.eliminated * rows.size() * columns);
    ++rank;
  }
  for (std::size_t r = 0; r < rank; ++r) {
    const auto entries = std::count_if(
        rows[r].begin(), rows[r].end(), [](std::uint64_t entry) { return entry != 0; });
    if (entries == 1) {
      const auto one = std::find(rows[r].begin(), rows[r].end(), 1U);
      unit[static_cast<std::size_t>(one - rows[r].begin())] = true;
    }
  }
  return unit;
}

// The published sums over the inner cells that are not published, each once.
std::vector<DenseRow> sums_of_unseen(const Table& table,
                                     const Inner& inner,
                                     const std::vector<std::int32_t>& column,
                                     std::size_t columns) {
  std::set<std::vector<std::int32_t>> different;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.cell(CellId{c}).status == CellStatus::kSecondary)
      continue;
    std::vector<std::int32_t> members;
    for (const std::int32_t i : inner.of(CellId{c})) {
      if (column[base::at(i)] >= 0)
        members.push_back(column[base::at(i)]);
    }
    if (!members.empty())
      different.insert(std::move(members));
  }
  std::vector<DenseRow> rows;
  for (const auto& members : different) {
    DenseRow& row = rows.emplace_back(columns, 0);
    for (const std::int32_t k : members)
      row[base::at(k)] = 1;
  }
  return rows;
}

}  // namespace

std::vector<bool> seen_cells(const Table& table, const Inner& inner) {
  std::vector<bool> seen(inner.size(), true);
  std::vector<std::int32_t> column(inner.size(), -1), unseen;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool published =
        inner.cell[i].value >= 0 && table.cell(inner.cell[i]).status != CellStatus::kSecondary;
    if (published || inner.value[i] == 0)
      continue;
    column[i] = static_cast<std::int32_t>(unseen.size());
    unseen.push_back(static_cast<std::int32_t>(i));
  }
  if (unseen.empty() || unseen.size() > kTuning.exact.most_unseen)
    return seen;
  const std::vector<bool> unit =
      unit_columns(sums_of_unseen(table, inner, column, unseen.size()), unseen.size());
  for (std::size_t k = 0; k < unseen.size(); ++k)
    seen[base::at(unseen[k])] = unit[k];
  return seen;
}

}  // namespace lacuna::small_counts
