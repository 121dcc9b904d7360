// SPDX-License-Identifier: Apache-2.0
// What keys must be, and when those of records do not look drawn at random: with N records in c
// classes of equal probability, X = sum (n_i - N/c)^2 / (N/c) has mean c - 1 and variance about
// 2 (c - 1) if they are (Pearson 1900).
#include "lacuna/keys.h"

#include <cmath>

namespace lacuna {
namespace {

Error bad_keys(std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), "keys"};
}

}  // namespace

int digits_of_modulus(std::uint64_t modulus) {
  int digits = 0;
  for (; modulus > 1 && modulus % 10 == 0; modulus /= 10)
    ++digits;
  return modulus == 1 ? digits : -1;
}

Status KeyOptions::validate() const {
  if (!given())
    return ok_status();
  if (!column.empty() && !from.empty())
    return bad_keys("keys are either read from a column or made from identities, not both");
  if (seed && !(column.empty() && from.empty()))
    return bad_keys("keys are made from a seed only if there are no other keys");
  if (modulus < 2 || modulus > kMostKeyModulus)
    return bad_keys("the modulus of keys must be from 2 to 10^18");
  if (is_decimal && !column.empty() && digits_of_modulus(modulus) < 0)
    return bad_keys("decimal keys need a modulus that is a power of ten");
  if (!from.empty() && secret.size() < kLeastSecret)
    return bad_keys("keys are made with a secret of at least " + std::to_string(kLeastSecret) +
                    " bytes, this one has " + std::to_string(secret.size()));
  return ok_status();
}

bool KeyChecks::suspicious() const {
  constexpr double kDeviations = 5;
  const double degrees = classes - 1;
  return chi_square > degrees + kDeviations * std::sqrt(2 * degrees);
}

Status check_keys(const CellKeys& keys, std::int32_t num_cells) {
  const auto count = static_cast<std::size_t>(num_cells);
  const auto fits = [&](std::size_t size) { return size == count; };
  if (keys.modulus < 2 || keys.modulus > kMostKeyModulus)
    return bad_keys("the modulus of keys must be from 2 to 10^18");
  if (!fits(keys.keys.size()) || !fits(keys.records.size()) ||
      (keys.is_magnitude() && (!fits(keys.largest.size()) || !fits(keys.spread.size()))) ||
      (!keys.weights.empty() && !fits(keys.weights.size())))
    return bad_keys("there must be one key per cell");
  for (std::size_t c = 0; c < count; ++c) {
    if (keys.keys[c] >= keys.modulus)
      return bad_keys("the key of cell " + std::to_string(c) + " is not below the modulus " +
                      std::to_string(keys.modulus));
  }
  return ok_status();
}

}  // namespace lacuna
