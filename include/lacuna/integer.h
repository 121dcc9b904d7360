// SPDX-License-Identifier: Apache-2.0
// Whole numbers of any size, and fractions of them: the vertices of a polyhedron can have long
// denominators. They are values that can be compared, read and printed; the library computes with
// them where they lie, by the means of src/core/base/exact.h, which is no part of the interface.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

// What the library's own arithmetic makes Integers and Fractions of. Users have no such types.
template <class Number>
struct ExactNumber {
  static constexpr bool is_integer = false;   // a whole number, or an expression that gives one
  static constexpr bool is_fraction = false;  // the same for fractions
  static constexpr bool is_integer_number = false, is_fraction_number = false;  // no expressions
};

class Integer {
 public:
  Integer();
  template <std::integral Whole>
  requires(sizeof(Whole) <= sizeof(std::int64_t))
      Integer(Whole value)  // NOLINT(google-explicit-constructor): 0 and 1 are numbers
      : Integer(value < 0,
                value < 0 ? 0 - static_cast<std::uint64_t>(value)
                          : static_cast<std::uint64_t>(value)) {}
  template <class Number>
  requires ExactNumber<std::remove_cvref_t<Number>>::is_integer Integer(
      Number&& number) {  // NOLINT(google-explicit-constructor)
    ExactNumber<std::remove_cvref_t<Number>>::make(number_, std::forward<Number>(number));
  }
  Integer(const Integer& other);
  Integer(Integer&& other) noexcept;
  Integer& operator=(const Integer& other);
  Integer& operator=(Integer&& other) noexcept;
  ~Integer();

  // Decimal digits with or without a minus sign before them; nothing if there is anything else.
  static std::optional<Integer> parse(std::string_view text);
  std::string text() const;                      // as parse() reads it
  int sign() const;                              // -1, 0 or 1
  std::optional<std::int64_t> to_int64() const;  // nothing if it does not fit
  double to_double() const;                      // the next one toward zero

  bool operator==(const Integer& other) const;
  std::strong_ordering operator<=>(const Integer& other) const;

  template <class Number>
  requires ExactNumber<Number>::is_integer_number operator const Number&()
      const {  // NOLINT(google-explicit-constructor)
    return ExactNumber<Number>::in(number_);
  }

 private:
  Integer(bool negative, std::uint64_t size);
  alignas(void*) std::byte number_[2 * sizeof(int) + sizeof(void*)];
};

class Fraction {  // in lowest terms
 public:
  Fraction();
  template <std::integral Whole>
  requires(sizeof(Whole) <= sizeof(std::int64_t)) Fraction(Whole value)
      : Fraction(Integer(value)) {}  // NOLINT(google-explicit-constructor)
  Fraction(const Integer& whole);    // NOLINT(google-explicit-constructor)
  Fraction(const Integer& numerator, const Integer& denominator);  // which is not 0
  template <class Number>
  requires(ExactNumber<std::remove_cvref_t<Number>>::is_integer ||
           ExactNumber<std::remove_cvref_t<Number>>::is_fraction)
      Fraction(Number&& number) {  // NOLINT(google-explicit-constructor)
    ExactNumber<std::remove_cvref_t<Number>>::make_fraction(number_, std::forward<Number>(number));
  }
  Fraction(const Fraction& other);
  Fraction(Fraction&& other) noexcept;
  Fraction& operator=(const Fraction& other);
  Fraction& operator=(Fraction&& other) noexcept;
  ~Fraction();

  const Integer& numerator() const;
  const Integer& denominator() const;  // positive
  std::string text() const;            // "7", "-7/3"
  int sign() const;
  double to_double() const;  // the next one toward zero

  bool operator==(const Fraction& other) const;
  std::strong_ordering operator<=>(const Fraction& other) const;

  template <class Number>
  requires ExactNumber<Number>::is_fraction_number operator const Number&()
      const {  // NOLINT(google-explicit-constructor)
    return ExactNumber<Number>::in(number_);
  }

 private:
  alignas(void*) std::byte number_[2 * sizeof(Integer)];
};

}  // namespace lacuna
