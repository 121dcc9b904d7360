// SPDX-License-Identifier: Apache-2.0
#include "judge/presolve/parallel.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/index.h"
#include "judge/presolve/exact_kernel.h"
#include "judge/presolve/tuning.h"

namespace lacuna::presolve {
namespace {

// Equations that share no class with others, over numbers of their own.
struct System {
  std::vector<std::int32_t> roots;           // by number, ascending
  std::vector<std::vector<Term>> equations;  // over numbers
  std::vector<std::size_t> sources;          // where they come from, ascending
};

std::int32_t top(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[base::at(i)] != i)
    i = parent[base::at(i)] = parent[base::at(parent[base::at(i)])];
  return i;
}

// Which equations hang together, by equation: a number from 0 on.
std::vector<std::size_t> systems_of(const std::vector<ClassEquation>& equations) {
  std::unordered_map<std::int32_t, std::int32_t> first;  // equation of a root
  std::vector<std::int32_t> parent(equations.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t e = 0; e < equations.size(); ++e) {
    for (const ClassTerm& term : equations[e]) {
      const auto own = static_cast<std::int32_t>(e);
      const auto [place, fresh] = first.emplace(term.root, own);
      if (!fresh)
        parent[base::at(top(parent, own))] = top(parent, place->second);
    }
  }
  std::vector<std::size_t> number(equations.size());
  std::unordered_map<std::int32_t, std::size_t> numbers;
  for (std::size_t e = 0; e < equations.size(); ++e)
    number[e] =
        numbers.emplace(top(parent, static_cast<std::int32_t>(e)), numbers.size()).first->second;
  return number;
}

void number_roots(System& system, const std::vector<ClassEquation>& equations) {
  for (const std::size_t e : system.sources) {
    for (const ClassTerm& term : equations[e])
      system.roots.push_back(term.root);
  }
  std::sort(system.roots.begin(), system.roots.end());
  system.roots.erase(std::unique(system.roots.begin(), system.roots.end()), system.roots.end());
  for (const std::size_t e : system.sources) {
    std::vector<Term> terms;
    for (const ClassTerm& term : equations[e]) {
      const auto place = std::lower_bound(system.roots.begin(), system.roots.end(), term.root);
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
      terms.push_back({CellId{static_cast<std::int32_t>(place - system.roots.begin())},
                       static_cast<std::int32_t>(std::clamp(term.coefficient, -kMost, kMost))});
    }
    system.equations.push_back(std::move(terms));
  }
}

std::vector<System> split(const std::vector<ClassEquation>& equations) {
  std::vector<System> systems;
  const std::vector<std::size_t> number = systems_of(equations);
  for (std::size_t e = 0; e < equations.size(); ++e) {
    systems.resize(std::max(systems.size(), number[e] + 1));
    systems[number[e]].sources.push_back(e);
  }
  for (System& system : systems)
    number_roots(system, equations);
  return systems;
}

std::optional<ExactKernel> kernel_of(const System& system, const RunContext& run) {
  return ExactKernel::make(static_cast<std::int32_t>(system.roots.size()), system.equations, run);
}

RunContext for_kernels(const std::vector<ClassEquation>& equations, const RunContext& run) {
  return with_work(run,
                   kTuning.kernel.least_work +
                       kTuning.kernel.work_per_cell * static_cast<std::int64_t>(equations.size()));
}

int sense_of(const ExactKernel::Row& row) {
  return row.front().numerator < 0 ? -1 : 1;
}

std::uint64_t hash_of(const ExactKernel::Row& row) {
  const int sense = sense_of(row);
  std::uint64_t hash = row.size();
  for (const SmallFraction& entry : row) {
    for (const std::int32_t part : {entry.column, sense * entry.numerator, entry.denominator})
      hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15U + (hash >> 29U);
  }
  return hash;
}

bool are_parallel(const ExactKernel::Row& a, const ExactKernel::Row& b) {
  const int sense = sense_of(a) * sense_of(b);
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](SmallFraction left, const SmallFraction& right) {
        left.numerator *= sense;
        return left == right;
      });
}

void tie_rows(const System& system, const ExactKernel& kernel, Ties& ties) {
  std::unordered_multimap<std::uint64_t, std::int32_t> seen;
  for (std::size_t i = 0; i < system.roots.size(); ++i) {
    const auto own = static_cast<std::int32_t>(i);
    const ExactKernel::Row& row = kernel.row(own);
    if (row.empty()) {
      ties.fix(system.roots[i]);
      continue;
    }
    const std::uint64_t hash = hash_of(row);
    const auto [begin, end] = seen.equal_range(hash);
    const auto same = std::find_if(
        begin, end, [&](const auto& each) { return are_parallel(kernel.row(each.second), row); });
    if (same == end)
      seen.emplace(hash, own);
    else
      ties.tie(system.roots[base::at(same->second)],
               system.roots[i],
               sense_of(kernel.row(same->second)) * sense_of(row));
  }
}

}  // namespace

void tie_parallel(Ties& ties, const RunContext& run) {
  const std::vector<ClassEquation> equations = ties.equations();
  const RunContext limited = for_kernels(equations, run);
  for (const System& system : split(equations)) {
    if (const auto kernel = kernel_of(system, limited))
      tie_rows(system, *kernel, ties);
  }
}

}  // namespace lacuna::presolve
