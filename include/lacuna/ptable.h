// SPDX-License-Identifier: Apache-2.0
// Perturbation tables of the cell key method. A table says which noise v a cell with count n and
// key k gets, 0 <= k < m: in the row of n, the first entry in the order of the file with
//
//   k / m < p_ub,   compared exactly as k * denominator < upper * m in 128 bits,   p_ub = upper /
//   denominator,
//
// and the last entry where none is. Counts beyond the last row take it, or go round in a cycle of
// rows. Tables by whole keys (ONS) and by folded keys (ABS) have the same shape: key c of m is the
// range [c/m, (c+1)/m). docs/cellkey.md has the formats, and how tables are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

// Which cells a row is for. Counts have rows for all cells alone; magnitudes may have rows by the
// parity of the number of contributors, and others for small cells.
enum class PtableType : std::uint8_t { kAll, kEven, kOdd, kSmallCells };
std::span<const std::string_view> enum_names(PtableType type);

struct PtableEntry {
  std::int64_t target = 0;  // j >= 0, in units of 10^-decimals of the table
  std::int64_t noise = 0;   // v = j - i, in the same units
  std::uint64_t upper = 0;  // p_ub, in units of 1/denominator of the table
  double probability = 0;   // as the file states it; what counts is upper less the one before
  bool operator==(const PtableEntry&) const = default;
};

struct PtableRow {
  PtableType type = PtableType::kAll;
  std::int64_t count = 0;            // i, a whole number
  std::vector<PtableEntry> entries;  // in the order of the file, not by noise
  bool operator==(const PtableRow&) const = default;
};

// How a key chooses an entry.
enum class KeyUse : std::uint8_t {
  kShare,   // by k / m
  kFolded,  // by the four bytes of a 32-bit key, combined by exclusive or: 0 .. 255 (ABS)
};

// Rows of counts beyond `plain`: first + (n + shift) mod length.
struct RowCycle {
  std::int64_t plain = 0, first = 0, length = 1, shift = 0;
  std::int64_t row_of(std::int64_t count) const {
    return count <= plain ? count : first + (count + shift) % length;
  }
  bool operator==(const RowCycle&) const = default;
};

struct PtableParts {
  std::vector<PtableRow> rows;
  int decimals = 0;               // of targets and noise, from 0 to 9
  std::uint64_t denominator = 1;  // of p_ub, from 1 to 10^18
  KeyUse key_use = KeyUse::kShare;
  std::uint64_t own_modulus = 0;  // of keys that the table was made for; 0: any
  RowCycle cycle;                 // length 0: counts beyond the last row take the last row
  bool has_types = false;         // the file tells the types of rows: it may be for magnitudes
  bool operator==(const PtableParts&) const = default;
};

class Ptable {  // immutable; make() has checked it
 public:
  // Sorts rows by type and count. Errors, placed at "i = 3": no row at all, a row given twice or
  // without entries, j < 0, v other than j - i, p_ub that falls or is above 1.
  static Result<Ptable> make(PtableParts parts);

  int decimals() const { return parts_.decimals; }
  std::uint64_t denominator() const { return parts_.denominator; }
  KeyUse key_use() const { return parts_.key_use; }
  std::uint64_t own_modulus() const { return parts_.own_modulus; }
  const RowCycle& cycle() const { return parts_.cycle; }
  bool has_types() const { return parts_.has_types; }
  const PtableParts& parts() const { return parts_; }
  std::span<const PtableRow> rows() const { return parts_.rows; }
  std::span<const PtableRow> rows(PtableType type) const;  // by count; empty if there are none

  // Whether counts may be looked up: rows 0, 1, ... of type all without gaps, whole noise. The
  // error says what is in the way.
  Status check_counts() const;

  // The row of a count (n >= 0); check_counts() holds.
  const PtableRow& row_of(std::int64_t count) const;
  // The noise of a count in whole numbers; check_counts() holds, key < modulus <= 10^18.
  std::int64_t noise(std::int64_t count, std::uint64_t key, std::uint64_t modulus) const {
    return entry_of(row_of(count), key, modulus).noise / scale_;
  }

  // The entry of a row of this table for a key below the modulus.
  const PtableEntry& entry_of(const PtableRow& row, std::uint64_t key, std::uint64_t modulus) const;

  // The end of an entry's range that counts: the last one's is 1 whatever the file says.
  std::uint64_t end_of(const PtableRow& row, std::size_t entry) const;
  // Length of the range, in units of 1/denominator.
  std::uint64_t length_of(const PtableRow& row, std::size_t entry) const;
  // Whether some key of so many gets this entry.
  bool is_reached(const PtableRow& row, std::size_t entry, std::uint64_t modulus) const;
  // Whether no key changes a count of 0.
  bool keeps_zero() const;
  // D: the largest |v| of any row of the type, in units of 10^-decimals.
  std::int64_t largest_noise(PtableType type = PtableType::kAll) const;

  bool operator==(const Ptable& other) const { return parts_ == other.parts_; }

 private:
  explicit Ptable(PtableParts parts);
  PtableParts parts_;
  std::int64_t scale_ = 1;  // 10^decimals
};

// What is found in a row, from the ranges of keys that count.
struct PtableRowFacts {
  PtableType type = PtableType::kAll;
  std::int64_t count = 0;
  std::int64_t targets = 0;       // different ones that keys reach
  double sum = 0;                 // of the stated probabilities
  double mean = 0, variance = 0;  // of the noise
  double stay = 0;                // probability of no noise
  double least = 0, most = 0;     // noise that is reached
  double misstated = 0;           // largest difference between p and the length of its range
};

struct PtableFacts {
  std::vector<PtableRowFacts> rows;
  double largest_noise = 0;          // D
  std::int64_t hidden_to = 0;        // js: no positive count gets 1 .. js; 0: none is left out
  bool is_split = false;             // some row has several ranges for one target
  bool changes_zero = false;         // counts of 0 may get noise
  bool for_counts = false;           // check_counts() holds
  std::vector<std::string> faults;   // what unbiased noise does not have, a sentence each
  std::vector<std::string> remarks;  // what is right but worth knowing
};

PtableFacts ptable_facts(const Ptable& table);

}  // namespace lacuna
