// SPDX-License-Identifier: Apache-2.0
// A proposed release: what a reader will see of each cell. A Draft can be attacked and audited but
// not written as a release; only an AuditedRelease (audit.h) can.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna {

enum class CellState : std::uint8_t { kExact, kWithheld, kInterval, kRounded, kAltered };
std::string_view to_string(CellState state);

// What is published of one cell that is not published as it is. `bounds` is what the statement
// implies for the true value: nothing for kWithheld; the published ends for kInterval; value +-
// base for kRounded; value +- known range for kAltered, unbounded if the range is not known.
struct CellEntry {
  CellId cell;
  CellState state = CellState::kWithheld;
  Bounds bounds;
  Units value = 0;  // kRounded, kAltered: the published number
  bool operator==(const CellEntry&) const = default;
};

class Draft {
 public:
  Draft() = default;
  static Draft withholding(std::span<const CellId> cells);
  static Draft withholding_primaries(const Table& table);  // and cells withheld already

  void withhold(CellId cell);
  void publish_interval(CellId cell, Bounds ends);
  void publish_rounded(CellId cell, Units value, Units base);
  void publish_altered(CellId cell, Units value);                // range not known to readers
  void publish_altered(CellId cell, Units value, Bounds range);  // range of the truth, known
  void publish_exact(CellId cell);
  void set(const CellEntry& entry);

  CellState state(CellId cell) const;
  const CellEntry* find(CellId cell) const;  // nullptr if exact
  std::vector<CellEntry> entries() const;    // all that are not exact, by cell
  std::int32_t count(CellState state) const;
  // What any reader knows of the true value: the value itself if exact, else the entry's bounds.
  Bounds implied(const Table& table, CellId cell) const;

  // An adjusted table (controlled tabular adjustment): numbers for all cells, any of them altered,
  // and readers know neither which nor by how much. Such a release is judged by what it shows: it
  // adds up, and every sensitive cell lies outside its protection interval.
  bool adjusted() const { return adjusted_; }
  void set_adjusted(bool adjusted) { adjusted_ = adjusted; }

 private:
  std::map<CellId, CellEntry> entries_;
  bool adjusted_ = false;
};

// Every entry names a cell of the table, its bounds contain the true value (a release that lies
// about its own ranges cannot be audited), and no cell that must be published is hidden.
Status check_draft(const Table& table, const Draft& draft);

}  // namespace lacuna
