// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_peel.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/sets/owner_fits.h"
#include "protect/owner/public_course.h"

namespace lacuna::bench {
namespace {

using Values = std::vector<Units>;

constexpr double kReserves[] = {1, 1.25, 1.5, 2, 3};
constexpr std::size_t kMostListed = 200'000;  // tables, for one release

std::size_t at(std::int32_t cell) {
  return static_cast<std::size_t>(cell);
}

class Peeling {
 public:
  Peeling(const OwnerRow& row,
          const OwnerFrame& frame,
          const OwnerTable& table,
          const OwnerLimits& limits,
          const RunContext& run)
      : row_(row), frame_(frame), table_(table), limits_(limits), run_(run) {}

  OwnerRelease carry_out() {
    OwnerRelease release;
    release.end = OwnerRelease::End::kRefused;
    if (!make_patterns())
      return release;
    for (std::size_t k = 0; k < patterns_.size() && !too_wide_; ++k) {
      if (keeps(k, table_.values)) {
        describe(k, release);
        return release;
      }
    }
    if (too_wide_)
      release.end = OwnerRelease::End::kTooWide;
    return release;
  }

 private:
  bool make_patterns() {
    auto problem = owner_problem(row_.terms, frame_, table_, table_.values);
    if (!problem)
      return false;
    owner::PublicParts parts{table_.sizes, {table_.sizes.begin(), table_.sizes.end()}};
    parts.weights = owner::with_tie_break(problem->table(), std::move(parts.weights));
    for (const double reserve : kReserves) {
      owner::CourseOptions options;
      options.reserve = reserve;
      const auto open = owner::public_problem(*problem, parts, reserve);
      auto chosen = open ? owner::first_choice(*open, options, run_) : open.error();
      if (!chosen)
        return false;
      const bool known = std::any_of(patterns_.begin(), patterns_.end(), [&](const Draft& each) {
        return each.entries() == chosen->entries();
      });
      if (!known)
        patterns_.push_back(std::move(chosen).value());
    }
    structure_ = problem->table();
    return true;
  }

  std::vector<Values> fitting(std::size_t k, const Values& values) {
    std::vector<Bounds> known;
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c) {
      const bool inner = std::binary_search(frame_.leaves().begin(), frame_.leaves().end(), c);
      const Units cap = inner ? limits_.cap : limits_.cap * frame_.num_cells();
      const bool shown = patterns_[k].is_exact(CellId{c});
      known.push_back(shown ? Bounds{values[at(c)], values[at(c)]} : Bounds{0, cap});
    }
    FittingTables found = fitting_tables(structure_, std::move(known), limits_.tables);
    listed_ += found.tables.size();
    too_wide_ = too_wide_ || !found.all || listed_ > kMostListed;
    return std::move(found.tables);
  }

  // R_k.
  std::vector<Values> rest(std::size_t k, const Values& values) {
    std::vector<Values> left;
    for (Values& each : fitting(k, values)) {
      bool taken = false;
      for (std::size_t j = 0; j < k && !taken && !too_wide_; ++j)
        taken = keeps(j, each);
      if (!taken)
        left.push_back(std::move(each));
    }
    return left;
  }

  bool keeps(std::size_t k, const Values& values) {
    std::vector<Units> shown{static_cast<Units>(k)};
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c)
      shown.push_back(patterns_[k].is_exact(CellId{c}) ? values[at(c)] : -1);
    if (const auto known = keeps_.find(shown); known != keeps_.end())
      return known->second;
    if (too_wide_)
      return false;
    const std::vector<Values> left = rest(k, values);
    const bool all = std::all_of(table_.fixed.begin(), table_.fixed.end(), [&](std::int32_t cell) {
      const Bounds range = range_of(left, cell);
      return range.upper - range.lower >= owner_width(row_.terms, table_, cell);
    });
    return keeps_[shown] = all;
  }

  static Bounds range_of(const std::vector<Values>& tables, std::int32_t cell) {
    Bounds range{tables.empty() ? 0 : tables.front()[at(cell)], 0};
    range.upper = range.lower;
    for (const Values& each : tables)
      range = {std::min(range.lower, each[at(cell)]), std::max(range.upper, each[at(cell)])};
    return range;
  }

  void describe(std::size_t k, OwnerRelease& release) {
    const std::vector<Values> left = rest(k, table_.values);
    const std::vector<Values> all = fitting(k, table_.values);
    release.end = too_wide_ ? OwnerRelease::End::kTooWide : OwnerRelease::End::kAttacked;
    release.fit = all.size();
    release.kept = left.size();
    release.all_run = true;
    release.first_stood = k == 0;
    for (const CellEntry& entry : patterns_[k].each()) {
      ++release.withheld;
      release.cost += static_cast<double>(table_.values[at(entry.cell.value)]);
    }
    for (const std::int32_t cell : table_.fixed) {
      OwnerCell& found = release.cells.emplace_back();
      found.fits = range_of(all, cell);
      found.kept = range_of(left, cell);
      const Units truth = table_.values[at(cell)];
      const OwnerLevels levels = owner_levels(row_.terms, truth);
      const auto misses = [&](const Bounds& range) {
        return range.lower > truth - levels.lower || range.upper < truth + levels.upper;
      };
      found.fits_broken = misses(found.fits);
      found.broken = misses(found.kept);
      found.narrow =
          found.kept.upper - found.kept.lower < owner_width(row_.terms, table_, cell);
      found.exact = found.kept.is_point();
      release.narrow_promise = release.narrow_promise || found.narrow;
    }
  }

  const OwnerRow& row_;
  const OwnerFrame& frame_;
  const OwnerTable& table_;
  const OwnerLimits& limits_;
  const RunContext& run_;
  Table structure_;
  std::vector<Draft> patterns_;
  std::map<std::vector<Units>, bool> keeps_;  // by pattern and what it publishes
  std::size_t listed_ = 0;
  bool too_wide_ = false;
};

}  // namespace

OwnerRelease peel_release(const OwnerRow& row,
                          const OwnerFrame& frame,
                          const OwnerTable& table,
                          const OwnerLimits& limits,
                          const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  OwnerRelease release = Peeling(row, frame, table, limits, run).carry_out();
  release.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return release;
}

}  // namespace lacuna::bench
