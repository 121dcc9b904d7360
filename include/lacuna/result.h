// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error, for everything the caller can get wrong (input, files, options).
// How an optimisation ended is never an Error; a broken invariant is an InternalError (check.h).
#pragma once

#include <utility>
#include <variant>

#include "lacuna/error.h"
#include "lacuna/export.h"

namespace LACUNA_API lacuna {

template <class T>
class [[nodiscard]] Result {  // a subset of std::expected, same spelling
 public:
  Result(T given) : state_(std::in_place_index<0>, std::move(given)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit
  explicit operator bool() const noexcept { return state_.index() == 0; }
  bool has_value() const noexcept { return state_.index() == 0; }
  const T& value() const& { return std::get<0>(state_); }  // throws if empty: a bug, not a case
  T& value() & { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status ok_status() {
  return std::monostate{};
}

}  // namespace lacuna

#define LACUNA_CONCAT_INNER(a, b) a##b
#define LACUNA_CONCAT(a, b) LACUNA_CONCAT_INNER(a, b)
// LACUNA_TRY(const Table table, builder.build()); declares the variable or returns the error.
#define LACUNA_TRY(declaration, expression) \
  LACUNA_TRY_INNER(declaration, expression, LACUNA_CONCAT(lacuna_result_, __COUNTER__))
#define LACUNA_TRY_INNER(declaration, expression, name) \
  auto name = (expression);                             \
  if (!name)                                            \
    return name.error();                                \
  declaration = std::move(name).value()
// LACUNA_CHECK_OK(status expression); returns the error if there is one.
#define LACUNA_RETURN_IF_ERROR(expression)                 \
  do {                                                     \
    if (auto lacuna_status = (expression); !lacuna_status) \
      return lacuna_status.error();                        \
  } while (false)
