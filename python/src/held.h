// SPDX-License-Identifier: Apache-2.0
// What objects of Python hold (app/session/session.h), and the parts of the module that wrap it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "app/session/session.h"
#include "frames.h"
#include "options.h"

namespace lacuna::python {

void bind_problem(nb::module_& module);
void bind_release(nb::module_& module);
void bind_audit(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_argus(nb::module_& module);
void bind_plan(nb::module_& module);

nb::list list_of(const std::vector<std::string>& texts);
std::vector<std::string> texts_of(nb::handle list);

// For pickle.
nb::tuple state_of(const session::SessionProblem& problem);
session::SessionProblem problem_of(nb::handle state);
nb::tuple basis_state(const load::VerdictBasis& basis);
load::VerdictBasis basis_from(nb::handle state);

}  // namespace lacuna::python
