// SPDX-License-Identifier: Apache-2.0
#include "core/base/exact_linear.h"

#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "core/base/work.h"

namespace lacuna::base {
namespace {

// Gaussian elimination that picks, among the rows with the fewest open entries, a pivot in the
// column with the fewest open rows. A row singleton costs no elimination at all and a column
// singleton none either, so triangular systems are solved in linear time.
class Elimination {
  static constexpr std::int64_t kEntry = 250;  // nanoseconds: rationals in a tree

 public:
  Elimination(const SparseRows& rows, const std::vector<mpq_class>& rhs)
      : size_(rows.size()),
        rows_(rows.size()),
        column_rows_(rows.size()),
        rhs_(rhs),
        row_open_(rows.size(), true),
        buckets_(rows.size() + 1) {
    for (std::size_t r = 0; r < size_; ++r) {
      for (const SparseEntry& entry : rows[r]) {
        rows_[r][entry.column] = entry.coefficient;
        column_rows_[static_cast<std::size_t>(entry.column)].push_back(
            static_cast<std::int32_t>(r));
      }
      file(r);
    }
  }

  std::optional<std::vector<mpq_class>> run() {
    std::vector<std::pair<std::size_t, std::int32_t>> pivots;  // (row, column) in order
    pivots.reserve(size_);
    for (std::size_t step = 0; step < size_; ++step) {
      const auto row = smallest_row();
      if (!row)
        return std::nullopt;
      const std::int32_t column = best_column(*row);
      eliminate(*row, column);
      pivots.emplace_back(*row, column);
    }
    std::vector<mpq_class> x(size_);
    for (auto pivot = pivots.rbegin(); pivot != pivots.rend(); ++pivot) {
      const auto& [row, column] = *pivot;
      mpq_class value = rhs_[row];
      for (const auto& [other, coefficient] : rows_[row]) {
        if (other != column)
          value -= coefficient * x[static_cast<std::size_t>(other)];
      }
      x[static_cast<std::size_t>(column)] = value / rows_[row].at(column);
    }
    return x;
  }

 private:
  void file(std::size_t row) { buckets_[rows_[row].size()].push_back(row); }

  // The open row with the fewest entries; nothing if one is empty (the system is singular).
  std::optional<std::size_t> smallest_row() {
    for (std::size_t count = 0; count < buckets_.size(); ++count) {
      auto& bucket = buckets_[count];
      while (!bucket.empty()) {
        const std::size_t row = bucket.back();
        bucket.pop_back();
        // A row is filed again whenever its count changes; older filings are stale.
        if (!row_open_[row] || rows_[row].size() != count)
          continue;
        if (count == 0)
          return std::nullopt;
        return row;
      }
    }
    return std::nullopt;
  }

  std::int32_t best_column(std::size_t row) const {
    std::int32_t best = -1;
    std::size_t best_count = 0;
    for (const auto& [column, coefficient] : rows_[row]) {
      const std::size_t count = column_rows_[static_cast<std::size_t>(column)].size();
      if (best < 0 || count < best_count) {
        best = column;
        best_count = count;
      }
    }
    return best;
  }

  void eliminate(std::size_t pivot_row, std::int32_t column) {
    std::int64_t touched = 1;
    row_open_[pivot_row] = false;
    const auto& source = rows_[pivot_row];
    const mpq_class pivot = source.at(column);
    const std::vector<std::int32_t> affected = column_rows_[static_cast<std::size_t>(column)];
    for (const std::int32_t r : affected) {
      const auto row = static_cast<std::size_t>(r);
      if (!row_open_[row])
        continue;
      auto& target = rows_[row];
      const auto at = target.find(column);
      if (at == target.end())
        continue;
      const mpq_class factor = at->second / pivot;
      target.erase(at);
      for (const auto& [other, coefficient] : source) {
        if (other == column)
          continue;
        auto [entry, added] = target.try_emplace(other, 0);
        entry->second -= factor * coefficient;
        if (entry->second == 0) {
          target.erase(entry);
        } else if (added) {
          column_rows_[static_cast<std::size_t>(other)].push_back(r);
        }
      }
      rhs_[row] -= factor * rhs_[pivot_row];
      file(row);
      touched += std::ssize(source);
    }
    count_work(kEntry * touched);
  }

  std::size_t size_;
  std::vector<std::map<std::int32_t, mpq_class>> rows_;
  std::vector<std::vector<std::int32_t>> column_rows_;  // may hold rows that lost the entry
  std::vector<mpq_class> rhs_;
  std::vector<bool> row_open_;
  std::vector<std::vector<std::size_t>> buckets_;  // rows by number of entries
};

}  // namespace

SparseRows transpose(const SparseRows& rows, std::int32_t num_columns) {
  SparseRows result(static_cast<std::size_t>(num_columns));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const SparseEntry& entry : rows[r]) {
      result[static_cast<std::size_t>(entry.column)].push_back(
          {static_cast<std::int32_t>(r), entry.coefficient});
    }
  }
  return result;
}

std::optional<std::vector<mpq_class>> solve_exactly(const SparseRows& rows,
                                                    const std::vector<mpq_class>& rhs) {
  LACUNA_CHECK(rows.size() == rhs.size());
  return Elimination(rows, rhs).run();
}

}  // namespace lacuna::base
