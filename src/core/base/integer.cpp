// SPDX-License-Identifier: Apache-2.0
#include "lacuna/integer.h"

#include <algorithm>
#include <memory>

#include "core/base/check.h"
#include "core/base/exact.h"
#include "core/base/rational.h"

namespace lacuna {
namespace {

std::strong_ordering order_of(int compared) {
  return compared <=> 0;
}

}  // namespace

Integer::Integer() {
  ::new (number_) mpz_class;
}
Integer::Integer(bool negative, std::uint64_t size) {
  ::new (number_) mpz_class(base::to_integer(negative ? -Wide{size} : Wide{size}));
}
Integer::Integer(const Integer& other) {
  ::new (number_) mpz_class(base::gmp(other));
}
Integer::Integer(Integer&& other) noexcept {
  ::new (number_) mpz_class(std::move(base::gmp(other)));
}
Integer& Integer::operator=(const Integer& other) {
  base::gmp(*this) = base::gmp(other);
  return *this;
}
Integer& Integer::operator=(Integer&& other) noexcept {
  base::gmp(*this) = std::move(base::gmp(other));
  return *this;
}
Integer::~Integer() {
  std::destroy_at(&base::gmp(*this));
}

std::optional<Integer> Integer::parse(std::string_view text) {  // GMP itself would skip blanks
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool plain = !digits.empty() && std::ranges::all_of(digits, [](char each) {
    return each >= '0' && each <= '9';
  });
  if (!plain)
    return std::nullopt;
  return Integer(mpz_class(std::string(text), 10));
}

std::string Integer::text() const {
  return base::gmp(*this).get_str();
}
int Integer::sign() const {
  return sgn(base::gmp(*this));
}
double Integer::to_double() const {
  return base::gmp(*this).get_d();
}
std::optional<std::int64_t> Integer::to_int64() const {
  const mpz_class& number = base::gmp(*this);
  if (base::fits_units(number))
    return base::to_units(number);
  const bool is_lowest = number == base::to_integer(INT64_MIN);
  return is_lowest ? std::optional(INT64_MIN) : std::nullopt;
}

bool Integer::operator==(const Integer& other) const {
  return base::gmp(*this) == base::gmp(other);
}
std::strong_ordering Integer::operator<=>(const Integer& other) const {
  return order_of(cmp(base::gmp(*this), base::gmp(other)));
}

Fraction::Fraction() {
  ::new (number_) mpq_class;
}
Fraction::Fraction(const Integer& whole) {
  ::new (number_) mpq_class(base::gmp(whole));
}
Fraction::Fraction(const Integer& numerator, const Integer& denominator) {
  LACUNA_CHECK(denominator.sign() != 0);
  ::new (number_) mpq_class(base::make_fraction(numerator, denominator));
}
Fraction::Fraction(const Fraction& other) {
  ::new (number_) mpq_class(base::gmp(other));
}
Fraction::Fraction(Fraction&& other) noexcept {
  ::new (number_) mpq_class(std::move(base::gmp(other)));
}
Fraction& Fraction::operator=(const Fraction& other) {
  base::gmp(*this) = base::gmp(other);
  return *this;
}
Fraction& Fraction::operator=(Fraction&& other) noexcept {
  base::gmp(*this) = std::move(base::gmp(other));
  return *this;
}
Fraction::~Fraction() {
  std::destroy_at(&base::gmp(*this));
}

// GMP keeps the two parts of a fraction as it keeps whole numbers, and hands them out so itself.
const Integer& Fraction::numerator() const {
  return reinterpret_cast<const Integer&>(base::gmp(*this).get_num());
}
const Integer& Fraction::denominator() const {
  return reinterpret_cast<const Integer&>(base::gmp(*this).get_den());
}
std::string Fraction::text() const {
  return base::gmp(*this).get_str();
}
int Fraction::sign() const {
  return sgn(base::gmp(*this));
}
double Fraction::to_double() const {
  return base::gmp(*this).get_d();
}

bool Fraction::operator==(const Fraction& other) const {
  return base::gmp(*this) == base::gmp(other);
}
std::strong_ordering Fraction::operator<=>(const Fraction& other) const {
  return order_of(cmp(base::gmp(*this), base::gmp(other)));
}

}  // namespace lacuna
