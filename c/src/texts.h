// SPDX-License-Identifier: Apache-2.0
// Texts to the caller, and options from JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/session/options.h"
#include "errors.h"
#include "lacuna/files.h"

namespace lacuna::c {

// LACUNA_JSON or LACUNA_TOML, given as the argument of that name.
JobText form_of(std::int32_t form, const char* name);

// A copy that lacuna_text_free() frees, ended by a NUL.
char* copy_of(std::string_view bytes);
// The same of a text that may hold what is marked as confidential, without it.
char* shown_copy(std::string_view text);

// Options as the command line has them, from a JSON object or NULL. Errors: what is no such object.
session::GivenOptions given_options(const char* json);
// Fails if one of these is given: a call has an argument, or a function of its own, in its place.
void refuse_options(const session::GivenOptions& given,
                    std::initializer_list<std::string_view> names);
// Takes a text out of the options; empty if it is not given.
std::string take_option(session::GivenOptions& given, std::string_view name);
std::vector<std::string> take_options(session::GivenOptions& given, std::string_view name);

}  // namespace lacuna::c
