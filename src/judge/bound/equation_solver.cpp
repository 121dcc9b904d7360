// SPDX-License-Identifier: Apache-2.0
#include "judge/bound/equation_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::bound {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(product & kPrime) +
                            static_cast<std::uint64_t>(product >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t less(std::uint64_t a, std::uint64_t b) {
  return a >= b ? a - b : a + kPrime - b;
}

std::uint64_t inverse_of(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t left = kPrime - 2; left > 0; left >>= 1U, a = times(a, a)) {
    if ((left & 1U) != 0)
      result = times(result, a);
  }
  return result;
}

std::uint64_t modular(std::int64_t number) {
  return number >= 0 ? static_cast<std::uint64_t>(number) % kPrime
                     : less(0, static_cast<std::uint64_t>(-number) % kPrime);
}

std::uint64_t modular(const mpz_class& number) {
  const mpz_class prime(std::to_string(kPrime));
  mpz_class rest;
  mpz_mod(rest.get_mpz_t(), number.get_mpz_t(), prime.get_mpz_t());
  std::uint64_t value = 0;
  mpz_export(&value, nullptr, -1, sizeof value, 0, 0, rest.get_mpz_t());
  return value;
}

// n / d with both below 2^30 that is the number modulo the prime.
std::optional<mpq_class> lifted(std::uint64_t number) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30U;
  auto before = static_cast<std::int64_t>(kPrime), rest = static_cast<std::int64_t>(number);
  std::int64_t old_factor = 0, factor = 1;
  while (rest >= kMost) {
    const std::int64_t quotient = before / rest;
    before = std::exchange(rest, before - quotient * rest);
    old_factor = std::exchange(factor, old_factor - quotient * factor);
  }
  if (std::abs(factor) >= kMost || factor == 0)
    return std::nullopt;
  mpq_class fraction(mpz_class(std::to_string(factor < 0 ? -rest : rest)),
                     mpz_class(std::to_string(std::abs(factor))));
  fraction.canonicalize();
  return fraction;
}

using Modular = std::uint64_t;
using Row = std::vector<std::pair<std::int32_t, Modular>>;  // column and value

// row - factor * own without the pivot's column; `visit` is told of each column that is new in the row.
template <class Visit>
Row less_multiple(
    const Row& row, const Row& own, Modular factor, std::int32_t pivot, const Visit& visit) {
  Row sum;
  std::size_t a = 0, b = 0;
  while (a < row.size() || b < own.size()) {
    if (b == own.size() || (a < row.size() && row[a].first < own[b].first)) {
      sum.push_back(row[a++]);
      continue;
    }
    const bool is_new = a == row.size() || own[b].first < row[a].first;
    const Modular value = less(is_new ? 0 : row[a].second, times(factor, own[b].second));
    if (own[b].first != pivot && value != 0) {
      sum.emplace_back(own[b].first, value);
      if (is_new)
        visit(own[b].first);
    }
    a += is_new ? 0 : 1;
    ++b;
  }
  return sum;
}

// All rows of a list, each once; the list is empty afterwards.
std::vector<std::int32_t> taken_from(std::vector<std::int32_t>& list) {
  std::vector<std::int32_t> rows = std::move(list);
  list.clear();
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// The place in the row of the column that the fewest rows have.
std::size_t rarest(const Row& row, const std::vector<std::vector<std::int32_t>>& in) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < row.size(); ++k) {
    if (in[base::at(row[k].first)].size() < in[base::at(row[best].first)].size())
      best = k;
  }
  return best;
}

}  // namespace

EquationSolver::EquationSolver(const Table& table, const std::vector<bool>& counts)
    : row_of_(counts.size(), -1), columns_(table.num_equations()) {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (!counts[c])
      continue;
    row_of_[c] = static_cast<std::int32_t>(rows.size());
    Row& row = rows.emplace_back();
    for (const Incidence& in : table.equations_of(CellId{static_cast<std::int32_t>(c)}))
      row.emplace_back(in.equation.value, modular(std::int64_t{in.coefficient}));
    std::sort(row.begin(), row.end());
  }
  eliminate(std::move(rows), columns_);
}

