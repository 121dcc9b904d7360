// SPDX-License-Identifier: Apache-2.0
// lacuna bench owner: what a reader gains who owns the program and runs it on every table that fits
// a release (Minami and Abe 2019). Small random tables, every method, all that fits by enumeration.
// A row that promises something fails the bench where it is not so; a row with a planted dependence
// on hidden values fails it where that is not found.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/sets/bench_job.h"
#include "bench/sets/owner_attack.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

inline constexpr std::int64_t kOwnerTables = 20;  // if no number is asked for

std::vector<OwnerRow> owner_rows();

struct OwnerSums {  // of a row
  std::int64_t tables = 0, wide = 0, refused = 0;  // that were not attacked: too many fit, nothing out
  std::int64_t attacked = 0, broken = 0, narrow = 0, exact = 0, fits_broken = 0;
  std::int64_t listed = 0, single = 0, whole = 0;  // of those that were run on all that fit
  std::int64_t stood = 0;                          // first choices
  std::int64_t cells = 0;
  std::int64_t runs = 0;
  double shrink = 0, seconds = 0, withheld = 0;
  double price = 0;             // by value, of the cheapest pattern with two-sided levels
  std::int64_t priced = 0;
  std::vector<std::size_t> fit, kept;          // by release
  std::vector<std::int64_t> narrow_promise, other_course;  // numbers of tables
};
void count(const OwnerRelease& release, std::int64_t table, OwnerSums& sums);

// Errors: several numbers of tables; no row of that name.
Result<job::JobOutput> bench_owner(const BenchJob& job, const RunContext& run);

std::string owner_csv(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums);
std::string owner_text(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums);
std::string owner_json(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums);
// Why the bench fails, one sentence per row; empty if it does not.
std::string owner_failures(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums);

}  // namespace lacuna::bench
