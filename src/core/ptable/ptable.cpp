// SPDX-License-Identifier: Apache-2.0
// Exact lookup in a perturbation table (lacuna/ptable.h). The ends of ranges do not fall within a
// row, so that "the first entry with k/m < p_ub" is found by bisection. Both factors of the
// comparison are at most 10^18 each, hence 128 bits hold the products.
#include "lacuna/ptable.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/decimal.h"
#include "lacuna/units.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 4> kTypeNames{"all", "even", "odd", "small_cells"};
constexpr std::uint64_t kLargestDenominator = 1'000'000'000'000'000'000;
constexpr int kMostDecimals = 9;
constexpr std::int64_t kLargestTarget = 1'000'000'000'000'000'000;

Error bad_row(const PtableRow& row, std::string message) {
  std::string where = "i = " + std::to_string(row.count);
  if (row.type != PtableType::kAll)
    where += ", type " + std::string(kTypeNames[static_cast<std::size_t>(row.type)]);
  return {ErrorCode::kBadPtable, std::move(message), where};
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

Status check_row(const PtableRow& row, const PtableParts& parts, std::int64_t scale) {
  if (row.entries.empty())
    return bad_row(row, "the row has no entries");
  if (row.count < 0 || row.count > kLargestTarget / scale)
    return bad_row(row, "i must be a whole number from 0 on");
  std::uint64_t before = 0;
  for (const PtableEntry& entry : row.entries) {
    if (entry.target < 0)
      return bad_row(
          row,
          "j is below 0; a target is a number that may be published, and it is never negative");
    if (entry.target > kLargestTarget || entry.noise != entry.target - row.count * scale)
      return bad_row(row, "v is not j - i");
    if (entry.upper < before)
      return bad_row(row, "p_ub falls; the entries of a row must be in the order of p_ub");
    if (entry.upper > parts.denominator)
      return bad_row(row, "p_ub is above 1");
    before = entry.upper;
  }
  return ok_status();
}

bool comes_before(const PtableRow& a, const PtableRow& b) {
  return a.type != b.type ? a.type < b.type : a.count < b.count;
}

// A cycle whose rows exist; of length 0 is the last row for all further counts.
Status settle_cycle(PtableParts& parts) {
  std::int64_t last = 0;
  for (const PtableRow& row : parts.rows)
    last = row.type == PtableType::kAll ? std::max(last, row.count) : last;
  RowCycle& cycle = parts.cycle;
  if (cycle.length == 0)
    cycle = {last, last, 1, 0};
  if (cycle.plain >= 0 && cycle.length > 0 && cycle.first >= 0 && cycle.shift >= -1 &&
      cycle.plain <= last && cycle.first + cycle.length - 1 <= last)
    return ok_status();
  return Error{ErrorCode::kBadPtable, "the rows of large counts are not in the table", "cycle"};
}

// The key that the ends of ranges are compared with, and out of how many.
struct UsedKey {
  std::uint64_t key = 0, modulus = 1;
};

UsedKey used_key(KeyUse use, std::uint64_t key, std::uint64_t modulus) {
  if (use == KeyUse::kShare)
    return {key, modulus};
  return {(key ^ (key >> 8U) ^ (key >> 16U) ^ (key >> 24U)) & 0xFFU, 256};
}

Wide product(std::uint64_t a, std::uint64_t b) {
  return static_cast<Wide>(a) * static_cast<Wide>(b);
}

}  // namespace

std::span<const std::string_view> enum_names(PtableType) {
  return kTypeNames;
}

Ptable::Ptable(PtableParts parts)
    : parts_(std::move(parts)), scale_(power_of_ten(parts_.decimals)) {}

