// SPDX-License-Identifier: Apache-2.0
// The attack of a reader who owns the program: of all tables that fit a release, keep those of
// which the program makes that very release. With F the tables that fit and F_A those kept, the
// range of a sensitive cell over F_A is what such a reader has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/sets/owner_table.h"
#include "lacuna/draft.h"
#include "lacuna/protect.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct OwnerRow {  // of the table of results
  std::string name;
  OwnerTerms terms;
  ProtectOptions options;
  double reserve = 2;      // against the owner: of the first choice
  bool planted = false;    // ... and its weights are today's values, which must be found
  Units box = 0;           // adjusted tables: how far from the published number others are tried
  int seeds = 1;           // how many seeds the reader has to reckon with; 1: that of the run
  bool peeled = false;     // owner_peel.h
  bool promises = false;   // the width of every sensitive cell, and one course for all that fit
};

struct OwnerLimits {
  Units cap = 40;               // of inner cells, where margins are withheld
  std::size_t tables = 20000;  // that fit; wider releases are skipped
  std::size_t every = 300;      // up to so many are all run; beyond, from the ends inward
  std::size_t runs = 600;       // of the program on one release; beyond, what is known by then
};

struct OwnerCell {
  Bounds fits, kept;  // its range over F and over F_A
  bool settled = true;  // false: the runs ended before; `kept` is what they did not rule out
  bool broken = false, narrow = false, exact = false, fits_broken = false;
};

struct OwnerRelease {  // one attacked
  enum class End : std::uint8_t { kAttacked, kTooWide, kRefused };
  End end = End::kAttacked;
  std::vector<OwnerCell> cells;  // the sensitive ones, by the rule itself
  std::size_t fit = 0, kept = 0, runs = 0;
  bool all_run = false;     // `kept` is known
  bool first_stood = true;  // against the owner: nothing had to be repaired
  bool narrow_promise = false, other_course = false;  // what was promised and is not so
  std::size_t withheld = 0;
  double cost = 0;   // the values of all that is withheld
  double seconds = 0;
};

// What the public file tells, as a text; two releases are the same if their texts are.
std::string public_view(const Table& table, const Draft& draft);

OwnerRelease attack_release(const OwnerRow& row,
                            const OwnerFrame& frame,
                            const OwnerTable& table,
                            const OwnerLimits& limits,
                            const RunContext& run);

}  // namespace lacuna::bench
