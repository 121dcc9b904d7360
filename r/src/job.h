// SPDX-License-Identifier: Apache-2.0
// Jobs that arguments of R make.
#pragma once

#include <cpp11.hpp>

#include <string>
#include <string_view>

#include "lacuna/result.h"
#include "spec/job_spec.h"

namespace lacuna::r {

// From lists as r/R/job.R makes them. The argument that gave a value is its place.
SpecValue spec_value_of(SEXP value, const std::string& argument);
ReadSpec job_of(SEXP value, const std::string& name);

// Options as arguments of R: unasked = "publish". Keys are those of job files.
std::string with_arguments(std::string_view message);
// Keys as arguments, too: negative = TRUE, dimVar.
Error as_arguments(Error error);

}  // namespace lacuna::r