Result<Ptable> Ptable::make(PtableParts parts) {
  if (parts.rows.empty())
    return Error{ErrorCode::kBadPtable, "the perturbation table has no rows", ""};
  if (parts.decimals < 0 || parts.decimals > kMostDecimals)
    return Error{ErrorCode::kBadPtable, "targets may have at most 9 digits after the point", ""};
  if (parts.denominator == 0 || parts.denominator > kLargestDenominator ||
      parts.own_modulus > kLargestDenominator)
    return Error{ErrorCode::kBadPtable, "p_ub may have at most 18 digits after the point", ""};
  if (parts.key_use == KeyUse::kFolded && parts.own_modulus != std::uint64_t{1} << 32U)
    return Error{ErrorCode::kBadPtable, "keys whose bytes are folded have 32 bits", ""};
  std::stable_sort(parts.rows.begin(), parts.rows.end(), comes_before);
  const std::int64_t scale = power_of_ten(parts.decimals);
  for (std::size_t r = 0; r < parts.rows.size(); ++r) {
    LACUNA_RETURN_IF_ERROR(check_row(parts.rows[r], parts, scale));
    if (r > 0 && !comes_before(parts.rows[r - 1], parts.rows[r]))
      return bad_row(parts.rows[r], "the row occurs twice");
  }
  LACUNA_RETURN_IF_ERROR(settle_cycle(parts));
  return Ptable(std::move(parts));
}

std::span<const PtableRow> Ptable::rows(PtableType type) const {
  const auto [first, last] =
      std::equal_range(parts_.rows.begin(),
                       parts_.rows.end(),
                       PtableRow{type, 0, {}},
                       [](const auto& a, const auto& b) { return a.type < b.type; });
  return {first, last};
}

Status Ptable::check_counts() const {
  const std::span<const PtableRow> counts = rows(PtableType::kAll);
  if (counts.empty())
    return Error{ErrorCode::kBadPtable, "the table has no rows of type all, as counts need", ""};
  std::int64_t wanted = 0;
  for (const PtableRow& row : counts) {
    if (row.count != wanted)
      return bad_row(row,
                     "the row of i = " + std::to_string(wanted) +
                         " is missing; counts need a row for each of 0, 1, 2, ...");
    for (const PtableEntry& entry : row.entries) {
      if (entry.target % scale_ != 0)
        return bad_row(row, "a target is not a whole number; such tables are for magnitudes");
    }
    ++wanted;
  }
  return ok_status();
}

const PtableRow& Ptable::row_of(std::int64_t count) const {
  LACUNA_CHECK(count >= 0);
  const auto row = static_cast<std::size_t>(parts_.cycle.row_of(count));
  LACUNA_CHECK(row < parts_.rows.size() && parts_.rows[row].type == PtableType::kAll);
  return parts_.rows[row];  // type all comes first, and no count is missing
}

const PtableEntry& Ptable::entry_of(const PtableRow& row,
                                    std::uint64_t key,
                                    std::uint64_t modulus) const {
  LACUNA_CHECK(key < modulus && modulus <= kLargestDenominator);
  const UsedKey used = used_key(parts_.key_use, key, modulus);
  const Wide wanted = product(used.key, parts_.denominator);
  const auto found = std::partition_point(
      row.entries.begin(), row.entries.end() - 1, [&](const PtableEntry& entry) {
        return product(entry.upper, used.modulus) <= wanted;
      });
  return *found;
}

std::uint64_t Ptable::end_of(const PtableRow& row, std::size_t entry) const {
  return entry + 1 == row.entries.size() ? parts_.denominator : row.entries[entry].upper;
}

std::uint64_t Ptable::length_of(const PtableRow& row, std::size_t entry) const {
  return end_of(row, entry) - (entry == 0 ? 0 : row.entries[entry - 1].upper);
}

bool Ptable::is_reached(const PtableRow& row, std::size_t entry, std::uint64_t modulus) const {
  const std::uint64_t keys = parts_.key_use == KeyUse::kFolded ? 256 : modulus;
  // The first key at or above a share.
  const auto first_key = [&](std::uint64_t share) {
    return (product(share, keys) + parts_.denominator - 1) / parts_.denominator;
  };
  return first_key(entry == 0 ? 0 : row.entries[entry - 1].upper) < first_key(end_of(row, entry));
}

bool Ptable::keeps_zero() const {
  for (const PtableRow& row : parts_.rows) {
    for (std::size_t e = 0; row.count == 0 && e < row.entries.size(); ++e) {
      if (row.entries[e].noise != 0 && length_of(row, e) > 0)
        return false;
    }
  }
  return true;
}

std::int64_t Ptable::largest_noise(PtableType type) const {
  std::int64_t largest = 0;
  for (const PtableRow& row : rows(type)) {
    for (const PtableEntry& entry : row.entries)
      largest = std::max(largest, entry.noise < 0 ? -entry.noise : entry.noise);
  }
  return largest;
}

}  // namespace lacuna
