// SPDX-License-Identifier: Apache-2.0
// Numbers about 2^31, 2^53 and 2^62, where a long of 32 bits, a double and a number of units end:
// values, levels, slacks, ends, witnesses, proofs and certificates keep every unit. In the row
// a + b = T with both parts withheld and not negative, a goes from 0 to T.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "core/base/rational.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "support/random_problem.h"
#include "support/tables.h"

namespace lacuna::audit {
namespace {

using testing::audit;
using testing::problem_of;
using testing::withholding;
using Shared = std::shared_ptr<const Problem>;

struct Row {
  Units first, second;
  Bounds prior;  // of both parts
};

Shared row_with(const Row& row, Units lower, Units upper, Units sliding = 0) {
  TableBuilder builder(0);
  for (const Units value : {row.first, row.second})
    EXPECT_TRUE(builder.add_cell({.value = value, .prior = row.prior}));
  EXPECT_TRUE(builder.add_cell({.value = row.first + row.second, .prior = Bounds{}}));
  const std::vector<Term> terms{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
  EXPECT_TRUE(builder.add_equation(terms));
  return problem_of(std::move(builder), {{.cell = CellId{0}, .lower = lower, .upper = upper, .sliding = sliding}});
}

// 2^31, 2^53, 2^62 and what is beside them, as far as a table may hold it.
std::vector<Units> corners() {
  std::vector<Units> found;
  for (const int power : {31, 32, 53, 61, 62}) {
    for (const Units beside : {-2, -1, 0, 1}) {
      const Wide number = (Wide{1} << power) + beside;
      if (number <= kMaxUnits)
        found.push_back(static_cast<Units>(number));
    }
  }
  return found;
}

// What the draft tells of the first part: it can be as much lower and higher, and not a unit more.
void expect_kept(const Shared& problem,
                 const Draft& draft,
                 Verdict verdict,
                 const Integer& down,
                 const Integer& up) {
  const AuditReport report = audit(problem, draft);
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.verdict, verdict);
  EXPECT_TRUE(finding.low.exact() && finding.high.exact());
  EXPECT_EQ(finding.low.reached, down);
  EXPECT_EQ(finding.high.reached, up);
  const std::string text = certificate::write_certificate(*problem, draft, report);
  const auto read = certificate::read_certificate(text, "c.json", *problem);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->claimed.evidence.witnesses, report.evidence.witnesses);
  EXPECT_EQ(read->claimed.evidence.proofs, report.evidence.proofs);
  const auto confirmed = confirm(*problem, draft, read->claimed);
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(confirmed->verdict, verdict);
}

void expect_kept(const Shared& problem, Verdict verdict, const Integer& down, const Integer& up) {
  expect_kept(problem, withholding({0, 1}), verdict, down, up);
}

TEST(LargeNumbers, LevelsAreMetToTheUnit) {
  for (const Units total : corners()) {
    const Row row{total - 1, 1, {0, kUnboundedAbove}};
    SCOPED_TRACE(total);
    expect_kept(row_with(row, total - 1, 1), Verdict::kProtected, base::to_integer(total - 1), 1);
    expect_kept(row_with(row, total - 1, 2), Verdict::kExposed, base::to_integer(total - 1), 1);
    const Row turned{1, total - 1, {0, kUnboundedAbove}};
    expect_kept(
        row_with(turned, 1, total - 1), Verdict::kProtected, 1, base::to_integer(total - 1));
  }
}

TEST(LargeNumbers, NegativeOnesToo) {
  for (const Units total : corners()) {
    const Row row{1 - total, -1, {kUnboundedBelow, 0}};
    SCOPED_TRACE(total);
    expect_kept(row_with(row, 1, total - 1), Verdict::kProtected, 1, base::to_integer(total - 1));
    expect_kept(row_with(row, 2, total - 1), Verdict::kExposed, 1, base::to_integer(total - 1));
  }
}

// Both parts are published as ranges that are as wide to both sides.
Draft ranges(const Row& row, Units slack) {
  Draft draft;
  draft.publish_interval(CellId{0}, {row.first - slack, row.first + slack});
  draft.publish_interval(CellId{1}, {row.second - slack, row.second + slack});
  return draft;
}

TEST(LargeNumbers, SlacksAreMetToTheUnit) {
  base::Random random(testing::seed_in_use(44));
  for (const Units total : corners()) {
    for (int draw = 0; draw < 4; ++draw) {
      const Units first = random.between(2, total - 2);
      const Row row{first, total - first, Bounds{}};
      const Units most = std::min(row.first, row.second);
      const Units slack = draw == 0 ? most : random.between(1, most);
      const Integer reached = base::to_integer(slack);
      const Draft draft = ranges(row, slack);
      SCOPED_TRACE(::testing::Message() << total << " = " << first << " + ..., slack " << slack);
      expect_kept(row_with(row, slack, slack), draft, Verdict::kProtected, reached, reached);
      expect_kept(row_with(row, slack, slack + 1), draft, Verdict::kExposed, reached, reached);
      expect_kept(row_with(row, slack + 1, slack), draft, Verdict::kExposed, reached, reached);
      expect_kept(row_with(row, 1, 1, 2 * slack), draft, Verdict::kProtected, reached, reached);
      expect_kept(row_with(row, 1, 1, 2 * slack + 1), draft, Verdict::kExposed, reached, reached);
    }
  }
}

}  // namespace
}  // namespace lacuna::audit
