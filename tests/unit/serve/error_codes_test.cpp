// SPDX-License-Identifier: Apache-2.0
// Codes of errors that only the page's server gives (docs/errors.md).
#include <gtest/gtest.h>

#include "apps/serve/document.h"
#include "apps/serve/workspace.h"

namespace lacuna::serve {
namespace {

TEST(ErrorCodes, TooManyTables) {
  Workspace workspace;
  Result<DocumentPtr> added = workspace.add(std::make_shared<Document>());
  for (int i = 0; added && i < 100'000; ++i)
    added = workspace.add(std::make_shared<Document>());
  ASSERT_FALSE(added);
  EXPECT_EQ(info_of(added.error().code).name, "too-many");
  EXPECT_EQ(added.error().message, "too many tables are open; close one");
}

TEST(ErrorCodes, NothingToTakeBack) {
  const auto before = undone(Document());
  ASSERT_FALSE(before);
  EXPECT_EQ(info_of(before.error().code).name, "no-such-thing");
  EXPECT_EQ(before.error().message, "there is nothing to undo");
}

}  // namespace
}  // namespace lacuna::serve
