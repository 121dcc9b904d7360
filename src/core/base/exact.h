// SPDX-License-Identifier: Apache-2.0
// The arithmetic of Integer and Fraction (lacuna/integer.h), whose memory holds a number of GMP.
// gmp() is that number. Every operator builds the expression that GMP's C++ interface builds of
// its own numbers, so that a sum is computed where it is assigned and nothing is copied or
// converted; all kinds mix with each other and with machine numbers. GMP stays out of the
// interface: users need none of its headers.
#pragma once

#include <gmpxx.h>

#include <new>
#include <type_traits>
#include <utility>

#include "lacuna/integer.h"

// GMP's numbers are expressions too: __gmp_expr<mpz_t, mpz_t> is mpz_class.
template <class Kind, class Tree>
struct lacuna::ExactNumber<__gmp_expr<Kind, Tree>> {
  static constexpr bool is_integer = std::is_same_v<Kind, mpz_t>;
  static constexpr bool is_fraction = std::is_same_v<Kind, mpq_t>;
  static constexpr bool is_integer_number = is_integer && std::is_same_v<Kind, Tree>;
  static constexpr bool is_fraction_number = is_fraction && std::is_same_v<Kind, Tree>;

  template <class Number>
  static void make(std::byte* place, Number&& number) {
    ::new (place) mpz_class(std::forward<Number>(number));
  }
  template <class Number>
  static void make_fraction(std::byte* place, Number&& number) {
    ::new (place) mpq_class(std::forward<Number>(number));
  }
  static const __gmp_expr<Kind, Tree>& in(const std::byte* place) {
    return *std::launder(reinterpret_cast<const __gmp_expr<Kind, Tree>*>(place));
  }
};

namespace lacuna::base {

static_assert(sizeof(mpz_class) == sizeof(Integer) && alignof(mpz_class) <= alignof(Integer));
static_assert(sizeof(mpq_class) == sizeof(Fraction) && alignof(mpq_class) <= alignof(Fraction));

template <class Number>
inline constexpr bool is_exact =
    std::is_same_v<Number, Integer> || std::is_same_v<Number, Fraction>;

inline const mpz_class& gmp(const Integer& number) {
  return number;
}
inline mpz_class& gmp(Integer& number) {
  return const_cast<mpz_class&>(gmp(std::as_const(number)));
}
inline const mpq_class& gmp(const Fraction& number) {
  return number;
}
inline mpq_class& gmp(Fraction& number) {
  return const_cast<mpq_class&>(gmp(std::as_const(number)));
}
template <class Number>
requires(!is_exact<Number>) const Number& gmp(const Number& number) {
  return number;
}

// Two Integers or two Fractions are compared by the operators of their header.
template <class A, class B>
inline constexpr bool is_mixed = (is_exact<A> || is_exact<B>)&&!std::is_same_v<A, B>;
template <class A, class B>
inline constexpr bool is_any_exact = is_exact<A> || is_exact<B>;
// Not a constraint: clang before 16 looks at what an operator returns before it looks at these.
template <class A, class B>
using IfMixed = std::enable_if_t<is_mixed<A, B>, bool>;
template <class A, class B>
using IfAnyExact = std::enable_if_t<is_any_exact<A, B>, bool>;

}  // namespace lacuna::base

// In the namespace of the numbers themselves, where every other one finds them.
namespace lacuna {

template <class A, class B, base::IfAnyExact<A, B> = true>
auto operator+(const A& a, const B& b) -> decltype(base::gmp(a) + base::gmp(b)) {
  return base::gmp(a) + base::gmp(b);
}
template <class A, class B, base::IfAnyExact<A, B> = true>
auto operator-(const A& a, const B& b) -> decltype(base::gmp(a) - base::gmp(b)) {
  return base::gmp(a) - base::gmp(b);
}
template <class A, class B, base::IfAnyExact<A, B> = true>
auto operator*(const A& a, const B& b) -> decltype(base::gmp(a) * base::gmp(b)) {
  return base::gmp(a) * base::gmp(b);
}
template <class A, class B, base::IfAnyExact<A, B> = true>
auto operator/(const A& a, const B& b) -> decltype(base::gmp(a) / base::gmp(b)) {
  return base::gmp(a) / base::gmp(b);
}
template <class A, class B, base::IfAnyExact<A, B> = true>
auto operator%(const A& a, const B& b) -> decltype(base::gmp(a) % base::gmp(b)) {
  return base::gmp(a) % base::gmp(b);
}
template <class A>
requires base::is_exact<A>
auto operator-(const A& a) {
  return -base::gmp(a);
}
template <class A>
requires base::is_exact<A>
auto abs(const A& a) {
  return abs(base::gmp(a));
}
inline auto operator<<(const Integer& a, unsigned bits) {
  return base::gmp(a) << static_cast<mp_bitcnt_t>(bits);
}
inline mpz_class gcd(const Integer& a, const Integer& b) {
  return gcd(base::gmp(a), base::gmp(b));
}

template <class A, class B>
requires base::is_exact<A> A& operator+=(A& a, const B& b) {
  base::gmp(a) += base::gmp(b);
  return a;
}
template <class A, class B>
requires base::is_exact<A> A& operator-=(A& a, const B& b) {
  base::gmp(a) -= base::gmp(b);
  return a;
}
template <class A, class B>
requires base::is_exact<A> A& operator*=(A& a, const B& b) {
  base::gmp(a) *= base::gmp(b);
  return a;
}
template <class A, class B>
requires base::is_exact<A> A& operator/=(A& a, const B& b) {
  base::gmp(a) /= base::gmp(b);
  return a;
}

inline Integer& operator++(Integer& a) {
  ++base::gmp(a);
  return a;
}

template <class A, class B, base::IfMixed<A, B> = true>
auto operator==(const A& a, const B& b) -> decltype(base::gmp(a) == base::gmp(b)) {
  return base::gmp(a) == base::gmp(b);
}
template <class A, class B, base::IfMixed<A, B> = true>
auto operator<(const A& a, const B& b) -> decltype(base::gmp(a) < base::gmp(b)) {
  return base::gmp(a) < base::gmp(b);
}
template <class A, class B, base::IfMixed<A, B> = true>
auto operator>(const A& a, const B& b) -> decltype(base::gmp(a) > base::gmp(b)) {
  return base::gmp(a) > base::gmp(b);
}
template <class A, class B, base::IfMixed<A, B> = true>
auto operator<=(const A& a, const B& b) -> decltype(base::gmp(a) <= base::gmp(b)) {
  return base::gmp(a) <= base::gmp(b);
}
template <class A, class B, base::IfMixed<A, B> = true>
auto operator>=(const A& a, const B& b) -> decltype(base::gmp(a) >= base::gmp(b)) {
  return base::gmp(a) >= base::gmp(b);
}

}  // namespace lacuna
