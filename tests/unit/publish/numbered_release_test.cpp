// SPDX-License-Identifier: Apache-2.0
// Public files of tables without codes, by cell number.
#include <gtest/gtest.h>

#include "data/publish/known_release.h"

namespace lacuna::publish {
namespace {

Result<std::vector<Bounds>> read(const std::string& text, std::int32_t cells = 3) {
  return read_numbered_release(text, "last.csv", cells, 1);
}

TEST(NumberedRelease, HasWhatEachCellTells) {
  const auto told = read(
      "cell;value;state;lower;upper\n"
      "2;;withheld;;\n"
      "0;12.5;published;;\n"
      "1;;interval;3;7\n");
  ASSERT_TRUE(told) << told.error().text();
  EXPECT_EQ(*told, (std::vector<Bounds>{{125, 125}, {30, 70}, {}}));
}

TEST(NumberedRelease, RefusesOtherCells) {
  for (const char* rows : {"0;1;published\n1;2;published\n",
                           "0;1;published\n1;2;published\n3;2;published\n",
                           "0;1;published\n1;2;published\nx;2;published\n"}) {
    const auto told = read("cell;value;state\n" + std::string(rows));
    ASSERT_FALSE(told) << rows;
    EXPECT_NE(told.error().message.find("the file must have the cells 0 to 2, each once"),
              std::string::npos)
        << told.error().text();
  }
  const auto twice = read("cell;value;state\n0;1;published\n0;2;published\n2;2;published\n");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "the cell is listed twice");
}

TEST(NumberedRelease, RefusesOtherFiles) {
  EXPECT_EQ(read("{}").error().code, ErrorCode::kOtherFormat);
  EXPECT_EQ(read("region;value\nNorth;3\n").error().code, ErrorCode::kMissingColumn);
  EXPECT_FALSE(read("cell;value;state\n0;;published\n1;;withheld\n2;;withheld\n"));
}

}  // namespace
}  // namespace lacuna::publish
