// SPDX-License-Identifier: Apache-2.0
// A Result cannot be dropped: an error would pass unseen.
// expect: declared with attribute 'nodiscard'.*unused-result|declared with 'nodiscard' attribute
#include "lacuna/table.h"

lacuna::Result<lacuna::CellId> add(lacuna::TableBuilder& builder) {
#ifdef LACUNA_FORBIDDEN
  builder.add_cell({});
#endif
  return builder.add_cell({});
}
