// SPDX-License-Identifier: Apache-2.0
// The entry points of the shared object.
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include <cpp11.hpp>
#include <cpp11/declarations.hpp>

#include "lacuna/version.h"

extern "C" SEXP version() {
  BEGIN_CPP11
  return cpp11::as_sexp(std::string(lacuna::version()));
  END_CPP11
}

static const R_CallMethodDef kEntries[] = {
    {"version", reinterpret_cast<DL_FUNC>(&version), 0},
    {nullptr, nullptr, 0},
};

extern "C" attribute_visible void R_init_lacuna(DllInfo* info) {
  R_registerRoutines(info, nullptr, kEntries, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
}
