// SPDX-License-Identifier: Apache-2.0
// The earlier periods of a store ([store], docs/periods.md) as part of a problem, in few cells. Let
// y be a cell now, y0 the same cell of a stored period, and c = y - y0. Where readers know nothing
// of changes besides, the two tables are independent, so with the ends of y0 that were proven when
// it was released, l0 <= y0 <= u0,
//   max c = max y - l0,   min c = min y - u0.                                                  (1)
// What must hold of c with the levels L, U and S (problem.h) is therefore, of y alone,
//   L' = L - (u0 - y0),   U' = U - (y0 - l0),   S' = S - (u0 - l0).                            (2)
// If none of the three is above zero, the change is safe whatever is published now. Else c is a cell
// behind the table, y - c = y0, or y - c - z = 0 with a cell z within [l0, u0] that everyone knows.
// Of all changes of one cell only those are asked that do not follow by (2) from another one, or
// from what is asked of the cell itself. So every pair of periods is judged, at the price of the
// changes that are sensitive.
//
// Contributors who attack may know more of y0 than was proven for everyone: they are taken to know
// it exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/load/sensitive_changes.h"
#include "core/table/appendix.h"
#include "data/store/period_store.h"
#include "lacuna/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

// A cell as a stored period has it.
struct StoredCell {
  std::string value, lower, upper;  // as they are written; ends that are not there are "-inf", "inf"
  std::int64_t frequency = -1;
  bool exact = false;  // published as it is
};

struct StoredPeriod {
  std::string name, where;  // "2026-04"
  std::size_t entry = 0;    // of the store
  int decimals = 0;
  std::vector<std::optional<StoredCell>> cells;  // by cell of the table
  std::optional<Problem> difference;             // as of EarlierPeriod (together.h)
  bool by_records = false;
};

// What the store of a job has for its table.
struct Stored {
  JobSpec::Store said;
  std::string where;
  store::PeriodStore store;
  std::string period;                 // of the table
  std::vector<std::string> inputs;    // what the table is made of, by its files
  std::vector<std::size_t> compared;  // entries that readers compare it with, by period
  std::vector<StoredPeriod> periods;  // of them, those whose changes are judged by (2)
  bool is_in = false;                 // the store has a release of this period already
};

// What was found and asked of the changes since stored periods.
struct StoredCounts {
  std::int64_t periods = 0, compared = 0, sensitive = 0;
  std::int64_t safe = 0;     // ... of them, whatever is published now
  std::int64_t implied = 0;  // ... by another change, or by the cell itself
  std::int64_t asked = 0;

  std::string text() const;  // a sentence
};

// The entries that a job is judged with: those of all other periods, or of the last ones; of its own
// period those before it, or with `revision` all. `input` names the period where nothing else does.
// Errors: the store's.
Result<Stored> read_stored(const JobSpec::Store& said,
                           const std::string& where,
                           const std::string& folder,
                           std::vector<std::string> inputs);

// The cells of an entry. Errors: another table.
Result<StoredPeriod> read_stored_period(const Stored& stored, std::size_t entry, const Table& table);

// Adds what the stored periods ask, and says it in `made`. `least`: contributors that the frequency rule asks for; 0: none.
Result<StoredCounts> add_stored(table::Appendix& to,
                                const Problem& problem,
                                const Stored& stored,
                                std::int64_t least,
                                JudgedChanges& made);

}  // namespace lacuna::load
