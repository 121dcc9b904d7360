// SPDX-License-Identifier: Apache-2.0
// A Status cannot be dropped either.
// expect: declared with attribute 'nodiscard'.*unused-result|declared with 'nodiscard' attribute
#include "lacuna/draft.h"

lacuna::Status check(const lacuna::Table& table, const lacuna::Draft& draft) {
#ifdef LACUNA_FORBIDDEN
  lacuna::check_draft(table, draft);
#endif
  return lacuna::check_draft(table, draft);
}
