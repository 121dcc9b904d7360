// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/lines.h"

#include <gtest/gtest.h>

#include <sstream>

namespace lacuna::mcp {
namespace {

TEST(Lines, ComeOneByOneWithoutTheirEnds) {
  std::istringstream in("one\r\n\ntwo\nlast");
  EXPECT_EQ(next_line(in, 100)->text, "one");
  EXPECT_EQ(next_line(in, 100)->text, "");
  EXPECT_EQ(next_line(in, 100)->text, "two");
  EXPECT_EQ(next_line(in, 100)->text, "last");
  EXPECT_FALSE(next_line(in, 100));
}

TEST(Lines, ThatAreTooLongArePassedOver) {
  std::istringstream in("12345\n123456\n1\n");
  EXPECT_FALSE(next_line(in, 5)->too_long);
  const auto line = next_line(in, 5);
  EXPECT_TRUE(line->too_long);
  EXPECT_EQ(line->text, "");
  EXPECT_EQ(next_line(in, 5)->text, "1");
}

}  // namespace
}  // namespace lacuna::mcp
