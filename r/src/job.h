// SPDX-License-Identifier: Apache-2.0
// Jobs that arguments of R make.
#pragma once

#include <cpp11.hpp>
#include <string>

#include "data/spec/job_spec.h"

namespace lacuna::r {

// From lists as r/R/job.R makes them. The argument that gave a value is its place.
spec::SpecValue spec_value_of(SEXP value, const std::string& argument);
spec::ReadSpec job_of(SEXP value);  // or its error, in the words of R

}  // namespace lacuna::r
