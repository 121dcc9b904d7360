// SPDX-License-Identifier: Apache-2.0
// A proposed release: what a reader will see of each cell. A Draft can be attacked and audited but
// not written as a release; only an AuditedRelease (audit.h) can.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

enum class CellState : std::uint8_t { kExact, kWithheld, kInterval, kRounded, kAltered, kAdjusted };
std::string_view to_string(CellState state);

// What is published of one cell, by type, and what a reader thereby knows of the true value a
// (docs/audit.md, section 1, is the table of these meanings). A number without any word on how far
// it may be from the truth cannot be stated of a single cell: that is the Adjusted of a whole
// release, which is judged by another rule.
struct Exact {  // published as it is: a
  bool operator==(const Exact&) const = default;
};
struct Withheld {  // nothing
  bool operator==(const Withheld&) const = default;
};
struct IntervalEnds {  // lower <= a <= upper, both finite
  Bounds ends;
  std::vector<Units> among{};  // a is one of these, rising, the ends included; empty: any within
  bool operator==(const IntervalEnds&) const = default;
};
struct Rounded {  // |a - value| <= (steps + 1) base
  Units value = 0;
  Units base = 0;          // > 0
  std::int32_t steps = 0;  // in [0, kMaxSteps]: bases beyond the adjacent multiples
  static constexpr std::int32_t kMaxSteps = 100;
  bool operator==(const Rounded&) const = default;
};
struct Altered {  // range.lower <= a <= range.upper, both finite and told to the reader
  Units value = 0;
  Bounds range;
  std::vector<Units>
      among{};          // as of an interval: the range of a perturbation table can have holes
  bool by_key = false;  // the number is the truth and the noise of the cell's key
  bool operator==(const Altered&) const = default;
};
struct Adjusted {  // a number, and no word on how far it may be from a
  Units value = 0;
  bool operator==(const Adjusted&) const = default;
};
using Statement = std::variant<Exact, Withheld, IntervalEnds, Rounded, Altered, Adjusted>;

struct CellEntry {
  CellId cell;
  Statement says = Withheld{};

  CellState state() const;
  // What the statement implies for the true value, without its prior. Exact and adjusted numbers
  // imply nothing here: Draft::implied() knows the first, and no range exists for the second.
  Bounds bounds() const;
  std::optional<Units> number() const;   // of a rounded, altered or adjusted cell
  std::span<const Units> among() const;  // of an interval or altered cell with holes; else empty
  bool operator==(const CellEntry&) const = default;
};

class Draft {
 public:
  Draft() = default;
  static Draft withholding(std::span<const CellId> cells);
  static Draft withholding_primaries(const Table& table);  // and cells withheld already

  void withhold(CellId cell);
  void publish_interval(CellId cell, Bounds ends);
  void publish_rounded(CellId cell, Units value, Units base, std::int32_t steps = 0);
  void publish_altered(CellId cell, Units value, Bounds range);
  void publish_adjusted(CellId cell, Units value);  // the whole release is adjusted from then on
  void publish_exact(CellId cell);
  void set(const CellEntry& entry);

  CellState state(CellId cell) const;
  const CellEntry* find(CellId cell) const;  // nullptr if exact
  std::vector<CellEntry> entries() const;    // all that are not exact, by cell
  std::int32_t count(CellState state) const;
  bool by_keys() const;  // some number is altered by the key of its cell
  // What any reader knows of the true value: the value itself if exact, else the entry's bounds.
  Bounds implied(const Table& table, CellId cell) const;

  // An adjusted table (controlled tabular adjustment): numbers for all cells, any of them altered,
  // and readers know neither which nor by how much. Such a release is judged by what it shows: it
  // adds up, and every sensitive cell lies outside its protection interval. It holds exact and
  // adjusted cells only, and no other release holds adjusted ones.
  bool adjusted() const { return adjusted_; }
  void set_adjusted(bool adjusted) { adjusted_ = adjusted; }

 private:
  std::map<CellId, CellEntry> entries_;
  bool adjusted_ = false;
};

// Whether readers of the two see the same. A cell of an adjusted table that has no entry shows its
// true value as an adjusted number, and nobody can tell.
bool same_release(const Table& table, const Draft& a, const Draft& b);

// Every entry names a cell of the table and is complete (both ends, a base above zero, numbers that
// fit), its bounds contain the true value (a release that lies about its own ranges cannot be
// audited), and no cell that must be published is hidden.
Status check_draft(const Table& table, const Draft& draft);

}  // namespace lacuna
