// SPDX-License-Identifier: Apache-2.0
// Parts of a message that tell something of a respondent: values, levels, bounds, contributions,
// and what stands in a file where a number should. They are marked where the message is made, by
// two characters without a shape (U+2061, U+2063). The office at its own terminal reads all;
// whatever may end in a log, a notebook or another program's screen (Python, R, the log of the
// server) takes the message without them. Both ways keys and options are as a job file and the
// command line write them, if nobody has spelled them otherwise before (spelling.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/error.h"

namespace lacuna::base {

std::string confidential(std::string_view text);             // marked
std::string in_full(std::string_view message);               // without the marks
std::string without_confidential(std::string_view message);  // "(not shown)" where marked
std::vector<MessagePart> parts_of(std::string_view message);

// An unknown code or word of a file, for a sentence. If two columns are swapped it may be a value:
// one without letters, or with four or more digits, is marked as confidential.
std::string strange_field(std::string_view text);
std::string strange_field_in_quotes(std::string_view text);

}  // namespace lacuna::base
