// SPDX-License-Identifier: Apache-2.0
#include "app/job/ending_text.h"

#include <gtest/gtest.h>

namespace lacuna::job {
namespace {

TEST(EndingText, SaysWhetherAnotherRunMayDiffer) {
  EXPECT_EQ(ending_text("optimal", true), "optimal");
  EXPECT_EQ(ending_text("gap", true), "within the gap that was asked for");
  EXPECT_EQ(ending_text("work", true), "ended by its work");
  EXPECT_EQ(ending_text("limit", false), "stopped by the time limit: another run may differ");
  EXPECT_EQ(ending_text("cancelled", false), "stopped by request: another run may differ");
  EXPECT_EQ(ending_text("work", false), "ended by its work: another run may differ");
}

}  // namespace
}  // namespace lacuna::job
