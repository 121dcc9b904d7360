// SPDX-License-Identifier: Apache-2.0
// The known name that a misspelt one most likely meant, for error messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lacuna::base {

// Number of single-character insertions, deletions, replacements and swaps of neighbours
// (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate closest to the name; empty if none is close enough to be a plausible slip
// (distance at most a third of the longer name, and at least one is always allowed).
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

// "; did you mean 'value'?" or an empty string, to be appended to a sentence.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace lacuna::base
