// SPDX-License-Identifier: Apache-2.0
#include "core/base/moved_error.h"

#include <utility>

namespace lacuna::base {

Error moved_to(Error error, std::string where) {
  if (!error.where.empty())
    error.message += " (" + error.where + ")";
  error.where = std::move(where);
  return error;
}

}  // namespace lacuna::base
