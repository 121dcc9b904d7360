// SPDX-License-Identifier: Apache-2.0
// A broken invariant is a bug: LACUNA_CHECK throws InternalError, which the program, Python, R and
// the page each catch in one place.
#pragma once

#include <stdexcept>
#include <string>

namespace lacuna::base {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line) {
  throw InternalError(std::string("internal check failed: ") + condition + " (" + file + ":" +
                      std::to_string(line) + ")");
}

}  // namespace lacuna::base

#define LACUNA_CHECK(condition)           \
  (static_cast<bool>(condition) ? void(0) \
                                : ::lacuna::base::fail_check(#condition, __FILE__, __LINE__))
