// SPDX-License-Identifier: Apache-2.0
#include "data/publish/release_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "data/files/json_tree.h"

namespace lacuna::publish {
namespace {

TEST(RunJson, WhatIsNotFiniteIsNull) {
  RunSummary run;
  run.objective = std::numeric_limits<double>::infinity();
  run.bound = 4;
  run.details = {{"cost", run.objective}, {"loss", 0.5}};
  const std::string text = run_json(run);
  EXPECT_TRUE(files::JsonTree::parse(text, "run")) << text;
  EXPECT_NE(text.find("\"objective\":null,\"bound\":4,\"gap\":null"), std::string::npos) << text;
  EXPECT_NE(text.find("\"cost\":null,\"loss\":0.5"), std::string::npos) << text;
}

TEST(RunJson, ComesBack) {
  RunSummary run;
  run.method = "suppress";
  run.status = "gap";
  run.objective = 12.5;
  run.bound = 10;
  run.cells = 30;
  run.suppressed = 7;
  run.verdict = "protected";
  run.seed = 18446744073709551615U;
  run.options = "--gap 0.2";
  run.details = {{"nodes", 3}, {"cost", std::numeric_limits<double>::infinity()}};
  run.note = "a \"note\"";
  run.attackers = R"({"count":2,"kinds":{"outsider":1}})";
  const Result<RunSummary> back = read_run_json(run_json(run), "x");
  ASSERT_TRUE(back);
  EXPECT_EQ(run_json(back.value()), run_json(run));
}

TEST(RunJson, AnythingElseIsRefused) {
  for (const char* text : {"", "[]", "{}", "{\"method\":3}", "{\"method\":\"suppress\"}"})
    EXPECT_FALSE(read_run_json(text, "x")) << text;
}

}  // namespace
}  // namespace lacuna::publish
