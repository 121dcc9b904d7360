// SPDX-License-Identifier: Apache-2.0
// Errors of the library as exceptions of lacuna_sdc._errors.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "lacuna/result.h"

namespace lacuna::python {

namespace nb = nanobind;

// Always throws. The classes are Python's own, found by the code of the error.
[[noreturn]] void raise(const Error& error);

template <class T>
T value_or_raise(Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(result).value();
}

inline void ok_or_raise(const Status& status) {
  if (!status)
    raise(status.error());
}

}  // namespace lacuna::python
