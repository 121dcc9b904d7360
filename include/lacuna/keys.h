// SPDX-License-Identifier: Apache-2.0
// Keys of the cell key method (docs/cellkey.md). Every record has a key k, a whole number with
// 0 <= k < m, and the key of a cell is
//   K_c = sum of k over the records of c, modulo m,
// in integers, so that neither the order of records nor the way the sums are made matters. The same
// units have the same key, hence the same noise, in every table. Keys never leave the office.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

inline constexpr int kMostKeyDigits = 18;
inline constexpr std::uint64_t kMostKeyModulus = 1'000'000'000'000'000'000;  // 10^18
inline constexpr std::uint64_t kDefaultKeyModulus = 100'000'000;

// m = 10^digits, or nothing (-1) if m is no power of ten.
int digits_of_modulus(std::uint64_t modulus);

// What the keys of records are. Without a column of either kind there are none.
struct KeyOptions {
  std::string column;  // that holds the keys
  std::string from;    // or the unit's identity, from which they are made,
  std::string secret;  // ... with these bytes (HMAC-SHA256), at least kLeastSecret
  // Without both: keys are made from this number and the place of the record in its file. The same
  // file has the same keys; one in another order, or of another year, has others.
  std::optional<std::uint64_t> seed;
  bool is_decimal = true;  // the column holds numbers from 0 to below 1; else whole numbers
  std::uint64_t modulus = kDefaultKeyModulus;  // m, in [2, kMostKeyModulus]
  static constexpr std::size_t kLeastSecret = 16;

  bool given() const { return !column.empty() || !from.empty() || seed; }
  Status validate() const;
};

// Whether the keys of the records look like draws from 0 .. m-1.
struct KeyChecks {
  std::int64_t records = 0;
  std::int64_t commonest = 0;  // records with the commonest key
  int classes = 0;             // of equal width: 256, or m if that is less
  double chi_square = 0;       // over the classes; about `classes` - 1 for uniform keys
  double share() const {
    return records == 0 ? 0 : static_cast<double>(commonest) / static_cast<double>(records);
  }
  // Further from uniform than chance explains: beyond its mean by five standard deviations.
  bool suspicious() const;
};

// The keys of a table, by cell.
struct CellKeys {
  std::uint64_t modulus = kDefaultKeyModulus;
  std::vector<std::uint64_t> keys;
  std::vector<std::int64_t> records;  // how many records have the key as their sum; -1: not known
  // Of tables of magnitudes, else empty: the contributions of records, by falling size without the
  // sampling weight but with their weights, and how far the largest is from the smallest.
  std::vector<std::vector<Units>> largest;
  std::vector<Units> spread;
  std::vector<double> weights;  // the records' weights added up; empty: each counts once
  bool is_magnitude() const { return !largest.empty(); }
  bool operator==(const CellKeys&) const = default;
};

// One entry per cell, each key below the modulus. Errors name the cell by its number.
Status check_keys(const CellKeys& keys, std::int32_t num_cells);

}  // namespace lacuna
