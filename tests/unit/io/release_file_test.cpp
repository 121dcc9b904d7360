// SPDX-License-Identifier: Apache-2.0
#include "io/release_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "io/json_tree.h"

namespace lacuna {
namespace {

TEST(RunJson, WhatIsNotFiniteIsNull) {
  RunSummary run;
  run.objective = std::numeric_limits<double>::infinity();
  run.bound = 4;
  run.details = {{"cost", run.objective}, {"loss", 0.5}};
  const std::string text = run_json(run);
  EXPECT_TRUE(JsonTree::parse(text, "run")) << text;
  EXPECT_NE(text.find("\"objective\":null,\"bound\":4,\"gap\":null"), std::string::npos) << text;
  EXPECT_NE(text.find("\"cost\":null,\"loss\":0.5"), std::string::npos) << text;
}

}  // namespace
}  // namespace lacuna
