// SPDX-License-Identifier: Apache-2.0
// Which changes since an earlier period are sensitive (docs/periods.md): by the table of the changes
// of contributors, which the rules of the job have judged as any other table; else by the change
// itself where the numbers are counts, or by how many contributors are new.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

// A change that is a cell of the system, with what is asked of it.
struct AskedChange {
  CellId cell, of;    // of the system, and the cell of the table that has changed
  std::string since;  // name of the earlier period
  Units added = 0;    // with which the change stands in the system, as of counts
};

// A sensitive change that would be told if the cell were published, given what was published of the
// earlier period.
struct OpenChange {
  CellId of;
  std::string since;
  std::int64_t contributors = -1;  // to the change; -1: not known
};

struct JudgedChanges {
  std::vector<AskedChange> asked;
  std::vector<OpenChange> open;
  std::int64_t least = 0;  // contributors that the frequency rule asks for; 0: none
};

// Of every cell of `from` the cell of `to` with the same codes, by name; -1: there is none.
std::vector<CellId> same_cells(const Table& from, const Table& to);

struct ThenCell {  // of the earlier period
  Units value = 0;
  std::int64_t frequency = -1;
};

struct ComparedPeriod {
  const Problem& now;
  std::vector<std::optional<ThenCell>> then;  // by cell of the table
  const JobSpec::Changes& said;
  const std::string& where;
  // The changes of contributors, and whether they were looked at: without a table of them nothing
  // has changed.
  const std::optional<Problem>& difference;
  bool by_records = false;
  std::int64_t least = 0;  // contributors that the frequency rule asks for; 0: none
};

// What is asked of a change: requirements of the table of changes, or one of our own; and what
// attackers of that table know of it.
struct SensitiveChange {
  std::vector<Requirement> needs;
  std::vector<std::pair<std::int32_t, Bounds>> known;
  std::int64_t contributors = -1;  // to the change; -1: not known
};

// By cell of the table. Errors: it cannot be told whose contributions have changed.
Result<std::map<std::int32_t, SensitiveChange>> sensitive_changes(const ComparedPeriod& period);

// Beyond every count of both periods, so that it bounds no change that anybody would think of: a
// change of counts may be negative, and stands with this number added.
Units shift_of(Units most);

}  // namespace lacuna::load
