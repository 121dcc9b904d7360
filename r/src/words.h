// SPDX-License-Identifier: Apache-2.0
// Messages in the words of R: what a job file and the command line call keys and options are
// arguments of a call (core/base/spelling.h).
#pragma once

#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::r {

// Options as arguments: unasked = "publish". Keys stay as they are, as the job may be a file.
std::string with_options(std::string_view message);
// Keys as arguments, too: negative = TRUE, numVar = "<column>".
std::string with_arguments(std::string_view message);
Error with_arguments(Error error);

}  // namespace lacuna::r
