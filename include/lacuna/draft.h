// SPDX-License-Identifier: Apache-2.0
// A proposed release: what a reader will see of each cell. A Draft can be attacked and audited but
// not written as a release; only an AuditedRelease (audit.h) can.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

enum class StatementKind : std::uint8_t {
  kExact,
  kWithheld,
  kInterval,
  kRounded,
  kAltered,
  kAdjusted
};
std::string_view to_string(StatementKind state);

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

  StatementKind state() const;
  // What the statement implies for the true value, without its prior. Exact and adjusted numbers
  // imply nothing here: Draft::implied() knows the first, and no range exists for the second.
  Bounds bounds() const;
  std::optional<Units> number() const;   // of a rounded, altered or adjusted cell
  std::span<const Units> among() const;  // of an interval or altered cell with holes; else empty
  bool operator==(const CellEntry&) const = default;
};

// The entry of a cell in a draft, to be used as a pointer to it: null if the cell is exact. It is
// good for as long as the draft is not changed. A withheld cell has no entry in memory, and its own
// is in here.
class FoundEntry {
 public:
  FoundEntry() = default;
  explicit operator bool() const { return any_; }
  bool operator==(std::nullptr_t) const { return !any_; }
  const CellEntry& operator*() const { return kept_ != nullptr ? *kept_ : withheld_; }
  const CellEntry* operator->() const { return &**this; }

 private:
  friend class Draft;
  explicit FoundEntry(CellId withheld) : withheld_{withheld}, any_(true) {}
  explicit FoundEntry(const CellEntry& kept) : kept_(&kept), any_(true) {}
  const CellEntry* kept_ = nullptr;
  CellEntry withheld_;
  bool any_ = false;
};

// A withheld cell takes about a byte, any other that is not exact its entry; what is not in order
// costs little more than what is. Constant functions may be called by many threads at once.
class Draft {
 public:
  class Entries;

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

  StatementKind state(CellId cell) const;
  bool is_exact(CellId cell) const { return state(cell) == StatementKind::kExact; }
  FoundEntry find(CellId cell) const;      // null if exact
  std::vector<CellEntry> entries() const;  // all that are not exact, by cell
  // The same one after the other and without a copy, for a loop that does not change the draft.
  Entries each() const&;
  void each() const&& = delete;
  std::int32_t num_entries() const;
  std::int32_t count(StatementKind state) const;
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
  // Cells in runs of neighbours, made where a cell is stated: cell 2^31 - 1 of a hostile file takes
  // one run, and a cell out of order moves the entries of its run and no others.
  static constexpr std::int32_t kRunLength = 64;
  struct Run {
    std::array<StatementKind, kRunLength> states{};
    std::vector<CellEntry> kept;  // of those that are neither exact nor withheld, by cell
  };
  struct Place {
    std::int32_t number = 0;  // the run of the cells from number * kRunLength
    std::int32_t run = 0;     // of runs_
  };

  std::vector<Place>::const_iterator place_from(std::int32_t number) const;
  const Run* run_of(CellId cell) const;  // nullptr if there is none
  Run& made_run(CellId cell);

  std::vector<Place> places_;  // by number
  std::vector<Run> runs_;      // in the order in which they were made
  bool adjusted_ = false;
};

// A range of const CellEntry&, each of which is good until the next one is asked for.
class Draft::Entries {
 public:
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = CellEntry;
    using difference_type = std::ptrdiff_t;
    explicit Iterator(const Draft& draft) : draft_(&draft) { seek(); }
    const CellEntry& operator*() const { return *now_; }
    const CellEntry* operator->() const { return &*now_; }
    Iterator& operator++() {
      ++offset_;
      seek();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return now_ == nullptr; }

   private:
    void seek();  // the first entry from here on
    const Draft* draft_;
    std::size_t place_ = 0, offset_ = 0;
    std::size_t kept_ = 0;  // of the run: how many of its kept entries are behind
    FoundEntry now_;
  };
  explicit Entries(const Draft& draft) : draft_(&draft) {}
  Iterator begin() const { return Iterator(*draft_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  const Draft* draft_;
};

inline Draft::Entries Draft::each() const& {
  return Entries(*this);
}

// Whether readers of the two see the same. A cell of an adjusted table that has no entry shows its
// true value as an adjusted number, and nobody can tell.
bool same_release(const Table& table, const Draft& a, const Draft& b);

// Every entry names a cell of the table and is complete (both ends, a base above zero, numbers that
// fit), its bounds contain the true value (a release that lies about its own ranges cannot be
// audited), and no cell that must be published is hidden.
Status check_draft(const Table& table, const Draft& draft);

}  // namespace lacuna
