// SPDX-License-Identifier: Apache-2.0
#include "data/argus/write_parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/rational.h"

namespace lacuna::argus {
namespace {

constexpr int kExtraLevelDigits = 9;

// The integer nearest to value * 10^digits, halves to the even one.
mpz_class scaled_to_nearest(const mpq_class& value, int digits) {
  const mpq_class scaled = abs(value) * base::ten_to_the(digits);
  const mpz_class twice = 2 * scaled.get_num();
  mpz_class whole = (twice + scaled.get_den()) / (2 * scaled.get_den());
  const bool tie = (twice + scaled.get_den()) % (2 * scaled.get_den()) == 0;
  if (tie && whole % 2 != 0)
    --whole;
  return sgn(value) < 0 ? mpz_class(-whole) : whole;
}

std::string with_point(std::string digits_of_number, int digits) {
  const bool negative = digits_of_number.front() == '-';
  std::string text = negative ? digits_of_number.substr(1) : std::move(digits_of_number);
  const auto after_point = static_cast<std::size_t>(digits);
  if (text.size() <= after_point)
    text.insert(0, after_point + 1 - text.size(), '0');
  if (digits > 0)
    text.insert(text.size() - after_point, 1, '.');
  return negative ? "-" + text : text;
}

// The fewest decimals, from `least` to `held`, at which the number is a whole multiple.
int decimals_of(Units value, int held, int least) {
  while (held > least && value % 10 == 0) {
    value /= 10;
    --held;
  }
  return std::max(held, least);
}

}  // namespace

std::string fixed_text(const mpq_class& value, int digits) {
  return with_point(scaled_to_nearest(value, digits).get_str(), digits);
}

std::string fixed_text(Units value, int decimals, int digits) {
  if (digits < decimals)
    return fixed_text(base::units_to_fraction(value, decimals), digits);
  std::string text = std::to_string(value);
  if (value != 0)
    text.append(static_cast<std::size_t>(digits - decimals), '0');
  return with_point(std::move(text), digits);
}

std::string level_text(const mpq_class& level, int digits) {
  mpq_class scaled = level * base::ten_to_the(digits);
  int used = digits;
  for (; scaled.get_den() != 1 && used < digits + kExtraLevelDigits; ++used)
    scaled *= 10;
  return with_point(base::rounded_up(scaled).get_str(), used);
}

int response_digits(const Table& table) {
  int digits = table.shown_decimals;
  for (const Cell& cell : table.cells) {
    digits = decimals_of(cell.response, table.decimals, digits);
    if (cell.published)
      digits = decimals_of(*cell.published, table.decimals, digits);
  }
  return digits;
}

int shadow_digits(const Table& table) {
  int digits = table.shown_decimals;
  for (const Cell& cell : table.cells) {
    digits = decimals_of(cell.shadow, table.shadow_decimals, digits);
    for (const Units part : cell.largest)
      digits = decimals_of(part, table.shadow_decimals, digits);
    for (const Units part : cell.largest_holdings)
      digits = decimals_of(part, table.shadow_decimals, digits);
  }
  return digits;
}

std::string code_text(const CodeList& list, std::int32_t code, bool quotes) {
  std::string text = list.codes[static_cast<std::size_t>(code)];
  std::replace(text.begin(), text.end(), '"', '\'');
  return quotes ? '"' + text + '"' : text;
}

bool has_released_values(const Table& table) {
  return table.protection == Protection::kRounded || table.protection == Protection::kAdjusted ||
         table.protection == Protection::kCellKeys;
}

Units released_value(const Table& table, const Cell& cell) {
  return has_released_values(table) && cell.published ? *cell.published : cell.response;
}

bool hides_zeros(const Table& table) {
  return table.protection == Protection::kRounded || table.protection == Protection::kCellKeys;
}

bool is_blank(const Table& table, const Cell& cell) {
  if (table.protection == Protection::kCellKeys)
    return !cell.published && !is_empty(cell.status);
  return !has_released_values(table) && is_withheld(cell.status);
}

bool is_left_out(const Table& table, const Cell& cell) {
  return cell.frequency == 0 ||
         (hides_zeros(table) && !is_blank(table, cell) && cell.published.value_or(0) == 0);
}

std::string released_text(const Table& table, const Cell& cell, bool true_values) {
  if (cell.status == CellStatus::kEmpty && (true_values || !hides_zeros(table)))
    return "-";
  if (is_blank(table, cell) && (has_released_values(table) || !true_values))
    return "x";
  return fixed_text(released_value(table, cell), table.decimals, table.shown_decimals);
}

double priced(const Table& table, const Cell& cell) {
  const double lambda = table.spec.lambda.value_or(1);
  if (lambda == 1)
    return cell.cost;
  return lambda > 0 ? std::pow(cell.cost, lambda) : std::log(cell.cost + 1);
}

OuterBounds outer_bounds(const Table& table) {
  Units smallest = 0;
  Units largest = 0;
  for (const Cell& cell : table.cells) {
    smallest = std::min(smallest, cell.response);
    largest = std::max(largest, cell.response);
  }
  const mpq_class half_more(3, 2);
  return {base::units_to_fraction(smallest, table.decimals) * half_more,
          base::units_to_fraction(largest, table.decimals) * half_more};
}

ProtectionLevels levels_for_file(const mpq_class& value,
                                 ProtectionLevels given,
                                 const mpq_class& lower_bound,
                                 int digits) {
  given.upper = std::max(given.upper, base::units_to_fraction(1, digits));
  const mpq_class room = value - lower_bound - base::units_to_fraction(1, digits + 1);
  given.lower = std::max(std::min(given.lower, room), mpq_class(0));
  return given;
}

}  // namespace lacuna::argus
