// SPDX-License-Identifier: Apache-2.0
// Hierarchical tables in three dimensions with many absent and published cells: most quantities
// appear in several totals, so that many cells are parallel. And what every release has to pass.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/generate/generate.h"
#include "data/publish/pattern.h"
#include "support/tables.h"

namespace lacuna::testing {

inline std::shared_ptr<const Problem> with_parallel_cells(std::uint64_t seed) {
  generation::GenerateOptions shape;
  shape.kind = generation::GenerateKind::kHierarchical;
  shape.depths = {2, 1, 1};
  shape.fan_least = {2};
  shape.fan_most = {2};
  shape.absent_percent = 30 + static_cast<std::int32_t>(seed % 3) * 10;
  shape.published_percent = static_cast<std::int32_t>(seed % 4) * 5;
  shape.weight =
      seed % 5 < 3 ? generation::GenerateWeight::kUnity : generation::GenerateWeight::kValue;
  shape.typical_value = 60;
  shape.sensitive_percent = 12;
  shape.upper_percent = 20;
  shape.asymmetry = 1 + static_cast<std::int32_t>(seed % 2);
  shape.sliding_percent = seed % 4 == 1 ? 50 : 0;
  shape.attackers = static_cast<std::int32_t>(seed % 3);
  shape.seed = seed;
  auto made = generation::generate(shape);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::make_shared<const Problem>(std::move(made).value());
}

// Written, read again and audited; the evidence decides everything, without any solver.
inline void expect_protected_after_reading(const std::shared_ptr<const Problem>& problem,
                                           const Draft& draft,
                                           const std::vector<Displacement>& evidence) {
  const std::string text =
      "{\"release\":" + publish::write_release_entries(draft, problem->table()) + "}";
  const auto read = publish::read_pattern(text, "release", problem->table());
  ASSERT_TRUE(read) << read.error().text();
  AuditOptions options;
  options.intervals = false;
  options.hints = evidence;
  const AuditReport report = audit(problem, *read, options);
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_EQ(report.counts.lp_solves + report.counts.flows, 0);
}

}  // namespace lacuna::testing
