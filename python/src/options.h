// SPDX-License-Identifier: Apache-2.0
// Options by name (app/session/options.h) from Python.
#pragma once

#include <nanobind/nanobind.h>

#include "app/session/options.h"

namespace lacuna::python {

namespace nb = nanobind;

// From a dict of lists of str.
session::GivenOptions given_options(const nb::dict& options);

void bind_options_of_jobs(nb::module_& module);

}  // namespace lacuna::python