// Rows of fewest entries first, and in them the column with the fewest rows.
void EquationSolver::eliminate(std::vector<Row> rows, std::int32_t columns) {
  std::vector<std::vector<std::int32_t>> in(base::at(columns));  // rows of a column, some gone
  std::vector<std::vector<std::int32_t>> by_size;
  std::vector<bool> done(rows.size(), false);
  const auto file = [&](std::size_t r) {
    if (rows[r].empty())
      return;
    if (by_size.size() <= rows[r].size())
      by_size.resize(rows[r].size() + 1);
    by_size[rows[r].size()].push_back(static_cast<std::int32_t>(r));
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const auto& [column, value] : rows[r])
      in[base::at(column)].push_back(static_cast<std::int32_t>(r));
    file(r);
  }
  for (std::size_t size = 1; size < by_size.size();) {
    if (by_size[size].empty()) {
      ++size;
      continue;
    }
    const std::int32_t r = by_size[size].back();
    by_size[size].pop_back();
    if (done[base::at(r)] || rows[base::at(r)].size() != size)
      continue;
    done[base::at(r)] = true;
    const Row& own = rows[base::at(r)];
    Pivot pivot;
    pivot.row = r;
    const std::size_t best = rarest(own, in);
    pivot.column = own[best].first;
    pivot.inverse = inverse_of(own[best].second);
    for (const std::int32_t other : taken_from(in[base::at(pivot.column)])) {
      if (done[base::at(other)])
        continue;
      Row& row = rows[base::at(other)];
      const auto place = std::lower_bound(
          row.begin(), row.end(), pivot.column, [](const auto& entry, std::int32_t column) {
            return entry.first < column;
          });
      if (place == row.end() || place->first != pivot.column)
        continue;
      const Modular factor = times(place->second, pivot.inverse);
      Row sum = less_multiple(row, own, factor, pivot.column, [&](std::int32_t column) {
        in[base::at(column)].push_back(other);
      });
      base::count_work(20 * (row.size() + own.size()));
      row = std::move(sum);
      pivot.from.emplace_back(other, factor);
      file(base::at(other));
      if (row.size() < size && !row.empty())
        size = row.size();
    }
    pivots_.push_back(std::move(pivot));
  }
  for (const Pivot& pivot : pivots_)
    rows_.push_back(std::move(rows[base::at(pivot.row)]));
}

std::optional<EquationSolver::Found> EquationSolver::solve(const Target& target) const {
  std::vector<Modular> right(row_of_.size(), 0);  // by row, of which there are no more
  for (const auto& [cell, value] : target) {
    if (row_of_[base::at(cell)] >= 0)
      right[base::at(row_of_[base::at(cell)])] = modular(value);
  }
  for (const Pivot& pivot : pivots_) {
    const Modular value = right[base::at(pivot.row)];
    if (value == 0)
      continue;
    base::count_work(10 * pivot.from.size());
    for (const auto& [row, factor] : pivot.from)
      right[base::at(row)] = less(right[base::at(row)], times(factor, value));
  }
  std::vector<Modular> g(base::at(columns_), 0);
  for (std::size_t p = pivots_.size(); p-- > 0;) {
    Modular value = right[base::at(pivots_[p].row)];
    for (const auto& [column, factor] : rows_[p]) {
      if (column != pivots_[p].column && g[base::at(column)] != 0)
        value = less(value, times(factor, g[base::at(column)]));
    }
    g[base::at(pivots_[p].column)] = times(value, pivots_[p].inverse);
  }
  base::count_work(20 * pivots_.size());
  Found found;
  for (std::size_t e = 0; e < g.size(); ++e) {
    if (g[e] == 0)
      continue;
    const auto fraction = lifted(g[e]);
    if (!fraction)
      return std::nullopt;
    found.emplace_back(static_cast<std::int32_t>(e), *fraction);
  }
  return found;
}

// Multipliers of LPs are small fractions, but for rounding.
std::optional<mpq_class> fraction_near(double value) {
  for (const double denominator : {1., 12., 60., 840., 27720.}) {
    const double scaled = value * denominator;
    if (std::abs(scaled - std::round(scaled)) > tol::kDecision * denominator)
      continue;
    mpq_class found(mpz_class(std::round(scaled)), mpz_class(denominator));
    found.canonicalize();
    return found;
  }
  // Continued fractions, of a denominator up to a hundred thousand.
  mpz_class n0 = 1, d0 = 0, n1 = mpz_class(std::floor(value)), d1 = 1;
  double rest = value - std::floor(value);
  for (int k = 0; k < 12 && rest > tol::kRounding; ++k) {
    rest = 1 / rest;
    const mpz_class next(std::floor(rest));
    rest -= std::floor(rest);
    const mpz_class n2 = next * n1 + n0, d2 = next * d1 + d0;
    if (d2 > 100'000)
      return std::nullopt;
    n0 = n1, d0 = d1, n1 = n2, d1 = d2;
    if (std::abs(mpq_class(n1, d1).get_d() - value) < tol::kDual)
      return mpq_class(n1, d1);
  }
  return std::nullopt;
}

}  // namespace lacuna::bound
